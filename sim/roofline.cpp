#include "sim/roofline.hpp"

#include <algorithm>

#include "support/check.hpp"

namespace slab::sim {

namespace {

using result::RooflineTerm;

double cycles_to_us(double cycles, const CoreClock& clock) {
    return cycles / clock.ghz() / 1e3;
}

/// What no kernel with this work can be faster than.
std::vector<RooflineTerm> throughput_terms(const CoreTotals& totals, const Job& job) {
    const timing::UnitCycles& busy = totals.units.busy;
    const auto us = [&](double cycles) { return cycles_to_us(cycles, job.clock); };
    const double hbm_us =
        static_cast<double>(totals.hbm_bytes) / (job.chip.hbm.bandwidth_gb_per_s * 1e3);
    std::vector<RooflineTerm> terms = {
        {"mxu", "matrix units", std::max(us(busy.mxu), totals.peak_flop_time_us)},
        {"vpu", "vector ALUs", us(busy.vpu)},
        {"eup", "transcendental unit", us(busy.eup)},
        {"xlu", "cross-lane units", us(busy.xlu)},
        {"load", "vector loads", us(busy.load)},
        {"store", "vector stores", us(busy.store)},
        {"hbm", "HBM bandwidth", hbm_us}};
    // a core may be done before the last byte of others has crossed its link
    const double link_us = CoreClock::to_us(std::min(totals.ici, totals.time));
    if (!job.program.mesh.empty())
        terms.push_back({"ici", "busiest link to another core", link_us});
    return terms;
}

/// Time that passes in series with the work.
std::vector<RooflineTerm> serial_terms(const CoreTotals& totals, const Job& job) {
    const CoreClock& clock = job.clock;
    // While the core does something else, HBM transfers for free; what it needs beyond that would
    // be waited for even without any latency.
    const double wait = CoreClock::to_us(totals.copy_wait);
    const double not_waiting = CoreClock::to_us(totals.time) - wait;
    const double explained = std::max(0.0, CoreClock::to_us(totals.hbm_service) - not_waiting);
    // So do links; others use them too, hence no more than the core waited counts.
    const double links = std::min(CoreClock::to_us(totals.ici), std::max(0.0, wait - explained));
    return {{"dma", "issue of copies", CoreClock::to_us(totals.issue)},
            {"latency", "copy latency and control",
             std::max(0.0, wait - explained - links) + CoreClock::to_us(totals.control)},
            {"chain", "dependences in regions", cycles_to_us(totals.units.chain_cycles, clock)},
            {"launch", "kernel launch", CoreClock::to_us(totals.launch)}};
}

}  // namespace

result::Roofline roofline(const CoreTotals& totals, const Job& job) {
    result::Roofline roofline;
    const double simulated_us = CoreClock::to_us(totals.time);
    roofline.terms = throughput_terms(totals, job);
    for (const RooflineTerm& term : roofline.terms) {
        SLAB_CHECK(term.time_us <= simulated_us * (1 + 1e-9) + 1e-9,
                   "the simulation takes {} us, but {} alone needs {} us: nothing may beat its "
                   "roofline",
                   simulated_us, term.name, term.time_us);
        roofline.time_us = std::max(roofline.time_us, term.time_us);
    }
    for (RooflineTerm& term : serial_terms(totals, job)) roofline.terms.push_back(std::move(term));
    const auto shorter = [](const RooflineTerm& a, const RooflineTerm& b) {
        return a.time_us < b.time_us;
    };
    // What limits does so with what it can deliver: HBM with short runs and turnaround, slots as
    // far as a schedule can fill them.
    std::vector<RooflineTerm> limits = roofline.terms;
    for (RooflineTerm& term : limits) {
        if (term.name == "hbm")
            term.time_us = std::max(term.time_us, CoreClock::to_us(totals.hbm_service));
        if (term.name == "load" || term.name == "store")
            term.time_us /= job.chip.vpu.slot_efficiency;
    }
    roofline.bound = std::max_element(limits.begin(), limits.end(), shorter)->name;
    std::stable_sort(roofline.terms.begin(), roofline.terms.end(),
                     [&](const RooflineTerm& a, const RooflineTerm& b) { return shorter(b, a); });
    roofline.fraction = simulated_us > 0 ? std::min(1.0, roofline.time_us / simulated_us) : 0;
    roofline.peak_tflops = totals.peak_flops / 1e12;
    roofline.peak_gb_per_s = job.chip.hbm.bandwidth_gb_per_s;
    if (totals.hbm_bytes > 0)
        roofline.intensity_flop_per_byte =
            static_cast<double>(totals.flops) / static_cast<double>(totals.hbm_bytes);
    roofline.ridge_flop_per_byte = totals.peak_flops / (job.chip.hbm.bandwidth_gb_per_s * 1e9);
    return roofline;
}

}  // namespace slab::sim
