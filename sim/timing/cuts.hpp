#pragma once

#include "arch_configs/chip_spec.hpp"
#include "compiler/schedule/program.hpp"

namespace slab::sim::timing {

/// Slices of whole registers move nothing: what they use is made where the value is made, as a
/// compiler does that holds values in registers. So
///   s = dot(q, k) * c     for i { softmax(s[i@512, :]) }
/// is timed like a dot and a product per slice.
///   - Equal slices are one, and a slice of a slice is one of the value.
///   - Of what is loaded or constant each slice takes its own part, also one that rotates it. The
///     part of a load keeps the reference of the whole, which orders it against stores.
///   - An element-wise operation that only disjoint slices use is done slice by slice.
///   - So is a dot, if the slices make up all of it, and each has whole weight tiles and rows
///     enough to hide the load of the next tile: every part brings its weights anew.
/// What becomes of a value with very many slices is left whole, to bound the work.
void cut_values(schedule::Region& region, const schedule::Program& program,
                const arch::MxuSpec& mxu);

}  // namespace slab::sim::timing
