#pragma once

#include <cstdint>

#include <systemc>

#include "sim/chip.hpp"
#include "sim/units/vliw_units.hpp"

namespace slab::sim {

/// Where the time of one core went: the sums that the summary and the roofline are made of.
struct CoreTotals {
    sc_core::sc_time time;
    sc_core::sc_time launch;
    sc_core::sc_time control;      ///< steps, branches, iterations
    sc_core::sc_time issue;        ///< of DMA descriptors
    sc_core::sc_time copy_wait;    ///< stood still for copies and for other cores
    sc_core::sc_time tail;         ///< of it, for copies at the end that nobody waits for
    sc_core::sc_time ici;          ///< the busiest link of the core was taken
    sc_core::sc_time hbm_service;  ///< what HBM needs for the copies, efficiency and runs included
    VliwUnits::Use units;
    std::int64_t flops = 0;
    double peak_flop_time_us = 0;  ///< of the flops, each dot at the nominal peak of its types
    double peak_flops = 0;         ///< per second, of the dot type that most flops are of
    std::int64_t hbm_bytes = 0;
};

CoreTotals totals(const TensorCore& core, const Hbm& hbm, const Ici& ici, std::int32_t member,
                  const Job& job);

}  // namespace slab::sim
