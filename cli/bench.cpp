#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/diagnostics_json.hpp"
#include "cli/flags.hpp"
#include "cli/library.hpp"
#include "cli/measure.hpp"
#include "cli/output.hpp"

namespace slab::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr double memory_budget_mib = 200;

#ifdef NDEBUG
constexpr bool optimised = true;
#else
constexpr bool optimised = false;
#endif

struct BenchFlags {
    std::string kernels;
    bool json = false;
};

double events_per_second(const Measurement& one) {
    return static_cast<double>(one.events) / one.host_ms * 1e3;
}

double host_over_simulated(const Measurement& one) {
    return one.host_ms * 1e3 / one.simulated_us;
}

std::string verdict(bool within) {
    return within ? "within" : "OVER";
}

std::string row(const Measurement& one) {
    std::string text = fmt::format("{:<44}{:>9.3f} ms", one.name, one.host_ms);
    text += one.budget_ms ? fmt::format("{:>7g} ms  {:<6}", *one.budget_ms, verdict(one.within()))
                          : fmt::format("{:>10}  {:<6}", "", "");
    if (one.events > 0)
        text += fmt::format("  {} steps, {} events, {:.3g} M events/s, {:.3g} x the chip's time",
                            one.steps, one.events, events_per_second(one) / 1e6,
                            host_over_simulated(one));
    return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
}

std::string table(const std::vector<Measurement>& measurements, double memory_mib) {
    std::string text =
        fmt::format("{:<44}{:>12}{:>10}\n", "host time, best of several runs", "time", "budget");
    for (const Measurement& one : measurements) text += row(one);
    text += fmt::format("{:<44}{:>8.1f} MiB{:>6g} MiB  {}\n", "peak memory of all of it",
                        memory_mib, memory_budget_mib, verdict(memory_mib <= memory_budget_mib));
    const auto over = std::count_if(measurements.begin(), measurements.end(),
                                    [](const Measurement& one) { return !one.within(); }) +
                      (memory_mib > memory_budget_mib);
    text += over == 0 ? "\nEvery budget is met.\n" : fmt::format("\n{} over budget.\n", over);
    if (!optimised) text += "The budgets hold for a Release build; this is none.\n";
    return text;
}

Json number_or_null(double value, bool there) {
    return there ? Json(value) : Json(nullptr);
}

std::string bench_json(const std::vector<Measurement>& measurements, double memory_mib) {
    Json list = Json::array();
    for (const Measurement& one : measurements) {
        const bool simulated = one.events > 0;
        list.push_back(
            {{"name", one.name},
             {"host_ms", one.host_ms},
             {"runs", one.runs},
             {"budget_ms", number_or_null(one.budget_ms.value_or(0), one.budget_ms.has_value())},
             {"within", one.within()},
             {"simulated_us", number_or_null(one.simulated_us, simulated)},
             {"steps", one.steps},
             {"events", one.events},
             {"events_per_s", number_or_null(events_per_second(one), simulated)},
             {"host_over_simulated", number_or_null(host_over_simulated(one), simulated)}});
    }
    return document({{"schema", "slab.bench/1"},
                     {"release", optimised},
                     {"measurements", std::move(list)},
                     {"peak_memory_mib", memory_mib},
                     {"memory_budget_mib", memory_budget_mib}});
}

int run(const BenchFlags& flags) {
    Diagnostics diags;
    const std::string folder = flags.kernels.empty() ? library_folder() : flags.kernels;
    const std::vector<std::string> files = library_files(folder);
    if (files.empty()) diags.add<Diag::no_kernels_folder>({}, folder);
    std::vector<Measurement> all;
    if (!files.empty()) {
        all = measure_checks(files, diags);
        const auto matmul = measure_matmul(folder + "/matmul/matmul.slab", diags);
        all.insert(all.end(), matmul.begin(), matmul.end());
        const auto pages = measure_pages(folder + "/paged_attention/paged_attention.slab", diags);
        all.insert(all.end(), pages.begin(), pages.end());
        all.push_back(measure_dot());
        const double memory = peak_memory_mib();
        if (!diags.has_errors()) write(flags.json ? bench_json(all, memory) : table(all, memory));
    }
    show(diags, nullptr, flags.json);
    return diags.exit_code();
}

}  // namespace

Action declare_bench(CLI::App& app) {
    const auto flags = std::make_shared<BenchFlags>();
    text_flag(app, "--kernels", flags->kernels, "DIR",
              "the folder of the kernels; by default that of the source tree");
    json_flag(app, flags->json, "slab.bench/1");
    return [flags] { return run(*flags); };
}

}  // namespace slab::cli
