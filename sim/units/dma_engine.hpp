#pragma once

#include <cstdint>
#include <vector>

#include <systemc>

#include "arch_configs/chip_spec.hpp"
#include "sim/agenda.hpp"
#include "sim/clock.hpp"
#include "sim/fifo.hpp"
#include "sim/memory/memory_port.hpp"
#include "sim/units/semaphores.hpp"

namespace slab::sim {

class Ici;

/// Moves blocks between HBM, the memories of the core, and other cores. A read reaches HBM one
/// latency after its issue and is complete with its last byte. A write reaches HBM at once, since
/// its data are at hand, and is seen complete a part of the latency after its last byte: the
/// acknowledgement.
///
/// Approximation `copies in order`: the copies of one direction move one after the other, each at
/// full rate once the one before is through, while their latencies overlap; reads and writes share
/// HBM. Where a copy cannot use all of HBM, as many of them move at once as together can. If all
/// copies shared it instead, two fetches of a double-buffered grid would stay locked together, each
/// slowing the other, and a step that waits for HBM would take half a latency longer than measured.
/// Errs slow for small copies behind large ones. Of those that wait, a higher priority goes first.
/// The number of copies under way is not limited (errs fast).
///
/// Approximation `hbm to hbm`: such a copy reads and writes at once, from one latency after its
/// issue on; it is done when both are.
///
/// Approximation `on-chip copies`: a copy between VMEM and SMEM moves at the rate of a port of
/// VMEM, one after the other, and takes the latency of an acknowledgement on top.
class DmaEngine : public sc_core::sc_module, public MemoryClient {
public:
    sc_core::sc_port<MemoryPort> memory{"memory"};

    DmaEngine(const sc_core::sc_module_name& name, const arch::ChipSpec& chip,
              const CoreClock& clock, Semaphores& semaphores);

    /// How copies leave for other cores, if there are any.
    void connect(Ici& ici, std::int32_t member);

    struct Copy {
        std::int64_t bytes = 0;
        std::int64_t runs = 0;
        std::int32_t semaphore = 0;  ///< gets the bytes when the copy is done
        bool from_hbm = false;
        bool to_hbm = false;
        std::int64_t priority = 0;
        std::int32_t peer = -1;     ///< the member it goes to; the semaphore then means that the
                                    ///< source may be used again
        std::int32_t arrival = -1;  ///< semaphore of the peer that gets the bytes
        std::int32_t id = -1;       ///< of the program, for the peer's books
        bool is_remote() const { return peer >= 0; }
    };
    /// Starts a copy at a time that is not in the past and not before the previous start.
    void start(const Copy& copy, sc_core::sc_time issued);
    /// The core that started copies goes to wait, or is done.
    void commit() { memory->commit(); }

    /// A copy of another core comes in now; its last byte is here at `last`.
    void receive(const Copy& copy, sc_core::sc_time last);
    /// Bytes that came in by a copy of the program.
    std::int64_t received(std::int32_t id) const {
        const auto i = static_cast<std::size_t>(id);
        return i < received_.size() ? received_[i] : 0;
    }
    /// Time HBM needs for a copy that has it for itself.
    sc_core::sc_time hbm_time(const Copy& copy) const;

    /// When the last copy was through.
    sc_core::sc_time last_done() const { return last_done_; }
    std::int64_t activations() const { return activations_; }

private:
    /// A copy under way.
    struct Moving {
        Copy copy;
        std::int32_t ends = 0;  ///< that HBM has not served yet
        bool incoming = false;  ///< from another core
        sc_core::sc_time last;  ///< incoming: when its last byte is here
    };
    /// What becomes due at a known time.
    struct Due {
        enum class Kind { put, moved } kind = Kind::put;
        std::int32_t semaphore = 0;
        std::int64_t bytes = 0;
        std::int32_t tag = 0;  ///< moved: which copy
    };
    /// The copies of one priority, in order.
    struct Class {
        std::int64_t priority = 0;
        Fifo<Transfer> waiting;
    };
    /// The copies of one direction.
    struct Lane {
        double share = 0;            ///< of the memory, that those it has can use
        std::vector<Class> classes;  ///< of the others, the highest first
    };

    void end_of_elaboration() override { memory->attach(*this); }
    Transfer transfer_of(const Copy& copy, bool write) const;
    std::int32_t enter(const Moving& moving);
    void post(std::int32_t tag, bool write, sc_core::sc_time arrival);
    void move_on_chip(std::int32_t tag, sc_core::sc_time issued);
    void served(const Transfer& transfer) override;
    void complete(std::int32_t tag);
    void leave(const Copy& copy);
    void put(std::int32_t semaphore, std::int64_t bytes);
    void put_at(sc_core::sc_time time, std::int32_t semaphore, std::int64_t bytes);
    void add_due(sc_core::sc_time time, const Due& due);
    void act();  ///< the SC_METHOD: does what is due
    Lane& lane(const Transfer& transfer);

    const double port_fs_per_byte_;
    const sc_core::sc_time read_latency_;
    const sc_core::sc_time write_latency_;
    Semaphores& semaphores_;
    Ici* ici_ = nullptr;
    std::int32_t member_ = 0;
    std::vector<Moving> moving_;
    std::vector<std::int32_t> free_;  ///< places in `moving_`
    Lane reads_;
    Lane writes_;
    Lane incoming_;               ///< writes of other cores
    sc_core::sc_time port_free_;  ///< when the next on-chip copy can move
    Agenda<Due> agenda_;
    sc_core::sc_event due_{"due"};
    std::vector<std::int64_t> received_;
    sc_core::sc_time last_done_;
    std::int64_t activations_ = 0;
};

}  // namespace slab::sim
