#include "compiler/schedule/walk/cursor.hpp"

#include <algorithm>

namespace slab::schedule {

bool Cursor::enter(const GridPlan& grid, const ScalarPlan& scalars, Word* slots,
                   ScalarContext& context) {
    ends_.resize(grid.axes.size());
    step_ = 0;
    std::size_t level = 0;
    return settle(grid, scalars, slots, level, context);
}

bool Cursor::carry(const GridPlan& grid, const ScalarPlan& scalars, Word* slots, Movement& moved,
                   ScalarContext& context) {
    // The last axis has already been counted up, past its end.
    std::size_t level = grid.axes.empty() ? 0 : grid.axes.size() - 1;
    if (!step_outward(grid, slots, level)) return false;
    const std::size_t mover = level - 1;
    if (!settle(grid, scalars, slots, level, context)) return false;
    moved.axes |= ~std::uint64_t{0} << std::min(mover, level);
    ++moved.steps;
    ++step_;
    return true;
}

/// Opens the axes from `level` on; where one is empty, an outer one moves on. `level` becomes the
/// outermost axis that moved.
bool Cursor::settle(const GridPlan& grid, const ScalarPlan& scalars, Word* slots,
                    std::size_t& level, ScalarContext& context) {
    std::size_t outermost = level;
    while (level < grid.axes.size()) {
        const AxisPlan& axis = grid.axes[level];
        const Word lo = scalars.evaluate(axis.lo, slots, context);
        const Word hi = scalars.evaluate(axis.hi, slots, context);
        if (context.fault) return false;
        slots[axis.slot] = lo;
        ends_[level] = hi;
        if (lo < hi) {
            ++level;
        } else if (step_outward(grid, slots, level)) {
            outermost = std::min(outermost, level - 1);
        } else {
            return false;
        }
    }
    level = outermost;
    return true;
}

/// Counts up the nearest axis outside `level` that has not ended; `level` becomes the axis within.
bool Cursor::step_outward(const GridPlan& grid, Word* slots, std::size_t& level) {
    while (level > 0) {
        --level;
        if (++slots[grid.axes[level].slot] < ends_[level]) {
            ++level;
            return true;
        }
    }
    return false;
}

}  // namespace slab::schedule
