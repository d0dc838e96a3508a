#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace slab::schedule {

struct Plan;

/// Numbers of the semaphores of a core that belong to nothing else.
struct SemaphoreNumbers {
    std::int32_t barrier = 0;  ///< of member 0; one per member, if a barrier names peers
    struct Axis {
        std::int32_t first = 0;
        std::vector<std::int32_t> distances;  ///< a semaphore each: that of the member before
    };
    std::vector<Axis> axes;        ///< per mesh axis: of its barriers of all
    std::int32_t synchronous = 0;  ///< of copies that are waited for at once; the last
    std::int32_t count = 0;
};

/// Gives all semaphores of a plan their numbers, in the order that walker.hpp tells.
void number_semaphores(Plan& plan);

/// What a semaphore is for: `fetch of a`, `got[0, 3]`, `slot 1 of kv`.
std::string semaphore_name(std::int32_t semaphore, const Plan& plan);

}  // namespace slab::schedule
