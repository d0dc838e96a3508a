#pragma once

#include <cstdint>

#include <systemc>

#include "arch_configs/chip_spec.hpp"
#include "sim/timing/region.hpp"

namespace slab::sim {

/// The ports of VMEM. A copy into VMEM needs the port of the stores, a copy out of it the port of
/// the loads, `dma_bytes_per_cycle` at a time. It takes the cycles in which the core leaves the
/// port alone, slots that its schedule could not fill included; beyond those, the core and the DMA
/// take turns. So a region's own accesses are held up by at most as many cycles as they take
/// themselves, and by no more than what the copies between their start and their wait still need.
///
/// Approximation `vmem ports`: all of a copy is charged to the regions that follow its start,
/// though it may not have begun to arrive (errs slow); single banks are not told apart (errs fast).
class Vmem : public sc_core::sc_module {
public:
    Vmem(const sc_core::sc_module_name& name, const arch::VmemSpec& spec);

    void copy_started(bool write, std::int64_t bytes) { port(write).start(cycles(bytes)); }
    void copy_waited(bool write, std::int64_t bytes) { port(write).finish(cycles(bytes)); }
    /// Cycles of a region that begins now, given its cycles without DMA: never fewer.
    double region_cycles(double alone, const timing::UnitCycles& busy);

private:
    struct Port {
        double outstanding = 0;  ///< cycles of the copies that have not been waited for
        double backlog = 0;      ///< of these, cycles the port has not given yet

        void start(double cycles) {
            outstanding += cycles;
            backlog += cycles;
        }
        void finish(double cycles) {
            outstanding -= cycles;
            if (backlog > outstanding) backlog = outstanding;
        }
        /// Cycles until `own` accesses of the core are through.
        double contended(double own) const { return own + (backlog < own ? backlog : own); }
        void give(double cycles) { backlog = backlog > cycles ? backlog - cycles : 0; }
    };

    Port& port(bool write) { return write ? load_ : store_; }
    double cycles(std::int64_t bytes) const {
        return static_cast<double>(bytes) * cycles_per_byte_;
    }

    const double cycles_per_byte_;
    Port load_;
    Port store_;
};

}  // namespace slab::sim
