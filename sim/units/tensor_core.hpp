#pragma once

#include <cstdint>
#include <vector>

#include <systemc>

#include "arch_configs/chip_spec.hpp"
#include "compiler/schedule/program.hpp"
#include "sim/clock.hpp"
#include "sim/memory/vmem.hpp"
#include "sim/simulate.hpp"
#include "sim/units/dma_engine.hpp"
#include "sim/units/semaphores.hpp"
#include "sim/units/sequencer.hpp"
#include "sim/units/vliw_units.hpp"

namespace slab::sim {

/// What every core of a simulation runs, and on what.
struct Job {
    const schedule::Program& program;
    const schedule::Data& data;
    const std::vector<timing::RegionTime>& regions;  ///< time of each region without DMA
    const arch::ChipSpec& chip;
    const Options& options;
    CoreClock clock;
};

/// One core:
///
///     sequencer ──► units ──► vmem
///         │                     ▲
///         └──────► dma ─────────┘
///                   │  ▲
///      semaphores ◄─┘  └──► memory (bound by the chip), ici (connected by the pod)
class TensorCore : public sc_core::sc_module {
public:
    TensorCore(const sc_core::sc_module_name& name, const Job& job, std::int32_t member);

    std::int64_t activations() const { return sequencer.activations() + dma.activations(); }

    Semaphores semaphores;
    Vmem vmem;
    VliwUnits units;
    DmaEngine dma;
    Sequencer sequencer;

private:
    TensorCore(const sc_core::sc_module_name& name, const Job& job, schedule::Walker walker);
};

}  // namespace slab::sim
