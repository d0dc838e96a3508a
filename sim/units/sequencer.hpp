#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <systemc>

#include "arch_configs/chip_spec.hpp"
#include "compiler/schedule/walker.hpp"
#include "sim/memory/vmem.hpp"
#include "sim/units/dma_engine.hpp"
#include "sim/units/semaphores.hpp"
#include "sim/units/vliw_units.hpp"

namespace slab::sim {

/// The scalar core: takes the events of the walker in order, spends the time they cost and starts
/// copies. It is the only unit that advances by itself; everything else answers it.
///
/// Time is decoupled: the sequencer keeps a local time and runs ahead of the simulation until it
/// needs to know when a copy is done. What is in between (control, issue, regions) adds to the
/// local time without an activation. This is exact, because
///  - the local time is never behind the simulated time, so copies are never posted into the past;
///  - the memory orders requests by arrival, not by when they were posted;
///  - bytes found in a semaphore arrived at or before the simulated time, hence before the local
///    time; if they are not there, the sequencer sleeps until they are, and goes on at the later of
///    its local time and their arrival.
/// It runs ahead no further than its next wait, so what is in flight stays bounded.
class Sequencer : public sc_core::sc_module {
public:
    Sequencer(const sc_core::sc_module_name& name, const schedule::Program& program,
              schedule::Walker walker, const arch::ChipSpec& chip, Semaphores& semaphores,
              DmaEngine& dma, Vmem& vmem, VliwUnits& units);

    /// What a stream moved and how long the core stood still for it.
    struct StreamUse {
        std::int64_t copies = 0;
        std::int64_t bytes = 0;
        sc_core::sc_time waited;
    };
    const StreamUse& stream(schedule::StreamId id, bool write) const {
        return streams_[index(id, write)];
    }
    const std::vector<StreamUse>& streams() const { return streams_; }

    bool finished() const { return finished_; }
    /// When the last event was done; while it runs, how far the core is.
    sc_core::sc_time local_time() const { return local_; }
    sc_core::sc_time control_time() const { return control_; }
    sc_core::sc_time issue_time() const { return issue_; }
    std::int64_t steps() const { return steps_; }
    std::int64_t dead_steps() const { return dead_steps_; }
    std::int64_t events() const { return events_; }
    std::int64_t activations() const { return activations_; }
    /// Why the run ended before the program did, or empty.
    std::string fault() const;
    /// A sentence about what the core waits for.
    std::string waits_for() const;

private:
    void run();      ///< the SC_METHOD: consumes events until one of them has to wait
    bool execute();  ///< the current event; false if it has to wait
    void start_copy();
    bool take();
    void resume();
    void spend(sc_core::sc_time cost, sc_core::sc_time& account) {
        local_ += cost;
        account += cost;
    }
    static std::size_t index(schedule::StreamId id, bool write) {
        return 2 * static_cast<std::size_t>(id) + (write ? 1 : 0);
    }

    const schedule::Program& program_;
    const sc_core::sc_time step_cost_;
    const sc_core::sc_time branch_cost_;
    const sc_core::sc_time iteration_cost_;
    const sc_core::sc_time issue_cost_;
    Semaphores& semaphores_;
    DmaEngine& dma_;
    Vmem& vmem_;
    VliwUnits& units_;

    schedule::Walker walker_;
    schedule::Event event_;
    bool waiting_ = false;
    bool finished_ = false;
    bool overtime_ = false;
    sc_core::sc_time local_;
    sc_core::sc_time control_;
    sc_core::sc_time issue_;
    std::vector<StreamUse> streams_;
    std::int64_t steps_ = 0;
    std::int64_t dead_steps_ = 0;
    std::int64_t events_ = 0;
    std::int64_t activations_ = 0;
};

}  // namespace slab::sim
