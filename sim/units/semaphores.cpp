#include "sim/units/semaphores.hpp"

namespace slab::sim {

void Semaphores::put(std::int32_t semaphore, std::int64_t bytes) {
    bytes_[index(semaphore)] += bytes;
    if (semaphore == awaited_ && bytes_[index(semaphore)] >= awaited_bytes_) granted_.notify();
}

bool Semaphores::take(std::int32_t semaphore, std::int64_t bytes) {
    if (bytes_[index(semaphore)] < bytes) {
        awaited_ = semaphore;
        awaited_bytes_ = bytes;
        return false;
    }
    bytes_[index(semaphore)] -= bytes;
    awaited_ = nothing;
    return true;
}

}  // namespace slab::sim
