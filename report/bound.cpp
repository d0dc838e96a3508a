#include "report/bound.hpp"

#include <algorithm>
#include <functional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "report/cores.hpp"
#include "report/numbers.hpp"

namespace slab::report {
namespace {

struct Words {
    std::string_view name;
    std::string_view subject;
};

constexpr Words words[] = {
    {"mxu", "Matrix work"},
    {"vpu", "Vector work"},
    {"eup", "Transcendental work"},
    {"xlu", "Moving data across lanes"},
    {"load", "Loading from VMEM"},
    {"store", "Storing to VMEM"},
    {"scalar", "Scalar control"},
    {"hbm", "HBM bandwidth"},
    {"dma", "Issuing copies"},
    {"ici", "The link between chips"},
    {"latency", "The latency of copies"},
    {"chain", "Dependence between units"},
    {"launch", "Launching the kernel"},
};

std::string subject(const std::string& name) {
    const auto* known = std::ranges::find(words, name, &Words::name);
    return known == std::end(words) ? name : fmt::format("{} ({})", known->subject, name);
}

/// Named by every sentence, however idle: a reader asks for these two first.
bool always_told(const result::UnitUse& unit) {
    return unit.name == "mxu" || unit.name == "hbm";
}

std::vector<result::UnitUse> other_units(const result::CoreResult& core, const std::string& bound) {
    std::vector<result::UnitUse> others;
    for (const result::UnitUse& unit : core.units)
        if (unit.name != bound && unit.busy_fraction > 0) others.push_back(unit);
    std::ranges::stable_sort(others, std::greater<>{}, &result::UnitUse::busy_fraction);
    return others;
}

std::string share(const result::UnitUse& unit) {
    return unit.name + ' ' + rough_percent(unit.busy_fraction);
}

/// `; next mxu 55 %, load 40 %; hbm 3 %`
std::string followers(const std::vector<result::UnitUse>& others, double bound_fraction) {
    constexpr std::size_t nearest = 2;
    std::string text;
    for (std::size_t i = 0; i < others.size(); ++i) {
        const bool busier = others[i].busy_fraction > bound_fraction;
        if (i == 0)
            text += (busier ? "; busier " : "; next ") + share(others[i]);
        else if (i < nearest)
            text += ", " + share(others[i]);
        else if (always_told(others[i]))
            text += "; " + share(others[i]);
    }
    return text;
}

}  // namespace

std::string bound_sentence(const result::Result& result) {
    const result::CoreResult core = slowest(result);
    const result::Roofline& roofline = result.roofline;
    if (roofline.bound.empty()) return {};
    const std::string head = subject(roofline.bound) + " bounds it";
    const auto* unit = result::find_unit(core, roofline.bound);
    const auto* term = result::find_term(roofline, roofline.bound);
    const auto others = other_units(core, roofline.bound);
    if (unit == nullptr && term == nullptr) return head + followers(others, 1);
    const double fraction =
        unit != nullptr ? unit->busy_fraction : ratio(term->time_us, result.time_us);
    return fmt::format("{}: {}{} of the time{}", head, unit != nullptr ? "busy " : "",
                       rough_percent(fraction), followers(others, fraction));
}

}  // namespace slab::report
