#include <chrono>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "arch_configs/read_chip.hpp"
#include "cli/commands.hpp"
#include "cli/diagnostics_json.hpp"
#include "cli/flags.hpp"
#include "cli/kernel_file.hpp"
#include "cli/output.hpp"
#include "cli/perturbing.hpp"
#include "cli/running.hpp"
#include "cli/sizes.hpp"
#include "cli/subject.hpp"
#include "compiler/schedule/expressions.hpp"
#include "compiler/schedule/print.hpp"
#include "report/report.hpp"

namespace slab::cli {

namespace {

struct RunFlags {
    KernelFlags kernel;
    std::string clock = "nominal";
    std::string activity = "random";
    std::string hbm = "fluid";
    std::string max_steps = "1000000000";
    std::string emit;
    std::string perturb;
    bool json = false;
    bool host_time = false;
};

RunOptions read_options(const RunFlags& flags, Diagnostics& diags) {
    RunOptions options;
    options.json = flags.json;
    if (const auto clock = one_of("--clock", flags.clock, {"nominal", "sustained"}, diags))
        options.sim.clock = *clock == 0 ? sim::Clock::nominal : sim::Clock::sustained;
    if (const auto activity = one_of("--activity", flags.activity, {"zeros", "random"}, diags))
        options.sim.activity = *activity == 0 ? sim::Activity::zeros : sim::Activity::random;
    if (const auto hbm = hbm_model(flags.hbm, diags)) options.sim.hbm = *hbm;
    if (const auto steps = positive_number("--max-steps", flags.max_steps, diags))
        options.sim.max_steps = *steps;
    if (!flags.perturb.empty()) options.perturb = read_part(flags.perturb, diags);
    if (flags.emit.empty()) return options;
    if (options.perturb) diags.add<Diag::flags_exclude>({}, "--emit", "--perturb");
    if (const auto emit = one_of("--emit", flags.emit, {"program", "schedule"}, diags))
        options.emit = *emit == 0 ? Emit::program : Emit::schedule;
    if (flags.json) diags.add<Diag::flags_exclude>({}, "--emit", "--json");
    return options;
}

using HostClock = std::chrono::steady_clock;

double milliseconds_since(HostClock::time_point begin) {
    return std::chrono::duration<double, std::milli>(HostClock::now() - begin).count();
}

/// Returns the exit code: a kernel that stopped early is wrong, and both reports say so. With
/// `json` the messages are a part of the result.
int run_kernel(const compiler::Compiled& compiled, const std::string& case_name,
               const arch::ChipSpec& chip, const RunOptions& options, const SourceFile& source,
               Diagnostics& diags) {
    if (options.emit == Emit::program) write(schedule::print(compiled.program));
    if (options.emit == Emit::schedule) print_schedule(compiled, diags);
    if (options.emit != Emit::result) return 0;
    const Ran ran = simulate(compiled, chip, options.sim);
    report::Style style{sizes_text(compiled.sizes, case_name), colour(stdout)};
    if (options.perturb && ran.result.fault.empty())
        style.sensitivity = perturb(chip, *options.perturb, [&](const arch::ChipSpec& variant) {
            return simulate(compiled, variant, options.sim).result.time_us;
        });
    if (options.json) style.messages = messages_json(ran.messages, &source).dump();
    write(report::render(ran.result, options.json ? report::Report::json : report::Report::screen,
                         style));
    if (!options.json) diags.append(ran.messages);
    return ran.messages.exit_code();
}

/// Compiles with one function and runs with another; nothing runs where something is wrong.
template <typename Compile, typename Run>
int timed(bool show_host_time, Compile&& compile, Run&& run) {
    const HostClock::time_point begin = HostClock::now();
    auto compiled = compile();
    if (!compiled) return 0;
    const double compiling = milliseconds_since(begin);
    const int code = run(*compiled);
    const double all = milliseconds_since(begin);
    if (show_host_time)
        remark(fmt::format("host time {:.3g} ms: compiling {:.3g} ms, then {:.3g} ms", all,
                           compiling, all - compiling));
    return code;
}

int run_item(const KernelFile& file, const RunFlags& flags, Diagnostics& diags) {
    const RunOptions options = read_options(flags, diags);
    const auto chip = arch::read_chip(flags.kernel.chip, flags.kernel.set_chip, diags);
    auto job = choose_job(file, flags.kernel, chip ? chip->spec.name : "", diags);
    if (diags.has_errors()) return 0;
    job->settings.max_steps = options.sim.max_steps;
    job->settings.skeleton_events = 20'000;  // the interpreter looks at all of it
    const arch::ChipSpec& spec = chip->spec;
    if (job->item.program)
        return timed(
            flags.host_time,
            [&] {
                return compiler::compile_program(file.ast, *job->item.program, file.source,
                                                 job->settings, spec, diags);
            },
            [&](const compiler::CompiledProgram& program) {
                return run_program(program, job->case_name, spec, options, file.source, diags);
            });
    return timed(
        flags.host_time,
        [&] {
            return compiler::compile(file.ast, *job->item.kernel, file.source, job->settings, spec,
                                     diags);
        },
        [&](compiler::Compiled& compiled) {
            if (schedule::decides_by_values(compiled.program)) {
                auto data = with_computed(compiled, *job, diags);
                if (!data) return 0;
                compiled.data = std::move(*data);
            }
            return run_kernel(compiled, job->case_name, spec, options, file.source, diags);
        });
}

int run(const RunFlags& flags) {
    Diagnostics diags;
    const KernelFile file = read_checked_file(flags.kernel.file, diags);
    if (diags.has_errors()) add_errors_of_kernels(file, flags.kernel, diags);
    const int code = diags.has_errors() ? 0 : run_item(file, flags, diags);
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
    hbm_flag(app, flags->hbm);
    text_flag(app, "--max-steps", flags->max_steps, "N", "refuse larger grids; by default 10^9");
    text_flag(app, "--perturb", flags->perturb, "PART",
              "the band of the time if numbers of the chip are so much slower or faster: 10%");
    text_flag(app, "--emit", flags->emit, "program|schedule",
              "print the compiled program, or every event, and do not simulate");
    json_flag(app, flags->json, "slab.result/1 or slab.program/1");
    truth_flag(app, "--host-time", flags->host_time, "print to stderr how long slab itself took");
    return [flags] { return run(*flags); };
}

}  // namespace slab::cli
