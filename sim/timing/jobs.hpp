#pragma once

#include <vector>

#include "arch_configs/chip_spec.hpp"
#include "sim/timing/list_schedule.hpp"
#include "sim/timing/region.hpp"
#include "sim/timing/traffic.hpp"

namespace slab::sim::timing {

/// The stages of a region as what the list scheduler sees: cut into pieces, with needs between
/// them and cycles per unit.
std::vector<Job> make_jobs(const Dataflow& flow, const Stages& stages, const RegionTraffic& traffic,
                           const arch::ChipSpec& chip);

/// Full-rate cycles of all stages.
UnitCycles busy_cycles(const RegionTraffic& traffic, const arch::ChipSpec& chip);

}  // namespace slab::sim::timing
