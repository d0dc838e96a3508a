#include "compiler/schedule/walk/rings.hpp"

#include <fmt/format.h>

#include "compiler/schedule/walk/walk_state.hpp"

namespace slab::schedule {

namespace {

const Ring& ring_of(const RingUsePlan& use, const WalkState& state) {
    return state.plan->program.rings[static_cast<std::size_t>(use.ring)];
}

std::string slots(std::int64_t count) {
    return fmt::format("{} slot{}", count, count == 1 ? "" : "s");
}

std::string left_over(const std::string& ring, std::int64_t filled) {
    return fmt::format("ring `{}` ends with {} filled and never taken", ring, slots(filled));
}

constexpr const char* still_moves =
    "what fills a slot may still be under way then: as many takes as fills";

std::string times(std::int64_t count) {
    return count == 1 ? "once" : fmt::format("{} times", count);
}

/// Waits for all that was copied into or out of a slot.
void await_slot(const RingPlan& plan, RingWalk& walk, std::int64_t slot, WalkState& state) {
    std::int64_t& bytes = walk.bytes[static_cast<std::size_t>(slot)];
    await_later(none, plan.semaphore + static_cast<std::int32_t>(slot), bytes, state);
    bytes = 0;
}

void await_all(const RingPlan& plan, RingWalk& walk, WalkState& state) {
    for (std::int64_t i = 0; i < plan.depth; ++i)
        await_slot(plan, walk, (walk.puts + i) % plan.depth, state);
}

/// The slot that a use is about; ends the walk where there is none.
std::int64_t slot_for(const RingUsePlan& use, const RingPlan& plan, const RingWalk& walk,
                      WalkState& state) {
    const std::int64_t filled = walk.fills - walk.takes;
    const std::string& name = ring_of(use, state).name;
    switch (use.kind) {
        case UseRing::Kind::fill:
            if (filled == plan.depth)
                state.end(Diag::E0801, use.span,
                          fmt::format("ring `{}` is filled {} before a take, it has {}", name,
                                      times(filled + 1), slots(plan.depth)),
                          "a slot is free again after its take: take before the next fill, or a "
                          "larger `depth`");
            return walk.fills % plan.depth;
        case UseRing::Kind::take:
            if (filled == 0)
                state.end(Diag::E0801, use.span,
                          fmt::format("ring `{}` is taken while no slot of it is filled", name),
                          "a take waits for the oldest slot that a fill before it has started");
            return walk.takes % plan.depth;
        case UseRing::Kind::drain:
            if (filled != 0) state.end(Diag::E0801, use.span, left_over(name, filled), still_moves);
            return walk.puts % plan.depth;
        case UseRing::Kind::put:
            break;
    }
    return walk.puts % plan.depth;
}

void yield_ring(const RingUsePlan& use, bool begins, WalkState& state, Event& event) {
    begin_event(EventKind::ring, use.ring, state.member, event);
    event.live = begins;
    event.slot = state.rings[static_cast<std::size_t>(use.ring)].slot;
}

}  // namespace

void begin_ring_use(const RingUsePlan& use, WalkState& state, Event& event) {
    const RingPlan& plan = state.plan->rings[static_cast<std::size_t>(use.ring)];
    const Ring& ring = ring_of(use, state);
    RingWalk& walk = state.rings[static_cast<std::size_t>(use.ring)];
    if (walk.in_use)
        return state.end(
            Diag::E0801, use.span,
            fmt::format("ring `{}` is used inside the block of another use of it", ring.name),
            "a block holds one slot; the next use begins after its closing brace");
    const std::int64_t slot = slot_for(use, plan, walk, state);
    if (state.context.fault) return;
    walk.slot = static_cast<std::int32_t>(slot);
    walk.in_use = true;
    const bool takes = use.kind == UseRing::Kind::take;
    walk.copies = use.kind == UseRing::Kind::fill || use.kind == UseRing::Kind::put;
    const SlotId variable = takes ? ring.take : walk.copies ? ring.fill : none;
    if (variable != none) state.slots[static_cast<std::size_t>(variable)] = slot;
    yield_ring(use, true, state, event);
    if (takes || use.kind == UseRing::Kind::put) await_slot(plan, walk, slot, state);
    if (use.kind == UseRing::Kind::drain) await_all(plan, walk, state);
}

void end_ring_use(const RingUsePlan& use, WalkState& state, Event& event) {
    RingWalk& walk = state.rings[static_cast<std::size_t>(use.ring)];
    walk.fills += use.kind == UseRing::Kind::fill;
    walk.takes += use.kind == UseRing::Kind::take;
    walk.puts += use.kind == UseRing::Kind::put;
    walk.in_use = walk.copies = false;
    yield_ring(use, false, state, event);
}

void check_rings_are_empty(WalkState& state) {
    for (std::size_t id = 0; id < state.rings.size(); ++id) {
        const std::int64_t filled = state.rings[id].fills - state.rings[id].takes;
        if (filled == 0) continue;
        const Ring& ring = state.plan->program.rings[id];
        state.end(Diag::E0801, ring.place.span, left_over(ring.name, filled), still_moves);
    }
}

}  // namespace slab::schedule
