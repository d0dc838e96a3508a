#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "arch_configs/read_chip.hpp"
#include "cli/checks.hpp"
#include "cli/commands.hpp"
#include "cli/diagnostics_json.hpp"
#include "cli/flags.hpp"
#include "cli/output.hpp"
#include "cli/sizes.hpp"
#include "cli/words.hpp"

namespace slab::cli {

namespace {

using Json = nlohmann::ordered_json;

struct CheckFlags {
    KernelFlags kernel;
    bool json = false;
};

/// `matmul: 2 of 3 cases fine, not tiny`
std::string line(const KernelOutcomes& kernel) {
    if (!kernel.not_checked.empty())
        return fmt::format("{}: not compiled: {}\n", kernel.kernel, kernel.not_checked);
    std::vector<std::string> wrong;
    for (const Outcome& outcome : kernel.outcomes)
        if (!outcome.fine) wrong.push_back(outcome.case_name);
    const std::size_t all = kernel.outcomes.size();
    if (all == 1 && kernel.outcomes.front().case_name.empty())
        return fmt::format("{}: {}\n", kernel.kernel, wrong.empty() ? "fine" : "not fine");
    if (wrong.empty()) return fmt::format("{}: {} fine\n", kernel.kernel, counted(all, "case"));
    return fmt::format("{}: {} of {} fine, not {}\n", kernel.kernel, all - wrong.size(),
                       counted(all, "case"), fmt::join(wrong, ", "));
}

/// What cases have in common is said once, below their names.
void show_messages(const KernelOutcomes& kernel, const SourceFile& source) {
    std::vector<std::pair<std::string, std::vector<const Outcome*>>> groups;
    for (const Outcome& outcome : kernel.outcomes) {
        if (outcome.messages.empty() || (outcome.fine && !outcome.expect.empty())) continue;
        const std::string text = render(outcome.messages, &source);
        const auto same = std::find_if(groups.begin(), groups.end(),
                                       [&](const auto& group) { return group.first == text; });
        if (same == groups.end())
            groups.push_back({text, {&outcome}});
        else
            same->second.push_back(&outcome);
    }
    for (const auto& [text, outcomes] : groups) {
        std::vector<std::string> names;
        for (const Outcome* outcome : outcomes) names.push_back(outcome->case_name);
        if (!names.front().empty())
            remark(fmt::format("{} {} of {}:", names.size() == 1 ? "case" : "cases",
                               fmt::join(names, ", "), kernel.kernel));
        show(outcomes.front()->messages, &source);
    }
}

Json kernel_json(const KernelOutcomes& kernel, const SourceFile& source) {
    Json cases = Json::array();
    for (const Outcome& outcome : kernel.outcomes)
        cases.push_back({{"name", outcome.case_name},
                         {"expect", outcome.expect.empty() ? "pass" : outcome.expect},
                         {"fine", outcome.fine},
                         {"messages", messages_json(outcome.messages, &source)}});
    return {
        {"name", kernel.kernel}, {"not_checked", kernel.not_checked}, {"cases", std::move(cases)}};
}

std::string check_json(const std::vector<KernelOutcomes>& kernels, const std::string& chip,
                       const SourceFile& source) {
    Json list = Json::array();
    for (const KernelOutcomes& kernel : kernels) list.push_back(kernel_json(kernel, source));
    return document({{"schema", "slab.check/1"},
                     {"file", source.name()},
                     {"chip", chip},
                     {"fine", exit_code(kernels) == 0},
                     {"kernels", std::move(list)}});
}

int check_kernels(const KernelFile& file, const CheckFlags& flags, Diagnostics& diags) {
    const auto chip = arch::read_chip(flags.kernel.chip, flags.kernel.set_chip, diags);
    if (!chip) return 0;
    const std::vector<KernelOutcomes> kernels = check_file(file, flags.kernel, chip->spec, diags);
    if (diags.has_errors()) return 0;
    if (flags.json) {
        write(check_json(kernels, chip->spec.name, file.source));
        return exit_code(kernels);
    }
    for (const KernelOutcomes& kernel : kernels) {
        write(line(kernel));
        show_messages(kernel, file.source);
    }
    return exit_code(kernels);
}

int run(const CheckFlags& flags) {
    Diagnostics diags;
    const KernelFile file = read_checked_file(flags.kernel.file, diags);
    if (diags.has_errors()) add_errors_of_kernels(file, flags.kernel, diags);
    const int code = diags.has_errors() ? 0 : check_kernels(file, flags, diags);
    show(diags, &file.source, flags.json);
    return std::max(code, diags.exit_code());
}

}  // namespace

Action declare_check(CLI::App& app) {
    const auto flags = std::make_shared<CheckFlags>();
    declare_kernel_flags(app, flags->kernel);
    json_flag(app, flags->json, "slab.check/1");
    return [flags] { return run(*flags); };
}

}  // namespace slab::cli
