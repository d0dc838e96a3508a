#include "cli/hbm_table.hpp"

#include <fmt/format.h>

#include "cli/tables.hpp"
#include "report/numbers.hpp"
#include "sim/hbm_rates.hpp"

namespace slab::cli {

namespace {

using report::Align;
using sim::HbmRates;
using Rates = std::vector<HbmRates>;

std::string length(double bytes) {
    const int bits = bytes >= 1 << 20 ? 20 : bytes >= 1 << 10 ? 10 : 0;
    const char* unit = bits == 20 ? "MiB" : bits == 10 ? "KiB" : "B";
    return fmt::format("{} {}", bytes / (1 << bits), unit);
}

Rows rates_of(const Rates& fluid, const Rates& banked) {
    Rows rows;
    for (std::size_t i = 0; i < fluid.size(); ++i) {
        std::vector<std::string> row = {length(fluid[i].run_bytes)};
        for (double HbmRates::*kind :
             {&HbmRates::read, &HbmRates::write, &HbmRates::copy, &HbmRates::pages}) {
            row.push_back(report::measured(fluid[i].*kind));
            row.push_back(report::measured(banked[i].*kind));
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

/// What the shortest run costs beyond its bytes, in bytes of the longest.
double overhead_bytes(const Rates& rates) {
    const HbmRates& shortest = rates.front();
    return shortest.run_bytes * (rates.back().read / shortest.read - 1);
}

}  // namespace

std::string hbm_table(const arch::ChipSpec& chip, bool markdown) {
    const Rates fluid = sim::hbm_rates(chip, sim::HbmModel::fluid);
    const Rates banked = sim::hbm_rates(chip, sim::HbmModel::banked);
    std::vector<report::Column> columns = {{"runs of", Align::right}};
    for (const char* kind : {"reads", "writes", "copies in HBM", "a copy each"}) {
        columns.push_back({fmt::format("{}: fluid", kind), Align::right});
        columns.push_back({"banked", Align::right});
    }
    const double peak = chip.hbm.bandwidth_gb_per_s;
    return fmt::format("{}, GB/s of a core; its peak is {}:\n\n", chip.name, report::given(peak)) +
           table(columns, rates_of(fluid, banked), markdown) +
           fmt::format(
               "\nThe longest runs are read at {:.1f} % of the peak by the fluid, {:.1f} % by "
               "banks, "
               "and copied\nat {:.1f} % and {:.1f} %. A run of {} costs {:.0f} and {:.0f} B more "
               "than its bytes.\n",
               100 * fluid.back().read / peak, 100 * banked.back().read / peak,
               100 * fluid.back().copy / peak, 100 * banked.back().copy / peak,
               length(fluid.front().run_bytes), overhead_bytes(fluid), overhead_bytes(banked));
}

}  // namespace slab::cli
