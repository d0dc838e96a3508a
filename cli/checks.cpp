#include "cli/checks.hpp"

#include <algorithm>
#include <set>

#include "cli/words.hpp"

namespace slab::cli {

namespace {

/// A set of sizes and data to compile a kernel or program with, and what comes of it.
struct Check {
    std::string expect;
    Job job;
};

std::vector<Check> checks_of_cases(const KernelFile& file, const Item& item, const Asked& asked,
                                   const std::vector<Case>& cases, const std::string& chip,
                                   Diagnostics& diags) {
    std::vector<Check> checks;
    for (const Case& one : cases)
        if (one.kind == CaseKind::check && one.kernel == item.name && one.is_for(chip))
            checks.push_back({one.expected(chip), job_of(file, item, &one, asked, diags)});
    return checks;
}

std::vector<Check> checks_of(const KernelFile& file, const Item& item, const Asked& asked,
                             const std::vector<Case>& cases, const arch::ChipSpec& chip,
                             Diagnostics& diags) {
    const auto given = [&] {
        return std::vector<Check>{{"", job_of(file, item, nullptr, asked, diags)}};
    };
    if (gives_shapes(asked, file, item)) return given();
    std::vector<Check> checks = checks_of_cases(file, item, asked, cases, chip.name, diags);
    return checks.empty() && needed_sizes(file, item).empty() ? given() : checks;
}

/// Compiles kernels and programs of one file for one chip.
class Checker {
public:
    Checker(const KernelFile& file, const arch::ChipSpec& chip) : file_(file), chip_(chip) {}

    KernelOutcomes item(const Item& item, const std::vector<Check>& checks) const {
        KernelOutcomes result{item.name, "", {}};
        for (const Check& check : checks) result.outcomes.push_back(outcome(check));
        if (checks.empty()) result.not_checked = what_is_missing(item);
        return result;
    }

private:
    /// What has no value, and what to type to give it one.
    std::string what_is_missing(const Item& item) const {
        const std::vector<std::string> names = needed_sizes(file_, item);
        const std::string only = items_of(file_.ast).size() > 1 ? " --kernel " + item.name : "";
        return fmt::format(
            "{} ha{} no value, so only what needs no sizes was checked: slab check {}{} --chip {} "
            "--set {}=…, or a `check` case for {} in {}",
            quoted_list(names), names.size() == 1 ? "s" : "ve", file_.source.name(), only,
            chip_.name, fmt::join(names, "=…,"), chip_.name, cases_path(file_.source.name()));
    }

    Outcome outcome(const Check& check) const {
        const Job& job = check.job;
        Outcome result{job.case_name, check.expect, false, {}};
        compile_item(file_, job.item, job.settings, chip_, result.messages);
        if (job.item.kernel && !result.messages.has_errors())
            compiler::check_meshes(file_.ast, *job.item.kernel, file_.source, job.settings, chip_,
                                   result.messages);
        const std::string codes = codes_of(result.messages);
        result.fine = codes == check.expect;
        if (!result.fine && !check.expect.empty())
            result.messages.add<Diag::case_expected>(
                {}, job.case_name, job.item.name, check.expect, chip_.name,
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
        const auto item =
            one ? choose_item(file, flags.kernel.empty() ? one->kernel : flags.kernel, diags)
                : std::nullopt;
        if (!item) return {};
        return {checker.item(*item,
                             {{one->expected(chip.name), job_of(file, *item, one, asked, diags)}})};
    }
    const auto item = choose_item(file, flags.kernel, diags);
    if (!item) return {};
    return {checker.item(*item, checks_of(file, *item, asked, cases, chip, diags))};
}

std::vector<KernelOutcomes> check_all(const KernelFile& file, const std::vector<Case>& cases,
                                      const arch::ChipSpec& chip, Diagnostics& diags) {
    const Checker checker(file, chip);
    std::vector<KernelOutcomes> all;
    for (const Item& item : items_of(file.ast))
        all.push_back(checker.item(item, checks_of(file, item, {}, cases, chip, diags)));
    return all;
}

}  // namespace

std::string codes_of(const Diagnostics& diags) {
    std::string text;
    std::set<std::string_view> seen;
    for (const Diagnostic& message : diags.messages())
        if (message.info().kind != DiagKind::warning && seen.insert(message.info().code()).second)
            text += fmt::format("{}{}", text.empty() ? "" : ", ", message.info().code());
    return text;
}

std::vector<KernelOutcomes> check_file(const KernelFile& file, const KernelFlags& flags,
                                       const arch::ChipSpec& chip, Diagnostics& diags) {
    const Asked asked = read_asked(flags, diags);
    const auto cases = read_cases_beside(flags.file, diags);
    if (diags.has_errors()) return {};
    const bool one = chooses_one(flags) || items_of(file.ast).empty();
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
