#pragma once

#include <cstdint>
#include <memory>

#include <systemc>

#include "arch_configs/chip_spec.hpp"
#include "sim/memory/memory_port.hpp"
#include "sim/simulate.hpp"

namespace slab::sim {

/// The HBM of one core, whichever way it is modelled.
class Hbm : public sc_core::sc_module, public MemoryPort {
public:
    virtual std::int64_t activations() const = 0;
    /// Time the posted transfers need if nothing is ever idle.
    virtual sc_core::sc_time service_time() const = 0;

protected:
    using sc_module::sc_module;
};

std::unique_ptr<Hbm> make_hbm(const char* name, const arch::ChipSpec& chip, HbmModel model);

}  // namespace slab::sim
