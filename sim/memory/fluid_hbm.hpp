#pragma once

#include <cstdint>
#include <vector>

#include <systemc>

#include "arch_configs/chip_spec.hpp"
#include "sim/memory/hbm.hpp"

namespace slab::sim {

/// The HBM bandwidth of one core, shared equally among the transfers in flight: each is spread over
/// all pseudo-channels, so each gets its share of all of them. Refresh and read/write turnaround
/// are the efficiency of streams. A contiguous run of r bytes costs as much time as r +
/// run_overhead_bytes.
///
/// Transfers are a fluid: nothing happens between arrivals and completions, and arrivals are known
/// ahead, so the module sleeps from one completion to the next. A DMA engine has few transfers in
/// flight at a time; the lists are short.
class FluidHbm : public Hbm {
public:
    FluidHbm(const sc_core::sc_module_name& name, const arch::HbmSpec& spec,
             double run_overhead_bytes);

    void attach(MemoryClient& client) override { client_ = &client; }
    void post(const Transfer& transfer) override;
    void commit() override;
    double share(const Transfer&) const override { return 1; }
    sc_core::sc_time time_alone(const Transfer& transfer) const override;

    std::int64_t activations() const override { return activations_; }
    sc_core::sc_time service_time() const override;

private:
    struct Flow {
        Transfer transfer;
        double remaining = 0;  ///< of its service bytes, at `time_`
    };

    void serve();  ///< the SC_METHOD: completes what is due and sleeps until the next completion
    void admit(sc_core::sc_time time, bool inclusive);
    void advance(sc_core::sc_time time);
    void complete();
    void plan();

    /// The bytes, and what their runs cost on top.
    double service_bytes(const Transfer& transfer) const {
        return transfer.bytes + transfer.runs * run_overhead_bytes_;
    }
    double bytes_each(sc_core::sc_time duration, std::size_t flows) const;
    sc_core::sc_time duration(double bytes_each, std::size_t flows) const;

    const double fs_per_byte_;
    const double run_overhead_bytes_;
    MemoryClient* client_ = nullptr;
    std::vector<Transfer> arriving_;  ///< by arrival
    std::vector<Flow> in_flight_;     ///< by arrival
    sc_core::sc_time time_;           ///< up to which transfers have been computed
    sc_core::sc_event due_{"due"};
    sc_core::sc_time due_time_ = sc_core::sc_max_time();
    bool stale_ = false;  ///< a request may have changed the next completion
    double service_bytes_ = 0;
    std::int64_t activations_ = 0;
};

}  // namespace slab::sim
