#include <chrono>
#include <memory>
#include <vector>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "arch_configs/read_chip.hpp"
#include "cli/commands.hpp"
#include "cli/diagnostics_json.hpp"
#include "cli/flags.hpp"
#include "cli/kernel_file.hpp"
#include "cli/output.hpp"
#include "cli/sizes.hpp"
#include "compiler/compile.hpp"
#include "compiler/schedule/print.hpp"
#include "compiler/schedule/walker.hpp"
#include "report/report.hpp"
#include "sim/advice.hpp"
#include "sim/simulate.hpp"
#include "support/check.hpp"

namespace slab::cli {

namespace {

struct RunFlags {
    KernelFlags kernel;
    std::string clock = "nominal";
    std::string activity = "random";
    std::string max_steps = "1000000000";
    std::string emit;
    bool json = false;
    bool host_time = false;
};

enum class Emit { result, program, schedule };

/// The flags with their words looked up.
struct RunOptions {
    sim::Options sim;
    std::int64_t max_steps = 0;
    Emit emit = Emit::result;
};

RunOptions read_options(const RunFlags& flags, Diagnostics& diags) {
    RunOptions options;
    if (const auto clock = one_of("--clock", flags.clock, {"nominal", "sustained"}, diags))
        options.sim.clock = *clock == 0 ? sim::Clock::nominal : sim::Clock::sustained;
    if (const auto activity = one_of("--activity", flags.activity, {"zeros", "random"}, diags))
        options.sim.activity = *activity == 0 ? sim::Activity::zeros : sim::Activity::random;
    if (const auto steps = positive_number("--max-steps", flags.max_steps, diags))
        options.max_steps = *steps;
    if (flags.emit.empty()) return options;
    if (const auto emit = one_of("--emit", flags.emit, {"program", "schedule"}, diags))
        options.emit = *emit == 0 ? Emit::program : Emit::schedule;
    if (flags.json) diags.add<Diag::flags_exclude>({}, "--emit", "--json");
    return options;
}

/// `M=8192, K=8192, bm=1024 (case full)`
std::string sizes_text(const std::vector<compiler::Bound>& sizes, const std::string& case_name) {
    std::string text;
    for (const compiler::Bound& size : sizes)
        text += fmt::format("{}{}={}", text.empty() ? "" : ", ", size.name,
                            compiler::to_string(size.value));
    if (case_name.empty()) return text;
    return fmt::format("{}{}case {}{}", text, text.empty() ? "" : " (", case_name,
                       text.empty() ? "" : ")");
}

using HostClock = std::chrono::steady_clock;

double milliseconds_since(HostClock::time_point begin) {
    return std::chrono::duration<double, std::milli>(HostClock::now() - begin).count();
}

/// The events as they come, so that memory does not grow with their number.
void print_schedule(const compiler::Compiled& compiled, Diagnostics& diags) {
    const schedule::EventText text(compiled.program);
    schedule::Walker walker(compiled.program, compiled.data);
    schedule::Event event;
    while (walker.next(event))
        if (!write(text.print(event) + "\n")) return;
    if (const auto& stop = walker.stop())
        diags.add(Diagnostic(stop->id, stop->span, stop->headline).because(stop->why));
}

/// What there is to say about a run: why it stopped early, or what is slow about it.
Diagnostics messages(const schedule::Program& program,
                     const std::vector<sim::timing::RegionTime>& regions,
                     const arch::ChipSpec& chip, const result::Result& result) {
    Diagnostics diags;
    if (result.stop)
        diags.add(Diagnostic(result.stop->id, result.stop->span, result.stop->headline)
                      .because(result.stop->why));
    sim::advise(program, regions, chip, result, diags);
    return diags;
}

/// Returns the exit code: a kernel that stopped early is wrong, and both reports say so. With
/// `json` the messages are a part of the result.
int simulate(const compiler::Compiled& compiled, const std::string& case_name,
             const arch::ChipSpec& chip, const sim::Options& options, const SourceFile& source,
             bool json, Diagnostics& diags) {
    const schedule::Program& program = compiled.program;
    const std::vector<sim::timing::RegionTime> regions = sim::schedule_regions(program, chip);
    const result::Result result = sim::simulate(program, compiled.data, chip, options, regions);
    SLAB_CHECK(result.roofline.fraction <= 1 + 1e-9, "`{}` takes {} us, its roofline is {} us",
               result.kernel, result.time_us, result.roofline.time_us);
    const Diagnostics found = messages(program, regions, chip, result);
    report::Style style{sizes_text(compiled.sizes, case_name), colour(stdout)};
    if (json) style.messages = messages_json(found, &source).dump();
    write(report::render(result, json ? report::Report::json : report::Report::screen, style));
    if (!json) diags.append(found);
    return found.exit_code();
}

int run_kernel(const KernelFile& file, const RunFlags& flags, Diagnostics& diags) {
    const RunOptions options = read_options(flags, diags);
    const auto chip = arch::read_chip(flags.kernel.chip, flags.kernel.set_chip, diags);
    auto job = choose_job(file, flags.kernel, chip ? chip->spec.name : "", diags);
    if (diags.has_errors()) return 0;
    job->settings.max_steps = options.max_steps;
    job->settings.skeleton_events = 20'000;  // the interpreter looks at all of it

    const HostClock::time_point begin = HostClock::now();
    const auto compiled =
        compiler::compile(file.ast, *job->kernel, file.source, job->settings, chip->spec, diags);
    if (!compiled) return 0;
    const double compiling = milliseconds_since(begin);
    int code = 0;
    if (options.emit == Emit::program)
        write(schedule::print(compiled->program));
    else if (options.emit == Emit::schedule)
        print_schedule(*compiled, diags);
    else
        code = simulate(*compiled, job->case_name, chip->spec, options.sim, file.source, flags.json,
                        diags);
    const double all = milliseconds_since(begin);
    if (flags.host_time)
        remark(fmt::format("host time {:.3g} ms: compiling {:.3g} ms, then {:.3g} ms", all,
                           compiling, all - compiling));
    return code;
}

int run(const RunFlags& flags) {
    Diagnostics diags;
    const KernelFile file = read_checked_file(flags.kernel.file, diags);
    if (diags.has_errors()) add_errors_of_kernel(file, flags.kernel, diags);
    const int code = diags.has_errors() ? 0 : run_kernel(file, flags, diags);
    show(diags, &file.source, flags.json);
    return std::max(code, diags.exit_code());
}

}  // namespace

Action declare_run(CLI::App& app) {
    const auto flags = std::make_shared<RunFlags>();
    declare_kernel_flags(app, flags->kernel);
    text_flag(app, "--clock", flags->clock, "nominal|sustained",
              "that of the vendor's figures (default), or of long measured runs");
    text_flag(app, "--activity", flags->activity, "zeros|random",
              "what matrix operands hold; acts at the sustained clock only");
    text_flag(app, "--max-steps", flags->max_steps, "N", "refuse larger grids; by default 10^9");
    text_flag(app, "--emit", flags->emit, "program|schedule",
              "print the compiled program, or every event, and do not simulate");
    json_flag(app, flags->json, "slab.result/1");
    truth_flag(app, "--host-time", flags->host_time, "print to stderr how long slab itself took");
    return [flags] { return run(*flags); };
}

}  // namespace slab::cli
