#include "sim/units/vliw_units.hpp"

#include <algorithm>

namespace slab::sim {

namespace {

/// The share of their peak rate that power allows the matrix units; 1 if there is no limit.
double power_share(const arch::MxuSpec& mxu, const Options& options) {
    if (options.clock == Clock::nominal) return 1;
    const double share = options.activity == Activity::zeros ? mxu.sustained_share_zeros
                                                             : mxu.sustained_share_random;
    return share > 0 ? share : 1;
}

}  // namespace

VliwUnits::VliwUnits(const sc_core::sc_module_name& name, const arch::MxuSpec& mxu,
                     const std::vector<timing::RegionTime>& regions, const CoreClock& clock,
                     const Options& options, Vmem& vmem)
    : sc_module(name), clock_(clock), vmem_(vmem), executions_(regions.size()) {
    const double share = power_share(mxu, options);
    for (const timing::RegionTime& alone : regions) {
        // Power is a floor under the time of matrix work and not a slower clock: a region that
        // another unit limits does not pay it.
        const double cycles = std::max(alone.cycles, alone.busy.mxu / share);
        regions_.push_back({alone, cycles, clock.from_cycles(cycles)});
    }
}

sc_core::sc_time VliwUnits::run(schedule::RegionId id) {
    const Region& region = regions_[static_cast<std::size_t>(id)];
    ++executions_[static_cast<std::size_t>(id)];
    const double cycles = vmem_.region_cycles(region.cycles, region.alone.busy);
    if (cycles == region.cycles) return region.time;
    port_cycles_ += cycles - region.cycles;
    return clock_.from_cycles(cycles);
}

VliwUnits::Use VliwUnits::use() const {
    Use use;
    for (std::size_t i = 0; i < regions_.size(); ++i) {
        const Region& region = regions_[i];
        const double times = static_cast<double>(executions_[i]);
        const timing::UnitCycles& busy = region.alone.busy;
        use.busy.mxu += times * busy.mxu;
        use.busy.vpu += times * busy.vpu;
        use.busy.eup += times * busy.eup;
        use.busy.xlu += times * busy.xlu;
        use.busy.load += times * busy.load;
        use.busy.store += times * busy.store;
        use.chain_cycles += times * (region.alone.cycles - busy.longest());
        use.power_cycles += times * (region.cycles - region.alone.cycles);
    }
    use.port_cycles = port_cycles_;
    return use;
}

}  // namespace slab::sim
