#pragma once

#include <cstdint>
#include <vector>

#include "sim/timing/list_schedule.hpp"
#include "sim/timing/mxu.hpp"

namespace slab::sim::timing {

/// A pass in equal pieces of its `groups` of rows or tiles, at most `most_pieces`.
std::vector<Piece> pass_pieces(std::int64_t groups);

/// How a dot goes through its rows and weight tiles.
struct DotOrder {
    std::int64_t row_groups = 1;
    std::int64_t batch = 1;
    std::int64_t rounds = 1;       ///< of one row block
    std::int64_t row_blocks = 1;   ///< rows the accumulators hold at a time
    std::int64_t column_sets = 1;  ///< finished one after the other
    bool transposed = false;       ///< the right operand has its columns as rows
};

/// A dot in pieces of rows. The first round needs the rows as they come, the last one finishes
/// them; what is between is cut evenly.
std::vector<Piece> dot_pieces(const DotOrder& order);

/// The first piece after the last weight load.
std::size_t last_round(const std::vector<Piece>& pieces, const DotOrder& order);

}  // namespace slab::sim::timing
