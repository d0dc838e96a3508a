#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <systemc>

namespace slab::sim {

/// What is due at known times: the earliest first, and in the order of push() among equals.
template <typename T>
class Agenda {
public:
    bool empty() const { return heap_.empty(); }
    /// When the first one is due.
    sc_core::sc_time time() const { return heap_.front().time; }

    void push(sc_core::sc_time time, T what) {
        heap_.push_back({time, next_++, std::move(what)});
        std::push_heap(heap_.begin(), heap_.end(), later);
    }
    T pop() {
        std::pop_heap(heap_.begin(), heap_.end(), later);
        T what = std::move(heap_.back().what);
        heap_.pop_back();
        return what;
    }

private:
    struct Entry {
        sc_core::sc_time time;
        std::uint64_t number = 0;
        T what;
    };
    static bool later(const Entry& a, const Entry& b) {
        return a.time != b.time ? a.time > b.time : a.number > b.number;
    }

    std::vector<Entry> heap_;
    std::uint64_t next_ = 0;
};

}  // namespace slab::sim
