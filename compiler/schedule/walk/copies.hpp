#pragma once

#include "compiler/schedule/walk/sync.hpp"

namespace slab::schedule {

struct CopyPlan {
    RefPlan source;
    RefPlan target;
    SemaphorePlan done;
    SemaphorePlan arrive;
    RingId ring = none;
    StreamId stream = none;
    Device device;
    bool remote = false;
    Span span;
};

/// Starts a written copy: makes its `transfer`, counts its bytes where they are waited for, and
/// moves the words of one into SMEM.
void start_copy(CopyId id, WalkState& state, Event& event);

}  // namespace slab::schedule
