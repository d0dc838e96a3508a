#pragma once

#include <cstdint>

#include "compiler/schedule/walker.hpp"
#include "support/diagnostics.hpp"

namespace slab::compiler {

/// Runs the synchronisation skeleton of a program: every member of its mesh, without time and
/// without vector code, a copy being complete only once somebody has waited for it. Reports
/// - E0701: scratch that was never written reaches a copy out,
/// - E0702, E0703: a part of a memory is touched while a copy into or out of it may be running,
/// - E0802: a semaphore that is not 0 at the end,
/// - E0803: a wait that can never end,
/// - E0804: a chip is reached that may not have begun,
/// and what stops a walk, such as a ring that is overfilled. Only the first of each kind is told.
/// Where the program has more than `most_events` events, the rest is left to the interpreter, and
/// all of it where the mesh is too large for that.
void check_skeleton(const schedule::Program& program, const schedule::Data& data,
                    std::int64_t most_events, Diagnostics& diags);

/// Has it copies, semaphores or rings that could be wrong?
bool has_skeleton(const schedule::Program& program);

}  // namespace slab::compiler
