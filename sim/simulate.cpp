#include "sim/simulate.hpp"

#include <algorithm>
#include <optional>

#include <systemc>

#include "sim/chip.hpp"
#include "sim/core_totals.hpp"
#include "sim/roofline.hpp"
#include "sim/simulation_scope.hpp"
#include "sim/summary.hpp"
#include "sim/vmem_use.hpp"

namespace slab::sim {

namespace {

/// Why the program did not end. SystemC just returns when nothing is pending, so a core that has
/// not finished waits for ever; where one stopped, the others wait for it.
std::optional<result::Stop> why_stopped(const Pod& pod) {
    std::optional<result::Stop> deadlock;
    for (const Chip& chip : pod.chips)
        for (const TensorCore& core : chip.cores) {
            if (const auto stop = core.sequencer.stop()) return stop;
            if (!core.sequencer.finished() && !deadlock) deadlock = core.sequencer.deadlock();
        }
    return deadlock;
}

/// The first lines that the cores printed, in order of time.
void add_prints(result::Result& result, const Pod& pod) {
    std::vector<Sequencer::PrintedLine> lines;
    for (const Chip& chip : pod.chips)
        for (const TensorCore& core : chip.cores) {
            const auto& printed = core.sequencer.prints();
            lines.insert(lines.end(), printed.begin(), printed.end());
            result.print_count += core.sequencer.print_count();
        }
    std::stable_sort(lines.begin(), lines.end(),
                     [](const auto& a, const auto& b) { return a.time < b.time; });
    if (lines.size() > Sequencer::most_prints) lines.resize(Sequencer::most_prints);
    for (Sequencer::PrintedLine& line : lines) result.prints.push_back(std::move(line.text));
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
    result.stop = why_stopped(pod);
    if (result.stop) result.fault = result.stop->headline;
    std::int32_t member = 0;
    for (const Chip& chip : pod.chips)
        for (std::size_t i = 0; i < chip.cores.size(); ++i) {
            const TensorCore& core = chip.cores[i];
            const CoreTotals sums = totals(core, chip.hbm[i], pod.ici, member++, job);
            add_core(result, sums, summary(core, sums, job), job);
            result.events += core.sequencer.events();
        }
    add_prints(result, pod);
    if (result.time_us > 0) {
        // per core, as the peaks they are compared with
        const double core_us = result.time_us * static_cast<double>(result.cores.size());
        result.tflops = static_cast<double>(result.flops) / core_us / 1e6;
        result.hbm_gb_per_s = static_cast<double>(result.hbm_bytes) / core_us / 1e3;
    }
    return result;
}

}  // namespace

std::vector<timing::RegionTime> schedule_regions(const schedule::Program& program,
                                                 const arch::ChipSpec& chip) {
    std::vector<timing::RegionTime> regions;
    for (const schedule::Region& region : program.regions)
        regions.push_back(timing::schedule_region(region, program, chip));
    return regions;
}

result::Result simulate(const schedule::Program& program, const schedule::Data& data,
                        const arch::ChipSpec& chip, const Options& options) {
    return simulate(program, data, chip, options, schedule_regions(program, chip));
}

result::Result simulate(const schedule::Program& program, const schedule::Data& data,
                        const arch::ChipSpec& chip, const Options& options,
                        const std::vector<timing::RegionTime>& regions) {
    const bool nominal = options.clock == Clock::nominal;
    const CoreClock clock(nominal ? chip.clock.nominal_ghz : chip.clock.sustained_ghz);
    const Job job{program, data, regions, chip, options, clock};

    const SimulationScope scope;
    Pod pod("pod", job, static_cast<std::int32_t>(program.members()), 1);
    sc_core::sc_start();

    result::Result result = collect(pod, job);
    result.kernel = program.kernel;
    result.chip = chip.name;
    result.clock = nominal ? "nominal" : "sustained";
    result.clock_ghz = clock.ghz();
    if (options.hbm == HbmModel::banked) result.hbm_model = "banked";
    result.vmem = vmem_use(program);
    result.vmem.smem_limit = chip.smem.bytes;
    return result;
}

}  // namespace slab::sim
