#pragma once

#include "compiler/schedule/walker.hpp"

namespace slab::schedule {

struct WalkState;

struct RingPlan {
    std::int64_t depth = 1;
    std::int32_t semaphore = none;  ///< of slot 0
};

struct RingUsePlan {
    UseRing::Kind kind = UseRing::Kind::fill;
    RingId ring = none;
    Span span;
};

/// A use of a ring begins: its `ring` event, the slot it is about, and what it waits for.
void begin_ring_use(const RingUsePlan& use, WalkState& state, Event& event);
void end_ring_use(const RingUsePlan& use, WalkState& state, Event& event);
/// At the end of the program nothing that was filled is left.
void check_rings_are_empty(WalkState& state);

}  // namespace slab::schedule
