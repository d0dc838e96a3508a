#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "compiler/schedule/walk/plan.hpp"

namespace slab::schedule {

/// One of the different windows a stream goes through.
struct WindowPlace {
    std::int64_t first_live = 0;  ///< the live step that first uses it
    std::array<std::int64_t, max_rank> start{};
    std::array<std::int64_t, max_rank> live{};    ///< elements, before the array's edges clip them
    std::array<std::int32_t, max_rank> extent{};  ///< elements that are moved
    CopyShape copy;
};

/// The windows of one stream while its grid runs: those found by looking ahead, those being
/// fetched, the one the body sees, and the write-backs under way. Windows are counted from 0;
/// window w lies in copy w mod depth of the buffer.
class Windows {
public:
    void reset(const StreamPlan& plan);

    /// Looks at a live step with the values in `slots`; `moved` has a bit per axis that may have
    /// moved since the last look. Remembers the window if it is a new one.
    void observe(const StreamPlan& plan, const ScalarPlan& scalars, const Word* slots,
                 std::uint64_t moved, std::int64_t live_step, Fault& fault);

    /// Goes to the next window if live step `live_step` begins it.
    void arrive(const StreamPlan& plan, std::int64_t live_step) {
        arrived_ = changes_at(plan, live_step);
        if (!arrived_) return;
        ++current_;
        if (++slot_ == plan.depth) slot_ = 0;
    }
    /// Does live step `live_step` begin the window after the current one?
    bool changes_at(const StreamPlan& plan, std::int64_t live_step) const {
        return current_ + 1 < found_ && place(plan, current_ + 1).first_live == live_step;
    }
    bool arrived() const { return arrived_; }

    const WindowPlace& place(const StreamPlan& plan, std::int64_t window) const {
        return places_[static_cast<std::size_t>(window & (plan.ring - 1))];
    }
    std::int64_t found() const { return found_; }
    std::int64_t current() const { return current_; }  ///< -1 before the first live step
    std::int32_t slot() const { return slot_; }

    std::int64_t fetched() const { return fetched_; }  ///< windows whose fetch was started
    std::int32_t fetch_slot() const { return fetch_slot_; }
    void fetch_started(const StreamPlan& plan) {
        ++fetched_;
        if (++fetch_slot_ == plan.depth) fetch_slot_ = 0;
    }

    struct Write {
        std::int64_t bytes = 0;
        std::int32_t semaphore = none;
        std::int32_t slot = 0;
    };
    int writes() const { return writes_; }  ///< under way
    const Write& oldest_write() const { return write_[0]; }
    bool writing_from(std::int32_t slot) const;
    const Write& start_write(const StreamPlan& plan, std::int64_t bytes);
    void finish_oldest_write();
    /// Write-backs that may remain under way when the step ends.
    int writes_kept = 0;

private:
    void measure(const StreamPlan& plan, WindowPlace& place) const;

    std::vector<WindowPlace> places_;  ///< a ring
    std::int64_t found_ = 0;
    std::int64_t fetched_ = 0;
    std::int64_t current_ = -1;
    std::int32_t fetch_slot_ = 0;
    std::int32_t slot_ = -1;
    bool arrived_ = false;
    std::array<Write, 2> write_;
    int writes_ = 0;
    std::int32_t write_turn_ = 0;
};

}  // namespace slab::schedule
