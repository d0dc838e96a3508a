#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/schedule/program.hpp"

namespace slab::sim {

/// What each semaphore of a Walker belongs to, in the order the walker numbers them.
class SemaphoreMap {
public:
    explicit SemaphoreMap(const schedule::Program& program);

    /// As the user would write it: `arrived[1]`, a slot of `kv`, the fetch of `a`.
    std::string name(std::int32_t semaphore) const;
    /// What a core that waits for it waits for: `semaphore arrived`, `ring kv`, `fetch of a`,
    /// `barrier`; empty for the one of synchronous copies.
    std::string cause(std::int32_t semaphore) const;
    /// What it counts: `bytes` or `signals`.
    std::string_view unit(std::int32_t semaphore) const;
    /// Where its owner is declared.
    Span place(std::int32_t semaphore) const;

private:
    /// Consecutive semaphores of one owner.
    struct Range {
        std::int64_t first = 0;
        std::int64_t count = 0;
        std::string cause;
        std::string name;
        Span place;
        std::vector<std::int64_t> shape;  ///< of an array, whose elements have an index
        bool counts = false;              ///< signals, not bytes
    };
    void add(std::int64_t count, std::string cause, std::string name, Span place,
             std::vector<std::int64_t> shape = {}, bool counts = false);
    void add_stream(const schedule::Stream& stream);
    const Range* find(std::int32_t semaphore) const;

    const schedule::Program& program_;
    std::vector<Range> ranges_;
};

/// `member 2 (r = 2)`, or `the core` where there is no mesh.
std::string member_name(const schedule::Program& program, std::int64_t member);

}  // namespace slab::sim
