#include "cli/validating.hpp"

#include <algorithm>

namespace slab::cli {

namespace {

void report_failed(const Point& point, const Diagnostics& found, Diagnostics& diags) {
    auto& message = diags.add<Diag::points_failed>({}, point.id);
    if (!found.empty()) message.because(found.messages().front().headline());
}

/// A measured value as the time that it means.
double time_of(const Point& point, double value, const Simulated& simulated) {
    switch (point.metric) {
        case Metric::time:
            return value;
        case Metric::flop_rate:
            return simulated.flops / (value * 1e6);
        case Metric::byte_rate:
            return simulated.hbm_bytes / (value * 1e3);
    }
    return value;
}

using Grouped = std::map<std::string, std::vector<double>>;

std::map<std::string, ErrorSummary> summaries(const Grouped& groups) {
    std::map<std::string, ErrorSummary> result;
    for (const auto& [name, errors] : groups) result.emplace(name, group_summary({{name, errors}}));
    return result;
}

}  // namespace

std::vector<CompiledPoint> compile_points(const std::vector<Point>& points,
                                          const std::vector<std::string>& set_chip,
                                          Diagnostics& diags) {
    WorkloadCompiler compiler(set_chip);
    std::vector<CompiledPoint> all;
    for (const Point& point : points) {
        Diagnostics found;
        CompiledPoint& one = all.emplace_back();
        one.point = point;
        one.kernels = compiler.compile(point, found);
        if (one.kernels.empty())
            report_failed(point, found, diags);
        else
            one.chip = *compiler.chip(point.chip, found);
    }
    return all;
}

Validated validate(const CompiledPoint& compiled, const arch::ChipSpec& chip, Diagnostics& diags) {
    const Point& point = compiled.point;
    Validated one;
    one.point = point;
    one.failed = compiled.kernels.empty();
    if (one.failed) return one;
    std::string stop;
    const auto simulated = simulate(point, compiled.kernels, chip, compiled.hbm, stop);
    if (!simulated) {
        diags.add<Diag::points_failed>({}, point.id).because(stop);
        one.failed = true;
        return one;
    }
    one.simulated_us = simulated->time_us + (point.wall ? wall_overhead_us : 0);
    one.measured_us = time_of(point, point.value, *simulated);
    one.error = one.simulated_us / one.measured_us - 1;
    if (point.band) {
        const double a = time_of(point, point.band->first, *simulated);
        const double b = time_of(point, point.band->second, *simulated);
        one.in_band = one.simulated_us >= std::min(a, b) && one.simulated_us <= std::max(a, b);
    }
    return one;
}

std::vector<Validated> validate(const std::vector<CompiledPoint>& points, Diagnostics& diags,
                                const Variant& variant) {
    std::vector<Validated> all;
    for (const CompiledPoint& point : points)
        all.push_back(validate(point, variant ? variant(point.chip) : point.chip, diags));
    return all;
}

Validation summarise(const std::vector<Validated>& points) {
    Validation result;
    Grouped trusted, others;
    std::vector<Weighted> all;
    std::map<std::string, std::vector<Compared>> sweeps;
    std::map<std::string, std::vector<const Validated*>> ladders;
    for (const Validated& one : points) {
        if (one.failed) continue;
        all.push_back({one.error});
        (one.point.trust == "high" ? trusted : others)[one.point.group].push_back(one.error);
        if (!one.point.sweep.empty())
            sweeps[one.point.sweep].push_back({one.measured_us, one.simulated_us});
        if (!one.point.ladder.empty()) ladders[one.point.ladder].push_back(&one);
    }
    result.trusted = group_summary(trusted);
    result.all = summary(all);
    result.groups = summaries(trusted);
    result.others = summaries(others);
    double compared = 0;
    for (const auto& [name, configurations] : sweeps) {
        if (configurations.size() < 2) continue;
        const RankSummary ranks = ranking(configurations, sweep_threshold);
        result.sweeps.push_back({name, ranks, configurations.size()});
        result.rankings.pairs += ranks.pairs;
        result.rankings.ordered += ranks.ordered;
        result.rankings.tau += ranks.tau;
        result.rankings.regret += ranks.regret;
        ++compared;
    }
    if (compared > 0) {
        result.rankings.tau /= compared;
        result.rankings.regret /= compared;
    }
    for (auto& [name, steps] : ladders) {
        std::stable_sort(steps.begin(), steps.end(), [](const Validated* a, const Validated* b) {
            return a->point.step < b->point.step;
        });
        std::vector<Compared> rewrites;
        for (const Validated* step : steps)
            rewrites.push_back({step->measured_us, step->simulated_us});
        result.ladders.push_back({name, ladder(rewrites, ladder_threshold)});
        result.steps.steps += result.ladders.back().ladder.steps;
        result.steps.agreed += result.ladders.back().ladder.agreed;
    }
    return result;
}

}  // namespace slab::cli
