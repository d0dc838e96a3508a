#pragma once

#include <cstdint>
#include <vector>

#include "compiler/schedule/walk/plan.hpp"

namespace slab::schedule {

/// What has happened to a cursor since somebody looked.
struct Movement {
    std::uint64_t axes = ~std::uint64_t{0};  ///< those that may have changed
    std::int64_t steps = 0;

    /// Just one step, and of this axis alone?
    bool is_single(std::size_t axis) const {
        return steps == 1 && axes == std::uint64_t{1} << axis;
    }
};

/// A position in a grid: its axes count like an odometer, and bounds are evaluated when the axes
/// before them have moved. The values of the axes live in the slots that are handed in.
class Cursor {
public:
    /// Goes to the first step; false if there is none.
    bool enter(const GridPlan& grid, const ScalarPlan& scalars, Word* slots,
               ScalarContext& context);
    /// Goes to the next step and notes it in `moved`; false if there is none.
    bool advance(const GridPlan& grid, const ScalarPlan& scalars, Word* slots, Movement& moved,
                 ScalarContext& context) {
        if (!grid.axes.empty()) {
            const std::size_t last = grid.axes.size() - 1;
            if (++slots[grid.axes[last].slot] < ends_[last]) {
                moved.axes |= std::uint64_t{1} << last;
                ++moved.steps;
                ++step_;
                return true;
            }
        }
        return carry(grid, scalars, slots, moved, context);
    }
    /// Steps begun before this one.
    std::int64_t step() const { return step_; }

private:
    bool carry(const GridPlan& grid, const ScalarPlan& scalars, Word* slots, Movement& moved,
               ScalarContext& context);
    bool settle(const GridPlan& grid, const ScalarPlan& scalars, Word* slots, std::size_t& level,
                ScalarContext& context);
    bool step_outward(const GridPlan& grid, Word* slots, std::size_t& level);

    std::vector<std::int64_t> ends_;  ///< exclusive, per axis
    std::int64_t step_ = 0;
};

}  // namespace slab::schedule
