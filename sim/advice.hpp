#pragma once

#include <vector>

#include "arch_configs/chip_spec.hpp"
#include "compiler/schedule/program.hpp"
#include "sim/result/result.hpp"
#include "sim/timing/region.hpp"
#include "support/diagnostics.hpp"

namespace slab::sim {

/// Warnings W02 to W08: what a run shows to be slow and the kernel can change. Each says where, why
/// and what to do. Small shares of the time are left alone, so a tuned kernel has none. Nothing is
/// said about a run that stopped early.
void advise(const schedule::Program& program, const std::vector<timing::RegionTime>& regions,
            const arch::ChipSpec& chip, const result::Result& result, Diagnostics& diags);

}  // namespace slab::sim
