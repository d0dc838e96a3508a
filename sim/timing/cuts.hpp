#pragma once

#include "arch_configs/chip_spec.hpp"
#include "compiler/schedule/program.hpp"

namespace slab::sim::timing {

/// Slices that need no instruction are taken where a value is made, as a compiler does that holds
/// values in registers: what only disjoint slices use is computed slice by slice, and of a load
/// only what is used is loaded. So
///   s = dot(q, k) * c     for i { softmax(s[i@512, :]) }
/// is timed like a dot and a product per slice. A dot is cut into no fewer rows than it goes
/// through at a time, since each piece brings its weights anew. Loads keep the reference of the
/// whole, so that they stay ordered against stores to any part of it.
schedule::Region cut_values(const schedule::Region& region, const arch::MxuSpec& mxu);

}  // namespace slab::sim::timing
