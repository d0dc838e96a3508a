#pragma once

#include "compiler/schedule/program.hpp"

namespace slab::schedule {

/// Removes operations whose results nobody uses. Values keep their numbers.
void drop_unused(Region& region);

/// What a vector compiler does about memory within straight-line code: a load of exactly what a
/// store before it wrote becomes that store's value, and a store is dropped whose elements another
/// one overwrites before anything reads them, with all that only it used. Values keep their
/// numbers.
void forward_stores(Region& region, const Program& program);

}  // namespace slab::schedule
