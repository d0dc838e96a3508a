#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "arch_configs/read_chip.hpp"
#include "cli/commands.hpp"
#include "cli/diagnostics_json.hpp"
#include "cli/flags.hpp"
#include "cli/library.hpp"
#include "cli/output.hpp"
#include "cli/verifying.hpp"
#include "cli/words.hpp"

namespace slab::cli {

namespace {

using Json = nlohmann::ordered_json;

struct VerifyFlags {
    KernelFlags kernel;
    VerifyOptions options;
    std::string seeds;
    std::string max_steps = "20000000";
    bool all = false;
    bool json = false;
    std::vector<std::string> chips;
};

/// What --all runs on: a kernel that a chip has no types for says so in its cases.
const std::vector<std::string> library_chips = {"v6e", "ironwood"};

/// `v6e: matmul, square: fine, 5 seeds, c within 1.8e-03 (of 3.9e-03)`
std::string line(const Verified& one, const std::string& chip) {
    std::string text = chip.empty() ? one.kernel : fmt::format("{}: {}", chip, one.kernel);
    if (!one.case_name.empty()) text += fmt::format(", {}", one.case_name);
    if (!one.fine) return text + ": not fine\n";
    if (!one.expect.empty()) return text + fmt::format(": {} as expected\n", one.expect);
    text += fmt::format(": fine, {}", counted(static_cast<std::size_t>(one.seeds), "seed"));
    if (!one.has_reference) text += ", no reference to compare with";
    for (const VerifiedOutput& output : one.outputs)
        text += fmt::format(", {} within {:.2g} of {:.2g}", output.operand, output.comparison.error,
                            output.comparison.tolerance.limit);
    return text + "\n";
}

Json json_of(const Verified& one, const std::string& chip, const SourceFile& source) {
    Json outputs = Json::array();
    for (const VerifiedOutput& output : one.outputs)
        outputs.push_back({{"operand", output.operand},
                           {"error", output.comparison.error},
                           {"limit", output.comparison.tolerance.limit},
                           {"worst_allowed", output.comparison.tolerance.worst},
                           {"outside_limit", output.comparison.outside}});
    return {{"kernel", one.kernel},
            {"chip", chip},
            {"case", one.case_name},
            {"expect", one.expect.empty() ? "pass" : one.expect},
            {"fine", one.fine},
            {"seeds", one.seeds},
            {"has_reference", one.has_reference},
            {"outputs", std::move(outputs)},
            {"messages", messages_json(one.messages, &source)}};
}

int exit_code(const std::vector<Verified>& all) {
    int code = 0;
    for (const Verified& one : all)
        if (!one.fine) code = std::max({code, one.messages.exit_code(), 1});
    return code;
}

/// One file; its cases are added to `list` with --json, and printed without.
int verify_one(const VerifyFlags& flags, Json& list, Diagnostics& diags) {
    const KernelFile file = read_checked_file(flags.kernel.file, diags);
    int code = 0;
    if (!diags.has_errors()) {
        const auto chip = arch::read_chip(flags.kernel.chip, flags.kernel.set_chip, diags);
        if (chip) {
            const auto all = verify_file(file, flags.kernel, flags.options, chip->spec, diags);
            code = exit_code(all);
            for (const Verified& one : all) {
                list.push_back(json_of(one, chip->spec.name, file.source));
                if (flags.json) continue;
                write(line(one, flags.all ? chip->spec.name : ""));
                if (!one.fine) show(one.messages, &file.source);
            }
            if (all.empty() && !flags.all && !diags.has_errors())
                diags.add<Diag::verify_nothing>({}, flags.kernel.file, chip->spec.name);
        }
    }
    show(diags, &file.source, flags.json);
    return std::max(code, diags.exit_code());
}

int run(VerifyFlags flags) {
    Diagnostics diags;
    if (!flags.seeds.empty())
        if (const auto seeds = positive_number("--seeds", flags.seeds, diags))
            flags.options.seeds = *seeds;
    if (const auto steps = positive_number("--max-steps", flags.max_steps, diags))
        flags.options.max_steps = *steps;
    if (flags.all == !flags.kernel.file.empty()) diags.add<Diag::verify_what>({});
    if (diags.has_errors()) {
        show(diags, nullptr, flags.json);
        return diags.exit_code();
    }
    Json list = Json::array();
    int code = 0;
    for (const std::string& file :
         flags.all ? library_files(library_folder()) : std::vector<std::string>{flags.kernel.file})
        for (const std::string& chip : flags.chips) {
            flags.kernel.file = file;
            flags.kernel.chip = chip;
            code = std::max(code, verify_one(flags, list, diags));
        }
    if (flags.json && !diags.has_errors())
        write(document(
            {{"schema", "slab.verify/1"}, {"fine", code == 0}, {"cases", std::move(list)}}));
    return code;
}

}  // namespace

Action declare_verify(CLI::App& app) {
    const auto flags = std::make_shared<VerifyFlags>();
    declare_kernel_flags(app, flags->kernel);
    app.get_option("FILE")->required(false);
    text_flag(app, "--seeds", flags->seeds, "N",
              "runs per case; by default as many as it says, or 5");
    text_flag(app, "--inputs", flags->options.inputs, "DIR",
              "operands from NAME.npy in this folder, those that are there");
    text_flag(app, "--outputs", flags->options.outputs, "DIR",
              "write outputs of the first seed to NAME.npy in this folder");
    truth_flag(app, "--force", flags->options.force, "overwrite files there");
    truth_flag(app, "--sync-copies", flags->options.sync_copies,
               "every copy is complete once it starts: what is wrong still is arithmetic");
    text_flag(app, "--max-steps", flags->max_steps, "N", "refuse larger grids; by default 2 10^7");
    truth_flag(app, "--all", flags->all,
               "every kernel of the library, on v6e and ironwood unless --chip says");
    json_flag(app, flags->json, "slab.verify/1");
    const CLI::Option* chip = app.get_option("--chip");
    return [flags, chip] {
        flags->chips = {flags->kernel.chip};
        if (flags->all && chip->count() == 0) flags->chips = library_chips;
        return run(*flags);
    };
}

}  // namespace slab::cli
