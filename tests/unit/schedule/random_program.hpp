#pragma once

#include <cstdint>

#include "compiler/schedule/program.hpp"

namespace slab::schedule::testing {

/// A sound program made by chance: nested grids with streams of every kind, loops, branches,
/// assignments and scopes, and regions with ops of every class. The same seed gives the same.
Program random_program(std::uint32_t seed);
/// One that has copies, semaphores, rings, SMEM, a mesh and streams with transfers of their own as
/// well. It is sound, but made to be looked at: its copies and waits need not match.
Program random_program_of_everything(std::uint32_t seed);

}  // namespace slab::schedule::testing
