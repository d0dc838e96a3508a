#include "cli/sizes.hpp"

#include <algorithm>
#include <filesystem>

#include "arch_configs/read_chip.hpp"
#include "cli/data.hpp"
#include "cli/words.hpp"
#include "compiler/program/compile_program.hpp"

namespace slab::cli {

namespace {

const Case* first_full(const std::vector<Case>& cases, const std::string& kernel,
                       const std::string& chip) {
    for (const Case& one : cases)
        if (one.kind == CaseKind::full && one.kernel == kernel && one.is_for(chip)) return &one;
    return nullptr;
}

std::optional<Job> job_of_case(const KernelFile& file, const KernelFlags& flags, const Asked& asked,
                               Diagnostics& diags) {
    const auto cases = read_cases_beside(flags.file, diags);
    if (!cases) return std::nullopt;
    const Case* one = find_case(*cases, asked.case_name, flags.file, diags);
    if (!one) return std::nullopt;
    const std::string& name = flags.kernel.empty() ? one->kernel : flags.kernel;
    const auto item = choose_item(file, name, diags);
    if (!item) return std::nullopt;
    return job_of(file, *item, one, asked, diags);
}

std::optional<Job> job_of_full_case(const KernelFile& file, const std::string& path,
                                    const Item& item, const std::string& chip, const Asked& asked,
                                    Diagnostics& diags) {
    const auto cases = read_cases_beside(path, diags);
    if (!cases) return std::nullopt;
    if (const Case* one = first_full(*cases, item.name, chip))
        return job_of(file, item, one, asked, diags);
    if (!cases->empty() && !needed_sizes(file, item).empty()) {
        diags.add<Diag::case_none_full>({}, cases_path(path), item.name, chip);
        return std::nullopt;
    }
    return job_of(file, item, nullptr, asked, diags);
}

/// The sizes of a case with those that are given put over them.
compiler::Settings settings_of(const Case& one, const Asked& asked) {
    compiler::Settings settings{one.set, one.with};
    settings.set.insert(settings.set.end(), asked.set.begin(), asked.set.end());
    for (const std::string& name : asked.with)
        if (std::find(one.with.begin(), one.with.end(), name) == one.with.end())
            settings.with.push_back(name);
    return settings;
}

std::vector<compiler::ParameterName> parameters_of(const KernelFile& file, const Item& item) {
    return item.kernel ? compiler::parameters(file.ast, *item.kernel)
                       : compiler::parameters(file.ast, compiler::head_of(*item.program));
}

}  // namespace

Job job_of(const KernelFile& file, const Item& item, const Case* one, const Asked& asked,
           Diagnostics& diags, const DataSeed& seed) {
    Job job{item, one ? settings_of(*one, asked) : compiler::Settings{asked.set, asked.with},
            one ? one->name : ""};
    job.data = data_of(file, item, one, asked.data, diags, seed);
    job.settings.data = job.data.get();
    return job;
}

Asked read_asked(const KernelFlags& flags, Diagnostics& diags) {
    return {split_settings(flags.set, diags), split_names(flags.with), flags.case_name,
            read_data_flags(flags.data, diags)};
}

std::optional<Job> choose_job(const KernelFile& file, const KernelFlags& flags,
                              const std::string& chip, Diagnostics& diags) {
    const Asked asked = read_asked(flags, diags);
    if (diags.has_errors()) return std::nullopt;
    if (!asked.case_name.empty()) return job_of_case(file, flags, asked, diags);
    const auto item = choose_item(file, flags.kernel, diags);
    if (!item) return std::nullopt;
    if (gives_shapes(asked, file, *item)) return job_of(file, *item, nullptr, asked, diags);
    return job_of_full_case(file, flags.file, *item, chip, asked, diags);
}

bool chooses_one(const KernelFlags& flags) {
    return !flags.kernel.empty() || !flags.case_name.empty() || !flags.set.empty() ||
           !flags.with.empty() || !flags.data.empty();
}

void add_errors_of_kernels(const KernelFile& file, const KernelFlags& flags, Diagnostics& diags) {
    const auto is_read = [](const Diagnostic& message) {
        return message.id() != Diag::E0001 && message.info().kind == DiagKind::error;
    };
    if (!std::all_of(diags.messages().begin(), diags.messages().end(), is_read)) return;
    std::vector<KernelFlags> chosen;
    if (chooses_one(flags)) {
        chosen.push_back(flags);
    } else {
        for (const Item& item : items_of(file.ast)) {
            chosen.push_back(flags);
            chosen.back().kernel = item.name;
        }
    }
    Diagnostics usage_of_chip;
    const auto chip = arch::read_chip(flags.chip, flags.set_chip, usage_of_chip);
    if (!chip || usage_of_chip.has_errors()) return;
    for (const KernelFlags& one : chosen) {
        Diagnostics usage, found;
        const auto job = choose_job(file, one, chip->spec.name, usage);
        if (!job || usage.has_errors()) continue;
        compile_item(file, job->item, job->settings, chip->spec, found);
        if (found.exit_code() == 1) diags.append(found);
    }
}

void compile_item(const KernelFile& file, const Item& item, const compiler::Settings& settings,
                  const arch::ChipSpec& chip, Diagnostics& diags) {
    if (item.program)
        compiler::compile_program(file.ast, *item.program, file.source, settings, chip, diags);
    else
        compiler::compile(file.ast, *item.kernel, file.source, settings, chip, diags);
}

bool gives_shapes(const Asked& asked, const KernelFile& file, const Item& item) {
    const auto is_given = [&](const compiler::ParameterName& parameter) {
        return std::any_of(asked.set.begin(), asked.set.end(),
                           [&](const auto& setting) { return setting.first == parameter.name; });
    };
    const auto parameters = parameters_of(file, item);
    const auto is_shape = [](const auto& parameter) { return parameter.is_shape; };
    if (std::any_of(parameters.begin(), parameters.end(), is_shape))
        return std::any_of(parameters.begin(), parameters.end(), [&](const auto& parameter) {
            return parameter.is_shape && is_given(parameter);
        });
    return !asked.set.empty() &&
           std::all_of(parameters.begin(), parameters.end(), [&](const auto& parameter) {
               return parameter.has_default || is_given(parameter);
           });
}

std::vector<std::string> needed_sizes(const KernelFile& file, const Item& item) {
    std::vector<std::string> names;
    for (const compiler::ParameterName& parameter : parameters_of(file, item))
        if (!parameter.has_default) names.push_back(parameter.name);
    return names;
}

const Case* find_case(const std::vector<Case>& cases, const std::string& name,
                      const std::string& slab_file, Diagnostics& diags) {
    std::vector<std::string> names;
    for (const Case& one : cases) {
        if (one.name == name) return &one;
        names.push_back(one.name);
    }
    const std::string path = cases_path(slab_file);
    if (names.empty())
        diags.add<Diag::case_no_file>({}, name, path)
            .because(std::filesystem::exists(path) ? "its list of cases is empty"
                                                   : "that file does not exist")
            .fix("--set NAME=VALUE,… instead of --case, which gives the sizes without a case");
    else
        diags.add<Diag::case_unknown>({}, path, name, did_you_mean(name, names),
                                      quoted_list(names));
    return nullptr;
}

}  // namespace slab::cli
