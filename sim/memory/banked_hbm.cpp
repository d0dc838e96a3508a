#include "sim/memory/banked_hbm.hpp"

#include <algorithm>
#include <cmath>

#include "sim/clock.hpp"
#include "support/check.hpp"

namespace slab::sim {

using sc_core::sc_time;

namespace {

constexpr double fs_per_ns = 1e6;
/// What takes less than this share of a femtosecond is rounding.
constexpr double rounding_fs = 1e-3;

}  // namespace

BankedHbm::BankedHbm(const sc_core::sc_module_name& name, const arch::HbmSpec& hbm,
                     const arch::DramSpec& dram)
    : Hbm(name), channels_(dram, hbm.bandwidth_gb_per_s) {
    SC_HAS_PROCESS(BankedHbm);
    SC_METHOD(serve);
    sensitive << due_;
    dont_initialize();
}

void BankedHbm::post(const Transfer& transfer) {
    SLAB_CHECK(transfer.arrival >= sc_core::sc_time_stamp(),
               "a request to HBM arrives in the past");
    const timing::ChannelUse& use = use_of(transfer);
    const Flow flow{transfer, use, use.busy_ns * fs_per_ns, 0};
    const auto later = std::upper_bound(
        arriving_.begin(), arriving_.end(), flow,
        [](const Flow& a, const Flow& b) { return a.transfer.arrival < b.transfer.arrival; });
    arriving_.insert(later, flow);
    service_ns_ += use.busy_ns * use.share;
    stale_ = stale_ || transfer.arrival < due_time_;
}

void BankedHbm::commit() {
    if (stale_) plan();
}

sc_time BankedHbm::time_alone(const Transfer& transfer) const {
    return CoreClock::rounded(use_of(transfer).busy_ns * fs_per_ns);
}

sc_time BankedHbm::service_time() const {
    return CoreClock::rounded(service_ns_ * fs_per_ns);
}

/// Looks a kind up before it computes it.
const timing::ChannelUse& BankedHbm::use_of(const Transfer& transfer) const {
    const timing::HbmAccess access{transfer.bytes, transfer.runs, transfer.write};
    const auto whole_kib = static_cast<std::size_t>(transfer.bytes / 1024);
    const auto runs = static_cast<std::size_t>(transfer.runs);
    Kind& kind = known_[(whole_kib * 7 + runs * 3 + (transfer.write ? 1 : 0)) % known_.size()];
    if (!(kind.access == access)) kind = {access, channels_.use(access)};
    return kind.use;
}

void BankedHbm::serve() {
    ++activations_;
    due_time_ = sc_core::sc_max_time();
    advance(sc_core::sc_time_stamp());
    complete();
    admit(sc_core::sc_time_stamp());
    divide();
    plan();
}

void BankedHbm::advance(sc_time time) {
    const double passed = (time - time_).to_double();
    for (Flow& flow : in_flight_) flow.remaining_fs -= passed * flow.speed;
    time_ = time;
}

/// Tells the client about the transfers that have nothing left to move.
void BankedHbm::complete() {
    for (std::size_t i = 0; i < in_flight_.size();) {
        if (in_flight_[i].remaining_fs > rounding_fs) {
            ++i;
            continue;
        }
        const Transfer done = in_flight_[i].transfer;
        in_flight_.erase(in_flight_.begin() + static_cast<std::ptrdiff_t>(i));
        client_->served(done);
    }
}

/// Moves what has arrived into flight.
void BankedHbm::admit(sc_time time) {
    const auto later = std::find_if(arriving_.begin(), arriving_.end(),
                                    [&](const Flow& flow) { return flow.transfer.arrival > time; });
    in_flight_.insert(in_flight_.end(), arriving_.begin(), later);
    arriving_.erase(arriving_.begin(), later);
}

/// Divides the channels between the directions, and in each among the transfers in order.
void BankedHbm::divide() {
    const auto index = [](const Flow& flow) { return flow.transfer.write ? 1 : 0; };
    double wanted[2] = {0, 0};
    double burst_ns[2] = {0, 0};  // of the first one each way
    for (const Flow& flow : in_flight_) {
        double& sum = wanted[index(flow)];
        if (sum == 0) burst_ns[index(flow)] = flow.use.burst_ns;
        sum = std::min(1.0, sum + flow.use.share);
    }
    double left[2] = {wanted[0], wanted[1]};
    if (wanted[0] > 0 && wanted[1] > 0) {
        const double all = channels_.share_of_turns(burst_ns[0], burst_ns[1]);
        if (wanted[0] + wanted[1] > all) {
            left[0] = std::min(wanted[0], std::max(all / 2, all - wanted[1]));
            left[1] = all - left[0];
        }
    }
    for (Flow& flow : in_flight_) {
        double& free = left[index(flow)];
        flow.speed = flow.use.share > 0 ? std::clamp(free / flow.use.share, 0.0, 1.0) : 1;
        free -= flow.speed * flow.use.share;
    }
}

/// Sleeps until the next arrival or completion.
void BankedHbm::plan() {
    stale_ = false;
    sc_time next = sc_core::sc_max_time();
    if (!arriving_.empty()) next = arriving_.front().transfer.arrival;
    for (const Flow& flow : in_flight_)
        if (flow.speed > 0) {
            const double fs = std::ceil(flow.remaining_fs / flow.speed - rounding_fs);
            next = std::min(next, time_ + CoreClock::rounded(fs));
        }
    if (next == due_time_) return;
    due_.cancel();
    due_time_ = next;
    if (next != sc_core::sc_max_time()) due_.notify(next - sc_core::sc_time_stamp());
}

}  // namespace slab::sim
