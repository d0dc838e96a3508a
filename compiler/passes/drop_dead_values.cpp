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

/// Buffers that neither code nor a window touches cost nothing.
void drop_unused_buffers(Unit& unit) {
    schedule::Program& program = unit.program;
    std::vector<bool> used(program.buffers.size(), false);
    const auto each = [&](auto&& visit) {
        for (Region& region : program.regions)
            for (Op& op : region.ops)
                if (op.ref) visit(op.ref->buffer);
        for (schedule::Stream& stream : program.streams) visit(stream.buffer);
    };
    each([&](schedule::BufferId id) { used[id] = true; });
    std::vector<schedule::BufferId> renamed(program.buffers.size(), schedule::none);
    std::vector<schedule::Buffer> kept;
    for (std::size_t i = 0; i < used.size(); ++i)
        if (used[i]) {
            renamed[i] = static_cast<schedule::BufferId>(kept.size());
            kept.push_back(std::move(program.buffers[i]));
        }
    each([&](schedule::BufferId& id) { id = renamed[id]; });
    std::erase_if(unit.live, [&](const LiveValue& live) {
        return live.buffer != schedule::none && renamed[live.buffer] == schedule::none;
    });
    for (LiveValue& live : unit.live)
        if (live.buffer != schedule::none) live.buffer = renamed[live.buffer];
    program.buffers = std::move(kept);
}

}  // namespace

void drop_dead_values(Unit& unit, Diagnostics&) {
    for (Region& region : unit.program.regions) sweep(region);
    drop_unused_buffers(unit);
}

}  // namespace slab::compiler
