#pragma once

#include <vector>

#include "arch_configs/chip_spec.hpp"
#include "sim/timing/passes.hpp"
#include "sim/timing/traffic.hpp"

namespace slab::sim::timing {

/// Registers a pass needs for one register tile: the most values that live at the same time, and
/// an accumulator per reduction. Long chains keep few values alive.
int registers_needed(const Stage& pass, const Dataflow& flow);

/// A value that one stage makes and others use.
struct Crossing {
    schedule::ValueId value = schedule::none;
    int home = schedule::none;
    std::vector<int> users;      ///< other stages, in the order of their first use
    int store = schedule::none;  ///< the op that stores it for the kernel's own sake, if any
    int last_use = schedule::none;
};

std::vector<Crossing> find_crossings(const Dataflow& flow, const Stages& stages);

/// The op by which a value's own stage stores it for the kernel's sake, or `none`.
int storing_op(schedule::ValueId value, const Dataflow& flow, const Stages& stages);

/// Per value: small enough to stay in registers from definition to last use. A quarter of the
/// register file is given out, first come first served.
std::vector<bool> resident_values(const std::vector<Crossing>& crossings, const Dataflow& flow,
                                  const arch::VpuSpec& vpu);

/// The share of a crossing's rows that waits in registers for `user`.
struct HeldRows {
    const Crossing* crossing = nullptr;
    int user = schedule::none;
    double share = 0;
    bool only_user = false;
};

/// A pass may follow the one before it row by row, as `exp(s - max)` follows the maximum of the
/// row: then the row waits for as long as the maximum takes, and so do the rows behind it. What of
/// them fits in a part of the register file does not go through VMEM. Rows of few registers, like
/// statistics, come first.
std::vector<HeldRows> held_rows(const std::vector<Crossing>& crossings, const Dataflow& flow,
                                const Stages& stages, const RegionTraffic& traffic,
                                const arch::ChipSpec& chip);

}  // namespace slab::sim::timing
