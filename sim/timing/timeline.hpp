#pragma once

#include <utility>
#include <vector>

namespace slab::sim::timing {

/// The cycles of a unit, some of them taken.
class Timeline {
public:
    /// Takes so many free cycles from a time on, the first there are, and returns when the last of
    /// them is over.
    double take(double from, double cycles);

    /// The first free time from a time on.
    double free_from(double from) const;

private:
    std::vector<std::pair<double, double>> taken_;  ///< apart from each other, in order
};

}  // namespace slab::sim::timing
