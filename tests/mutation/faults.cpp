#include "faults.hpp"

#include <fmt/format.h>

#include "arch_configs/read_chip.hpp"
#include "cli/checks.hpp"
#include "cli/kernel_file.hpp"
#include "cli/verifying.hpp"
#include "compiler/ops/op.hpp"
#include "dsl/check.hpp"
#include "dsl/parse.hpp"
#include "dsl/print.hpp"

namespace slab::mutation {

namespace {

std::optional<Found> first_error(Stage by, const Diagnostics& diags, const SourceFile* source) {
    for (const Diagnostic& message : diags.messages()) {
        if (message.info().kind == DiagKind::warning) continue;
        const std::string code(message.info().code());
        return Found{by,
                     !code.empty()                       ? code
                     : message.id() == Diag::wrong_value ? "wrong value"
                                                         : std::string(message.info().name),
                     message.headline(), render(diags, source)};
    }
    return std::nullopt;
}

}  // namespace

const std::vector<Fault>& faults() {
    static const std::vector<Fault> all = {
#define SLAB_FAULT(name, kernel, case_name, by, verdict, ...) \
    {name, #kernel, case_name, Stage::by, verdict, {__VA_ARGS__}},
#include "faults.def"
#undef SLAB_FAULT
    };
    return all;
}

Mutant plant(const Fault& fault) {
    Mutant mutant;
    mutant.path = fmt::format("{}/kernels/{}/{}.slab", SLAB_SOURCE_DIR, fault.kernel, fault.kernel);
    Diagnostics diags;
    cli::KernelFile file = cli::read_kernel_file(mutant.path, diags);
    if (diags.has_errors()) {
        mutant.problem = render(diags, &file.source);
        return mutant;
    }
    for (const Edit& edit : fault.edits) {
        mutant.problem = apply(edit, file.ast);
        if (!mutant.problem.empty()) return mutant;
    }
    mutant.text = dsl::print(file.ast);
    const SourceFile printed(mutant.path, mutant.text);
    if (!(dsl::parse(printed, diags) == file.ast))
        mutant.problem = "is read otherwise than it is printed\n" + render(diags, &printed);
    return mutant;
}

std::optional<Found> find(const Mutant& mutant, const std::string& case_name) {
    Diagnostics diags;
    cli::KernelFile file{SourceFile(mutant.path, mutant.text), {}};
    file.ast = dsl::parse(file.source, diags);
    dsl::check(file.ast, compiler::op_names(), diags);
    cli::KernelFlags flags;
    flags.file = mutant.path;
    flags.case_name = case_name;
    const auto chip = arch::read_chip(flags.chip, {}, diags);
    if (auto found = first_error(Stage::check, diags, &file.source)) return found;
    for (const cli::KernelOutcomes& kernel : cli::check_file(file, flags, chip->spec, diags))
        for (const cli::Outcome& outcome : kernel.outcomes) diags.append(outcome.messages);
    if (auto found = first_error(Stage::check, diags, &file.source)) return found;
    for (const cli::Verified& one : cli::verify_file(file, flags, {}, chip->spec, diags))
        diags.append(one.messages);
    return first_error(Stage::verify, diags, &file.source);
}

std::string table_head() {
    return "| Kernel | Fault | Caught by | As | First line of the message "
           "|\n|---|---|---|---|---|\n";
}

std::string row(const Fault& fault, const Found& found) {
    return fmt::format("| `{}` | {} | `{}` | {} | {} |\n", fault.kernel, fault.name,
                       found.by == Stage::check ? "check" : "verify", found.verdict,
                       found.headline);
}

}  // namespace slab::mutation
