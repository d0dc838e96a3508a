#include "sim/memory/vmem.hpp"

#include <algorithm>

namespace slab::sim {

Vmem::Vmem(const sc_core::sc_module_name& name, const arch::VmemSpec& spec)
    : sc_module(name),
      cycles_per_byte_(spec.dma_bytes_per_cycle > 0 ? 1 / spec.dma_bytes_per_cycle : 0) {}

double Vmem::region_cycles(double alone, const timing::UnitCycles& busy) {
    const double cycles =
        std::max({alone, store_.contended(busy.store), load_.contended(busy.load)});
    store_.give(cycles - busy.store);
    load_.give(cycles - busy.load);
    return cycles;
}

}  // namespace slab::sim
