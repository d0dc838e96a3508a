#pragma once

#include <cstdint>

#include <systemc>

#include "sim/memory/hbm.hpp"
#include "sim/units/ici.hpp"
#include "sim/units/tensor_core.hpp"

namespace slab::sim {

/// A chip is its cores, each with its own share of HBM, of the model that the options ask for: the
/// stacks are split between the cores, and a chip file gives the bandwidth of one share.
///
///     core[i] ── dma.memory ──► hbm[i]
class Chip : public sc_core::sc_module {
public:
    Chip(const sc_core::sc_module_name& name, const Job& job, std::int32_t core_count,
         std::int32_t first_member);

    std::int64_t activations() const;

    sc_core::sc_vector<TensorCore> cores;
    sc_core::sc_vector<Hbm> hbm;
};

/// The chips of a simulation. Where the program has a mesh, the cores are its members in order, and
/// links join them.
class Pod : public sc_core::sc_module {
public:
    Pod(const sc_core::sc_module_name& name, const Job& job, std::int32_t chip_count,
        std::int32_t cores_per_chip);

    std::int64_t activations() const;

    sc_core::sc_vector<Chip> chips;
    Ici ici;
};

}  // namespace slab::sim
