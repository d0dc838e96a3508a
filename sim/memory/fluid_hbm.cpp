#include "sim/memory/fluid_hbm.hpp"

#include <algorithm>
#include <cmath>

#include "sim/clock.hpp"
#include "support/check.hpp"

namespace slab::sim {

using sc_core::sc_time;

namespace {

/// A remainder that takes less than this share of a femtosecond is rounding.
constexpr double rounding_fs = 1e-3;
const sc_time::value_type never = ~sc_time::value_type{0};

}  // namespace

FluidHbm::FluidHbm(const sc_core::sc_module_name& name, const arch::HbmSpec& spec,
                   double run_overhead_bytes)
    : Hbm(name),
      fs_per_byte_(1e6 / (spec.bandwidth_gb_per_s * spec.stream_efficiency)),
      run_overhead_bytes_(run_overhead_bytes) {
    SC_HAS_PROCESS(FluidHbm);
    SC_METHOD(serve);
    sensitive << due_;
    dont_initialize();
}

void FluidHbm::post(const Transfer& transfer) {
    SLAB_CHECK(transfer.arrival >= sc_core::sc_time_stamp(),
               "a request to HBM arrives in the past");
    const auto later = std::upper_bound(
        arriving_.begin(), arriving_.end(), transfer,
        [](const Transfer& a, const Transfer& b) { return a.arrival < b.arrival; });
    arriving_.insert(later, transfer);
    service_bytes_ += service_bytes(transfer);
    stale_ = stale_ || transfer.arrival < due_time_;
}

void FluidHbm::commit() {
    if (stale_) plan();
}

sc_time FluidHbm::time_alone(const Transfer& transfer) const {
    return CoreClock::rounded(service_bytes(transfer) * fs_per_byte_);
}

sc_time FluidHbm::service_time() const {
    return duration(service_bytes_, 1);
}

void FluidHbm::serve() {
    ++activations_;
    const sc_time now = sc_core::sc_time_stamp();
    due_time_ = sc_time::from_value(never);
    admit(now, false);
    advance(now);
    complete();
    admit(now, true);  // what arrives as another finishes shares only what comes after
    plan();
}

/// Moves the requests that arrived before `time`, or at it as well, into flight.
void FluidHbm::admit(sc_time time, bool inclusive) {
    const auto arrived = [&](const Transfer& transfer) {
        return transfer.arrival < time || (inclusive && transfer.arrival == time);
    };
    auto next = arriving_.begin();
    for (; next != arriving_.end() && arrived(*next); ++next) {
        advance(next->arrival);
        in_flight_.push_back({*next, service_bytes(*next)});
    }
    arriving_.erase(arriving_.begin(), next);
}

void FluidHbm::advance(sc_time time) {
    const double bytes = bytes_each(time - time_, in_flight_.size());
    for (Flow& flow : in_flight_) flow.remaining -= bytes;
    time_ = time;
}

/// Tells the client about the transfers that have nothing left to move.
void FluidHbm::complete() {
    const double nothing = rounding_fs / fs_per_byte_;
    for (std::size_t i = 0; i < in_flight_.size();) {
        if (in_flight_[i].remaining > nothing) {
            ++i;
            continue;
        }
        const Transfer done = in_flight_[i].transfer;
        in_flight_.erase(in_flight_.begin() + static_cast<std::ptrdiff_t>(i));
        client_->served(done);
    }
}

/// Looks ahead through the known arrivals to the next completion and sleeps until then.
void FluidHbm::plan() {
    stale_ = false;
    std::size_t flows = in_flight_.size();
    double least = 0;  // what the first flow to finish has left; all of them move equally fast
    for (std::size_t i = 0; i < flows; ++i)
        least = i == 0 ? in_flight_[i].remaining : std::min(least, in_flight_[i].remaining);
    sc_time time = time_;
    sc_time next = flows > 0 ? time + duration(least, flows) : sc_time::from_value(never);
    for (const Transfer& arrival : arriving_) {
        if (arrival.arrival >= next) break;
        least -= bytes_each(arrival.arrival - time, flows);
        time = arrival.arrival;
        const double bytes = service_bytes(arrival);
        least = flows == 0 ? bytes : std::min(least, bytes);
        ++flows;
        next = time + duration(least, flows);
    }
    if (next == due_time_) return;
    due_.cancel();
    due_time_ = next;
    if (next.value() != never) due_.notify(next - sc_core::sc_time_stamp());
}

/// Bytes that each of so many flows moves.
double FluidHbm::bytes_each(sc_time duration, std::size_t flows) const {
    return flows == 0 ? 0 : duration.to_double() / (fs_per_byte_ * static_cast<double>(flows));
}

/// Time in which each of so many flows moves the bytes.
sc_time FluidHbm::duration(double bytes_each, std::size_t flows) const {
    const double fs = bytes_each * fs_per_byte_ * static_cast<double>(flows);
    return CoreClock::rounded(std::ceil(fs - rounding_fs));
}

}  // namespace slab::sim
