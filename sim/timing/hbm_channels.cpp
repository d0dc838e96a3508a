#include "sim/timing/hbm_channels.hpp"

#include <algorithm>
#include <cmath>

namespace slab::sim::timing {

namespace {

/// Of so many places, those that get something when so many visits choose theirs at random.
double places_with_work(double places, double visits) {
    return places * (1 - std::pow(1 - 1 / places, visits));
}

}  // namespace

HbmChannels::HbmChannels(const arch::DramSpec& dram, double bandwidth_gb_per_s)
    : dram_(dram),
      burst_ns_(dram.burst_bytes * dram.channels / bandwidth_gb_per_s),
      pieces_per_row_(std::floor(dram.row_bytes / dram.interleave_bytes)),
      time_not_refreshing_(1 - dram.trfc_ns / dram.trefi_ns) {}

ChannelUse HbmChannels::use(const HbmAccess& access) const {
    if (access.bytes <= 0) return {};
    const double runs = std::max(access.runs, 1.0);
    const double run_bytes = access.bytes / runs;
    const double run_pieces = std::ceil(run_bytes / dram_.interleave_bytes);
    const double run_bursts = std::ceil(run_bytes / dram_.burst_bytes);

    // a run has one piece more in some of the channels than in the others
    const double all = dram_.channels;
    const double fewer = std::floor(run_pieces / all);
    const double with_more = run_pieces - fewer * all;
    const double run_visits = with_more * visits(fewer + 1) + (all - with_more) * visits(fewer);

    const double pieces = runs * run_pieces;
    const double most_pieces = std::ceil(pieces / all);
    const double most = most_pieces / pieces;  // the share of the busiest channel
    const double most_visits = runs * run_visits * most;
    const double most_bursts = runs * run_bursts * most;

    ChannelUse use;
    use.busy_ns = most_visits * visit_ns(run_bursts / run_visits, fewer >= 1, access.write) /
                  time_not_refreshing_;
    use.share = 1 / (all * most);
    use.burst_ns = use.busy_ns / most_bursts;
    return use;
}

double HbmChannels::share_of_turns(double read_burst_ns, double write_burst_ns) const {
    const double data = dram_.queue_bursts * (read_burst_ns + write_burst_ns);
    const double turns = dram_.trtw_ns + dram_.twtr_ns + dram_.trl_ns;
    return data / (data + turns);
}

double HbmChannels::visits(double pieces) const {
    const double groups = dram_.bank_groups;
    const double open = groups * pieces_per_row_;  // pieces of one row in each group
    const double full = std::floor(pieces / open);
    return full * groups + std::min(pieces - full * open, groups);
}

double HbmChannels::visit_ns(double bursts, bool in_sequence, bool write) const {
    // the visit that is under way and those in the queue
    const double waiting = 1 + dram_.queue_bursts / bursts;
    const auto busy = [&](double places) {
        return in_sequence ? places : places_with_work(places, waiting);
    };
    const double bus = bursts * burst_ns_;
    const double group = bursts * dram_.tccd_l_ns / busy(dram_.bank_groups);
    const double activation = std::max(dram_.trrd_ns, dram_.tfaw_ns / 4);
    const double closing =
        write ? dram_.twl_ns + burst_ns_ + dram_.twr_ns : dram_.trtp_ns;  // from the last burst
    const double bank = std::max(
        dram_.trc_ns, dram_.trcd_ns + (bursts - 1) * dram_.tccd_l_ns + closing + dram_.trp_ns);
    return std::max({bus, group, activation, bank / busy(dram_.banks)});
}

}  // namespace slab::sim::timing
