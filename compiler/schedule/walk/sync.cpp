#include "compiler/schedule/walk/sync.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/schedule/walk/walk_state.hpp"

namespace slab::schedule {

namespace {

void tell(std::int32_t peer, std::int32_t semaphore, WalkState& state) {
    Event event;
    event.kind = EventKind::signal;
    event.member = state.member;
    event.peer = peer;
    event.arrival = semaphore;
    event.bytes = 1;
    state.followups.push(event);
}

/// A message to each member would be the square of their number in all; so beyond a few they are
/// told through others, in rounds.
void meet_all(std::int32_t all, WalkState& state) {
    const std::vector<MeshAxis>& mesh = state.plan->program.mesh;
    const auto axis = static_cast<std::size_t>(all);
    std::int32_t stride = 1;
    for (std::size_t i = axis + 1; i < mesh.size(); ++i)
        stride *= static_cast<std::int32_t>(mesh[i].extent);
    const auto extent = static_cast<std::int32_t>(mesh[axis].extent);
    const std::int32_t own = state.member / stride % extent;
    const auto& [first, distances] = state.plan->semaphores.axes[axis];
    const auto count = static_cast<std::int32_t>(distances.size());
    constexpr std::int32_t round = Program::barrier_fan - 1;
    for (std::int32_t begin = 0; begin < count; begin += round) {
        const std::int32_t end = std::min(begin + round, count);
        for (std::int32_t i = begin; i < end; ++i) {
            const std::int32_t peer = (own + distances[static_cast<std::size_t>(i)]) % extent;
            tell(state.member + (peer - own) * stride, first + i, state);
        }
        for (std::int32_t i = begin; i < end; ++i) await_later(none, first + i, 1, state);
    }
}

}  // namespace

std::int32_t member_of(const Device& device, WalkState& state, Span span) {
    if (device.empty()) return state.member;
    const std::vector<MeshAxis>& mesh = state.plan->program.mesh;
    std::int64_t member = 0;
    for (std::size_t i = 0; i < mesh.size(); ++i) {
        const Word coordinate = state.value(device[i]);
        if (coordinate < 0 || coordinate >= mesh[i].extent)
            state.end(Diag::E0401, span,
                      fmt::format("coordinate {} of `{}` lies outside the mesh, which has {}",
                                  coordinate, mesh[i].name, mesh[i].extent));
        member = member * mesh[i].extent + coordinate;
    }
    return state.context.fault ? none : static_cast<std::int32_t>(member);
}

std::int32_t number_of(const SemaphorePlan& semaphore, WalkState& state, Span span) {
    std::int64_t number = 0;
    for (std::size_t d = 0; d < semaphore.index.size(); ++d) {
        const Word index = state.value(semaphore.index[d]);
        if (index < 0 || index >= semaphore.shape[d]) {
            const auto id = static_cast<std::size_t>(semaphore.id);
            state.end(Diag::E0401, span,
                      index_outside(index, state.plan->program.semaphores[id].name, d,
                                    semaphore.shape[d]));
        }
        number = number * semaphore.shape[d] + index;
    }
    return state.context.fault ? none : semaphore.base + static_cast<std::int32_t>(number);
}

bool await_written(WaitId id, WalkState& state, Event& event) {
    const WaitPlan& wait = state.plan->waits[static_cast<std::size_t>(id)];
    const std::int32_t semaphore = number_of(wait.semaphore, state, wait.span);
    std::int64_t bytes = 0;
    if (!wait.region.empty()) {
        Resolved region;
        if (!resolve(wait.region.front(), state, region)) return false;
        bytes = copy_shape(wait.region.front(), region).bytes;
    } else {
        bytes = state.value(wait.count);
        if (bytes < 0)
            state.end(Diag::kernel_fault, wait.span,
                      fmt::format("a wait for {}, which no semaphore ever holds", bytes));
    }
    if (bytes == 0 || state.context.fault) return false;
    begin_event(EventKind::await, id, state.member, event);
    event.semaphore = semaphore;
    event.bytes = bytes;
    return true;
}

void send_signal(SignalId id, WalkState& state, Event& event) {
    const SignalPlan& signal = state.plan->signals[static_cast<std::size_t>(id)];
    begin_event(EventKind::signal, id, state.member, event);
    event.peer = member_of(signal.device, state, signal.span);
    event.arrival = number_of(signal.semaphore, state, signal.span);
    event.bytes = signal.by == none ? 1 : state.value(signal.by);
    if (event.bytes < 0)
        state.end(Diag::kernel_fault, signal.span,
                  fmt::format("a signal by {}, a semaphore only counts up", event.bytes));
}

void meet_peers(BarrierId id, WalkState& state) {
    const Barrier& barrier = state.plan->program.barriers[static_cast<std::size_t>(id)];
    if (barrier.all != none) return meet_all(barrier.all, state);
    const std::int32_t base = state.plan->semaphores.barrier;
    std::vector<std::int32_t> peers;
    for (const Device& peer : barrier.peers) {
        peers.push_back(member_of(peer, state, barrier.place.span));
        if (peers.back() == none) return;
    }
    for (const std::int32_t peer : peers) tell(peer, base + state.member, state);
    for (const std::int32_t peer : peers) await_later(none, base + peer, 1, state);
}

}  // namespace slab::schedule
