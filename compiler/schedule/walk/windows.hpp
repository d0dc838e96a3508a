#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "compiler/schedule/walk/cursor.hpp"

namespace slab::schedule {

/// One of the different windows a stream goes through.
struct WindowPlace {
    std::int64_t first_live = 0;  ///< the live step that first uses it
    std::array<std::int64_t, max_rank> start{};
    std::array<std::int64_t, max_rank> live{};    ///< elements, if they are counted at run time
    std::array<std::int32_t, max_rank> extent{};  ///< elements that are moved
    CopyShape copy;
};

/// The windows of one stream while its grid runs: those found by looking ahead, those being
/// fetched, the one the body sees, and the write-backs under way. Windows are counted from 0;
/// window w lies in copy w mod depth of the buffer.
class Windows {
public:
    void reset(const StreamPlan& plan);
    const StreamPlan& plan() const { return *plan_; }

    /// Looks at a live step with the values in `slots`, after `movement` since the last look.
    /// Remembers the window if it is a new one.
    void observe(const ScalarPlan& scalars, const Word* slots, const Movement& movement,
                 std::int64_t live_step, ScalarContext& context) {
        if (found_ != 0 && (plan_->axes & movement.axes) == 0) return;
        if (found_ != 0 && plan_->linear && movement.is_single(plan_->last_axis))
            step_on(live_step, context);
        else
            look(scalars, slots, live_step, context);
    }

    /// Goes to the next window if live step `live_step` begins it.
    bool arrive(std::int64_t live_step) {
        if (!changes_at(live_step)) return false;
        ++current_;
        if (++slot_ == plan_->depth) slot_ = 0;
        next_change_ = first_live(current_ + 1);
        return true;
    }
    /// Does live step `live_step` begin the window after the current one?
    bool changes_at(std::int64_t live_step) const { return next_change_ == live_step; }

    const WindowPlace& place(std::int64_t window) const { return at(index(window)); }
    /// Where a window is kept until `depth` more have passed.
    std::size_t index(std::int64_t window) const {
        return static_cast<std::size_t>(window & plan_->ring_mask);
    }
    const WindowPlace& at(std::size_t index) const { return places_[index]; }
    const WindowPlace& current_place() const { return place(current_); }
    std::int64_t run() const { return run_; }  ///< how often the grid was entered
    std::int64_t found() const { return found_; }
    std::int64_t current() const { return current_; }  ///< -1 before the first live step
    std::int32_t slot() const { return slot_; }        ///< of the current window

    std::int64_t fetched() const { return fetched_; }  ///< windows whose fetch was started
    std::int32_t fetch_slot() const { return fetch_slot_; }
    bool fetch_is_due(std::int64_t live_step) const {
        return next_fetch_ <= live_step + plan_->steps_ahead;
    }
    void fetch_started() {
        ++fetched_;
        if (++fetch_slot_ == plan_->depth) fetch_slot_ = 0;
        next_fetch_ = first_live(fetched_);
    }

    struct Write {
        std::int64_t bytes = 0;
        std::int32_t semaphore = none;
        std::int32_t slot = 0;
    };
    int writes() const { return writes_; }  ///< under way
    bool writing_from(std::int32_t slot) const;
    const Write& start_write(std::int64_t bytes);
    Write finish_oldest_write();

    // Of a stream with transfers of its own: the axes at the first step of a window, and the bytes
    // that its blocks turn out to copy.
    const Word* axes(std::size_t index) const {
        return axes_.data() + index * plan_->axis_slots.size();
    }
    void fetched(std::size_t index, std::int64_t bytes) { places_[index].copy.bytes = bytes; }
    void written(std::int32_t semaphore, std::int64_t bytes) {
        written_bytes_[static_cast<std::size_t>(semaphore - plan_->write_semaphore)] = bytes;
    }
    std::int64_t bytes_written(std::int32_t semaphore) const {
        return written_bytes_[static_cast<std::size_t>(semaphore - plan_->write_semaphore)];
    }

private:
    static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

    std::int64_t first_live(std::int64_t window) const {
        return window < found_ ? place(window).first_live : never;
    }
    void look(const ScalarPlan& scalars, const Word* slots, std::int64_t live_step,
              ScalarContext& context);
    void look_at_axes(const Word* slots, std::int64_t live_step, ScalarContext& context);
    void step_on(std::int64_t live_step, ScalarContext& context);
    void remember(WindowPlace& place, bool inside, std::int64_t live_step, ScalarContext& context);
    void count_live(const ScalarPlan& scalars, const Word* slots, WindowPlace& place,
                    ScalarContext& context) const;
    void measure(WindowPlace& place, ScalarContext& context) const;

    const StreamPlan* plan_ = nullptr;
    std::vector<WindowPlace> places_;  ///< a ring
    std::int64_t run_ = 0;
    std::int64_t found_ = 0;
    std::int64_t fetched_ = 0;
    std::int64_t current_ = -1;
    std::int64_t next_change_ = never;  ///< the live step that begins window current + 1
    std::int64_t next_fetch_ = never;   ///< the one that begins window fetched, if that is read
    std::int32_t fetch_slot_ = 0;
    std::int32_t slot_ = -1;
    std::array<Write, 2> write_;  ///< oldest first
    int writes_ = 0;
    std::int32_t write_turn_ = 0;
    std::vector<Word> axes_;  ///< of each place, for a stream with transfers of its own
    std::array<std::int64_t, 2> written_bytes_{};
};

}  // namespace slab::schedule
