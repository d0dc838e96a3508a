#include "cli/checks.hpp"

#include <algorithm>
#include <set>

#include "cli/words.hpp"

namespace slab::cli {

namespace ast = dsl::ast;

namespace {

/// A set of sizes to compile a kernel with, and what comes of it.
struct Check {
    std::string expect;
    Job job;
};

std::vector<Check> checks_of_cases(const KernelFile& file, const ast::Kernel& kernel,
                                   const Asked& asked, const std::vector<Case>& cases,
                                   const std::string& chip, Diagnostics& diags) {
    std::vector<Check> checks;
    for (const Case& one : cases)
        if (one.kind == CaseKind::check && one.kernel == kernel.name.text && one.is_for(chip))
            checks.push_back({one.expected(chip), job_of(file, kernel, &one, asked, diags)});
    return checks;
}

std::vector<Check> checks_of(const KernelFile& file, const ast::Kernel& kernel, const Asked& asked,
                             const std::vector<Case>& cases, const arch::ChipSpec& chip,
                             Diagnostics& diags) {
    const auto given = [&] {
        return std::vector<Check>{{"", job_of(file, kernel, nullptr, asked, diags)}};
    };
    if (gives_shapes(asked, file, kernel)) return given();
    std::vector<Check> checks = checks_of_cases(file, kernel, asked, cases, chip.name, diags);
    return checks.empty() && !needs_sizes(file, kernel) ? given() : checks;
}

std::string codes_of(const Diagnostics& diags) {
    std::string text;
    std::set<std::string_view> seen;
    for (const Diagnostic& message : diags.messages())
        if (message.info().kind != DiagKind::warning && seen.insert(message.info().code()).second)
            text += fmt::format("{}{}", text.empty() ? "" : ", ", message.info().code());
    return text;
}

/// Compiles kernels of one file for one chip.
class Checker {
public:
    Checker(const KernelFile& file, const arch::ChipSpec& chip) : file_(file), chip_(chip) {}

    KernelOutcomes kernel(const ast::Kernel& kernel, const std::vector<Check>& checks) const {
        KernelOutcomes result{kernel.name.text, "", {}};
        for (const Check& check : checks) result.outcomes.push_back(outcome(check));
        if (checks.empty())
            result.not_checked =
                fmt::format("no sizes are given, and {} has no `check` case for it on {}",
                            cases_path(file_.source.name()), chip_.name);
        return result;
    }

private:
    Outcome outcome(const Check& check) const {
        const Job& job = check.job;
        Outcome result{job.case_name, check.expect, false, {}};
        compiler::compile(file_.ast, *job.kernel, file_.source, job.settings, chip_,
                          result.messages);
        if (!result.messages.has_errors())
            compiler::check_meshes(file_.ast, *job.kernel, file_.source, job.settings, chip_,
                                   result.messages);
        const std::string codes = codes_of(result.messages);
        result.fine = codes == check.expect;
        if (!result.fine && !check.expect.empty())
            result.messages.add<Diag::case_expected>(
                {}, job.case_name, job.kernel->name.text, check.expect, chip_.name,
                codes.empty() ? "it compiles" : "it ends in " + codes);
        return result;
    }

    const KernelFile& file_;
    const arch::ChipSpec& chip_;
};

/// Sizes that are given, or values that change those of the cases, belong to one kernel.
std::vector<KernelOutcomes> check_one(const KernelFile& file, const KernelFlags& flags,
                                      const Asked& asked, const std::vector<Case>& cases,
                                      const arch::ChipSpec& chip, Diagnostics& diags) {
    const Checker checker(file, chip);
    if (!asked.case_name.empty()) {
        const Case* one = find_case(cases, asked.case_name, flags.file, diags);
        const ast::Kernel* kernel =
            one ? choose_kernel(file, flags.kernel.empty() ? one->kernel : flags.kernel, diags)
                : nullptr;
        if (!kernel) return {};
        return {checker.kernel(
            *kernel, {{one->expected(chip.name), job_of(file, *kernel, one, asked, diags)}})};
    }
    const ast::Kernel* kernel = choose_kernel(file, flags.kernel, diags);
    if (!kernel) return {};
    return {checker.kernel(*kernel, checks_of(file, *kernel, asked, cases, chip, diags))};
}

std::vector<KernelOutcomes> check_all(const KernelFile& file, const std::vector<Case>& cases,
                                      const arch::ChipSpec& chip, Diagnostics& diags) {
    const Checker checker(file, chip);
    std::vector<KernelOutcomes> all;
    for (const Item& item : items_of(file.ast)) {
        if (!item.kernel) {
            all.push_back({item.name, "a `program` is not supported yet", {}});
            continue;
        }
        all.push_back(
            checker.kernel(*item.kernel, checks_of(file, *item.kernel, {}, cases, chip, diags)));
    }
    return all;
}

bool has_kernel(const KernelFile& file) {
    const std::vector<Item> items = items_of(file.ast);
    return std::any_of(items.begin(), items.end(),
                       [](const Item& item) { return item.kernel != nullptr; });
}

}  // namespace

std::vector<KernelOutcomes> check_file(const KernelFile& file, const KernelFlags& flags,
                                       const arch::ChipSpec& chip, Diagnostics& diags) {
    const Asked asked = read_asked(flags, diags);
    const auto cases = read_cases_beside(flags.file, diags);
    if (diags.has_errors()) return {};
    const bool one = !flags.kernel.empty() || !asked.case_name.empty() || !asked.set.empty() ||
                     !asked.with.empty() || !asked.data.empty() || !has_kernel(file);
    return one ? check_one(file, flags, asked, *cases, chip, diags)
               : check_all(file, *cases, chip, diags);
}

int exit_code(const std::vector<KernelOutcomes>& kernels) {
    int code = 0;
    for (const KernelOutcomes& kernel : kernels)
        for (const Outcome& outcome : kernel.outcomes)
            if (!outcome.fine) code = std::max(code, outcome.messages.exit_code());
    return code;
}

}  // namespace slab::cli
