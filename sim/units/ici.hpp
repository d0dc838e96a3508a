#pragma once

#include <cstdint>
#include <vector>

#include <systemc>

#include "arch_configs/chip_spec.hpp"
#include "compiler/schedule/program.hpp"
#include "sim/agenda.hpp"
#include "sim/units/dma_engine.hpp"
#include "sim/units/semaphores.hpp"

namespace slab::sim {

/// The links between the cores of a mesh. Every axis of the mesh is a ring: a core has one link
/// each way along each axis. A copy goes axis by axis in the order of the mesh, the shorter way
/// round, and every link hands it on with the first byte: it takes a hop latency per link and its
/// bytes once, over the bandwidth of one link. A link carries one copy at a time, first come first
/// served.
///
/// Approximations, docs/timing_model.md: `mesh rings`, `cut-through`, `remote reads`.
class Ici : public sc_core::sc_module {
public:
    Ici(const sc_core::sc_module_name& name, const schedule::Program& program,
        const arch::IciSpec& spec);

    /// The next member of the mesh.
    void attach(DmaEngine& dma, Semaphores& semaphores);

    /// Sends a copy whose source has been read by now, from its first byte in `reading` on. Returns
    /// when its last byte has left.
    sc_core::sc_time send(std::int32_t from, const DmaEngine::Copy& copy, sc_core::sc_time reading);
    /// Adds to a semaphore of the peer; sent at a time that is not in the past.
    void signal(std::int32_t from, std::int32_t to, std::int32_t semaphore, std::int64_t amount,
                sc_core::sc_time time);

    std::int64_t activations() const { return activations_; }
    /// Time the busiest link of a member was taken.
    sc_core::sc_time busiest_link(std::int32_t member) const;

private:
    struct Link {
        sc_core::sc_time free;
        sc_core::sc_time busy;
    };
    struct End {
        DmaEngine* dma = nullptr;
        Semaphores* semaphores = nullptr;
    };
    /// A copy that comes in, or a signal: without bytes in `copy`, an amount for `semaphore`.
    struct Arrival {
        bool is_copy = false;
        std::int32_t to = 0;
        DmaEngine::Copy copy;
        sc_core::sc_time last;
        std::int32_t semaphore = 0;
        std::int64_t amount = 0;
    };

    std::vector<std::size_t> path(std::int32_t from, std::int32_t to) const;
    void add(sc_core::sc_time time, const Arrival& arrival);
    void deliver();  ///< the SC_METHOD

    std::vector<std::int64_t> extents_;
    const double fs_per_byte_;
    const sc_core::sc_time hop_;
    std::vector<End> ends_;
    std::vector<Link> links_;  ///< by member, axis, and way: up, down
    Agenda<Arrival> agenda_;
    sc_core::sc_event due_{"due"};
    std::int64_t activations_ = 0;
};

}  // namespace slab::sim
