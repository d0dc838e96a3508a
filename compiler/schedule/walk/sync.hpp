#pragma once

#include <cstdint>
#include <vector>

#include "compiler/schedule/walk/refs.hpp"

namespace slab::schedule {

/// A semaphore of the program: its number, given its indices.
struct SemaphorePlan {
    SemaphoreId id = none;
    std::int32_t base = none;
    std::vector<ExprId> index;
    std::vector<std::int64_t> shape;
};

struct WaitPlan {
    SemaphorePlan semaphore;
    std::vector<RefPlan> region;  ///< one, for a DMA semaphore
    ExprId count = none;
    Span span;
};

struct SignalPlan {
    SemaphorePlan semaphore;
    Device device;
    ExprId by = none;
    Span span;
};

/// The member that the expressions of a device name; none, with the fault told, outside the mesh.
/// An empty device is this member.
std::int32_t member_of(const Device& device, WalkState& state, Span span);
/// The number of a semaphore; none, with the fault told, outside the array.
std::int32_t number_of(const SemaphorePlan& semaphore, WalkState& state, Span span);

/// Makes the `await` of a written wait; false if there is nothing to wait for.
bool await_written(WaitId id, WalkState& state, Event& event);
void send_signal(SignalId id, WalkState& state, Event& event);
/// Puts the signals and waits of a barrier behind the statement: all tell, then all listen.
void meet_peers(BarrierId id, WalkState& state);

}  // namespace slab::schedule
