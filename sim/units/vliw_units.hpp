#pragma once

#include <cstdint>
#include <vector>

#include <systemc>

#include "arch_configs/chip_spec.hpp"
#include "compiler/schedule/program.hpp"
#include "sim/clock.hpp"
#include "sim/memory/vmem.hpp"
#include "sim/simulate.hpp"
#include "sim/timing/region.hpp"

namespace slab::sim {

/// The units that the bundles of the core drive: matrix units, VPU, EUP, XLU, load and store slots.
/// Their compiler schedules them statically, so a region occupies them for a time known before the
/// simulation; what varies is how much of VMEM's ports the DMA leaves to them.
class VliwUnits : public sc_core::sc_module {
public:
    VliwUnits(const sc_core::sc_module_name& name, const arch::MxuSpec& mxu,
              const std::vector<timing::RegionTime>& regions, const CoreClock& clock,
              const Options& options, Vmem& vmem);

    /// Executes a region and says how long it takes.
    sc_core::sc_time run(schedule::RegionId region);

    struct Use {
        timing::UnitCycles busy;
        double chain_cycles = 0;  ///< of regions, beyond their longest unit
        double power_cycles = 0;  ///< by which power stretched regions
        double port_cycles = 0;   ///< by which DMA traffic on VMEM's ports did
    };
    Use use() const;
    /// How often each region ran.
    const std::vector<std::int64_t>& executions() const { return executions_; }

private:
    struct Region {
        timing::RegionTime alone;
        double cycles = 0;  ///< within the power limit
        sc_core::sc_time time;
    };

    const CoreClock clock_;
    Vmem& vmem_;
    std::vector<Region> regions_;
    std::vector<std::int64_t> executions_;
    double port_cycles_ = 0;
};

}  // namespace slab::sim
