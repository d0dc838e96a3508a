#pragma once

#include "compiler/schedule/program.hpp"

namespace slab::sim::timing {

enum class Overlap {
    none,  ///< provably apart
    some,  ///< may share elements
    same   ///< the same elements in the same order
};

/// How two references to buffers lie to each other. Starts are compared as an expression plus a
/// constant; where nothing is known, overlap is assumed.
Overlap overlap(const schedule::MemoryRef& a, const schedule::MemoryRef& b,
                const schedule::Program& program);

}  // namespace slab::sim::timing
