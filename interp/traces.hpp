#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "interp/block.hpp"
#include "support/source.hpp"

namespace slab::interp {

/// Where undefined elements came from and the memories they went through. A trace is a number; what
/// it stands for is kept once, however many elements share it.
class Traces {
public:
    struct Step {
        std::string what;  ///< `acc` was never written; stored in `o`
        Span span;
    };

    /// Of something that is undefined by itself, told apart by `key`.
    Trace origin(std::int64_t key, const std::string& what, Span span);
    /// Of an element with trace `before` that was moved by something told apart by `key`. A path
    /// that would come by twice stays as it is.
    Trace moved(Trace before, std::int64_t key, const std::string& what, Span span);

    /// From the origin on.
    std::vector<Step> path(Trace trace) const;

private:
    struct Node {
        Step step;
        std::int64_t key = 0;
        Trace before = 0;
    };
    Trace add(Trace before, std::int64_t key, const std::string& what, Span span);

    std::vector<Node> nodes_ = {{}};  ///< by trace; 0 stands for nothing
    std::map<std::pair<Trace, std::int64_t>, Trace> known_;
};

}  // namespace slab::interp
