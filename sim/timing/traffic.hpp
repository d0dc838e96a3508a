#pragma once

#include <vector>

#include "arch_configs/chip_spec.hpp"
#include "compiler/schedule/program.hpp"
#include "sim/timing/list_schedule.hpp"
#include "sim/timing/mxu.hpp"
#include "sim/timing/passes.hpp"

namespace slab::sim::timing {

/// Instructions a stage issues in all, one per register or memory tile.
struct Traffic {
    double valu = 0;
    double eup = 0;
    double xlu = 0;
    double loads = 0;
    double stores = 0;
    double pops = 0;
    double spilled_registers = 0;
    DotTime dot;  ///< of a dot
};

/// What a region's stages issue, and how long results take to come out of them.
struct RegionTraffic {
    std::vector<Traffic> stages;
    /// Per value: from the start of a register tile's work in its stage to this result.
    std::vector<double> path_cycles;
    /// Per value: it stays in registers between stages.
    std::vector<bool> resident;
};

/// Cycles per unit at the rates a schedule can reach.
Demand demand(const Traffic& traffic, const arch::ChipSpec& chip);

/// Charges every stage with what it computes, pops, loads and stores. Values that pass from one
/// stage to another go through VMEM, once stored by their maker and loaded by each user, except
/// what crossings.hpp finds room for in registers.
RegionTraffic region_traffic(const Dataflow& flow, const Stages& stages,
                             const schedule::Program& program, const arch::ChipSpec& chip);

}  // namespace slab::sim::timing
