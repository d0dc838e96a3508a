#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cli/statistics.hpp"
#include "cli/tuned.hpp"
#include "cli/workload_compiler.hpp"
#include "support/diagnostics.hpp"

namespace slab::cli {

/// Where the choice of the hardware stands among all candidates, simulated.
struct RankedRow {
    TunedRow row;
    std::size_t legal = 0;    ///< candidates that compile and run
    std::size_t illegal = 0;  ///< candidates that do not
    Placing placing;
    double chosen_us = 0;
    double best_us = 0;
    std::vector<std::int64_t> best;  ///< the fastest candidate, the first of equals
    bool failed = false;             ///< the choice itself does not compile or run
};

/// Simulates every candidate of a row. A candidate that is not legal is counted and no more; a
/// choice that is not legal is reported.
RankedRow rank_candidates(const TunedRow& row, WorkloadCompiler& compiler, sim::HbmModel hbm,
                          const std::function<arch::ChipSpec(const arch::ChipSpec&)>& variant,
                          Diagnostics& diags);

/// What rows come to. A row that failed counts among the rows, and for nothing else.
struct RankedSummary {
    std::size_t rows = 0;
    std::size_t among_best = 0;
    double regret = 0;  ///< the median

    double share() const {
        return rows ? static_cast<double>(among_best) / static_cast<double>(rows) : 0;
    }
};
RankedSummary summarise(const std::vector<const RankedRow*>& rows);
std::map<std::string, RankedSummary> summaries_by_group(const std::vector<RankedRow>& rows);

}  // namespace slab::cli
