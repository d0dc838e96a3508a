#include "cli/workload_compiler.hpp"

#include "arch_configs/read_chip.hpp"
#include "cli/sizes.hpp"
#include "compiler/program/compile_program.hpp"

namespace slab::cli {

namespace {

sim::Options options_of(const Workload& workload, sim::HbmModel hbm) {
    sim::Options options;
    options.clock = workload.sustained ? sim::Clock::sustained : sim::Clock::nominal;
    options.activity = workload.zeros ? sim::Activity::zeros : sim::Activity::random;
    options.hbm = hbm;
    return options;
}

/// Errors without their places, which are in a text that is not at hand where they are shown.
void append_headlines(const Diagnostics& found, Diagnostics& diags) {
    for (const Diagnostic& message : found.messages())
        if (message.info().kind != DiagKind::warning)
            diags.add(Diagnostic(message.id(), {}, message.headline()));
}

/// A case that holds what the workload does, for the functions that know cases.
Case case_of(const Workload& workload) {
    Case one;
    one.path = workload.path;
    one.name = workload.id;
    one.kind = CaseKind::full;
    one.kernel = workload.item;
    one.set = workload.set;
    one.with = workload.with;
    one.data = workload.data;
    return one;
}

std::vector<Launched> kernels_of(compiler::CompiledProgram program) {
    std::vector<Launched> kernels;
    for (compiler::LaunchedKernel& kernel : program.kernels)
        kernels.push_back({std::move(kernel.compiled)});
    for (const compiler::Launch& launch : program.launches) ++kernels[launch.kernel].times;
    return kernels;
}

}  // namespace

const arch::ChipSpec* WorkloadCompiler::chip(const std::string& name, Diagnostics& diags) {
    const auto known = chips_.find(name);
    if (known != chips_.end()) return &known->second;
    auto chip = arch::read_chip(name, set_chip_, diags);
    return chip ? &chips_.emplace(name, std::move(chip->spec)).first->second : nullptr;
}

const KernelFile& WorkloadCompiler::file(const std::string& path, Diagnostics& diags) {
    auto known = files_.find(path);
    if (known == files_.end()) {
        Diagnostics found;
        KernelFile file = read_checked_file(path, found);
        known = files_.emplace(path, ReadFile{std::move(file), std::move(found)}).first;
    }
    diags.append(known->second.found);
    return known->second.file;
}

std::vector<Launched> WorkloadCompiler::compile(const Workload& workload, Diagnostics& diags) {
    std::vector<Launched> kernels;
    const KernelFile& text = file(workload.file, diags);
    const arch::ChipSpec* spec = chip(workload.chip, diags);
    if (!spec || diags.has_errors()) return kernels;
    const auto item = choose_item(text, workload.item, diags);
    if (!item) return kernels;
    const Case one = case_of(workload);
    const Job job = job_of(text, *item, &one, {}, diags);
    Diagnostics found;
    if (item->program) {
        auto program = compiler::compile_program(text.ast, *item->program, text.source,
                                                 job.settings, *spec, found);
        if (program) kernels = kernels_of(std::move(*program));
    } else if (auto compiled = compiler::compile(text.ast, *item->kernel, text.source, job.settings,
                                                 *spec, found)) {
        kernels.push_back({std::move(*compiled), 1});
    }
    append_headlines(found, diags);
    if (diags.has_errors()) kernels.clear();
    return kernels;
}

std::optional<Simulated> simulate(const Workload& workload, const std::vector<Launched>& kernels,
                                  const arch::ChipSpec& chip, sim::HbmModel hbm,
                                  std::string& stop) {
    Simulated simulated;
    for (const Launched& kernel : kernels) {
        const result::Result result = sim::simulate(kernel.compiled.program, kernel.compiled.data,
                                                    chip, options_of(workload, hbm));
        if (result.stop) {
            stop = result.stop->headline;
            return std::nullopt;
        }
        const auto times = static_cast<double>(kernel.times);
        simulated.time_us += times * result.time_us;
        simulated.flops += times * static_cast<double>(result.flops);
        simulated.hbm_bytes += times * static_cast<double>(result.hbm_bytes);
    }
    return simulated;
}

}  // namespace slab::cli
