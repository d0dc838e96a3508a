#include "compiler/schedule/text/print_references.hpp"

#include <fmt/format.h>

#include "compiler/schedule/text/expressions.hpp"

namespace slab::schedule {

std::string ReferenceText::print(ExprId id) const {
    return schedule::print(id, program_, names_);
}

std::string ReferenceText::print(const std::vector<ExprId>& exprs) const {
    std::string text;
    for (ExprId expr : exprs) text += (text.empty() ? "" : ", ") + print(expr);
    return text;
}

std::string ReferenceText::print(const std::vector<RefDim>& dims) const {
    std::string text;
    for (const RefDim& dim : dims) {
        if (!text.empty()) text += ", ";
        text += print(dim.start);
        if (dim.live != none)
            text += fmt::format(" +: {} upto {}", print(dim.live), dim.size);
        else if (!dim.dropped)
            text += fmt::format(" +: {}", dim.size);
        if (dim.step != 1) text += fmt::format(" step {}", dim.step);
    }
    return text;
}

std::string ReferenceText::copy_number(ExprId copy) const {
    return copy == none ? "" : '{' + print(copy) + '}';
}

std::string ReferenceText::print(const MemoryRef& ref) const {
    std::string text =
        ref.operand == none ? names_.buffers[ref.buffer] : "hbm " + names_.operands[ref.operand];
    text += fmt::format("{}[{}]", copy_number(ref.copy), print(ref.dims));
    for (const View& view : ref.views) text += print(view);
    return text;
}

std::string ReferenceText::print(const View& view) const {
    const std::string order =
        view.order.empty() ? "" : fmt::format(" permuted ({})", fmt::join(view.order, ", "));
    return fmt::format("{} as {}[{}]", order, spelled(view.type, view.shape), print(view.dims));
}

std::string ReferenceText::print(const SemaphoreRef& ref) const {
    const std::string name = names_.semaphores[ref.semaphore];
    return ref.index.empty() ? name : fmt::format("{}[{}]", name, print(ref.index));
}

std::string ReferenceText::device(const Device& coordinates) const {
    std::string text;
    for (std::size_t i = 0; i < coordinates.size(); ++i)
        text += fmt::format("{}{}: {}", i == 0 ? "" : ", ",
                            names_.mesh[static_cast<std::int32_t>(i)], print(coordinates[i]));
    return '(' + text + ')';
}

std::string ReferenceText::print(const Copy& copy) const {
    std::string text = fmt::format("{} {} -> {}", copy.is_remote() ? "send" : "copy",
                                   print(copy.source), print(copy.target));
    if (copy.is_remote()) text += " at " + device(copy.device);
    if (copy.done.semaphore != none) text += " done " + print(copy.done);
    if (copy.arrive.semaphore != none) text += " arrive " + print(copy.arrive);
    if (copy.ring != none) text += " ring " + names_.rings[copy.ring];
    if (copy.stream != none) text += " stream " + names_.streams[copy.stream];
    if (copy.priority != 0) text += fmt::format(" prio {}", copy.priority);
    return text;
}

std::string ReferenceText::print(const Wait& wait) const {
    std::string text = "wait " + print(wait.semaphore);
    if (wait.region) text += " for " + print(*wait.region);
    if (wait.count != none) text += " until " + print(wait.count);
    return text;
}

std::string ReferenceText::print(const Signal& signal) const {
    std::string text = "signal " + print(signal.semaphore);
    if (!signal.device.empty()) text += " at " + device(signal.device);
    if (signal.by != none) text += " by " + print(signal.by);
    return text;
}

std::string ReferenceText::print(const Barrier& barrier) const {
    std::string text = "barrier";
    if (barrier.all != none) text += " all " + names_.mesh[barrier.all];
    for (std::size_t i = 0; i < barrier.peers.size(); ++i)
        text += (i == 0 ? " " : ", ") + device(barrier.peers[i]);
    return text;
}

std::string ReferenceText::print(const Check& check) const {
    return fmt::format("assert {}, {}", print(check.condition), quoted(check.message));
}

std::string ReferenceText::print(const Print& node) const {
    std::string text = "print " + quoted(node.message);
    for (ExprId value : node.values) text += ", " + print(value);
    return text;
}

}  // namespace slab::schedule
