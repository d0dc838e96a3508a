#include "compiler/schedule/text/print_region.hpp"

#include <fmt/format.h>

#include "compiler/schedule/text/expressions.hpp"
#include "compiler/schedule/text/print_references.hpp"

namespace slab::schedule {

namespace {

std::string print(const Work& work) {
    std::string text;
    if (work.valu != 0) text += fmt::format(" valu {}", work.valu);
    if (work.eup != 0) text += fmt::format(" eup {}", work.eup);
    if (work.xlu != 0) text += fmt::format(" xlu {}", work.xlu);
    return text;
}

}  // namespace

std::string print(const Op& op, const Region& region, const Program& program,
                  const ProgramNames& names) {
    std::string text;
    if (op.result != none) text += fmt::format("%{} = ", op.result);
    text += spelled(op.name);
    if (op.name != name_of(op.cls)) text += fmt::format(".{}", name_of(op.cls));

    std::string operands;
    const auto operand = [&](const std::string& word) {
        operands += (operands.empty() ? " " : ", ") + word;
    };
    for (ValueId arg : op.args) operand(fmt::format("%{}", arg));
    if (op.ref) operand(ReferenceText(program, names).print(*op.ref));
    for (ExprId scalar : op.scalars) operand(fmt::format("({})", print(scalar, program, names)));
    text += operands;

    if (!op.integers.empty()) text += fmt::format(" of {{{}}}", fmt::join(op.integers, ", "));
    if (op.transposed) text += " transposed";
    if (op.passes != 1) text += fmt::format(" passes {}", op.passes);
    text += print(op.work);
    if (op.result >= 0 && op.result < static_cast<ValueId>(region.values.size())) {
        const BlockType& type = region.values[static_cast<std::size_t>(op.result)];
        text += ": " + spelled(type.type, type.shape);
    }
    return text;
}

}  // namespace slab::schedule
