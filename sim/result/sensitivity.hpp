#pragma once

#include <string>
#include <vector>

namespace slab::result {

/// The time if one number of the chip were a stated part slower or faster than its file says.
struct Influence {
    std::string name;         ///< short and stable, a key of JSON
    std::string description;  ///< for people, a few words
    double slower_us = 0;
    double faster_us = 0;
    double width_us() const { return slower_us - faster_us; }
};

/// How far a time moves with what is not known exactly.
struct Sensitivity {
    double part = 0;        ///< 0.1: numbers a tenth slower or faster
    double slowest_us = 0;  ///< all of them slower
    double fastest_us = 0;
    std::vector<Influence> influences;  ///< the widest first
};

}  // namespace slab::result
