#pragma once

#include <cstdint>

#include "compiler/schedule/program.hpp"

namespace slab::schedule::testing {

/// A sound program made by chance: nested grids with streams of every kind, loops, branches,
/// assignments and scopes, and regions with ops of every class. The same seed gives the same.
Program random_program(std::uint32_t seed);

}  // namespace slab::schedule::testing
