#pragma once

#include <cstdint>
#include <string>

namespace slab::test {

/// A kernel made by chance, as kernels are that somebody would time: whole tiles, pipelines, rings
/// and copies by hand, with work that takes about as long as they do.
struct TimedKernel {
    std::string family;
    /// Its outermost axis is `o in O par`; nothing that a step of it does needs another one. O is
    /// the only size without a value.
    std::string text;
};

/// The same for the same seed, on every machine. All families take turns.
TimedKernel timed_kernel(std::uint64_t seed);

}  // namespace slab::test
