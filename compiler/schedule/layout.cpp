#include "compiler/schedule/layout.hpp"

namespace slab::schedule {

namespace {

using Extents = std::span<const std::int64_t>;

std::int64_t ceil_div(std::int64_t value, std::int64_t divisor) {
    return (value + divisor - 1) / divisor;
}

std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
    return ceil_div(value, multiple) * multiple;
}

std::int64_t product(Extents extents) {
    std::int64_t result = 1;
    for (std::int64_t extent : extents) result *= extent;
    return result;
}

std::int64_t bytes_of(DType type, std::int64_t elements) {
    return ceil_div(elements * bits(type), 8);
}

/// Runs of a block of `rows` x `columns` in an array of `all_rows` x `all_columns`.
std::int64_t plane_runs(std::int64_t all_rows, std::int64_t all_columns, std::int64_t rows,
                        std::int64_t columns, std::int64_t tile_rows, std::int64_t lanes) {
    const std::int64_t tiles = ceil_div(columns, lanes);
    // The last row of tiles of the array is as whole as it can be.
    const std::int64_t rest = rows % tile_rows;
    const bool whole_tiles = rest == 0 || rest == all_rows % tile_rows;
    if (columns == all_columns) return whole_tiles ? 1 : tiles;
    return whole_tiles ? ceil_div(rows, tile_rows) : rows / tile_rows + tiles;
}

}  // namespace

std::int64_t tile_count(const std::vector<std::int64_t>& shape, std::int64_t tile_rows,
                        std::int64_t lanes) {
    if (shape.empty()) return 1;
    const std::size_t rank = shape.size();
    const std::int64_t rows = rank > 1 ? shape[rank - 2] : 1;
    const std::int64_t outer = rank > 2 ? product(Extents(shape).first(rank - 2)) : 1;
    return outer * ceil_div(rows, tile_rows) * ceil_div(shape[rank - 1], lanes);
}

std::int64_t vmem_bytes(DType type, const std::vector<std::int64_t>& shape, std::int64_t tile_rows,
                        std::int64_t lanes) {
    return bytes_of(type, tile_count(shape, tile_rows, lanes) * tile_rows * lanes);
}

std::int64_t access_count(DType type, const std::vector<std::int64_t>& shape,
                          std::int64_t tile_rows, std::int64_t lanes, std::int64_t sublanes) {
    const std::int64_t columns = shape.empty() ? 1 : ceil_div(shape.back(), lanes);
    const std::int64_t rows = tile_count(shape, tile_rows, lanes) / columns;
    const std::int64_t register_bytes = sublanes * lanes * 4;
    return rows * ceil_div(columns * bytes_of(type, tile_rows * lanes), register_bytes);
}

std::int64_t hbm_bytes(const Operand& operand) {
    const Extents shape = operand.shape;
    const std::size_t rank = shape.size();
    if (rank < 2) return bytes_of(operand.type, product(shape));
    const std::int64_t rows = round_up(shape[rank - 2], operand.tile_rows);
    return bytes_of(operand.type, product(shape.first(rank - 2)) * rows * shape[rank - 1]);
}

CopyShape copy_shape(DType type, Extents shape, Extents extent, std::int64_t tile_rows,
                     std::int64_t lanes) {
    const std::int64_t elements = product(extent);
    if (elements == 0) return {};
    CopyShape result{bytes_of(type, elements), 1};
    const std::size_t rank = shape.size();
    if (rank < 2) return result;

    const std::int64_t all_rows = shape[rank - 2];
    const std::int64_t all_columns = shape[rank - 1];
    const std::int64_t rows = extent[rank - 2];
    const std::int64_t columns = extent[rank - 1];
    result.runs = plane_runs(all_rows, all_columns, rows, columns, tile_rows, lanes);
    bool spans_all_inside = columns == all_columns && rows == all_rows;
    for (std::size_t d = rank - 2; d-- > 0;) {
        if (!spans_all_inside) result.runs *= extent[d];
        spans_all_inside = spans_all_inside && extent[d] == shape[d];
    }
    return result;
}

CopyShape copy_shape(DType type, const std::vector<std::int64_t>& shape,
                     const std::vector<std::int64_t>& extent, std::int64_t tile_rows,
                     std::int64_t lanes) {
    return copy_shape(type, Extents(shape), Extents(extent), tile_rows, lanes);
}

CopyShape copy_shape(DType type, Extents shape, Extents extent, Extents step,
                     std::int64_t tile_rows, std::int64_t lanes) {
    const auto is_apart = [&](std::size_t d) { return step[d] != 1 && extent[d] > 1; };
    std::size_t inner = shape.size();  // the first dimension inside all that are apart
    while (inner > 0 && !is_apart(inner - 1)) --inner;
    if (inner == 0) return copy_shape(type, shape, extent, tile_rows, lanes);
    const std::int64_t elements = product(extent);
    if (elements == 0) return {};
    std::int64_t pieces = 1;
    if (shape.size() - inner == 1 && tile_rows > 1) {
        pieces = ceil_div(extent.back(), lanes);
    } else if (inner < shape.size()) {
        pieces =
            copy_shape(type, shape.subspan(inner), extent.subspan(inner), tile_rows, lanes).runs;
    }
    return {bytes_of(type, elements), product(extent.first(inner)) * pieces};
}

}  // namespace slab::schedule
