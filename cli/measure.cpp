#include "cli/measure.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <sys/resource.h>

#include <fmt/format.h>

#include "arch_configs/read_chip.hpp"
#include "cli/checks.hpp"
#include "cli/sizes.hpp"
#include "compiler/compile.hpp"
#include "interp/dot.hpp"
#include "sim/simulate.hpp"

namespace slab::cli {

namespace {

using HostClock = std::chrono::steady_clock;

// Enough runs to meet a quiet moment of the machine, without making anybody wait.
constexpr int most_runs = 20;
constexpr int fewest_runs = 3;
constexpr double enough_ms = 500;

constexpr double check_budget_ms = 50;
constexpr double pages_budget_ms = 500;

struct Blocks {
    const char* name;
    NamedValues sizes;
    double budget_ms;
};

const std::vector<Blocks> matmul_blocks = {
    {"1024/2048/1024", {{"bm", "1024"}, {"bn", "2048"}, {"bk", "1024"}}, 5},
    {"128/128/128", {{"bm", "128"}, {"bn", "128"}, {"bk", "128"}}, 500},
};
const NamedValues matmul_sizes = {{"M", "8192"}, {"K", "8192"}, {"N", "28672"}};

Measurement best_of(std::string name, std::optional<double> budget_ms,
                    const std::function<void()>& work) {
    Measurement best{std::move(name), 0, 0, budget_ms};
    double all = 0;
    while (best.runs < fewest_runs || (best.runs < most_runs && all < enough_ms)) {
        const HostClock::time_point begin = HostClock::now();
        work();
        const double ms =
            std::chrono::duration<double, std::milli>(HostClock::now() - begin).count();
        best.host_ms = best.runs == 0 ? ms : std::min(best.host_ms, ms);
        all += ms;
        ++best.runs;
    }
    return best;
}

void check(const std::string& slab_file, Diagnostics& diags) {
    KernelFlags flags;
    flags.file = slab_file;
    const KernelFile file = read_checked_file(slab_file, diags);
    const auto chip = arch::read_chip(flags.chip, {}, diags);
    if (!diags.has_errors()) check_file(file, flags, chip->spec, diags);
}

/// Compiling and simulating a kernel; the budget is that of the simulation.
void measure_kernel(const KernelFile& file, const dsl::ast::Kernel& kernel,
                    const compiler::Settings& settings, const arch::ChipSpec& chip,
                    const std::string& title, double budget_ms, Diagnostics& diags,
                    std::vector<Measurement>& measurements) {
    const auto compile = [&] {
        return compiler::compile(file.ast, kernel, file.source, settings, chip, diags);
    };
    const auto compiled = compile();
    if (!compiled) return;
    measurements.push_back(best_of("compile " + title, std::nullopt, [&] { compile(); }));
    result::Result result;
    Measurement simulating = best_of("simulate " + title, budget_ms, [&] {
        result = sim::simulate(compiled->program, compiled->data, chip);
    });
    simulating.simulated_us = result.time_us;
    simulating.steps = result.steps;
    simulating.events = result.events;
    measurements.push_back(simulating);
}

}  // namespace

std::vector<Measurement> measure_checks(const std::vector<std::string>& slab_files,
                                        Diagnostics& diags) {
    std::vector<Measurement> measurements;
    for (const std::string& file : slab_files)
        measurements.push_back(best_of("check " + std::filesystem::path(file).stem().string(),
                                       check_budget_ms, [&] { check(file, diags); }));
    return measurements;
}

std::vector<Measurement> measure_matmul(const std::string& slab_file, Diagnostics& diags) {
    std::vector<Measurement> measurements;
    const KernelFile file = read_checked_file(slab_file, diags);
    const auto chip = arch::read_chip("v6e", {}, diags);
    if (diags.has_errors()) return measurements;
    const dsl::ast::Kernel* kernel = choose_kernel(file, "matmul", diags);
    if (!kernel) return measurements;
    for (const Blocks& blocks : matmul_blocks) {
        compiler::Settings settings{matmul_sizes, {}};
        settings.set.insert(settings.set.end(), blocks.sizes.begin(), blocks.sizes.end());
        measure_kernel(file, *kernel, settings, chip->spec,
                       fmt::format("matmul, blocks {}", blocks.name), blocks.budget_ms, diags,
                       measurements);
    }
    return measurements;
}

Measurement measure_dot() {
    constexpr interp::Int m = 512, k = 2048, n = 512;
    constexpr double flops = 2.0 * m * k * n, least_flops_per_s = 5e9;
    interp::Block x(DType::bf16, {m, k}), y(DType::bf16, {k, n});
    for (interp::Int i = 0; i < m * k; ++i) x.elements.set(i, static_cast<double>(i % 13) - 6);
    for (interp::Int i = 0; i < k * n; ++i) y.elements.set(i, static_cast<double>(i % 7) - 3);
    return best_of(fmt::format("interpret dot, bf16 {} x {} x {}", m, k, n),
                   flops / least_flops_per_s * 1e3, [&] { interp::dot(x, y, false, 1); });
}

std::vector<Measurement> measure_pages(const std::string& slab_file, Diagnostics& diags) {
    std::vector<Measurement> measurements;
    KernelFlags flags;
    flags.file = slab_file;
    flags.case_name = "full";
    const KernelFile file = read_checked_file(slab_file, diags);
    const auto chip = arch::read_chip(flags.chip, {}, diags);
    if (diags.has_errors()) return measurements;
    const auto job = choose_job(file, flags, flags.chip, diags);
    if (!job || !job->item.kernel) return measurements;
    measure_kernel(file, *job->item.kernel, job->settings, chip->spec,
                   "paged_attention, 262,144 pages", pages_budget_ms, diags, measurements);
    return measurements;
}

double peak_memory_mib() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;  // Linux counts in KiB
}

}  // namespace slab::cli
