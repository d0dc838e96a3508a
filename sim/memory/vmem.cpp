#include "sim/memory/vmem.hpp"

#include <algorithm>

namespace slab::sim {

Vmem::Vmem(const sc_core::sc_module_name& name, const arch::VmemSpec& spec, double slot_efficiency)
    : sc_module(name),
      cycles_per_byte_(spec.dma_bytes_per_cycle > 0 ? 1 / spec.dma_bytes_per_cycle : 0),
      slot_efficiency_(slot_efficiency) {}

double Vmem::region_cycles(double alone, const timing::UnitCycles& busy) {
    const double stores = busy.store / slot_efficiency_;
    const double loads = busy.load / slot_efficiency_;
    const double cycles = std::max({alone, store_.contended(stores), load_.contended(loads)});
    store_.give(cycles - stores);
    load_.give(cycles - loads);
    return cycles;
}

}  // namespace slab::sim
