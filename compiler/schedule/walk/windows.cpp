#include "compiler/schedule/walk/windows.hpp"

#include <algorithm>
#include <span>

namespace slab::schedule {

void Windows::reset(const StreamPlan& plan) {
    plan_ = &plan;
    places_.resize(static_cast<std::size_t>(plan.ring_mask + 1));
    found_ = fetched_ = 0;
    current_ = -1;
    next_change_ = next_fetch_ = never;
    fetch_slot_ = 0;
    slot_ = -1;
    writes_ = 0;
    write_turn_ = 0;
}

void Windows::look(const ScalarPlan& scalars, const Word* slots, std::int64_t live_step,
                   Fault& fault) {
    const StreamPlan& plan = *plan_;
    // The entry after the last one found is free: the new window is built there.
    WindowPlace& next = places_[index(found_)];
    const WindowPlace& last = place(found_ - 1);
    bool differs = found_ == 0;
    bool inside = true;
    for (std::size_t d = 0, rank = plan.rank; d < rank; ++d) {
        const Word start = scalars.evaluate(plan.dims[d].start, slots, fault);
        next.start[d] = start;
        differs |= start != last.start[d];
        inside &= start >= 0 && start <= plan.dims[d].last_start;
    }
    if (plan.counts_live) {
        count_live(scalars, slots, next, fault);
        differs |= next.live != last.live;
        inside = false;
    }
    if (differs && !fault) remember(next, inside, live_step);
}

/// The same for one step of the last axis, when all starts are affine: each moves by its slope.
void Windows::step_on(std::int64_t live_step) {
    const StreamPlan& plan = *plan_;
    WindowPlace& next = places_[index(found_)];
    const WindowPlace& last = place(found_ - 1);
    bool inside = true;
    for (std::size_t d = 0, rank = plan.rank; d < rank; ++d) {
        const Word start = wrap_i32(last.start[d] + plan.slopes[d]);
        next.start[d] = start;
        inside &= start >= 0 && start <= plan.dims[d].last_start;
    }
    if (plan.slides) remember(next, inside, live_step);
}

void Windows::remember(WindowPlace& place, bool inside, std::int64_t live_step) {
    place.first_live = live_step;
    if (inside) {
        place.extent = plan_->sizes;
        place.copy = plan_->whole;
    } else {
        measure(place);
    }
    if (found_ == current_ + 1) next_change_ = live_step;
    if (found_ == fetched_ && plan_->fetches) next_fetch_ = live_step;
    ++found_;
}

void Windows::count_live(const ScalarPlan& scalars, const Word* slots, WindowPlace& place,
                         Fault& fault) const {
    for (std::size_t d = 0; d < plan_->rank; ++d) {
        const WindowDimPlan& dim = plan_->dims[d];
        const Word live = dim.live == none ? dim.size : scalars.evaluate(dim.live, slots, fault);
        if (live < 0 || live > dim.size) fault = {Fault::Kind::live_length, plan_->id, live};
        place.live[d] = live;
    }
}

/// Clips a window to its array.
void Windows::measure(WindowPlace& place) const {
    const StreamPlan& plan = *plan_;
    std::array<std::int64_t, max_rank> extent{};
    for (std::size_t d = 0; d < plan.rank; ++d) {
        const std::int64_t begin = std::max<std::int64_t>(place.start[d], 0);
        const std::int64_t live = plan.counts_live ? place.live[d] : plan.dims[d].size;
        const std::int64_t end = std::min(place.start[d] + live, plan.operand->shape[d]);
        extent[d] = std::max<std::int64_t>(end - begin, 0);
        place.extent[d] = static_cast<std::int32_t>(extent[d]);
    }
    const Operand& operand = *plan.operand;
    place.copy = copy_shape(operand.type, std::span<const std::int64_t>(operand.shape),
                            std::span<const std::int64_t>(extent.data(), plan.rank),
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
