#pragma once

#include <string>
#include <vector>

#include "compiler/schedule/program.hpp"

namespace slab::schedule {

/// What is inconsistent in a program, one sentence each; empty when it is sound: ids in range,
/// types and shapes that fit their ops, values defined before use, refs inside their buffers,
/// buffers inside VMEM and not overlapping (live values may, but not within one region's use),
/// streams of exactly one pipeline, expressions acyclic and typed.
std::vector<std::string> verify(const Program& program);

}  // namespace slab::schedule
