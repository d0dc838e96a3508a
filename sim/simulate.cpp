#include "sim/simulate.hpp"

#include <systemc>

#include "sim/chip.hpp"
#include "sim/core_totals.hpp"
#include "sim/roofline.hpp"
#include "sim/simulation_scope.hpp"
#include "sim/summary.hpp"
#include "sim/vmem_use.hpp"
#include "support/check.hpp"

namespace slab::sim {

namespace {

/// SystemC just returns when nothing is pending. A program of ours cannot leave a core waiting.
void check_finished(const Pod& pod) {
    for (std::size_t chip = 0; chip < pod.chips.size(); ++chip)
        for (std::size_t core = 0; core < pod.chips[chip].cores.size(); ++core) {
            const Sequencer& sequencer = pod.chips[chip].cores[core].sequencer;
            SLAB_CHECK(sequencer.finished(), "deadlock: core {} of chip {} {}", core, chip,
                       sequencer.waits_for());
        }
}

/// Adds one core's result to that of the pod, whose time is that of its last core.
void add_core(result::Result& result, const CoreTotals& totals, result::CoreResult core,
              const Job& job) {
    result.steps += core.steps;
    result.flops += core.flops;
    result.hbm_bytes += core.hbm_bytes;
    if (result.cores.empty() || core.cycles > result.cycles) {
        result.cycles = core.cycles;
        result.time_us = CoreClock::to_us(totals.time);
        // a run that was cut short has started copies that it never saw arrive
        if (result.fault.empty()) result.roofline = roofline(totals, job);
    }
    result.cores.push_back(std::move(core));
}

result::Result collect(const Pod& pod, const Job& job) {
    result::Result result;
    result.events = pod.activations();
    for (const Chip& chip : pod.chips)
        for (std::size_t i = 0; i < chip.cores.size(); ++i) {
            const TensorCore& core = chip.cores[i];
            const CoreTotals sums = totals(core, chip.hbm[i], job);
            if (result.fault.empty()) result.fault = core.sequencer.fault();
            add_core(result, sums, summary(core, sums, job), job);
            result.events += core.sequencer.events();
        }
    if (result.time_us > 0) {
        result.tflops = static_cast<double>(result.flops) / result.time_us / 1e6;
        result.hbm_gb_per_s = static_cast<double>(result.hbm_bytes) / result.time_us / 1e3;
    }
    return result;
}

}  // namespace

result::Result simulate(const schedule::Program& program, const schedule::Data& data,
                        const arch::ChipSpec& chip, const Options& options) {
    std::vector<timing::RegionTime> regions;
    for (const schedule::Region& region : program.regions)
        regions.push_back(timing::schedule_region(region, program, chip));
    return simulate(program, data, chip, options, regions);
}

result::Result simulate(const schedule::Program& program, const schedule::Data& data,
                        const arch::ChipSpec& chip, const Options& options,
                        const std::vector<timing::RegionTime>& regions) {
    const bool nominal = options.clock == Clock::nominal;
    const CoreClock clock(nominal ? chip.clock.nominal_ghz : chip.clock.sustained_ghz);
    const Job job{program, data, regions, chip, options, clock};

    const SimulationScope scope;
    Pod pod("pod", job, 1, 1);
    sc_core::sc_start();
    check_finished(pod);

    result::Result result = collect(pod, job);
    result.kernel = program.kernel;
    result.chip = chip.name;
    result.clock = nominal ? "nominal" : "sustained";
    result.clock_ghz = clock.ghz();
    result.vmem = vmem_use(program);
    return result;
}

}  // namespace slab::sim
