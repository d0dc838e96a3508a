#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <systemc>

#include "arch_configs/chip_spec.hpp"
#include "sim/memory/hbm.hpp"
#include "sim/timing/hbm_channels.hpp"

namespace slab::sim {

/// The HBM of one core as pseudo-channels with banks. timing::HbmChannels says how long a transfer
/// keeps how many of them busy; here they are shared. Transfers of one direction take the channels
/// in the order of their arrival: what the first one leaves free serves the next, so small ones
/// move side by side and large ones one after the other. Where reads and writes meet and want more
/// than there is, each direction gets half, and what the turns between them leave of it.
///
/// The module wakes for arrivals and completions only; bursts, rows and refreshes are arithmetic.
class BankedHbm : public Hbm {
public:
    BankedHbm(const sc_core::sc_module_name& name, const arch::HbmSpec& hbm,
              const arch::DramSpec& dram);

    void attach(MemoryClient& client) override { client_ = &client; }
    void post(const Transfer& transfer) override;
    void commit() override;
    double share(const Transfer& transfer) const override { return use_of(transfer).share; }
    sc_core::sc_time time_alone(const Transfer& transfer) const override;

    std::int64_t activations() const override { return activations_; }
    sc_core::sc_time service_time() const override;

private:
    struct Flow {
        Transfer transfer;
        timing::ChannelUse use;
        double remaining_fs = 0;  ///< at `time_`, if it had its channels for itself
        double speed = 0;         ///< of 1, which it has then
    };

    void serve();  ///< the SC_METHOD: completes and admits what is due and sleeps until the next
    void advance(sc_core::sc_time time);
    void complete();
    void admit(sc_core::sc_time time);
    void divide();
    void plan();
    const timing::ChannelUse& use_of(const Transfer& transfer) const;

    /// A kind of transfer; a kernel has few of them and posts each many times.
    struct Kind {
        timing::HbmAccess access;
        timing::ChannelUse use;
    };

    const timing::HbmChannels channels_;
    mutable std::array<Kind, 16> known_{};
    MemoryClient* client_ = nullptr;
    std::vector<Flow> arriving_;   ///< by arrival
    std::vector<Flow> in_flight_;  ///< by arrival
    sc_core::sc_time time_;        ///< up to which transfers have been computed
    sc_core::sc_event due_{"due"};
    sc_core::sc_time due_time_ = sc_core::sc_max_time();
    bool stale_ = false;  ///< a request may be due before `due_time_`
    double service_ns_ = 0;
    std::int64_t activations_ = 0;
};

}  // namespace slab::sim
