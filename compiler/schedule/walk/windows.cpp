#include "compiler/schedule/walk/windows.hpp"

#include <algorithm>
#include <span>

namespace slab::schedule {

namespace {

/// How many steps of a window lie before an element `distance` after its start.
std::int64_t steps_to(std::int64_t distance, std::int64_t step) {
    if (step == 1) return std::max<std::int64_t>(distance, 0);
    return distance <= 0 ? 0 : (distance + step - 1) / step;
}

}  // namespace

void Windows::reset(const StreamPlan& plan) {
    plan_ = &plan;
    places_.resize(static_cast<std::size_t>(plan.ring_mask + 1));
    axes_.resize(places_.size() * plan.axis_slots.size());
    ++run_;
    found_ = fetched_ = 0;
    current_ = -1;
    next_change_ = next_fetch_ = never;
    fetch_slot_ = 0;
    slot_ = -1;
    writes_ = 0;
    write_turn_ = 0;
}

void Windows::look(const ScalarPlan& scalars, const Word* slots, std::int64_t live_step,
                   ScalarContext& context) {
    const StreamPlan& plan = *plan_;
    if (plan.custom) return look_at_axes(slots, live_step, context);
    // The entry after the last one found is free: the new window is built there.
    WindowPlace& next = places_[index(found_)];
    const WindowPlace& last = place(found_ - 1);
    bool differs = found_ == 0;
    bool inside = true;
    for (std::size_t d = 0, rank = plan.rank; d < rank; ++d) {
        const Word start = scalars.evaluate(plan.dims[d].start, slots, context);
        next.start[d] = start;
        differs |= start != last.start[d];
        inside &= start >= 0 && start <= plan.dims[d].last_start;
    }
    if (plan.counts_live) {
        count_live(scalars, slots, next, context);
        differs |= next.live != last.live;
        inside = false;
    }
    if (differs && !context.fault) remember(next, inside, live_step, context);
}

/// What a block of copies moves is not known beforehand: the window is new if an axis it depends on
/// has moved.
void Windows::look_at_axes(const Word* slots, std::int64_t live_step, ScalarContext& context) {
    const StreamPlan& plan = *plan_;
    const std::size_t count = plan.axis_slots.size();
    Word* next = axes_.data() + index(found_) * count;
    const Word* last = axes(index(found_ - 1));
    bool differs = found_ == 0;
    for (std::size_t axis = 0; axis < count; ++axis) {
        next[axis] = slots[plan.axis_slots[axis]];
        if ((plan.axes >> axis & 1) != 0) differs |= next[axis] != last[axis];
    }
    if (differs) remember(places_[index(found_)], true, live_step, context);
}

/// The same for one step of the last axis, when all starts are affine: each moves by its slope.
void Windows::step_on(std::int64_t live_step, ScalarContext& context) {
    const StreamPlan& plan = *plan_;
    WindowPlace& next = places_[index(found_)];
    const WindowPlace& last = place(found_ - 1);
    bool inside = true;
    for (std::size_t d = 0, rank = plan.rank; d < rank; ++d) {
        const Word start = wrap_i32(last.start[d] + plan.slopes[d]);
        next.start[d] = start;
        inside &= start >= 0 && start <= plan.dims[d].last_start;
    }
    if (plan.slides) remember(next, inside, live_step, context);
}

void Windows::remember(WindowPlace& place, bool inside, std::int64_t live_step,
                       ScalarContext& context) {
    place.first_live = live_step;
    if (inside) {
        place.extent = plan_->sizes;
        place.copy = plan_->whole;
    } else {
        measure(place, context);
    }
    if (found_ == current_ + 1) next_change_ = live_step;
    if (found_ == fetched_ && plan_->fetches) next_fetch_ = live_step;
    ++found_;
}

void Windows::count_live(const ScalarPlan& scalars, const Word* slots, WindowPlace& place,
                         ScalarContext& context) const {
    for (std::size_t d = 0; d < plan_->rank; ++d) {
        const WindowDimPlan& dim = plan_->dims[d];
        const Word live = dim.live == none ? dim.size : scalars.evaluate(dim.live, slots, context);
        if (live < 0 || live > dim.size)
            context.fault.add({Fault::Kind::live_length, plan_->id, live});
        place.live[d] = live;
    }
}

/// Clips a window to its array, which some of its elements must lie in unless it has none.
void Windows::measure(WindowPlace& place, ScalarContext& context) const {
    const StreamPlan& plan = *plan_;
    std::array<std::int64_t, max_rank> extent{};
    bool moves = true;
    std::int32_t outside = none;
    for (std::size_t d = 0; d < plan.rank; ++d) {
        const std::int64_t live = plan.counts_live ? place.live[d] : plan.dims[d].size;
        const std::int64_t step = plan.dims[d].step;
        const std::int64_t before = steps_to(0 - place.start[d], step);
        const std::int64_t inside = steps_to(plan.operand->shape[d] - place.start[d], step);
        extent[d] = std::max<std::int64_t>(std::min(live, inside) - before, 0);
        place.extent[d] = static_cast<std::int32_t>(extent[d]);
        moves &= live > 0;
        if (extent[d] == 0) outside = static_cast<std::int32_t>(d);
    }
    if (moves && outside != none)
        context.fault.add({Fault::Kind::window_outside, plan.id,
                           place.start[static_cast<std::size_t>(outside)], outside});
    const Operand& operand = *plan.operand;
    place.copy = copy_shape(operand.type, std::span<const std::int64_t>(operand.shape),
                            std::span<const std::int64_t>(extent.data(), plan.rank),
                            std::span<const std::int64_t>(plan.steps.data(), plan.rank),
                            operand.tile_rows, plan.lanes);
}

bool Windows::writing_from(std::int32_t slot) const {
    for (int i = 0; i < writes_; ++i)
        if (write_[static_cast<std::size_t>(i)].slot == slot) return true;
    return false;
}

const Windows::Write& Windows::start_write(std::int64_t bytes) {
    Write& write = write_[static_cast<std::size_t>(writes_++)];
    write = {bytes, plan_->write_semaphore + write_turn_, slot_};
    if (++write_turn_ == plan_->write_depth) write_turn_ = 0;
    return write;
}

Windows::Write Windows::finish_oldest_write() {
    const Write oldest = write_[0];
    write_[0] = write_[1];
    --writes_;
    return oldest;
}

}  // namespace slab::schedule
