#include "compiler/schedule/walk/copies.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/schedule/walk/walk_state.hpp"

namespace slab::schedule {

namespace {

/// The semaphore that a copy completes on, with its bytes added where a ring or a stream counts
/// them.
std::int32_t completion(const CopyPlan& copy, std::int64_t bytes, WalkState& state) {
    const Plan& plan = *state.plan;
    if (copy.ring != none) {
        RingWalk& ring = state.rings[static_cast<std::size_t>(copy.ring)];
        if (!ring.copies) {
            state.end(Diag::E0801, copy.span,
                      fmt::format("a copy for ring `{}` outside of its `fill` and `put`",
                                  plan.program.rings[static_cast<std::size_t>(copy.ring)].name));
            return none;
        }
        ring.bytes[static_cast<std::size_t>(ring.slot)] += bytes;
        return plan.rings[static_cast<std::size_t>(copy.ring)].semaphore + ring.slot;
    }
    if (copy.stream != none) {
        if (!state.running.runs || state.running.transfer.stream != copy.stream) {
            state.end(
                Diag::kernel_fault, copy.span,
                fmt::format("a copy for stream `{}` outside of its `fetch` and `flush`",
                            plan.program.streams[static_cast<std::size_t>(copy.stream)].name));
            return none;
        }
        state.running.bytes += bytes;
        return state.running.transfer.semaphore;
    }
    if (copy.done.id != none) return number_of(copy.done, state, copy.span);
    return plan.semaphores.synchronous;
}

/// The elements that a copy into SMEM reads; empty, with the fault told, if nobody knows them.
std::vector<Word> source_words(CopyId id, const CopyPlan& copy, const Resolved& from,
                               WalkState& state) {
    const Program& program = state.plan->program;
    const RefPlan& source = copy.source;
    std::vector<std::int64_t> numbers;
    if (source.space == Space::smem) {
        if (!element_numbers(source, state, from, numbers)) return {};
        const std::int64_t first = from.copy * state.context.smem.elements(source.buffer);
        for (std::int64_t& number : numbers) {
            Word word = 0;
            if (!state.context.smem.read(source.buffer, first + number, word)) {
                state.end(unset_element(source.buffer, program, *state.data, copy.span));
                return {};
            }
            number = word;
        }
        return numbers;
    }
    const bool is_input =
        source.operand != none &&
        program.operands[static_cast<std::size_t>(source.operand)].direction == Direction::in;
    if (!is_input) {
        // The kernel itself may have written what is read here.
        const auto member = static_cast<std::size_t>(state.member);
        const auto& computed = state.data->computed;
        if (state.source != nullptr) {
            numbers = state.source->read(id);
        } else if (member < computed.size() && state.computed < computed[member].size()) {
            numbers = computed[member][state.computed++];
        } else {
            state.end(Diag::E0007, copy.span,
                      fmt::format("control flow that reads `{}`, which the kernel computes, is not "
                                  "supported here",
                                  source.name),
                      "what decides is known only to a run with values");
            return {};
        }
        if (numbers.size() != static_cast<std::size_t>(from.elements)) {
            state.end(Diag::kernel_fault, copy.span,
                      fmt::format("{} elements of `{}` are known, the copy moves {}",
                                  numbers.size(), source.name, from.elements));
            return {};
        }
        return numbers;
    }
    const auto operand = static_cast<std::size_t>(source.operand);
    if (operand >= state.data->operands.size() || state.data->operands[operand].empty()) {
        state.end(Diag::E0006, copy.span, fmt::format("operand `{}` without a value", source.name),
                  "it is copied into SMEM, where control flow reads it");
        return {};
    }
    if (!element_numbers(source, state, from, numbers)) return {};
    const std::vector<Word>& words = state.data->operands[operand];
    for (std::int64_t& number : numbers) number = words[static_cast<std::size_t>(number)];
    return numbers;
}

void move_words(CopyId id, const CopyPlan& copy, const Resolved& from, const Resolved& to,
                WalkState& state) {
    const std::vector<Word> words = source_words(id, copy, from, state);
    std::vector<std::int64_t> numbers;
    if (state.context.fault || !element_numbers(copy.target, state, to, numbers)) return;
    Smem& smem = state.context.smem;
    const std::int64_t first = to.copy * smem.elements(copy.target.buffer);
    for (std::size_t i = 0; i < numbers.size(); ++i)
        smem.write(copy.target.buffer, first + numbers[i], words[i]);
}

/// Where a remote copy goes, and the semaphore there.
void address(const CopyPlan& copy, WalkState& state, Event& event) {
    event.peer = member_of(copy.device, state, copy.span);
    if (copy.arrive.id != none) event.arrival = number_of(copy.arrive, state, copy.span);
    if (copy.target.space == Space::smem && event.peer != state.member)
        state.end(Diag::E0007, copy.span,
                  "a remote copy into the SMEM of another member is not supported yet");
}

}  // namespace

void start_copy(CopyId id, WalkState& state, Event& event) {
    const CopyPlan& copy = state.plan->copies[static_cast<std::size_t>(id)];
    Resolved from, to;
    if (!resolve(copy.source, state, from) || !resolve(copy.target, state, to)) return;
    if (from.elements != to.elements)
        return state.end(
            Diag::E0805, copy.span,
            fmt::format(diag_info(Diag::E0805).sentence,
                        fmt::format("{} elements of `{}`", from.elements, copy.source.name),
                        fmt::format("{} of `{}`", to.elements, copy.target.name)));
    const CopyShape shape = copy_shape(copy.source, from);
    begin_event(EventKind::transfer, id, state.member, event);
    event.bytes = shape.bytes;
    event.runs = std::max(shape.runs, copy_shape(copy.target, to).runs);
    event.semaphore = completion(copy, shape.bytes, state);
    if (copy.remote) address(copy, state, event);
    if (state.context.fault) return;
    if (copy.target.space == Space::smem && to.elements > 0) move_words(id, copy, from, to, state);
    if (event.semaphore == state.plan->semaphores.synchronous)
        await_later(none, event.semaphore, event.bytes, state);
}

}  // namespace slab::schedule
