#pragma once

#include <cstdint>

#include <systemc>

#include "arch_configs/chip_spec.hpp"
#include "sim/fifo.hpp"
#include "sim/memory/memory_port.hpp"
#include "sim/units/semaphores.hpp"

namespace slab::sim {

/// Moves blocks between HBM and VMEM. A read reaches HBM one latency after its issue and is
/// complete when its last byte has moved. A write reaches HBM at once, since its data are at hand,
/// and is seen complete a part of the latency after its last byte: the acknowledgement. A
/// contiguous run of r bytes costs HBM as much time as r + run_overhead_bytes.
///
/// Approximation `copies in order`: the copies of one direction move one after the other, each at
/// full rate once the one before is through, while their latencies overlap; reads and writes share
/// HBM. If all copies shared it instead, two fetches of a double-buffered grid would stay locked
/// together, each slowing the other, and a step that waits for HBM would take half a latency longer
/// than measured. Errs slow for small copies behind large ones. The number of copies under way is
/// not limited (errs fast).
class DmaEngine : public sc_core::sc_module, public MemoryClient {
public:
    sc_core::sc_port<MemoryPort> memory{"memory"};

    DmaEngine(const sc_core::sc_module_name& name, const arch::DmaSpec& spec,
              Semaphores& semaphores);

    struct Copy {
        std::int64_t bytes = 0;
        std::int64_t runs = 0;
        std::int32_t semaphore = 0;
        bool write = false;
    };
    /// Starts a copy at a time that is not in the past and not before the previous start.
    void start(const Copy& copy, sc_core::sc_time issued);
    /// The core that started copies goes to wait, or is done.
    void commit() { memory->commit(); }

    std::int64_t activations() const { return activations_; }

private:
    struct Acknowledgement {
        sc_core::sc_time time;
        std::int32_t semaphore = 0;
        std::int64_t bytes = 0;
    };

    /// The copies of one direction.
    struct Lane {
        bool busy = false;       ///< the memory has one of them
        Fifo<Transfer> waiting;  ///< the others
    };

    void end_of_elaboration() override { memory->attach(*this); }
    void signal(const Transfer& transfer);
    void served(const Transfer& transfer) override;
    void acknowledge();  ///< the SC_METHOD: signals the writes whose acknowledgement is due

    const double run_overhead_bytes_;
    const sc_core::sc_time read_latency_;
    const sc_core::sc_time write_latency_;
    Semaphores& semaphores_;
    Lane reads_;
    Lane writes_;
    Fifo<Acknowledgement> acknowledgements_;
    sc_core::sc_event due_{"due"};
    std::int64_t activations_ = 0;
};

}  // namespace slab::sim
