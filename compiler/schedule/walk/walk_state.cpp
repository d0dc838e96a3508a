#include "compiler/schedule/walk/walk_state.hpp"

#include <fmt/format.h>

#include "support/check.hpp"

namespace slab::schedule {

namespace {

/// Where there is none, a caller may have handed in a temporary.
const Data* lasting(const Data& data) {
    static const Data empty;
    return data.operands.empty() && data.computed.empty() ? &empty : &data;
}

}  // namespace

WalkState::WalkState(const Program& program, const Data& values, std::int32_t number)
    : plan(std::make_shared<const Plan>(program)),
      windows(program.streams.size()),
      rings(program.rings.size()),
      context{Smem(program), {}},
      data(lasting(values)),
      member(number) {
    SLAB_CHECK(program.mesh.empty() || (member >= 0 && member < program.members()),
               "member {} of a mesh of {}", member, program.members());
    for (const Slot& slot : program.slots) slots.push_back(initial_word(slot));
    std::int64_t rest = member;
    for (std::size_t axis = program.mesh.size(); axis-- > 0;) {
        slots[static_cast<std::size_t>(program.mesh[axis].slot)] = rest % program.mesh[axis].extent;
        rest /= program.mesh[axis].extent;
    }
    for (std::size_t id = 0; id < rings.size(); ++id)
        rings[id].bytes.resize(static_cast<std::size_t>(plan->rings[id].depth));
    load_operands(program);
}

/// The launch copies the operands that live in SMEM there before the body begins.
void WalkState::load_operands(const Program& program) {
    for (std::size_t id = 0; id < program.operands.size() && id < data->operands.size(); ++id) {
        const Operand& operand = program.operands[id];
        const std::vector<std::int64_t>& words = data->operands[id];
        if (words.empty()) continue;
        const auto elements = static_cast<std::size_t>(element_count(operand.shape));
        if (words.size() != elements)
            return end(Diag::E0006, operand.place.span,
                       fmt::format("operand `{}` has {} elements, its value has {}", operand.name,
                                   elements, words.size()));
        if (operand.resident == none) continue;
        const auto buffer = static_cast<std::size_t>(operand.resident);
        if (program.buffers[buffer].space != Space::smem) continue;
        for (std::size_t i = 0; i < elements; ++i)
            context.smem.write(operand.resident, static_cast<std::int64_t>(i), words[i]);
    }
}

void await_later(std::int32_t id, std::int32_t semaphore, std::int64_t bytes, WalkState& state) {
    if (bytes == 0) return;
    Event event;
    event.kind = EventKind::await;
    event.member = state.member;
    event.id = id;
    event.semaphore = semaphore;
    event.bytes = bytes;
    state.followups.push(event);
}

}  // namespace slab::schedule
