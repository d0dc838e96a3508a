#include "compiler/schedule/walk/grid_walk.hpp"

namespace slab::schedule {

namespace {

const StreamPlan& stream_at(const WalkContext& context, std::int32_t id) {
    return context.plan.streams[static_cast<std::size_t>(id)];
}

Windows& windows_of(const WalkContext& context, const StreamPlan& stream) {
    return context.windows[static_cast<std::size_t>(stream.id)];
}

void yield_copy(const WalkContext& context, const StreamPlan& stream, const WindowPlace& place,
                bool write, std::int32_t semaphore, std::int32_t slot, Event& event) {
    event = context.blank;
    event.kind = EventKind::copy;
    event.write = write;
    event.id = stream.id;
    event.semaphore = semaphore;
    event.slot = slot;
    event.bytes = place.copy.bytes;
    event.runs = place.copy.runs;
    event.start = place.start;
    event.extent = place.extent;
}

void yield_wait(const WalkContext& context, const StreamPlan& stream, bool write,
                std::int32_t semaphore, std::int32_t slot, std::int64_t bytes, Event& event) {
    event = context.blank;
    event.kind = EventKind::wait;
    event.write = write;
    event.id = stream.id;
    event.semaphore = semaphore;
    event.slot = slot;
    event.bytes = bytes;
}

}  // namespace

void Scout::reset(const std::vector<Word>& values) {
    slots = values;
    moved = ~std::uint64_t{0};
    found = 0;
    total = none;
    entered = false;
}

bool Scout::next_live(const GridPlan& grid, const ScalarPlan& scalars, Fault& fault) {
    while (total == none && !fault) {
        const bool first = !entered;
        const bool more = first ? cursor.enter(grid, scalars, slots.data(), fault)
                                : cursor.advance(grid, scalars, slots.data(), moved, fault);
        entered = true;
        if (!more) {
            total = first ? 0 : cursor.step() + 1;
        } else if (grid.where == none || scalars.evaluate(grid.where, slots.data(), fault) != 0) {
            ++found;
            return !fault;
        }
    }
    return false;
}

bool GridWalk::enter(WalkContext context) {
    const GridPlan& grid = context.grid;
    live_steps_.resize(static_cast<std::size_t>(grid.ring));
    alone_.resize(static_cast<std::size_t>(grid.scouts));
    live_ = -1;
    at_ = 0;
    round_ = 0;
    if (grid.scouted) scout_.reset(context.slots);
    for (Scout& scout : alone_) scout.reset(context.slots);
    for (std::int32_t id : grid.streams) {
        const StreamPlan& stream = stream_at(context, id);
        windows_of(context, stream).reset(stream);
        if (stream.ahead) look_ahead_alone(context, stream, stream.depth - 1);
    }
    if (grid.scouted) look_ahead(context, grid.steps_ahead);
    return cursor_.enter(grid, context.plan.scalars, context.slots.data(), context.fault);
}

bool GridWalk::advance(WalkContext context) {
    std::uint64_t moved = 0;
    return cursor_.advance(context.grid, context.plan.scalars, context.slots.data(), moved,
                           context.fault);
}

/// Lets the scout find the first `live_steps` live steps, and the windows in them.
void GridWalk::look_ahead(WalkContext context, std::int64_t live_steps) {
    const GridPlan& grid = context.grid;
    while (scout_.found < live_steps &&
           scout_.next_live(grid, context.plan.scalars, context.fault)) {
        const std::int64_t live_step = scout_.found - 1;
        live_steps_[static_cast<std::size_t>(live_step & (grid.ring - 1))] = scout_.cursor.step();
        for (std::int32_t id : grid.streams) {
            const StreamPlan& stream = stream_at(context, id);
            if (!stream.ahead)
                windows_of(context, stream)
                    .observe(stream, context.plan.scalars, scout_.slots.data(), scout_.moved,
                             live_step, context.fault);
        }
        scout_.moved = 0;
    }
}

/// Lets the stream's own scout find its first `windows` windows, however far apart they are.
void GridWalk::look_ahead_alone(WalkContext context, const StreamPlan& stream,
                                std::int64_t windows) {
    Scout& scout = alone_[static_cast<std::size_t>(stream.scout)];
    Windows& found = windows_of(context, stream);
    while (found.found() < windows &&
           scout.next_live(context.grid, context.plan.scalars, context.fault)) {
        found.observe(stream, context.plan.scalars, scout.slots.data(), scout.moved,
                      scout.found - 1, context.fault);
        scout.moved = 0;
    }
}

bool GridWalk::next_step_is_live(const GridPlan& grid) const {
    return live_ + 1 < scout_.found &&
           live_steps_[static_cast<std::size_t>((live_ + 1) & (grid.ring - 1))] ==
               cursor_.step() + 1;
}

void GridWalk::begin_step(WalkContext context) {
    const GridPlan& grid = context.grid;
    at_ = 0;
    is_live_ = true;
    if (!grid.scouted) return;
    const std::int64_t next = live_ + 1;
    is_live_ = next < scout_.found &&
               live_steps_[static_cast<std::size_t>(next & (grid.ring - 1))] == cursor_.step();
    if (is_live_) {
        live_ = next;
        look_ahead(context, live_ + 1 + grid.steps_ahead);
        for (std::int32_t id : grid.streams) {
            const StreamPlan& stream = stream_at(context, id);
            Windows& windows = windows_of(context, stream);
            windows.arrive(stream, live_);
            if (stream.ahead) look_ahead_alone(context, stream, windows.current() + stream.depth);
        }
    }
    next_live_ = next_step_is_live(grid);
    last_ = scout_.total == cursor_.step() + 1;
}

/// Starts the fetch of the stream's next window, unless it is empty, and whatever must be waited
/// for before.
bool GridWalk::fetch(WalkContext context, const StreamPlan& stream, Event& event) {
    Windows& windows = windows_of(context, stream);
    const WindowPlace& place = windows.place(stream, windows.fetched());
    if (place.copy.bytes == 0) {
        windows.fetch_started(stream);
        return false;
    }
    const std::int32_t slot = windows.fetch_slot();
    if (windows.writes() > 0 && (stream.revisit || windows.writing_from(slot)))
        return await_write(context, stream, event);
    yield_copy(context, stream, place, false, stream.fetch_semaphore + slot, slot, event);
    windows.fetch_started(stream);
    return true;
}

bool GridWalk::await_write(WalkContext context, const StreamPlan& stream, Event& event) {
    Windows& windows = windows_of(context, stream);
    const Windows::Write write = windows.oldest_write();
    windows.finish_oldest_write();
    yield_wait(context, stream, true, write.semaphore, write.slot, write.bytes, event);
    return true;
}

/// Round r starts the fetches of live step r, and of the r-th different window with `ahead`.
bool GridWalk::prologue(WalkContext context, Event& event) {
    const GridPlan& grid = context.grid;
    for (; round_ < grid.prologue; ++round_, at_ = 0) {
        for (; at_ < grid.fetching.size(); ++at_) {
            const StreamPlan& stream = stream_at(context, grid.fetching[at_]);
            const Windows& windows = windows_of(context, stream);
            const bool in_time = stream.axes == 0 ? round_ == 0 : round_ < stream.steps_ahead;
            while (in_time && windows.fetched() < windows.found()) {
                const WindowPlace& place = windows.place(stream, windows.fetched());
                if ((stream.ahead ? windows.fetched() : place.first_live) > round_) break;
                if (fetch(context, stream, event)) return true;
            }
        }
    }
    return false;
}

bool GridWalk::start_fetches(WalkContext context, Event& event) {
    for (; at_ < context.grid.fetching.size(); ++at_) {
        const StreamPlan& stream = stream_at(context, context.grid.fetching[at_]);
        const Windows& windows = windows_of(context, stream);
        while (windows.fetched() < windows.found()) {
            const bool due = stream.ahead ? windows.fetched() < windows.current() + stream.depth
                                          : windows.place(stream, windows.fetched()).first_live <=
                                                live_ + stream.steps_ahead;
            if (!due) break;
            if (fetch(context, stream, event)) return true;
        }
    }
    at_ = 0;
    return false;
}

bool GridWalk::await_fetches(WalkContext context, Event& event) {
    while (at_ < context.grid.fetching.size()) {
        const StreamPlan& stream = stream_at(context, context.grid.fetching[at_++]);
        const Windows& windows = windows_of(context, stream);
        if (!windows.arrived()) continue;
        const WindowPlace& place = windows.place(stream, windows.current());
        if (place.copy.bytes == 0) continue;
        const std::int32_t slot = windows.slot();
        yield_wait(context, stream, false, stream.fetch_semaphore + slot, slot, place.copy.bytes,
                   event);
        return true;
    }
    at_ = 0;
    return false;
}

bool GridWalk::start_writes(WalkContext context, Event& event) {
    if (!next_live_ && !last_) return false;
    while (at_ < context.grid.writing.size()) {
        const StreamPlan& stream = stream_at(context, context.grid.writing[at_++]);
        Windows& windows = windows_of(context, stream);
        // Writes under way that need not be waited for: all of them while the window stays.
        windows.writes_kept = 2;
        if (windows.current() < 0 || !(last_ || windows.changes_at(stream, live_ + 1))) continue;
        windows.writes_kept = 0;
        const WindowPlace& place = windows.place(stream, windows.current());
        if (place.copy.bytes == 0) continue;
        windows.writes_kept = stream.write_depth - 1;
        const Windows::Write& write = windows.start_write(stream, place.copy.bytes);
        yield_copy(context, stream, place, true, write.semaphore, write.slot, event);
        return true;
    }
    return false;
}

bool GridWalk::await_writes(WalkContext context, Event& event) {
    if (!next_live_ && !last_) return false;
    for (at_ = 0; at_ < context.grid.writing.size(); ++at_) {
        const StreamPlan& stream = stream_at(context, context.grid.writing[at_]);
        const Windows& windows = windows_of(context, stream);
        if (windows.writes() > windows.writes_kept) return await_write(context, stream, event);
    }
    return false;
}

bool GridWalk::drain(WalkContext context, Event& event) {
    for (std::int32_t id : context.grid.writing) {
        const StreamPlan& stream = stream_at(context, id);
        if (windows_of(context, stream).writes() > 0) return await_write(context, stream, event);
    }
    return false;
}

}  // namespace slab::schedule
