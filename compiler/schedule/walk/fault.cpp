#include "compiler/schedule/walk/fault.hpp"

#include <fmt/format.h>

#include "compiler/schedule/print.hpp"

namespace slab::schedule {

namespace {

const Buffer& buffer_of(ExprId element, const Program& program) {
    const ScalarExpr& expr = program.exprs[static_cast<std::size_t>(element)];
    return program.buffers[static_cast<std::size_t>(expr.buffer)];
}

Stop stop_for_window(const Fault& fault, const Program& program) {
    const Stream& stream = program.streams[static_cast<std::size_t>(fault.id)];
    const Operand& operand = program.operands[static_cast<std::size_t>(stream.operand)];
    const auto dimension = static_cast<std::size_t>(fault.dimension);
    const std::string where = fault.value < 0
                                  ? "ends before its beginning"
                                  : fmt::format("starts past its end: dimension {} has {} elements",
                                                dimension, operand.shape[dimension]);
    return {Diag::E0401, stream.place.span,
            fmt::format(diag_info(Diag::E0401).sentence,
                        fmt::format("the window at {}", fault.value), operand.name, where),
            "a window has an element in its array; one that moves nothing has a length of 0"};
}

Stop stop_for_element(const Fault& fault, const Program& program, const Data& data, Span span) {
    const Buffer& buffer = buffer_of(fault.id, program);
    if (fault.kind == Fault::Kind::element_copy)
        return {Diag::E0401, span, copy_outside(fault.value, buffer), ""};
    if (fault.kind == Fault::Kind::element_unset)
        return unset_element(program.exprs[static_cast<std::size_t>(fault.id)].buffer, program,
                             data, span);
    const auto dimension = static_cast<std::size_t>(fault.dimension);
    return {Diag::E0401, span,
            index_outside(fault.value, buffer.name, dimension, buffer.shape[dimension]), ""};
}

}  // namespace

std::string index_outside(std::int64_t index, const std::string& name, std::size_t dimension,
                          std::int64_t size) {
    return fmt::format("index {} of `{}` lies outside dimension {}, which has {} element{}", index,
                       name, dimension, size, size == 1 ? "" : "s");
}

std::string copy_outside(std::int64_t copy, const Buffer& buffer) {
    return fmt::format("copy {} of `{}` does not exist, the buffer has {}", copy, buffer.name,
                       buffer.copies);
}

Stop unset_element(BufferId buffer, const Program& program, const Data& data, Span span) {
    for (std::size_t id = 0; id < program.operands.size(); ++id) {
        const Operand& operand = program.operands[id];
        if (operand.resident != buffer || operand.direction == Direction::out) continue;
        if (id < data.operands.size() && !data.operands[id].empty()) continue;
        return {Diag::E0006, span, fmt::format("operand `{}` without a value", operand.name),
                "the scalar unit reads its elements"};
    }
    const std::string& name = program.buffers[static_cast<std::size_t>(buffer)].name;
    return {Diag::E0701, span, fmt::format(diag_info(Diag::E0701).sentence, "an element", name),
            ""};
}

Stop stop_for(const Fault& fault, const Program& program, const Data& data, Span span) {
    const auto id = static_cast<std::size_t>(fault.id);
    switch (fault.kind) {
        case Fault::Kind::nothing:
        case Fault::Kind::told:
            break;
        case Fault::Kind::division:
            return {Diag::kernel_fault, span,
                    fmt::format("a division by zero in `{}`", print(fault.id, program)), ""};
        case Fault::Kind::live_length:
            return {Diag::E0401, program.streams[id].place.span,
                    fmt::format("a window of `{}` has {} live elements in a dimension, they must "
                                "be 0 to its size",
                                program.streams[id].name, fault.value),
                    ""};
        case Fault::Kind::window_outside:
            return stop_for_window(fault, program);
        case Fault::Kind::loop_step:
            return {Diag::kernel_fault, span,
                    fmt::format("the step of loop `{}` is zero", program.slots[id].name), ""};
        case Fault::Kind::broken_promise:
            return {Diag::E0503, span,
                    fmt::format("`{}` is broken: the value is {}", print(fault.id, program),
                                fault.value),
                    "what a promise saves is the code for places inside a tile"};
        case Fault::Kind::element_index:
        case Fault::Kind::element_copy:
        case Fault::Kind::element_unset:
            return stop_for_element(fault, program, data, span);
    }
    return {Diag::kernel_fault, span, "", ""};
}

}  // namespace slab::schedule
