#include "cli/tuned_ranking.hpp"

#include <algorithm>

namespace slab::cli {

namespace {

/// Simulates candidates of one row.
class CandidateTimer {
public:
    CandidateTimer(const TunedRow& row, WorkloadCompiler& compiler, const arch::ChipSpec& chip,
                   sim::HbmModel hbm)
        : row_(row), compiler_(compiler), chip_(chip), hbm_(hbm) {}

    /// Nothing for one that is not legal; why is in `found`.
    std::optional<double> time(const std::vector<std::int64_t>& values, Diagnostics& found) const {
        Workload candidate = row_;
        for (std::size_t i = 0; i < values.size(); ++i)
            candidate.set.emplace_back(row_.tuned[i].name, std::to_string(values[i]));
        const std::vector<Launched> kernels = compiler_.compile(candidate, found);
        if (kernels.empty()) return std::nullopt;
        std::string stop;
        const auto simulated = simulate(candidate, kernels, chip_, hbm_, stop);
        if (simulated) return simulated->time_us;
        found.add<Diag::kernel_fault>({}, stop);
        return std::nullopt;
    }

private:
    const TunedRow& row_;
    WorkloadCompiler& compiler_;
    const arch::ChipSpec& chip_;
    sim::HbmModel hbm_;
};

}  // namespace

RankedRow rank_candidates(const TunedRow& row, WorkloadCompiler& compiler, sim::HbmModel hbm,
                          const std::function<arch::ChipSpec(const arch::ChipSpec&)>& variant,
                          Diagnostics& diags) {
    RankedRow result;
    result.row = row;
    Diagnostics found;
    const arch::ChipSpec* spec = compiler.chip(row.chip, found);
    const arch::ChipSpec chip = !spec ? arch::ChipSpec() : variant ? variant(*spec) : *spec;
    const CandidateTimer timer(row, compiler, chip, hbm);
    const std::vector<std::int64_t> chosen = choice(row);
    const auto chosen_us = spec ? timer.time(chosen, found) : std::nullopt;
    if (!chosen_us) {
        auto& message = diags.add<Diag::tuned_failed>({}, row.id, spelled(row, chosen));
        if (!found.empty()) message.because(found.messages().front().headline());
        result.failed = true;
        return result;
    }
    std::vector<double> times;
    std::vector<std::vector<std::int64_t>> legal;
    std::size_t place = 0;
    for (const auto& values : combinations(row)) {
        Diagnostics ignored;  // what is wrong with a candidate that is not legal
        const auto time = values == chosen ? chosen_us : timer.time(values, ignored);
        result.illegal += !time;
        if (!time) continue;
        if (values == chosen) place = times.size();
        times.push_back(*time);
        legal.push_back(values);
    }
    result.legal = times.size();
    result.placing = placing(times, place);
    result.chosen_us = *chosen_us;
    result.best = legal[result.placing.best];
    result.best_us = times[result.placing.best];
    return result;
}

RankedSummary summarise(const std::vector<const RankedRow*>& rows) {
    RankedSummary result;
    std::vector<Weighted> regrets;
    for (const RankedRow* one : rows) {
        ++result.rows;
        if (one->failed) continue;
        result.among_best += one->placing.among_best;
        regrets.push_back({one->placing.regret});
    }
    result.regret = quantile(std::move(regrets), 0.5);
    return result;
}

std::map<std::string, RankedSummary> summaries_by_group(const std::vector<RankedRow>& rows) {
    std::map<std::string, std::vector<const RankedRow*>> groups;
    for (const RankedRow& one : rows) groups[one.row.group].push_back(&one);
    std::map<std::string, RankedSummary> result;
    for (const auto& [name, members] : groups) result.emplace(name, summarise(members));
    return result;
}

}  // namespace slab::cli
