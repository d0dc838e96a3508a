#include "compiler/passes/passes.hpp"

namespace slab::compiler {
namespace {

using schedule::Op;
using schedule::Region;
using schedule::ValueId;

/// The number that a splat of an integer holds, if it is known before the kernel runs.
std::optional<std::int64_t> known(const schedule::Program& program, const Op& op) {
    if (op.name != "splat" || op.scalars.empty()) return std::nullopt;
    const schedule::ScalarExpr& expr = program.exprs[op.scalars.front()];
    if (expr.op != schedule::ScalarOp::constant || expr.type != schedule::ScalarType::i32)
        return std::nullopt;
    return expr.integer;
}

void fold(const schedule::Program& program, Region& region) {
    std::vector<const Op*> made(region.values.size(), nullptr);
    std::vector<bool> indices(region.values.size(), false);  // an iota, and what folds into it
    for (Op& op : region.ops) {
        if (op.result == schedule::none) continue;
        made[op.result] = &op;
        indices[op.result] = op.name == "iota" || (op.name == "broadcast" && indices[op.args[0]]);
        if (op.name != "add" && op.name != "sub") continue;
        if (!is_integer(region.values[op.result].type)) continue;
        for (std::size_t side = 0; side < 2; ++side) {
            const ValueId number = op.args[1 - side], other = op.args[side];
            const auto value = known(program, *made[number]);
            const bool subtracted_from = op.name == "sub" && side == 1;
            if (!value || subtracted_from || !(*value == 0 || indices[other])) continue;
            op.work = {};
            indices[op.result] = indices[other];
            break;
        }
    }
}

}  // namespace

void fold_offsets(Unit& unit, Diagnostics&) {
    for (Region& region : unit.program.regions) fold(unit.program, region);
}

}  // namespace slab::compiler
