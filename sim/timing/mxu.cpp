#include "sim/timing/mxu.hpp"

#include <algorithm>

#include "support/check.hpp"

namespace slab::sim::timing {

namespace {

// Rows enter an array in groups of one register's sublanes.
constexpr std::int64_t row_group = 8;

std::int64_t ceil_div(std::int64_t value, std::int64_t divisor) {
    return (value + divisor - 1) / divisor;
}

/// The wider operand type sets the rate; a type the arrays have no rate for is converted to bf16.
double rows_per_cycle(const DotShape& dot, const arch::MxuSpec& mxu) {
    const DType wider = bits(dot.rhs) > bits(dot.lhs) ? dot.rhs : dot.lhs;
    const DType other = wider == dot.lhs ? dot.rhs : dot.lhs;
    for (DType type : {wider, other, DType::bf16})
        if (auto rate = mxu.rows_per_cycle.find(type); rate != mxu.rows_per_cycle.end())
            return rate->second;
    SLAB_CHECK(false, "no row rate for {} x {}", name(dot.lhs), name(dot.rhs));
    return 1;
}

/// Weights travel as 16-bit elements; narrower ones take proportionally fewer pushes.
double load_cycles(const DotShape& dot, const arch::MxuSpec& mxu) {
    const double whole =
        dot.transposed ? mxu.weight_load_transposed_cycles : mxu.weight_load_cycles;
    return whole * std::min(bits(dot.rhs), 16) / 16.0;
}

std::int64_t block_rows(const DotTime& time, const arch::MxuSpec& mxu) {
    const bool accumulates = mxu.accumulate_in_place && time.k_tiles > 1;
    return accumulates ? std::min(mxu.row_block, mxu.accumulator_rows) : mxu.row_block;
}

}  // namespace

DotShape dot_shape(const schedule::Op& op, const std::vector<schedule::BlockType>& values) {
    const schedule::BlockType& lhs = values[op.args[0]];
    const schedule::BlockType& rhs = values[op.args[1]];
    const std::vector<std::int64_t>& result = values[op.result].shape;
    DotShape dot;
    for (std::size_t d = 0; d + 2 < result.size(); ++d) dot.batch *= result[d];
    dot.m = result.size() > 1 ? result[result.size() - 2] : 1;
    dot.n = result.back();
    dot.k = lhs.shape.back();
    dot.lhs = lhs.type;
    dot.rhs = rhs.type;
    dot.transposed = op.transposed;
    dot.passes = op.passes;
    return dot;
}

bool hides_load(const DotShape& dot, const arch::MxuSpec& mxu) {
    return static_cast<double>(dot.m) / rows_per_cycle(dot, mxu) >= load_cycles(dot, mxu);
}

DotTime dot_time(const DotShape& dot, const arch::MxuSpec& mxu) {
    const std::int64_t units = mxu.count;
    DotTime time;
    time.k_tiles = ceil_div(dot.k, mxu.dim) * dot.passes;
    time.n_tiles = ceil_div(dot.n, mxu.dim);
    const std::int64_t tiles = time.k_tiles * time.n_tiles * dot.batch;
    time.rounds = ceil_div(tiles, units);
    const std::int64_t most = mxu.accumulate_in_place ? units / time.n_tiles : units;
    time.k_together = std::clamp<std::int64_t>(most, 1, time.k_tiles);
    time.n_groups = ceil_div(time.n_tiles, units / time.k_together);

    const std::int64_t shares = tiles < units ? units / tiles : 1;
    const std::int64_t groups = ceil_div(ceil_div(dot.m, row_group), shares);
    if (time.rounds > 1 && dot.batch == 1) time.row_blocks = ceil_div(dot.m, block_rows(time, mxu));
    const double stream = static_cast<double>(ceil_div(groups, time.row_blocks) * row_group) /
                          rows_per_cycle(dot, mxu);
    time.first_load = load_cycles(dot, mxu);
    time.latency = mxu.result_latency_cycles;
    const std::int64_t streams = time.rounds * time.row_blocks;
    time.cycles = static_cast<double>(streams - 1) * std::max(stream, time.first_load) + stream;
    return time;
}

}  // namespace slab::sim::timing
