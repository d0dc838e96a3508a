#include "sim/hbm_rates.hpp"

#include <algorithm>

#include <systemc>

#include "sim/clock.hpp"
#include "sim/memory/hbm.hpp"
#include "sim/simulation_scope.hpp"
#include "sim/units/dma_engine.hpp"
#include "sim/units/semaphores.hpp"

namespace slab::sim {

namespace {

constexpr std::int64_t shortest_run = 64, longest_run = 1 << 20;
constexpr std::int64_t copy_bytes = 16 << 20;  // many runs for every channel
constexpr std::int64_t most_pages = 4096;

/// Bytes per ns that so many equal copies move, started at once.
double rate(const arch::ChipSpec& chip, HbmModel model, const DmaEngine::Copy& copy,
            std::int64_t copies) {
    const SimulationScope scope;
    Semaphores semaphores(1);
    const auto hbm = make_hbm("hbm", chip, model);
    DmaEngine dma("dma", chip, CoreClock(chip.clock.nominal_ghz), semaphores);
    dma.memory(*hbm);
    for (std::int64_t i = 0; i < copies; ++i) dma.start(copy, sc_core::SC_ZERO_TIME);
    dma.commit();
    sc_core::sc_start();
    const std::int64_t ends = (copy.from_hbm ? 1 : 0) + (copy.to_hbm ? 1 : 0);
    return static_cast<double>(copies * copy.bytes * ends) /
           (CoreClock::to_us(dma.last_done()) * 1e3);
}

}  // namespace

std::vector<HbmRates> hbm_rates(const arch::ChipSpec& chip, HbmModel model) {
    arch::ChipSpec without_latency = chip;
    without_latency.dma.latency_us = 0;
    const auto of = [&](std::int64_t run, std::int64_t bytes, bool from, bool to,
                        std::int64_t copies) {
        DmaEngine::Copy copy;
        copy.bytes = bytes;
        copy.runs = bytes / run;
        copy.from_hbm = from;
        copy.to_hbm = to;
        return rate(without_latency, model, copy, copies);
    };
    std::vector<HbmRates> all;
    for (std::int64_t run = shortest_run; run <= longest_run; run *= 4) {
        const std::int64_t pages = std::min(most_pages, copy_bytes / run);
        all.push_back({static_cast<double>(run), of(run, copy_bytes, true, false, 1),
                       of(run, copy_bytes, false, true, 1), of(run, copy_bytes, true, true, 1),
                       of(run, run, true, false, pages)});
    }
    return all;
}

}  // namespace slab::sim
