#include "compiler/schedule/walk/windows.hpp"

#include <algorithm>
#include <span>

namespace slab::schedule {

void Windows::reset(const StreamPlan& plan) {
    places_.resize(static_cast<std::size_t>(plan.ring));
    found_ = fetched_ = 0;
    current_ = -1;
    fetch_slot_ = 0;
    slot_ = -1;
    arrived_ = false;
    writes_ = writes_kept = 0;
    write_turn_ = 0;
}

void Windows::observe(const StreamPlan& plan, const ScalarPlan& scalars, const Word* slots,
                      std::uint64_t moved, std::int64_t live_step, Fault& fault) {
    if (found_ > 0 && (plan.axes & moved) == 0) return;
    WindowPlace& next = places_[static_cast<std::size_t>(found_ & (plan.ring - 1))];
    const WindowPlace& last = place(plan, found_ - 1);
    bool differs = found_ == 0;
    for (std::size_t d = 0; d < plan.dims.size(); ++d) {
        const WindowDimPlan& dim = plan.dims[d];
        const Word start = scalars.evaluate(dim.start, slots, fault);
        Word live = dim.size;
        if (dim.live != none) {
            live = scalars.evaluate(dim.live, slots, fault);
            if (live < 0 || live > dim.size) fault = {Fault::Kind::live_length, plan.id, live};
        }
        next.start[d] = start;
        next.live[d] = live;
        differs |= start != last.start[d] || live != last.live[d];
    }
    if (!differs || fault) return;
    next.first_live = live_step;
    measure(plan, next);
    ++found_;
}

/// Clips a window to its array.
void Windows::measure(const StreamPlan& plan, WindowPlace& place) const {
    bool whole = true;
    for (std::size_t d = 0; d < plan.dims.size(); ++d) {
        const WindowDimPlan& dim = plan.dims[d];
        const std::int64_t begin = std::max<std::int64_t>(place.start[d], 0);
        const std::int64_t end = std::min(place.start[d] + place.live[d], dim.array);
        const std::int64_t extent = std::max<std::int64_t>(end - begin, 0);
        place.extent[d] = static_cast<std::int32_t>(extent);
        whole &= extent == dim.size;
    }
    if (whole) {
        place.copy = plan.whole;
        return;
    }
    std::array<std::int64_t, max_rank> extent;
    const std::size_t rank = plan.dims.size();
    std::copy_n(place.extent.begin(), rank, extent.begin());
    const Operand& operand = *plan.operand;
    place.copy = copy_shape(operand.type, std::span<const std::int64_t>(operand.shape),
                            std::span<const std::int64_t>(extent.data(), rank), operand.tile_rows,
                            plan.lanes);
}

bool Windows::writing_from(std::int32_t slot) const {
    for (int i = 0; i < writes_; ++i)
        if (write_[static_cast<std::size_t>(i)].slot == slot) return true;
    return false;
}

const Windows::Write& Windows::start_write(const StreamPlan& plan, std::int64_t bytes) {
    Write& write = write_[static_cast<std::size_t>(writes_++)];
    write = {bytes, plan.write_semaphore + write_turn_, slot_};
    if (++write_turn_ == plan.write_depth) write_turn_ = 0;
    return write;
}

void Windows::finish_oldest_write() {
    write_[0] = write_[1];
    --writes_;
}

}  // namespace slab::schedule
