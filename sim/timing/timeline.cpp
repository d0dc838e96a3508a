#include "sim/timing/timeline.hpp"

#include <algorithm>

namespace slab::sim::timing {

namespace {

using Span = std::pair<double, double>;

/// The first span that ends after `time`, or at it.
auto first_after(std::vector<Span>& spans, double time) {
    return std::lower_bound(spans.begin(), spans.end(), time,
                            [](const Span& span, double at) { return span.second < at; });
}

}  // namespace

double Timeline::take(double from, double cycles) {
    const auto first = first_after(taken_, from);
    auto next = first;
    double begin = from, time = from;
    // all that is free between `from` and the end becomes taken, so that one span is left of it
    for (; next != taken_.end(); ++next) {
        if (next->first > time) {
            const double gap = next->first - time;
            if (gap > cycles) break;
            cycles -= gap;
        }
        begin = std::min(begin, next->first);
        time = std::max(time, next->second);
    }
    time += cycles;
    const auto place = taken_.erase(first, next);
    taken_.insert(place, {begin, time});
    return time;
}

double Timeline::free_from(double from) const {
    const auto span = std::lower_bound(taken_.begin(), taken_.end(), from,
                                       [](const Span& one, double at) { return one.second <= at; });
    return span == taken_.end() || span->first > from ? from : span->second;
}

}  // namespace slab::sim::timing
