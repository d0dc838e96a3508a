#include <algorithm>

#include "compiler/passes/passes.hpp"

namespace slab::compiler {
namespace {

using schedule::Op;
using schedule::OpClass;
using schedule::Region;
using schedule::ValueId;

void sweep(Region& region) {
    std::vector<bool> used(region.values.size(), false);
    for (auto op = region.ops.rbegin(); op != region.ops.rend(); ++op)
        if (op->cls == OpClass::store || used[op->result])
            for (const ValueId arg : op->args) used[arg] = true;
    std::erase_if(region.ops,
                  [&](const Op& op) { return op.cls != OpClass::store && !used[op.result]; });
    std::vector<ValueId> renamed(region.values.size(), schedule::none);
    std::vector<schedule::BlockType> values;
    for (Op& op : region.ops) {
        for (ValueId& arg : op.args) arg = renamed[arg];
        if (op.result == schedule::none) continue;
        renamed[op.result] = static_cast<ValueId>(values.size());
        values.push_back(region.values[op.result]);
        op.result = renamed[op.result];
    }
    region.values = std::move(values);
}

}  // namespace

void drop_dead_values(Unit& unit, Diagnostics&) {
    for (Region& region : unit.program.regions) sweep(region);
}

}  // namespace slab::compiler
