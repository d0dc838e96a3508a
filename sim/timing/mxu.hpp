#pragma once

#include <cstdint>
#include <vector>

#include "arch_configs/chip_spec.hpp"
#include "compiler/schedule/program.hpp"
#include "support/dtype.hpp"

namespace slab::sim::timing {

/// A dot of `batch` products [m, k] x [k, n] as the matrix units see it.
struct DotShape {
    std::int64_t batch = 1;
    std::int64_t m = 0, k = 0, n = 0;
    DType lhs = DType::bf16, rhs = DType::bf16;
    bool transposed = false;
    int passes = 1;
};

/// The shape of a dot whose arguments and result are among `values`.
DotShape dot_shape(const schedule::Op& op, const std::vector<schedule::BlockType>& values);

/// Its rows take at least as long as the weights of a tile need to be loaded.
bool hides_load(const DotShape& dot, const arch::MxuSpec& mxu);

/// A round fills every unit with one weight tile and streams the rows through all of them.
struct DotTime {
    double cycles = 0;      ///< all rounds, later weight loads included; not the first, not latency
    double first_load = 0;  ///< the load that nothing hides
    double latency = 0;     ///< last row in to last result out
    std::int64_t k_tiles = 0;     ///< partial results per output element; every pass adds its own
    std::int64_t n_tiles = 0;     ///< weight tiles side by side
    std::int64_t rounds = 0;      ///< row streams of one row block, one after the other
    std::int64_t row_blocks = 1;  ///< rows of one go through all tiles before those of the next
    std::int64_t n_groups = 0;    ///< sets of columns that are finished one after the other
    std::int64_t k_together = 1;  ///< partial results of one element that pop at the same time
    double round_cycles() const { return cycles / static_cast<double>(rounds); }
};

/// Weight tiles of dim x dim, padded, shared by the units; rows stream through each; the load of
/// the next tile hides behind the stream of the previous one when that is longer. Where sums over k
/// stay in the units they take different columns first, then different k; otherwise different k
/// first, since their results leave as one. With fewer tiles than units the rows are split. Of
/// several rounds each takes `row_block` rows, or as many as accumulators hold where sums over k
/// stay in them, before the next rows begin: so a softmax can begin on rows that are through.
DotTime dot_time(const DotShape& dot, const arch::MxuSpec& mxu);

}  // namespace slab::sim::timing
