#include "cli/validating.hpp"

#include <algorithm>

#include "arch_configs/read_chip.hpp"
#include "cli/kernel_file.hpp"
#include "cli/sizes.hpp"
#include "compiler/program/compile_program.hpp"
#include "sim/simulate.hpp"

namespace slab::cli {

namespace {

struct Simulated {
    double time_us = 0;
    double flops = 0;
    double hbm_bytes = 0;
};

sim::Options options_of(const Point& point, sim::HbmModel hbm) {
    sim::Options options;
    options.clock = point.sustained ? sim::Clock::sustained : sim::Clock::nominal;
    options.activity = point.zeros ? sim::Activity::zeros : sim::Activity::random;
    options.hbm = hbm;
    return options;
}

/// The text of a kernel is not at hand where points are reported.
void append_headlines(const Diagnostics& found, Diagnostics& diags) {
    for (const Diagnostic& message : found.messages())
        if (message.info().kind != DiagKind::warning)
            diags.add(Diagnostic(message.id(), {}, message.headline()));
}

/// A case that holds what the point does, for the functions that know cases.
Case case_of(const Point& point) {
    Case one;
    one.path = point.path;
    one.name = point.id;
    one.kind = CaseKind::full;
    one.kernel = point.item;
    one.set = point.set;
    one.with = point.with;
    one.data = point.data;
    return one;
}

/// Files and chips are read once.
class PointCompiler {
public:
    explicit PointCompiler(const std::vector<std::string>& set_chip) : set_chip_(set_chip) {}

    CompiledPoint compile(const Point& point, Diagnostics& diags) {
        CompiledPoint result;
        result.point = point;
        const KernelFile& file = read(point.file, diags);
        const arch::ChipSpec* chip = read_chip(point.chip, diags);
        if (!chip || diags.has_errors()) return result;
        result.chip = *chip;
        const auto item = choose_item(file, point.item, diags);
        if (!item) return result;
        const Case one = case_of(point);
        const Job job = job_of(file, *item, &one, {}, diags);
        Diagnostics found;
        if (item->program) {
            auto program = compiler::compile_program(file.ast, *item->program, file.source,
                                                     job.settings, *chip, found);
            if (program) result.kernels = kernels_of(std::move(*program));
        } else if (auto compiled = compiler::compile(file.ast, *item->kernel, file.source,
                                                     job.settings, *chip, found)) {
            result.kernels.push_back({std::move(*compiled), 1});
        }
        append_headlines(found, diags);
        if (diags.has_errors()) result.kernels.clear();
        return result;
    }

private:
    const KernelFile& read(const std::string& path, Diagnostics& diags) {
        const auto known = files_.find(path);
        if (known != files_.end()) return known->second;
        return files_.emplace(path, read_checked_file(path, diags)).first->second;
    }

    const arch::ChipSpec* read_chip(const std::string& name, Diagnostics& diags) {
        const auto known = chips_.find(name);
        if (known != chips_.end()) return &known->second;
        auto chip = arch::read_chip(name, set_chip_, diags);
        return chip ? &chips_.emplace(name, std::move(chip->spec)).first->second : nullptr;
    }

    static std::vector<CompiledPoint::Launched> kernels_of(compiler::CompiledProgram program) {
        std::vector<CompiledPoint::Launched> kernels;
        for (compiler::LaunchedKernel& kernel : program.kernels)
            kernels.push_back({std::move(kernel.compiled)});
        for (const compiler::Launch& launch : program.launches) ++kernels[launch.kernel].times;
        return kernels;
    }

    const std::vector<std::string>& set_chip_;
    std::map<std::string, KernelFile> files_;
    std::map<std::string, arch::ChipSpec> chips_;
};

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
    PointCompiler compiler(set_chip);
    std::vector<CompiledPoint> all;
    for (const Point& point : points) {
        Diagnostics found;
        all.push_back(compiler.compile(point, found));
        if (all.back().kernels.empty()) report_failed(point, found, diags);
    }
    return all;
}

Validated validate(const CompiledPoint& compiled, const arch::ChipSpec& chip, Diagnostics& diags) {
    const Point& point = compiled.point;
    Validated one;
    one.point = point;
    one.failed = compiled.kernels.empty();
    if (one.failed) return one;
    Simulated simulated;
    for (const CompiledPoint::Launched& kernel : compiled.kernels) {
        const result::Result result = sim::simulate(kernel.compiled.program, kernel.compiled.data,
                                                    chip, options_of(point, compiled.hbm));
        if (result.stop) {
            diags.add<Diag::points_failed>({}, point.id).because(result.stop->headline);
            one.failed = true;
            return one;
        }
        const auto times = static_cast<double>(kernel.times);
        simulated.time_us += times * result.time_us;
        simulated.flops += times * static_cast<double>(result.flops);
        simulated.hbm_bytes += times * static_cast<double>(result.hbm_bytes);
    }
    one.simulated_us = simulated.time_us + (point.wall ? wall_overhead_us : 0);
    one.measured_us = time_of(point, point.value, simulated);
    one.error = one.simulated_us / one.measured_us - 1;
    if (point.band) {
        const double a = time_of(point, point.band->first, simulated);
        const double b = time_of(point, point.band->second, simulated);
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
