#pragma once

#include <string>
#include <vector>

#include "compiler/schedule/program.hpp"

namespace slab::schedule {

/// What is inconsistent in a program, one sentence each; empty when it is sound: ids in range,
/// expressions acyclic and typed, buffers inside VMEM and not overlapping (live values may, if no
/// region uses one between two uses of the other), types and shapes that fit their ops, values
/// defined before use, constant refs inside their buffers, streams of exactly one pipeline,
/// bounds, `where` and windows that nothing inside their grid changes, copies with equal ends and
/// semaphores that fit, each entry of the tables of copies, waits and the like used by exactly one
/// statement, and streams' own transfers without grids, regions and rings. A part is checked once
/// the parts it rests on are sound.
std::vector<std::string> verify(const Program& program);

}  // namespace slab::schedule
