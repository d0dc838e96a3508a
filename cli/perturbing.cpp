#include "cli/perturbing.hpp"

#include <algorithm>
#include <charconv>

namespace slab::cli {

namespace {

using arch::ChipSpec;

constexpr double largest_part = 0.9;

/// What is changed together: rates by a factor, latencies by as much the other way.
struct Knob {
    const char* name;
    const char* description;
    void (*change)(ChipSpec& chip, double factor);
};

constexpr Knob knobs[] = {
    {"hbm", "bandwidth of HBM",
     [](ChipSpec& chip, double factor) { chip.hbm.bandwidth_gb_per_s *= factor; }},
    {"ici", "bandwidth of the links between chips",
     [](ChipSpec& chip, double factor) { chip.ici.link_gb_per_s *= factor; }},
    {"rows", "rows that the matrix units take in a cycle",
     [](ChipSpec& chip, double factor) {
         for (auto& [type, rows] : chip.mxu.rows_per_cycle) rows *= factor;
     }},
    {"vector", "slots of the vector units in a bundle",
     [](ChipSpec& chip, double factor) {
         for (double* slots : {&chip.vpu.valu_slots, &chip.vpu.load_slots, &chip.vpu.store_slots,
                               &chip.vpu.eup_per_cycle})
             *slots *= factor;
         chip.xlu.cycles_per_op /= factor;
     }},
    {"latency", "latency of copies and links",
     [](ChipSpec& chip, double factor) {
         chip.dma.latency_us *= 2 - factor;
         chip.ici.hop_latency_us *= 2 - factor;
     }},
};

}  // namespace

result::Sensitivity perturb(const ChipSpec& chip, double part,
                            const std::function<double(const ChipSpec&)>& time_of) {
    result::Sensitivity result;
    result.part = part;
    ChipSpec slowest = chip, fastest = chip;
    for (const Knob& knob : knobs) {
        ChipSpec slow = chip, fast = chip;
        knob.change(slow, 1 - part);
        knob.change(fast, 1 + part);
        knob.change(slowest, 1 - part);
        knob.change(fastest, 1 + part);
        result.influences.push_back({knob.name, knob.description, time_of(slow), time_of(fast)});
    }
    result.slowest_us = time_of(slowest);
    result.fastest_us = time_of(fastest);
    std::stable_sort(result.influences.begin(), result.influences.end(),
                     [](const auto& a, const auto& b) { return a.width_us() > b.width_us(); });
    return result;
}

std::optional<double> read_part(const std::string& text, Diagnostics& diags) {
    const bool percent = text.ends_with('%');
    const char* end = text.data() + text.size() - (percent ? 1 : 0);
    double value = 0;
    const auto [read, error] = std::from_chars(text.data(), end, value);
    if (percent) value /= 100;
    if (error == std::errc() && read == end && value > 0 && value <= largest_part) return value;
    diags.add<Diag::flag_choice>({}, "--perturb", text, "a part such as 10%, at most 90%");
    return std::nullopt;
}

}  // namespace slab::cli
