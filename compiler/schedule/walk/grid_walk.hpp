#pragma once

#include <cstdint>
#include <vector>

#include "compiler/schedule/walk/walk_state.hpp"

namespace slab::schedule {

/// Runs through a grid ahead of its steps and stops at the live ones.
struct Scout {
    Cursor cursor;
    std::vector<Word> slots;    ///< the variables, with the axes at the scout's position
    Movement moved;             ///< since the last live step
    std::int64_t found = 0;     ///< live steps
    std::int64_t total = none;  ///< steps of the grid, once the scout is through
    bool entered = false;

    void reset(const std::vector<Word>& values);
    bool next_live(const GridPlan& grid, const ScalarPlan& scalars, ScalarContext& context);
};

/// A running grid: its position, its look-ahead, and the order of transfers in a step.
///
/// A fetch starts `depth - 1` live steps before its window is used, and at the step itself for
/// depth 1; `ahead` starts it as soon as a copy of the buffer is free. A write-back starts at the
/// end of the last step before the window changes, and the one before it is waited for then. A
/// fetch into a copy that is still being written back waits for that write first; with `revisit`
/// it waits for all of them, because it may read what they write. Streams with transfers of their
/// own go the same way: what a fetch or a write-back does is run when its turn comes.
class GridWalk {
public:
    /// Goes to the first step and starts the first fetches; false if there is no step.
    bool enter(const GridPlan& grid, WalkState& state);
    /// Starts and awaits the transfers before the body.
    void begin_step(const GridPlan& grid, WalkState& state);
    bool live() const { return is_live_; }
    /// Starts and awaits the transfers after the body.
    void end_step(const GridPlan& grid, WalkState& state);
    bool advance(const GridPlan& grid, WalkState& state);
    /// Awaits what is still being written.
    void leave(const GridPlan& grid, WalkState& state);

private:
    void look_ahead(const GridPlan& grid, WalkState& state, std::int64_t live_steps);
    void look_ahead_alone(const GridPlan& grid, WalkState& state, Windows& windows);
    void prologue(const GridPlan& grid, WalkState& state);
    bool is_live_step(const GridPlan& grid, std::int64_t live_step, std::int64_t step) const {
        return live_step < scout_.found &&
               live_steps_[static_cast<std::size_t>(live_step & grid.ring_mask)] == step;
    }

    Cursor cursor_;
    Scout scout_;
    std::vector<Scout> alone_;              ///< of the `ahead` streams
    std::vector<std::int64_t> live_steps_;  ///< a ring: the step number of each live step
    std::int64_t live_ = -1;                ///< the current or last live step
    bool is_live_ = true;
};

}  // namespace slab::schedule
