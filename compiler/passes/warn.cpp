#include <algorithm>
#include <set>

#include "compiler/passes/passes.hpp"
#include "support/size_text.hpp"

namespace slab::compiler {
namespace {

using schedule::Buffer;
using schedule::none;
using Int = std::int64_t;

/// W01: what tiles cost where a dimension is short. Small arrays are not worth a word.
void warn_of_padding(const Unit& unit, Diagnostics& diags) {
    constexpr Int worth_saving = 128 * 1024;
    for (const Buffer& buffer : unit.program.buffers) {
        if (buffer.space != schedule::Space::vmem || buffer.role == schedule::BufferRole::live)
            continue;
        Int data = bits(buffer.type);
        for (const Int size : buffer.shape) data *= size;
        data = data * buffer.copies / 8;
        const Int taken = buffer.bytes * buffer.copies;
        if (taken - data < worth_saving || data * 2 >= taken) continue;
        diags
            .add<Diag::W01>(buffer.place.span,
                            fmt::format("{} {}[{}]", buffer.name, name(buffer.type),
                                        fmt::join(buffer.shape, ", ")),
                            size_text(double(taken)), size_text(double(data)))
            .because(fmt::format("VMEM is laid out in tiles of {} x {}", buffer.tile_rows,
                                 unit.chip.vpu.lanes))
            .fix("a longer last dimension, or several of them side by side in one block");
    }
}

/// The operands that a statement, a window or control flow mentions.
std::set<schedule::OperandId> used_operands(const schedule::Program& program) {
    std::set<schedule::OperandId> used;
    std::set<schedule::BufferId> buffers;
    const auto memory = [&](const schedule::MemoryRef& ref) {
        used.insert(ref.operand);
        buffers.insert(ref.buffer);
    };
    for (const schedule::Stream& stream : program.streams) used.insert(stream.operand);
    for (const schedule::Copy& copy : program.copies) {
        // an operand in VMEM is brought there whether it is used or not
        const bool brings = copy.source.operand != none && copy.target.buffer != none &&
                            program.operands[copy.source.operand].resident == copy.target.buffer;
        if (brings) continue;
        memory(copy.source);
        memory(copy.target);
    }
    for (const schedule::Wait& wait : program.waits)
        if (wait.region) memory(*wait.region);
    for (const schedule::Region& region : program.regions)
        for (const schedule::Op& op : region.ops)
            if (op.ref) memory(*op.ref);
    for (const schedule::ScalarExpr& expr : program.exprs) buffers.insert(expr.buffer);
    for (std::size_t i = 0; i < program.operands.size(); ++i)
        if (program.operands[i].resident != none && buffers.count(program.operands[i].resident))
            used.insert(static_cast<schedule::OperandId>(i));
    return used;
}

void warn_of_unused(const Unit& unit, Diagnostics& diags) {
    std::set<std::uint32_t> told;  // the block of a function may have been lowered often
    for (const auto& [what, name] : unit.unused)
        if (told.insert(name.span.begin).second)
            diags.add<Diag::W05_local>(name.span, what, name.text)
                .because("a reader expects it to matter")
                .fix("leave it out");
    const std::set<schedule::OperandId> used = used_operands(unit.program);
    for (std::size_t i = 0; i < unit.program.operands.size(); ++i) {
        const schedule::Operand& operand = unit.program.operands[i];
        if (used.count(static_cast<schedule::OperandId>(i))) continue;
        diags.add<Diag::W05>(operand.place.span, operand.name)
            .because("it takes its place in HBM, and a reader expects it to matter")
            .fix("leave it out");
    }
}

}  // namespace

void warn(Unit& unit, Diagnostics& diags) {
    if (unit.quiet || diags.has_errors()) return;
    warn_of_padding(unit, diags);
    warn_of_unused(unit, diags);
}

}  // namespace slab::compiler
