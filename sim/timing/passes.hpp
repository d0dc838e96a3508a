#pragma once

#include <vector>

#include "arch_configs/chip_spec.hpp"
#include "sim/timing/dataflow.hpp"

namespace slab::sim::timing {

/// A stage that must come first because both touch the same memory.
struct Follows {
    int stage = 0;
    Relation relation = Relation::whole;
};

/// A piece of a region that is scheduled as one: a dot, or a pass of fused vector operations over
/// the register tiles of `domain`.
struct Stage {
    bool dot = false;
    std::vector<int> ops;  ///< in program order, without loads and constants
    Shape domain;
    int pops = schedule::none;  ///< the dot whose result this pass takes from the matrix units
    std::vector<Follows> follows;
    std::vector<int> dots_before;  ///< stages, ascending
};

/// A region as stages. Loads and constants belong to no stage: each stage that uses them loads or
/// computes them anew.
struct Stages {
    std::vector<Stage> stages;
    std::vector<int> stage_of;   ///< per op; `none` for loads and constants
    std::vector<int> popped_by;  ///< per op: the pass that pops this dot, or `none`

    /// The stage that holds a value after it is made; `none` for loads and constants.
    int home(schedule::ValueId value, const Dataflow& flow) const;
};

/// Fuses as a compiler does: an operation joins the pass that makes its input, as long as that
/// delays nothing that already uses the pass. So
///   s = dot(q, k)   m = rowmax(s * c)   p = exp(s * c - m)   l = rowsum(p)   o = dot(p, v)
/// becomes dot | s * c, rowmax | exp, rowsum | dot: the maximum of a row is known only at its end,
/// so its use over the same row starts a second pass. Statistics of rows ride with a pass over
/// these rows.
Stages fuse(const Dataflow& flow, const arch::VpuSpec& vpu);

}  // namespace slab::sim::timing
