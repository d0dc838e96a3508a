#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "arch_configs/print_chip.hpp"
#include "arch_configs/read_chip.hpp"
#include "cli/commands.hpp"
#include "cli/diagnostics_json.hpp"
#include "cli/flags.hpp"
#include "cli/hbm_table.hpp"
#include "cli/output.hpp"

namespace slab::cli {

namespace {

using Json = nlohmann::ordered_json;

struct ChipsFlags {
    std::string chip;
    std::vector<std::string> set_chip;
    bool hbm_rates = false;
    bool markdown = false;
    bool json = false;
};

std::string list(const std::vector<arch::ChipFile>& chips) {
    std::string text;
    for (const arch::ChipFile& chip : chips) {
        std::string line = fmt::format("{:<10}{}", chip.spec.name, chip.spec.title);
        if (!chip.spec.aliases.empty())
            line += fmt::format(" (also {})", fmt::join(chip.spec.aliases, ", "));
        text += line + "\n";
    }
    return text + "\n`slab chips NAME` prints the numbers of one, each with its source.\n";
}

Json chip_json(const arch::ChipFile& chip) {
    Json parameters = Json::array();
    for (const arch::ChipParameter& each : chip.parameters) {
        parameters.push_back({{"path", each.path},
                              {"value", each.value},
                              {"unit", each.unit},
                              {"status", each.status},
                              {"source", each.source},
                              {"range", each.range ? each.range->text() : ""},
                              {"note", each.note}});
        if (each.before_fit) parameters.back()["default"] = *each.before_fit;
    }
    return {{"name", chip.spec.name},
            {"title", chip.spec.title},
            {"aliases", chip.spec.aliases},
            {"cores_per_chip", chip.spec.cores_per_chip},
            {"parameters", std::move(parameters)}};
}

std::string chips_json(const std::vector<arch::ChipFile>& chips) {
    Json all = Json::array();
    for (const arch::ChipFile& chip : chips) all.push_back(chip_json(chip));
    return document({{"schema", "slab.chips/1"}, {"chips", std::move(all)}});
}

std::string hbm_tables(const std::vector<arch::ChipFile>& chips, bool markdown) {
    std::string text;
    for (const arch::ChipFile& chip : chips)
        text += (text.empty() ? "" : "\n") + hbm_table(chip.spec, markdown);
    return text;
}

std::string print(const std::vector<arch::ChipFile>& chips, const ChipsFlags& flags) {
    if (flags.hbm_rates) return hbm_tables(chips, flags.markdown);
    if (flags.json) return chips_json(chips);
    if (flags.markdown) return arch::markdown_table(chips);
    return flags.chip.empty() ? list(chips) : arch::describe(chips.front());
}

int run(const ChipsFlags& flags) {
    Diagnostics diags;
    if (flags.markdown && flags.json) diags.add<Diag::flags_exclude>({}, "--markdown", "--json");
    if (flags.hbm_rates && flags.json) diags.add<Diag::flags_exclude>({}, "--hbm-rates", "--json");
    std::vector<std::string> names = arch::shipped_chips();
    if (!flags.chip.empty()) names = {flags.chip};
    std::vector<arch::ChipFile> chips;
    for (const std::string& name : names)
        if (auto chip = arch::read_chip(name, flags.set_chip, diags))
            chips.push_back(std::move(*chip));
    if (!diags.has_errors()) write(print(chips, flags));
    show(diags, nullptr, flags.json);
    return diags.exit_code();
}

}  // namespace

Action declare_chips(CLI::App& app) {
    const auto flags = std::make_shared<ChipsFlags>();
    app.add_option("CHIP", flags->chip,
                   "a name, an alias, or a file that ends in .json; by default all")
        ->type_name("");
    list_flag(app, "--set-chip", flags->set_chip, "PATH=VALUE",
              "change the chip: hbm.bandwidth_gb_per_s=2000");
    truth_flag(app, "--hbm-rates", flags->hbm_rates,
               "print what both models of HBM achieve, by the length of contiguous runs");
    truth_flag(app, "--markdown", flags->markdown, "print a table of Markdown");
    json_flag(app, flags->json, "slab.chips/1");
    return [flags] { return run(*flags); };
}

}  // namespace slab::cli
