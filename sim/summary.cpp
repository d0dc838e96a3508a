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
    if (!job.program.mesh.empty())
        units.push_back({"ici", "busiest link to another core", clock.to_cycles(totals.ici), 0});
    for (result::UnitUse& unit : units)
        unit.busy_fraction = fraction(unit.busy_cycles, totals, clock);
    return units;
}

/// What a copy moves: an operand where one is at an end of it.
const std::string& moved_by(const schedule::Copy& copy, const schedule::Program& program) {
    for (const schedule::MemoryRef* end : {&copy.source, &copy.target})
        if (end->operand != schedule::none)
            return program.operands[static_cast<std::size_t>(end->operand)].name;
    return program.buffers[static_cast<std::size_t>(copy.source.buffer)].name;
}

std::vector<result::Wait> waits(const TensorCore& core, const CoreTotals& totals, const Job& job) {
    const schedule::Program& program = job.program;
    const CoreClock& clock = job.clock;
    std::vector<result::Wait> waits;
    const auto add = [&](const std::string& cause, double cycles) {
        if (cycles <= 0) return;
        const auto known = std::find_if(waits.begin(), waits.end(),
                                        [&](const result::Wait& w) { return w.cause == cause; });
        result::Wait& wait = known == waits.end() ? waits.emplace_back() : *known;
        wait.cause = cause;
        wait.cycles += cycles;
        wait.fraction = fraction(wait.cycles, totals, clock);
    };
    for (std::size_t i = 0; i < program.streams.size(); ++i)
        for (bool write : {false, true})
            add(fmt::format("{} of {}", write ? "write" : "fetch", program.streams[i].name),
                clock.to_cycles(
                    core.sequencer.stream(static_cast<schedule::StreamId>(i), write).waited));
    for (std::size_t i = 0; i < program.copies.size(); ++i)
        add("copy of " + moved_by(program.copies[i], program),
            clock.to_cycles(core.sequencer.copies()[i].waited));
    for (const Sequencer::NamedWait& wait : core.sequencer.semaphore_waits())
        add(wait.cause, clock.to_cycles(wait.time));
    add("copies at the end", clock.to_cycles(totals.tail));
    add("launch", clock.to_cycles(totals.launch));
    add("chain", totals.units.chain_cycles);
    add("vmem ports", totals.units.port_cycles);
    add("power", totals.units.power_cycles);
    std::stable_sort(waits.begin(), waits.end(), [](const result::Wait& a, const result::Wait& b) {
        return a.cycles > b.cycles;
    });
    return waits;
}

void count(result::Traffic& row, const Sequencer::CopyUse& use) {
    row.copies += use.copies;
    row.small_copies += use.small;
    row.empty_copies += use.empty;
}

void add_streams(result::Traffic& row, schedule::OperandId operand, const Sequencer& sequencer,
                 const schedule::Program& program) {
    for (std::size_t i = 0; i < program.streams.size(); ++i) {
        if (program.streams[i].operand != operand) continue;
        const auto& read = sequencer.stream(static_cast<schedule::StreamId>(i), false);
        const auto& write = sequencer.stream(static_cast<schedule::StreamId>(i), true);
        row.read_bytes += read.bytes;
        row.written_bytes += write.bytes;
        count(row, read);
        count(row, write);
    }
}

/// What a remote copy writes is counted where it arrives.
void add_copies(result::Traffic& row, schedule::OperandId operand, const TensorCore& core,
                const schedule::Program& program) {
    for (std::size_t i = 0; i < program.copies.size(); ++i) {
        const schedule::Copy& copy = program.copies[i];
        const Sequencer::CopyUse& use = core.sequencer.copies()[i];
        const bool reads = copy.source.operand == operand;
        const bool writes = copy.target.operand == operand;
        if (reads) row.read_bytes += use.bytes;
        if (writes)
            row.written_bytes +=
                copy.is_remote() ? core.dma.received(static_cast<schedule::CopyId>(i)) : use.bytes;
        if (reads || writes) count(row, use);
    }
}

std::vector<result::Traffic> traffic(const TensorCore& core, const schedule::Program& program) {
    std::vector<result::Traffic> traffic;
    for (std::size_t i = 0; i < program.operands.size(); ++i) {
        const auto operand = static_cast<schedule::OperandId>(i);
        result::Traffic row;
        row.operand = program.operands[i].name;
        row.array_bytes = schedule::hbm_bytes(program.operands[i]);
        add_streams(row, operand, core.sequencer, program);
        add_copies(row, operand, core, program);
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
    result.traffic = traffic(core, job.program);
    return result;
}

}  // namespace slab::sim
