#pragma once

#include <cstdint>
#include <vector>

#include "compiler/schedule/walk/cursor.hpp"
#include "compiler/schedule/walk/windows.hpp"

namespace slab::schedule {

/// Runs through a grid ahead of its steps and stops at the live ones.
struct Scout {
    Cursor cursor;
    std::vector<Word> slots;    ///< the variables, with the axes at the scout's position
    std::uint64_t moved = 0;    ///< axes since the last live step
    std::int64_t found = 0;     ///< live steps
    std::int64_t total = none;  ///< steps of the grid, once the scout is through
    bool entered = false;

    void reset(const std::vector<Word>& values);
    bool next_live(const GridPlan& grid, const ScalarPlan& scalars, Fault& fault);
};

/// What a grid and its events need of the walker around it.
struct WalkContext {
    const Plan& plan;
    const GridPlan& grid;
    std::vector<Word>& slots;
    std::vector<Windows>& windows;  ///< by StreamId
    const Event& blank;             ///< with core and chip filled in
    Fault& fault;
};

/// A running grid: its position, its look-ahead, and the order of events in a step.
///
/// A fetch starts `depth - 1` live steps before its window is used, and at the step itself for
/// depth 1; `ahead` starts it as soon as a copy of the buffer is free. A write-back starts at the
/// end of the last step before the window changes, and the one before it is waited for then. A
/// fetch into a copy that is still being written back waits for that write first; with `revisit`
/// it waits for all of them, because it may read what they write.
class GridWalk {
public:
    /// Goes to the first step and looks ahead; false if there is no step.
    bool enter(WalkContext context);
    bool advance(WalkContext context);
    /// Brings windows and look-ahead to the step the grid is at.
    void begin_step(WalkContext context);
    bool live() const { return is_live_; }

    // Each yields the next event of its phase, or false when the phase is over.
    bool prologue(WalkContext context, Event& event);
    bool start_fetches(WalkContext context, Event& event);
    bool await_fetches(WalkContext context, Event& event);
    bool start_writes(WalkContext context, Event& event);
    bool await_writes(WalkContext context, Event& event);
    bool drain(WalkContext context, Event& event);

private:
    void look_ahead(WalkContext context, std::int64_t live_steps);
    void look_ahead_alone(WalkContext context, const StreamPlan& stream, std::int64_t windows);
    bool next_step_is_live(const GridPlan& grid) const;
    bool fetch(WalkContext context, const StreamPlan& stream, Event& event);
    bool await_write(WalkContext context, const StreamPlan& stream, Event& event);

    Cursor cursor_;
    Scout scout_;
    std::vector<Scout> alone_;              ///< of the `ahead` streams
    std::vector<std::int64_t> live_steps_;  ///< a ring: the step number of each live step
    std::int64_t live_ = -1;                ///< the current or last live step
    bool is_live_ = false;
    bool last_ = false;       ///< the step is the last of the grid
    bool next_live_ = false;  ///< the next step is a live one
    std::size_t at_ = 0;      ///< position in the streams of a phase
    std::int64_t round_ = 0;  ///< of the prologue
};

}  // namespace slab::schedule
