#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace slab::sim {

/// A queue that allocates only when it grows beyond what it ever held.
template <typename T>
class Fifo {
public:
    bool empty() const { return size_ == 0; }
    const T& front() const { return ring_[first_]; }

    void push(const T& value) {
        if (size_ == ring_.size()) grow();
        ring_[at(size_++)] = value;
    }
    void pop() {
        first_ = at(1);
        --size_;
    }

private:
    std::size_t at(std::size_t i) const { return (first_ + i) & (ring_.size() - 1); }

    /// Capacities are powers of two, so that wrapping around is a mask.
    void grow() {
        std::vector<T> larger(ring_.empty() ? 16 : 2 * ring_.size());
        for (std::size_t i = 0; i < size_; ++i) larger[i] = ring_[at(i)];
        ring_ = std::move(larger);
        first_ = 0;
    }

    std::vector<T> ring_;
    std::size_t first_ = 0;
    std::size_t size_ = 0;
};

}  // namespace slab::sim
