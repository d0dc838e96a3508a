#pragma once

#include "compiler/schedule/program.hpp"

namespace slab::schedule {

enum class Overlap {
    apart,  ///< for certain
    some,   ///< may share elements
    same    ///< the same elements in the same order
};

/// How two references of a region to buffers lie to each other. Starts are compared as an
/// expression plus a constant; where nothing is known, or a view or a length of the run decides,
/// overlap is assumed.
Overlap overlap(const MemoryRef& a, const MemoryRef& b, const Program& program);

}  // namespace slab::schedule
