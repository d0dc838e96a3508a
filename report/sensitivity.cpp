#include "report/sensitivity.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/json_number.hpp"
#include "report/numbers.hpp"
#include "report/table.hpp"

namespace slab::report {

Lines sensitivity_section(const result::Sensitivity& sensitivity, double time_us) {
    const auto change = [&](double us) {
        return fmt::format("{:+.1f} %", time_us > 0 ? 100 * (us / time_us - 1) : 0);
    };
    std::vector<std::vector<std::string>> rows;
    for (const result::Influence& one : sensitivity.influences)
        if (one.width_us() != 0)
            rows.push_back(
                {one.name, one.description, change(one.slower_us), change(one.faster_us)});
    rows.push_back({"all",
                    fmt::format("{} to {}", text(duration(sensitivity.fastest_us)),
                                text(duration(sensitivity.slowest_us))),
                    change(sensitivity.slowest_us), change(sensitivity.fastest_us)});
    const std::string part = fmt::format("{:g} %", 100 * sensitivity.part);
    return table(
        {{"the time if"}, {""}, {part + " slower", Align::right}, {part + " faster", Align::right}},
        rows);
}

nlohmann::ordered_json sensitivity_json(const result::Sensitivity& sensitivity) {
    auto influences = nlohmann::ordered_json::object();
    for (const result::Influence& one : sensitivity.influences)
        influences[one.name] = {{"slower_us", json_number(one.slower_us)},
                                {"faster_us", json_number(one.faster_us)},
                                {"description", one.description}};
    return {{"part", json_number(sensitivity.part)},
            {"slowest_us", json_number(sensitivity.slowest_us)},
            {"fastest_us", json_number(sensitivity.fastest_us)},
            {"influences", std::move(influences)}};
}

}  // namespace slab::report
