#include "compiler/schedule/walk/grid_walk.hpp"

#include <array>

namespace slab::schedule {

namespace {

Windows& windows_of(WalkState& state, StreamId id) {
    return state.windows[static_cast<std::size_t>(id)];
}

void await_write(WalkState& state, Windows& windows) {
    const Windows::Write write = windows.finish_oldest_write();
    state.transfers.push({EventKind::wait, true, windows.plan().custom, windows.plan().id,
                          write.semaphore, write.slot, write.bytes, 0});
}

/// Awaits the write-backs that a fetch into a copy of the buffer must not overtake.
void await_writes_before(std::int32_t slot, WalkState& state, Windows& windows) {
    while (windows.writes() > 0 && (windows.plan().revisit || windows.writing_from(slot)))
        await_write(state, windows);
}

/// Starts the fetch of the stream's next window, unless it is empty.
inline void fetch(WalkState& state, Windows& windows) {
    const StreamPlan& stream = windows.plan();
    const std::int64_t window = windows.fetched();
    const std::int64_t bytes = windows.place(window).copy.bytes;
    const std::int32_t slot = windows.fetch_slot();
    windows.fetch_started();
    if (bytes == 0 && !stream.custom) return;
    if (windows.writes() > 0) await_writes_before(slot, state, windows);
    state.transfers.push({EventKind::copy, false, stream.custom, stream.id,
                          stream.fetch_semaphore + slot, slot, bytes, windows.index(window)});
}

void await_fetch(WalkState& state, const Windows& windows) {
    const StreamPlan& stream = windows.plan();
    const std::int64_t bytes = windows.current_place().copy.bytes;
    const std::int32_t slot = windows.slot();
    if (bytes > 0 || stream.custom)
        state.transfers.push({EventKind::wait, false, stream.custom, stream.id,
                              stream.fetch_semaphore + slot, slot, bytes,
                              windows.index(windows.current())});
}

/// May the current window have something to write back?
bool may_write(const Windows& windows) {
    return windows.plan().custom || windows.current_place().copy.bytes > 0;
}

/// Starts the write-back of the current window, unless it is empty.
void write_back(WalkState& state, Windows& windows) {
    if (!may_write(windows)) return;
    const bool custom = windows.plan().custom;
    const Windows::Write& write =
        windows.start_write(custom ? 0 : windows.current_place().copy.bytes);
    state.transfers.push({EventKind::copy, true, custom, windows.plan().id, write.semaphore,
                          write.slot, write.bytes, windows.index(windows.current())});
}

}  // namespace

void Scout::reset(const std::vector<Word>& values) {
    slots = values;
    moved = Movement{};
    found = 0;
    total = none;
    entered = false;
}

bool Scout::next_live(const GridPlan& grid, const ScalarPlan& scalars, ScalarContext& context) {
    while (total == none && !context.fault) {
        const bool first = !entered;
        const bool more = first ? cursor.enter(grid, scalars, slots.data(), context)
                                : cursor.advance(grid, scalars, slots.data(), moved, context);
        entered = true;
        if (!more) {
            total = first ? 0 : cursor.step() + 1;
        } else if (grid.where == none || scalars.evaluate(grid.where, slots.data(), context) != 0) {
            ++found;
            return !context.fault;
        }
    }
    return false;
}

bool GridWalk::enter(const GridPlan& grid, WalkState& state) {
    live_steps_.resize(static_cast<std::size_t>(grid.ring_mask + 1));
    alone_.resize(static_cast<std::size_t>(grid.scouts));
    live_ = -1;
    is_live_ = true;
    for (Scout& scout : alone_) scout.reset(state.slots);
    for (StreamId id : grid.streams) {
        const StreamPlan& stream = state.plan->streams[static_cast<std::size_t>(id)];
        windows_of(state, id).reset(stream);
        if (stream.ahead) look_ahead_alone(grid, state, windows_of(state, id));
    }
    if (grid.scouted) {
        scout_.reset(state.slots);
        look_ahead(grid, state, grid.steps_ahead);
        prologue(grid, state);
    }
    return cursor_.enter(grid, state.plan->scalars, state.slots.data(), state.context);
}

bool GridWalk::advance(const GridPlan& grid, WalkState& state) {
    Movement ignored;
    return cursor_.advance(grid, state.plan->scalars, state.slots.data(), ignored, state.context);
}

/// Lets the scout find the first `live_steps` live steps, and the windows in them.
void GridWalk::look_ahead(const GridPlan& grid, WalkState& state, std::int64_t live_steps) {
    const ScalarPlan& scalars = state.plan->scalars;
    while (scout_.found < live_steps && scout_.next_live(grid, scalars, state.context)) {
        const std::int64_t live_step = scout_.found - 1;
        live_steps_[static_cast<std::size_t>(live_step & grid.ring_mask)] = scout_.cursor.step();
        for (StreamId id : grid.streams) {
            const StreamPlan& stream = state.plan->streams[static_cast<std::size_t>(id)];
            if (!stream.ahead)
                windows_of(state, id).observe(scalars, scout_.slots.data(), scout_.moved, live_step,
                                              state.context);
        }
        scout_.moved = Movement{0, 0};
    }
}

/// Lets the stream's own scout find the windows that have room in the buffer, however far apart
/// they are.
void GridWalk::look_ahead_alone(const GridPlan& grid, WalkState& state, Windows& windows) {
    const ScalarPlan& scalars = state.plan->scalars;
    const StreamPlan& stream = windows.plan();
    Scout& scout = alone_[static_cast<std::size_t>(stream.scout)];
    const std::int64_t wanted = windows.current() + stream.depth;
    while (windows.found() < wanted && scout.next_live(grid, scalars, state.context)) {
        windows.observe(scalars, scout.slots.data(), scout.moved, scout.found - 1, state.context);
        scout.moved = Movement{0, 0};
    }
}

/// Round r starts the fetches of live step r, and of the r-th different window with `ahead`.
void GridWalk::prologue(const GridPlan& grid, WalkState& state) {
    for (std::int64_t round = 0; round < grid.prologue; ++round) {
        for (StreamId id : grid.streams) {
            const StreamPlan& stream = state.plan->streams[static_cast<std::size_t>(id)];
            Windows& windows = windows_of(state, id);
            const bool in_time = stream.axes == 0 ? round == 0 : round < stream.depth - 1;
            if (!stream.fetches || stream.revisit || !in_time) continue;
            const std::int64_t next = windows.fetched();
            if (next < windows.found() &&
                (stream.ahead ? next : windows.place(next).first_live) <= round)
                fetch(state, windows);
        }
    }
}

void GridWalk::begin_step(const GridPlan& grid, WalkState& state) {
    if (!grid.scouted) return;
    is_live_ = is_live_step(grid, live_ + 1, cursor_.step());
    if (!is_live_) return;
    ++live_;
    look_ahead(grid, state, live_ + 1 + grid.steps_ahead);
    std::array<const Windows*, 64> arrived;
    std::size_t arrivals = 0;
    for (StreamId id : grid.streams) {
        Windows& windows = windows_of(state, id);
        if (windows.arrive(live_)) {
            const StreamPlan& stream = windows.plan();
            if (stream.fetches) arrived[arrivals++] = &windows;
            if (stream.slot_variable != none)
                state.slots[static_cast<std::size_t>(stream.slot_variable)] = windows.slot();
        }
        if (windows.plan().ahead) look_ahead_alone(grid, state, windows);
        while (windows.fetch_is_due(live_)) fetch(state, windows);
    }
    for (std::size_t i = 0; i < arrivals; ++i) await_fetch(state, *arrived[i]);
}

void GridWalk::end_step(const GridPlan& grid, WalkState& state) {
    const bool last = scout_.total == cursor_.step() + 1;
    if (!last && !is_live_step(grid, live_ + 1, cursor_.step() + 1)) return;
    std::array<Windows*, 64> leaving;
    std::size_t leavers = 0;
    for (StreamId id : grid.writing) {
        Windows& windows = windows_of(state, id);
        if (windows.current() < 0 || !(last || windows.changes_at(live_ + 1))) continue;
        leaving[leavers++] = &windows;
        write_back(state, windows);
    }
    for (std::size_t i = 0; i < leavers; ++i) {
        Windows& windows = *leaving[i];
        // The copy that the window before lies in is needed for the next one.
        const int kept = may_write(windows) ? windows.plan().write_depth - 1 : 0;
        while (windows.writes() > kept) await_write(state, windows);
    }
}

void GridWalk::leave(const GridPlan& grid, WalkState& state) {
    for (StreamId id : grid.writing) {
        Windows& windows = windows_of(state, id);
        while (windows.writes() > 0) await_write(state, windows);
    }
}

}  // namespace slab::schedule
