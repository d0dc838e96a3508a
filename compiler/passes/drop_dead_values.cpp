#include <algorithm>

#include "compiler/passes/passes.hpp"
#include "compiler/schedule/dead_code.hpp"

namespace slab::compiler {
namespace {

using schedule::Op;
using schedule::Region;
using schedule::ValueId;

void sweep(Region& region) {
    schedule::drop_unused(region);
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

template <typename Visit>
void for_each_buffer(schedule::Block& block, Visit& visit) {
    for (schedule::Stmt& stmt : block) {
        if (auto* set = std::get_if<schedule::SetElement>(&stmt.node)) visit(set->buffer);
        schedule::for_each_block(stmt, [&](auto& body) { for_each_buffer(body, visit); });
    }
}

/// Every mention of a buffer.
template <typename Visit>
void for_each_buffer(schedule::Program& program, Visit&& visit) {
    const auto memory = [&](schedule::MemoryRef& ref) {
        if (ref.buffer != schedule::none) visit(ref.buffer);
    };
    for (Region& region : program.regions)
        for (Op& op : region.ops)
            if (op.ref) memory(*op.ref);
    for (schedule::Stream& stream : program.streams) {
        visit(stream.buffer);
        for_each_buffer(stream.fetch, visit);
        for_each_buffer(stream.flush, visit);
    }
    for (schedule::Operand& operand : program.operands)
        if (operand.resident != schedule::none) visit(operand.resident);
    for (schedule::ScalarExpr& expr : program.exprs)
        if (expr.buffer != schedule::none) visit(expr.buffer);
    for (schedule::Ring& ring : program.rings) visit(ring.buffer);
    for (schedule::Copy& copy : program.copies) {
        memory(copy.source);
        memory(copy.target);
    }
    for (schedule::Wait& wait : program.waits)
        if (wait.region) memory(*wait.region);
    for_each_buffer(program.body, visit);
}

/// Buffers that neither code nor a window touches cost nothing.
void drop_unused_buffers(Unit& unit) {
    schedule::Program& program = unit.program;
    std::vector<bool> used(program.buffers.size(), false);
    for_each_buffer(program, [&](schedule::BufferId id) { used[id] = true; });
    std::vector<schedule::BufferId> renamed(program.buffers.size(), schedule::none);
    std::vector<schedule::Buffer> kept;
    for (std::size_t i = 0; i < used.size(); ++i)
        if (used[i]) {
            renamed[i] = static_cast<schedule::BufferId>(kept.size());
            kept.push_back(std::move(program.buffers[i]));
        }
    for_each_buffer(program, [&](schedule::BufferId& id) { id = renamed[id]; });
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
