#include "interp/traces.hpp"

#include <algorithm>
#include <limits>

namespace slab::interp {

Trace Traces::add(Trace before, std::int64_t key, const std::string& what, Span span) {
    const auto known = known_.find({before, key});
    if (known != known_.end()) return known->second;
    constexpr std::size_t most = std::numeric_limits<Trace>::max();
    if (nodes_.size() > most) return before != 0 ? before : static_cast<Trace>(most);
    const auto trace = static_cast<Trace>(nodes_.size());
    nodes_.push_back({{what, span}, key, before});
    known_.emplace(std::pair(before, key), trace);
    return trace;
}

Trace Traces::origin(std::int64_t key, const std::string& what, Span span) {
    return add(0, key, what, span);
}

Trace Traces::moved(Trace before, std::int64_t key, const std::string& what, Span span) {
    for (Trace at = before; at != 0; at = nodes_[at].before)
        if (nodes_[at].key == key) return at;
    return add(before, key, what, span);
}

std::vector<Traces::Step> Traces::path(Trace trace) const {
    std::vector<Step> steps;
    for (Trace at = trace; at != 0; at = nodes_[at].before) steps.push_back(nodes_[at].step);
    std::reverse(steps.begin(), steps.end());
    return steps;
}

}  // namespace slab::interp
