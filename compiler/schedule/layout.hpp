#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "compiler/schedule/program.hpp"

namespace slab::schedule {

/// Bytes of a block in VMEM: rows are rounded up to `tile_rows`, columns to `lanes`.
/// `f32[512, 1]` occupies 512 x 128 x 4 bytes; a rank-1 block is one row.
std::int64_t vmem_bytes(DType type, const std::vector<std::int64_t>& shape, std::int64_t tile_rows,
                        std::int64_t lanes);

/// Memory tiles of a block: what one load or store slot moves at a time.
std::int64_t tile_count(const std::vector<std::int64_t>& shape, std::int64_t tile_rows,
                        std::int64_t lanes);

/// Accesses that load or store a block: one moves a register's bytes out of neighbouring tiles, so
/// of two half-register tiles side by side it moves both.
std::int64_t access_count(DType type, const std::vector<std::int64_t>& shape,
                          std::int64_t tile_rows, std::int64_t lanes, std::int64_t sublanes);

/// Bytes of an array in HBM. The minor dimension is not padded, rows are rounded up to the tile.
std::int64_t hbm_bytes(const Operand& operand);

struct CopyShape {
    std::int64_t bytes = 0;  ///< moved, without padding
    std::int64_t runs = 0;   ///< contiguous pieces of HBM they lie in
    bool operator==(const CopyShape&) const = default;
};

/// A copy of `extent` elements per dimension out of an HBM array of `shape`. The array lies in
/// tiles of `tile_rows` x `lanes`, row of tiles after row of tiles; a minor dimension below `lanes`
/// is not padded. A block that spans the minor dimension is one run per stretch of rows, and
/// stretches that span whole arrays merge outward; a narrower one has a run per row of tiles, and
/// fewer rows than a tile has are a run per tile. Starts are taken as aligned to tiles.
CopyShape copy_shape(DType type, const std::vector<std::int64_t>& shape,
                     const std::vector<std::int64_t>& extent, std::int64_t tile_rows,
                     std::int64_t lanes);
CopyShape copy_shape(DType type, std::span<const std::int64_t> shape,
                     std::span<const std::int64_t> extent, std::int64_t tile_rows,
                     std::int64_t lanes);
/// The same with elements `step` apart per dimension. Elements that have others between them lie in
/// runs of their own, and so do rows where a tile has more than one.
CopyShape copy_shape(DType type, std::span<const std::int64_t> shape,
                     std::span<const std::int64_t> extent, std::span<const std::int64_t> step,
                     std::int64_t tile_rows, std::int64_t lanes);

}  // namespace slab::schedule
