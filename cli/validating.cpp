#include "cli/validating.hpp"

#include <algorithm>

#include "arch_configs/read_chip.hpp"
#include "cli/kernel_file.hpp"
#include "cli/running.hpp"
#include "cli/sizes.hpp"

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

void add(Simulated& sum, const result::Result& result) {
    sum.time_us += result.time_us;
    sum.flops += static_cast<double>(result.flops);
    sum.hbm_bytes += static_cast<double>(result.hbm_bytes);
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
class Simulator {
public:
    Simulator(const std::vector<std::string>& set_chip, sim::HbmModel hbm)
        : set_chip_(set_chip), hbm_(hbm) {}

    std::optional<Simulated> run(const Point& point, Diagnostics& diags) {
        const KernelFile& file = read(point.file, diags);
        const arch::ChipSpec* chip = read_chip(point.chip, diags);
        if (!chip || diags.has_errors()) return std::nullopt;
        const auto item = choose_item(file, point.item, diags);
        if (!item) return std::nullopt;
        const Case one = case_of(point);
        const Job job = job_of(file, *item, &one, {}, diags);
        Diagnostics found;
        Simulated sum;
        if (item->program) {
            const auto program = compiler::compile_program(file.ast, *item->program, file.source,
                                                           job.settings, *chip, found);
            if (program) add_program(*program, *chip, options_of(point, hbm_), sum, found);
        } else {
            const auto compiled =
                compiler::compile(file.ast, *item->kernel, file.source, job.settings, *chip, found);
            if (compiled) add_kernel(*compiled, *chip, options_of(point, hbm_), sum, found);
        }
        for (const Diagnostic& message : found.messages())
            if (message.info().kind != DiagKind::warning)
                diags.add(Diagnostic(message.id(), {}, message.headline()));
        if (found.has_errors()) return std::nullopt;
        return sum;
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

    static bool add_kernel(const compiler::Compiled& compiled, const arch::ChipSpec& chip,
                           const sim::Options& options, Simulated& sum, Diagnostics& found) {
        const Ran ran = simulate(compiled, chip, options);
        found.append(ran.messages);
        add(sum, ran.result);
        return ran.result.fault.empty();
    }

    /// Each kernel is simulated once, however often it is launched.
    static void add_program(const compiler::CompiledProgram& program, const arch::ChipSpec& chip,
                            const sim::Options& options, Simulated& sum, Diagnostics& found) {
        std::vector<Simulated> each;
        for (const compiler::LaunchedKernel& kernel : program.kernels) {
            each.emplace_back();
            if (!add_kernel(kernel.compiled, chip, options, each.back(), found)) return;
        }
        for (const compiler::Launch& launch : program.launches) {
            sum.time_us += each[launch.kernel].time_us;
            sum.flops += each[launch.kernel].flops;
            sum.hbm_bytes += each[launch.kernel].hbm_bytes;
        }
    }

    const std::vector<std::string>& set_chip_;
    const sim::HbmModel hbm_;
    std::map<std::string, KernelFile> files_;
    std::map<std::string, arch::ChipSpec> chips_;
};

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

using Grouped = std::map<std::string, std::vector<Weighted>>;

std::map<std::string, ErrorSummary> summaries(const Grouped& groups) {
    std::map<std::string, ErrorSummary> result;
    for (const auto& [name, errors] : groups) result.emplace(name, summary(errors));
    return result;
}

}  // namespace

std::vector<Validated> validate(const std::vector<Point>& points,
                                const std::vector<std::string>& set_chip, sim::HbmModel hbm,
                                Diagnostics& diags) {
    Simulator simulator(set_chip, hbm);
    std::vector<Validated> all;
    for (const Point& point : points) {
        Validated one;
        one.point = point;
        Diagnostics found;
        const auto simulated = simulator.run(point, found);
        one.failed = !simulated;
        if (!simulated) {
            auto& message = diags.add<Diag::points_failed>({}, point.id);
            if (!found.empty()) message.because(found.messages().front().headline());
            all.push_back(std::move(one));
            continue;
        }
        one.simulated_us = simulated->time_us + (point.wall ? wall_overhead_us : 0);
        one.measured_us = time_of(point, point.value, *simulated);
        one.error = one.simulated_us / one.measured_us - 1;
        if (point.band) {
            const double a = time_of(point, point.band->first, *simulated);
            const double b = time_of(point, point.band->second, *simulated);
            one.in_band = one.simulated_us >= std::min(a, b) && one.simulated_us <= std::max(a, b);
        }
        all.push_back(std::move(one));
    }
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
        (one.point.trust == "high" ? trusted : others)[one.point.group].push_back({one.error});
        if (!one.point.sweep.empty())
            sweeps[one.point.sweep].push_back({one.measured_us, one.simulated_us});
        if (!one.point.ladder.empty()) ladders[one.point.ladder].push_back(&one);
    }
    std::vector<Weighted> equal;  // every group counts once
    for (const auto& [name, errors] : trusted)
        for (const Weighted& one : errors)
            equal.push_back({one.value, 1.0 / static_cast<double>(errors.size())});
    result.trusted = summary(equal);
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
