#pragma once

#include <functional>
#include <vector>

#include "compiler/schedule/program.hpp"

// What statements evaluate, and what expressions are made of.
namespace slab::schedule {

/// Every expression that the statements evaluate, those of copies and waits among them.
void for_each_expr(const Program& program, const Block& block,
                   const std::function<void(ExprId)>& visit);

/// The slots an expression reads are set in `slots`.
void collect_slots(const Program& program, ExprId id, std::vector<bool>& slots);

/// Does the expression read an SMEM buffer that `matches`?
bool reads_element(const Program& program, ExprId id, const std::function<bool(BufferId)>& matches);

/// Does it copy something into SMEM that it computes itself, so that only a run with values knows
/// what it does?
bool decides_by_values(const Program& program);

}  // namespace slab::schedule
