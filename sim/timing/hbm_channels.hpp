#pragma once

#include "arch_configs/chip_spec.hpp"

namespace slab::sim::timing {

/// A transfer as HBM sees it: contiguous runs of `bytes / runs` each.
struct HbmAccess {
    double bytes = 0;
    double runs = 0;
    bool write = false;
    bool operator==(const HbmAccess&) const = default;
};

/// What an access takes of the channels.
struct ChannelUse {
    double busy_ns = 0;   ///< of the channel that has most to do: the access alone takes as long
    double share = 0;     ///< of the time of all channels meanwhile; more than none, at most 1
    double burst_ns = 0;  ///< one burst of it on a busy channel
};

/// The pseudo-channels of one core's HBM. An address says where its byte lies, from low to high:
///
///     [ byte in a piece | channel | bank group | piece in the row | bank | row ]
///
/// so `interleave_bytes` of a run, a piece, lie in one channel, the next piece in the next channel,
/// and once all channels have had one, the next in another bank group. A run begins at a piece, in
/// a row that is not open. Its pieces in one row of one bank are one visit of the row: activated,
/// read or written burst by burst, precharged. A channel is busy with its visits for as long as
/// whatever limits it most:
///   - its bus: a burst after the other;
///   - a bank group: `tccd_l_ns` from burst to burst, in as many groups as have work;
///   - activations: `trrd_ns`, and four in `tfaw_ns`;
///   - banks: one visit at a time, with `trcd_ns`, `trp_ns` and `trc_ns`, in as many banks as have
///     work. How many that are depends on how far a channel looks ahead, `queue_bursts`;
/// and a refresh of all banks stops it for `trfc_ns` in every `trefi_ns`.
///
/// Approximation `largest limit`: what limits a channel less is hidden behind what limits it most
/// (errs fast). Approximation `even channels`: pieces of a transfer are spread evenly over the
/// channels, and visits of short runs over random banks, whatever their addresses (errs fast where
/// a stride keeps to a few channels). Approximation `closed rows`: no run finds a row open that
/// another left (errs slow for neighbouring runs below a row).
class HbmChannels {
public:
    HbmChannels(const arch::DramSpec& dram, double bandwidth_gb_per_s);

    ChannelUse use(const HbmAccess& access) const;

    /// The share of its time that a channel has left for data when it serves reads and writes in
    /// turns, each for as long as the bursts that it may reorder take.
    double share_of_turns(double read_burst_ns, double write_burst_ns) const;

    double burst_ns() const { return burst_ns_; }  ///< on the bus

private:
    /// Activations that so many pieces of one run in one channel take.
    double visits(double pieces) const;
    /// One visit of a channel in the steady state, if `in_sequence` in banks in turn.
    double visit_ns(double bursts, bool in_sequence, bool write) const;

    const arch::DramSpec dram_;
    const double burst_ns_;
    const double pieces_per_row_;
    const double time_not_refreshing_;  ///< of 1
};

}  // namespace slab::sim::timing
