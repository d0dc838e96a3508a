#include "compiler/schedule/walk/sync.hpp"

#include <fmt/format.h>

#include "compiler/schedule/walk/walk_state.hpp"

namespace slab::schedule {

namespace {

/// Calls `visit` with every member that meets this one at a barrier, in the order they are written.
template <typename Visit>
void for_each_peer(const Barrier& barrier, WalkState& state, Visit visit) {
    const std::vector<MeshAxis>& mesh = state.plan->program.mesh;
    if (barrier.all != none) {
        std::int32_t stride = 1;
        const auto axis = static_cast<std::size_t>(barrier.all);
        for (std::size_t i = axis + 1; i < mesh.size(); ++i)
            stride *= static_cast<std::int32_t>(mesh[i].extent);
        const auto extent = static_cast<std::int32_t>(mesh[axis].extent);
        const std::int32_t own = state.member / stride % extent;
        for (std::int32_t other = 0; other < extent; ++other)
            if (other != own) visit(state.member + (other - own) * stride);
        return;
    }
    for (const Device& peer : barrier.peers) {
        const std::int32_t member = member_of(peer, state, barrier.place.span);
        if (member == none) return;
        visit(member);
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
    const std::int32_t base = state.plan->semaphores.barrier;
    for_each_peer(barrier, state, [&](std::int32_t peer) {
        Event event;
        event.kind = EventKind::signal;
        event.member = state.member;
        event.peer = peer;
        event.arrival = base + state.member;
        event.bytes = 1;
        state.followups.push(event);
    });
    for_each_peer(barrier, state,
                  [&](std::int32_t peer) { await_later(none, base + peer, 1, state); });
}

}  // namespace slab::schedule
