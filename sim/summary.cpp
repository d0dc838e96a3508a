#include "sim/summary.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/schedule/layout.hpp"

namespace slab::sim {

namespace {

double fraction(double cycles, const CoreTotals& totals, const CoreClock& clock) {
    const double all = clock.to_cycles(totals.time);
    return all > 0 ? cycles / all : 0;
}

std::vector<result::UnitUse> units(const CoreTotals& totals, const Job& job) {
    const CoreClock& clock = job.clock;
    const timing::UnitCycles& busy = totals.units.busy;
    const double hbm_us =
        static_cast<double>(totals.hbm_bytes) / (job.chip.hbm.bandwidth_gb_per_s * 1e3);
    std::vector<result::UnitUse> units = {
        {"mxu", "matrix units", busy.mxu, 0},
        {"vpu", "vector ALUs", busy.vpu, 0},
        {"eup", "transcendental unit", busy.eup, 0},
        {"xlu", "cross-lane units", busy.xlu, 0},
        {"load", "vector loads", busy.load, 0},
        {"store", "vector stores", busy.store, 0},
        {"scalar", "control of steps, loops and branches", clock.to_cycles(totals.control), 0},
        {"dma", "issue of copies", clock.to_cycles(totals.issue), 0},
        {"hbm", "payload at the nominal bandwidth", hbm_us * clock.ghz() * 1e3, 0}};
    for (result::UnitUse& unit : units)
        unit.busy_fraction = fraction(unit.busy_cycles, totals, clock);
    return units;
}

std::vector<result::Wait> waits(const TensorCore& core, const CoreTotals& totals, const Job& job) {
    const schedule::Program& program = job.program;
    const CoreClock& clock = job.clock;
    std::vector<result::Wait> waits;
    const auto add = [&](std::string cause, double cycles) {
        if (cycles > 0)
            waits.push_back({std::move(cause), cycles, fraction(cycles, totals, clock)});
    };
    for (std::size_t i = 0; i < program.streams.size(); ++i)
        for (bool write : {false, true})
            add(fmt::format("{} of {}", write ? "write" : "fetch", program.streams[i].name),
                clock.to_cycles(
                    core.sequencer.stream(static_cast<schedule::StreamId>(i), write).waited));
    add("launch", clock.to_cycles(totals.launch));
    add("chain", totals.units.chain_cycles);
    add("vmem ports", totals.units.port_cycles);
    add("power", totals.units.power_cycles);
    std::stable_sort(waits.begin(), waits.end(), [](const result::Wait& a, const result::Wait& b) {
        return a.cycles > b.cycles;
    });
    return waits;
}

std::vector<result::Traffic> traffic(const Sequencer& sequencer, const schedule::Program& program) {
    std::vector<result::Traffic> traffic;
    for (std::size_t operand = 0; operand < program.operands.size(); ++operand) {
        const schedule::Operand& array = program.operands[operand];
        result::Traffic row;
        row.operand = array.name;
        row.array_bytes = schedule::hbm_bytes(array);
        for (std::size_t i = 0; i < program.streams.size(); ++i) {
            if (program.streams[i].operand != static_cast<schedule::OperandId>(operand)) continue;
            const auto& read = sequencer.stream(static_cast<schedule::StreamId>(i), false);
            const auto& write = sequencer.stream(static_cast<schedule::StreamId>(i), true);
            row.read_bytes += read.bytes;
            row.written_bytes += write.bytes;
            row.copies += read.copies + write.copies;
        }
        traffic.push_back(std::move(row));
    }
    return traffic;
}

}  // namespace

result::CoreResult summary(const TensorCore& core, const CoreTotals& totals, const Job& job) {
    result::CoreResult result;
    result.cycles = job.clock.to_cycles(totals.time);
    result.launch_cycles = job.clock.to_cycles(totals.launch);
    result.steps = core.sequencer.steps();
    result.dead_steps = core.sequencer.dead_steps();
    result.flops = totals.flops;
    result.hbm_bytes = totals.hbm_bytes;
    result.units = units(totals, job);
    result.waits = waits(core, totals, job);
    result.traffic = traffic(core.sequencer, job.program);
    return result;
}

}  // namespace slab::sim
