#include "cli/running.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/diagnostics_json.hpp"
#include "cli/flags.hpp"
#include "cli/output.hpp"
#include "cli/perturbing.hpp"
#include "compiler/schedule/print.hpp"
#include "compiler/schedule/walker.hpp"
#include "report/program_report.hpp"
#include "sim/advice.hpp"
#include "support/check.hpp"

namespace slab::cli {

namespace {

using compiler::CompiledProgram;

void print_programs(const CompiledProgram& program) {
    for (std::size_t i = 0; i < program.kernels.size(); ++i)
        if (!write((i > 0 ? "\n" : "") + schedule::print(program.kernels[i].compiled.program)))
            return;
}

void print_schedules(const CompiledProgram& program, Diagnostics& diags) {
    for (const compiler::Launch& launch : program.launches) {
        const compiler::LaunchedKernel& kernel = program.kernels[launch.kernel];
        if (!write(fmt::format("launch {}({})\n", kernel.kernel->name.text,
                               fmt::join(launch.arguments, ", "))) ||
            !print_schedule(kernel.compiled, diags))
            return;
    }
}

Diagnostics messages_of(const CompiledProgram& program, const std::vector<Ran>& ran) {
    Diagnostics all;
    std::vector<bool> seen(ran.size(), false);
    for (const compiler::Launch& launch : program.launches) {
        if (launch.kernel >= ran.size() || seen[launch.kernel]) continue;
        seen[launch.kernel] = true;
        for (const Diagnostic& message : ran[launch.kernel].messages.messages()) {
            Diagnostic placed = message;
            all.add(std::move(placed.note(launch.span, "launched here")));
        }
    }
    return all;
}

}  // namespace

std::optional<sim::HbmModel> hbm_model(const std::string& text, Diagnostics& diags) {
    const auto word = one_of("--hbm", text, {"fluid", "banked"}, diags);
    if (!word) return std::nullopt;
    return *word == 0 ? sim::HbmModel::fluid : sim::HbmModel::banked;
}

std::string sizes_text(const std::vector<compiler::Bound>& sizes, const std::string& case_name) {
    std::string text;
    for (const compiler::Bound& size : sizes)
        text += fmt::format("{}{}={}", text.empty() ? "" : ", ", size.name,
                            compiler::to_string(size.value));
    if (case_name.empty()) return text;
    return fmt::format("{}{}case {}{}", text, text.empty() ? "" : " (", case_name,
                       text.empty() ? "" : ")");
}

bool print_schedule(const compiler::Compiled& compiled, Diagnostics& diags) {
    const schedule::EventText text(compiled.program);
    schedule::Walker walker(compiled.program, compiled.data);
    schedule::Event event;
    while (walker.next(event))
        if (!write(text.print(event) + "\n")) return false;
    if (const auto& stop = walker.stop())
        diags.add(Diagnostic(stop->id, stop->span, stop->headline).because(stop->why));
    return true;
}

Ran simulate(const compiler::Compiled& compiled, const arch::ChipSpec& chip,
             const sim::Options& options) {
    const std::vector<sim::timing::RegionTime> regions =
        sim::schedule_regions(compiled.program, chip);
    Ran ran{sim::simulate(compiled.program, compiled.data, chip, options, regions), {}};
    const result::Result& result = ran.result;
    SLAB_CHECK(result.roofline.fraction <= 1 + 1e-9, "`{}` takes {} us, its roofline is {} us",
               result.kernel, result.time_us, result.roofline.time_us);
    if (result.stop)
        ran.messages.add(Diagnostic(result.stop->id, result.stop->span, result.stop->headline)
                             .because(result.stop->why));
    sim::advise(compiled.program, regions, chip, result, ran.messages);
    return ran;
}

std::vector<Ran> simulate_kernels(const CompiledProgram& program, const arch::ChipSpec& chip,
                                  const sim::Options& options) {
    std::vector<Ran> all;
    for (const compiler::LaunchedKernel& kernel : program.kernels) {
        all.push_back(simulate(kernel.compiled, chip, options));
        if (!all.back().result.fault.empty()) break;
    }
    return all;
}

result::ProgramResult sum_of(const CompiledProgram& program, const std::vector<Ran>& ran,
                             const arch::ChipSpec& chip, const sim::Options& options) {
    result::ProgramResult sum;
    sum.program = program.name;
    sum.chip = chip.name;
    sum.clock = options.clock == sim::Clock::nominal ? "nominal" : "sustained";
    sum.clock_ghz = ran.empty() ? 0 : ran.front().result.clock_ghz;
    if (!ran.empty()) sum.hbm_model = ran.front().result.hbm_model;
    sum.operand_bytes = program.operand_bytes;
    sum.peak_hbm_bytes = std::max(program.peak_bytes, program.operand_bytes);
    sum.hbm_limit_bytes = chip.hbm.bytes;
    sum.prints = program.prints;
    if (!program.launches.empty())
        sum.peak_kernel =
            program.kernels[program.launches[program.peak_launch].kernel].kernel->name.text;
    std::vector<result::TimedLaunch> launches;
    for (const compiler::Launch& launch : program.launches) {
        if (launch.kernel >= ran.size()) break;
        launches.push_back({launch.span.begin,
                            sizes_text(program.kernels[launch.kernel].compiled.sizes, ""),
                            launch.arguments, &ran[launch.kernel].result});
    }
    add_launches(sum, launches);
    return sum;
}

int run_program(const CompiledProgram& program, const std::string& case_name,
                const arch::ChipSpec& chip, const RunOptions& options, const SourceFile& source,
                Diagnostics& diags) {
    if (options.emit == Emit::program) print_programs(program);
    if (options.emit == Emit::schedule) print_schedules(program, diags);
    if (options.emit != Emit::result) return 0;
    const std::vector<Ran> ran = simulate_kernels(program, chip, options.sim);
    const result::ProgramResult result = sum_of(program, ran, chip, options.sim);
    const Diagnostics found = messages_of(program, ran);
    report::Style style{sizes_text(program.sizes, case_name), colour(stdout)};
    if (options.perturb && result.fault.empty())
        style.sensitivity = perturb(chip, *options.perturb, [&](const arch::ChipSpec& variant) {
            return sum_of(program, simulate_kernels(program, variant, options.sim), variant,
                          options.sim)
                .time_us;
        });
    if (options.json) style.messages = messages_json(found, &source).dump();
    write(options.json ? render_program_json(result, style) : render_program_screen(result, style));
    if (!options.json) diags.append(found);
    return found.exit_code();
}

}  // namespace slab::cli
