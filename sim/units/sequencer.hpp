#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <systemc>

#include "arch_configs/chip_spec.hpp"
#include "compiler/schedule/walker.hpp"
#include "sim/memory/vmem.hpp"
#include "sim/result/result.hpp"
#include "sim/units/dma_engine.hpp"
#include "sim/units/ici.hpp"
#include "sim/units/semaphore_map.hpp"
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
///    its local time and their arrival;
///  - what it sends to other cores is on its way from its local time on.
/// It runs ahead no further than its next wait, so what is in flight stays bounded.
class Sequencer : public sc_core::sc_module {
public:
    Sequencer(const sc_core::sc_module_name& name, const schedule::Program& program,
              schedule::Walker walker, const arch::ChipSpec& chip, Semaphores& semaphores,
              DmaEngine& dma, Vmem& vmem, VliwUnits& units);

    /// The member of a mesh that this core is.
    void connect(Ici& ici, std::int32_t member);

    /// What a stream or a written copy moved, and how long the core stood still for it.
    struct CopyUse {
        std::int64_t copies = 0;
        std::int64_t small = 0;  ///< of them, below 4 KiB
        std::int64_t empty = 0;
        std::int64_t bytes = 0;
        sc_core::sc_time waited;

        void add(std::int64_t bytes);
    };
    const CopyUse& stream(schedule::StreamId id, bool write) const {
        return streams_[index(id, write)];
    }
    const std::vector<CopyUse>& streams() const { return streams_; }
    /// By copy of the program; `waited` where it is synchronous.
    const std::vector<CopyUse>& copies() const { return copies_; }
    /// A wait for a semaphore, by what it belongs to (SemaphoreMap::cause).
    struct NamedWait {
        std::string cause;
        sc_core::sc_time time;
    };
    std::vector<NamedWait> semaphore_waits() const;
    /// Time the core stood still for copies and for other cores.
    sc_core::sc_time waited() const;

    struct PrintedLine {
        sc_core::sc_time time;
        std::string text;
    };
    /// The first `most_prints` lines.
    const std::vector<PrintedLine>& prints() const { return prints_; }
    std::int64_t print_count() const { return print_count_; }
    static constexpr std::size_t most_prints = 100;

    bool finished() const { return finished_; }
    /// When the last event was done; while it runs, how far the core is.
    sc_core::sc_time local_time() const { return local_; }
    sc_core::sc_time control_time() const { return control_; }
    sc_core::sc_time issue_time() const { return issue_; }
    std::int64_t steps() const { return steps_; }
    std::int64_t dead_steps() const { return dead_steps_; }
    std::int64_t events() const { return events_; }
    std::int64_t activations() const { return activations_; }
    /// Why the run ended before the program did.
    std::optional<result::Stop> stop() const;
    /// If simulation is over and this core is not: what it waits for.
    result::Stop deadlock() const;
    /// A sentence about what the core waits for.
    std::string waits_for() const;

private:
    void run();      ///< the SC_METHOD: consumes events until one of them has to wait
    bool execute();  ///< the current event; false if it has to wait
    void start_copy();
    void start_transfer();
    void print();
    bool take();
    void free_ports();
    sc_core::sc_time& wait_account();
    std::string awaited() const;
    void resume();
    void spend(sc_core::sc_time cost, sc_core::sc_time& account) {
        local_ += cost;
        account += cost;
    }
    static std::size_t index(schedule::StreamId id, bool write) {
        return 2 * static_cast<std::size_t>(id) + (write ? 1 : 0);
    }

    /// Bytes under way through the ports of VMEM.
    struct PortBytes {
        std::int64_t in = 0;
        std::int64_t out = 0;
    };

    const schedule::Program& program_;
    const SemaphoreMap map_;
    const sc_core::sc_time step_cost_;
    const sc_core::sc_time branch_cost_;
    const sc_core::sc_time iteration_cost_;
    const sc_core::sc_time issue_cost_;
    const sc_core::sc_time manual_issue_cost_;
    Semaphores& semaphores_;
    DmaEngine& dma_;
    Vmem& vmem_;
    VliwUnits& units_;
    Ici* ici_ = nullptr;
    std::int32_t member_ = 0;

    schedule::Walker walker_;
    schedule::Event event_;
    bool waiting_ = false;
    bool finished_ = false;
    bool overtime_ = false;
    sc_core::sc_time local_;
    sc_core::sc_time control_;
    sc_core::sc_time issue_;
    std::vector<CopyUse> streams_;
    std::vector<CopyUse> copies_;
    std::vector<sc_core::sc_time> waited_;       ///< by semaphore
    std::vector<PortBytes> port_bytes_;          ///< of written copies, by semaphore
    std::vector<schedule::CopyId> latest_copy_;  ///< by semaphore
    std::vector<PrintedLine> prints_;
    std::int64_t print_count_ = 0;
    std::int64_t steps_ = 0;
    std::int64_t dead_steps_ = 0;
    std::int64_t events_ = 0;
    std::int64_t activations_ = 0;
};

}  // namespace slab::sim
