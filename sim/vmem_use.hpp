#pragma once

#include "compiler/schedule/program.hpp"
#include "sim/result/result.hpp"

namespace slab::sim {

/// The VMEM table of a program: what each buffer takes, and how much of it is padding to tiles.
result::VmemUse vmem_use(const schedule::Program& program);

}  // namespace slab::sim
