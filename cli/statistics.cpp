#include "cli/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace slab::cli {

double quantile(std::vector<Weighted> values, double share) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end(),
              [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
    double total = 0;
    for (const Weighted& one : values) total += one.weight;
    // a value stands for the middle of its weight
    const double wanted = share * total;
    double before = 0, last_middle = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double middle = before + values[i].weight / 2;
        if (middle >= wanted) {
            if (i == 0) return values[0].value;
            const double part = (wanted - last_middle) / (middle - last_middle);
            return values[i - 1].value + part * (values[i].value - values[i - 1].value);
        }
        before += values[i].weight;
        last_middle = middle;
    }
    return values.back().value;
}

ErrorSummary summary(const std::vector<Weighted>& errors) {
    ErrorSummary result;
    result.count = errors.size();
    std::vector<Weighted> absolute = errors;
    for (Weighted& one : absolute) one.value = std::fabs(one.value);
    result.median = quantile(absolute, 0.5);
    result.p90 = quantile(absolute, 0.9);
    result.bias = quantile(errors, 0.5);
    for (const Weighted& one : errors)
        if (std::fabs(one.value) > std::fabs(result.worst)) result.worst = one.value;
    return result;
}

ErrorSummary group_summary(const std::map<std::string, std::vector<double>>& groups) {
    std::vector<Weighted> all;
    for (const auto& [name, errors] : groups)
        for (const double error : errors)
            all.push_back({error, 1.0 / static_cast<double>(errors.size())});
    return summary(all);
}

RankSummary ranking(const std::vector<Compared>& sweep, double threshold) {
    RankSummary result;
    double agreement = 0, pairs = 0;
    for (std::size_t i = 0; i < sweep.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const double measured = sweep[i].measured - sweep[j].measured;
            const double simulated = sweep[i].simulated - sweep[j].simulated;
            const bool same = measured * simulated > 0;
            agreement += same ? 1 : measured * simulated < 0 ? -1 : 0;
            ++pairs;
            const double smaller = std::min(sweep[i].measured, sweep[j].measured);
            if (std::fabs(measured) <= threshold * smaller) continue;
            ++result.pairs;
            result.ordered += same;
        }
    if (pairs == 0) return result;
    result.tau = agreement / pairs;
    const auto faster = [](const Compared& a, const Compared& b) {
        return a.measured < b.measured;
    };
    const auto simulated_faster = [](const Compared& a, const Compared& b) {
        return a.simulated < b.simulated;
    };
    const double best = std::min_element(sweep.begin(), sweep.end(), faster)->measured;
    const double chosen = std::min_element(sweep.begin(), sweep.end(), simulated_faster)->measured;
    result.regret = chosen / best - 1;
    return result;
}

Placing placing(const std::vector<double>& times, std::size_t chosen) {
    const double time = times.at(chosen);
    const auto best = std::min_element(times.begin(), times.end());
    const auto faster =
        std::count_if(times.begin(), times.end(), [&](double other) { return other < time; });
    Placing result;
    result.rank = 1 + static_cast<std::size_t>(faster);
    result.among_best = result.rank <= (times.size() + 9) / 10;
    result.regret = time / *best;
    result.best = static_cast<std::size_t>(best - times.begin());
    return result;
}

LadderSummary ladder(const std::vector<Compared>& rewrites, double threshold) {
    LadderSummary result;
    for (std::size_t i = 1; i < rewrites.size(); ++i) {
        const double measured = rewrites[i].measured / rewrites[i - 1].measured - 1;
        const double simulated = rewrites[i].simulated / rewrites[i - 1].simulated - 1;
        if (std::fabs(measured) <= threshold) continue;
        ++result.steps;
        result.agreed += measured * simulated > 0;
    }
    return result;
}

}  // namespace slab::cli
