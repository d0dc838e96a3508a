#include <algorithm>
#include <filesystem>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/diagnostics_json.hpp"
#include "cli/flags.hpp"
#include "cli/library.hpp"
#include "cli/output.hpp"
#include "cli/running.hpp"
#include "cli/table.hpp"
#include "cli/text_file.hpp"
#include "cli/validating.hpp"
#include "cli/words.hpp"

namespace slab::cli {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using report::Align;

struct ValidateFlags {
    std::vector<std::string> points;
    std::vector<std::string> set_chip;
    std::string group;
    std::string hbm = "fluid";
    bool json = false;
    bool markdown = false;
};

/// The files of points that come with slab, by name.
std::vector<std::string> shipped_points() {
    std::vector<std::string> files;
    std::error_code error;
    const fs::path folder = fs::path(library_folder()).parent_path() / "validation";
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (entry.path().extension() == ".json") files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

std::string percent(double fraction) {
    return fmt::format("{:+.1f} %", 100 * fraction);
}
std::string share(double fraction) {
    return fmt::format("{:.1f} %", 100 * fraction);
}
std::string time_text(double us) {
    return us < 1000 ? fmt::format("{:.4g} us", us) : fmt::format("{:.4g} ms", us / 1000);
}

std::string title(const std::string& text, bool markdown) {
    return markdown ? fmt::format("\n## {}\n\n", text) : fmt::format("\n{}\n", text);
}

std::vector<std::string> summary_row(const std::string& name, const ErrorSummary& errors) {
    return {name,
            fmt::format("{}", errors.count),
            share(errors.median),
            share(errors.p90),
            percent(errors.bias),
            percent(errors.worst)};
}

std::string points_text(const std::vector<Validated>& all, bool markdown) {
    std::vector<const Validated*> sorted;
    for (const Validated& one : all)
        if (!one.failed) sorted.push_back(&one);
    std::stable_sort(sorted.begin(), sorted.end(), [](const Validated* a, const Validated* b) {
        return a->point.group < b->point.group;
    });
    Rows rows;
    for (const Validated* one : sorted)
        rows.push_back({one->point.group, one->point.id, one->point.chip,
                        time_text(one->measured_us), time_text(one->simulated_us),
                        percent(one->error) + (one->in_band ? " in band" : ""), one->point.trust});
    return table({{"group"},
                  {"point", Align::left, 0, 48},
                  {"chip"},
                  {"measured", Align::right},
                  {"simulated", Align::right},
                  {"error", Align::right},
                  {"trust"}},
                 rows, markdown);
}

std::string summary_text(const Validation& validation, bool markdown) {
    Rows rows;
    for (const auto& [name, errors] : validation.groups) rows.push_back(summary_row(name, errors));
    rows.push_back(summary_row("trusted, each group once", validation.trusted));
    for (const auto& [name, errors] : validation.others)
        rows.push_back(summary_row(name + " (less trusted)", errors));
    rows.push_back(summary_row("all points alike", validation.all));
    return table({{"errors of"},
                  {"points", Align::right},
                  {"median", Align::right},
                  {"90th percentile", Align::right},
                  {"bias", Align::right},
                  {"worst", Align::right}},
                 rows, markdown);
}

std::string rank_text(const Validation& validation, bool markdown) {
    std::string text;
    const auto row = [](const std::string& name, std::size_t count, const RankSummary& ranks) {
        return std::vector<std::string>{name, fmt::format("{}", count),
                                        fmt::format("{} of {}", ranks.ordered, ranks.pairs),
                                        fmt::format("{:.2f}", ranks.tau), share(ranks.regret)};
    };
    Rows rows;
    std::size_t all = 0;
    for (const Sweep& sweep : validation.sweeps) {
        rows.push_back(row(sweep.name, sweep.configurations, sweep.ranking));
        all += sweep.configurations;
    }
    if (!rows.empty()) {
        rows.push_back(row("all sweeps", all, validation.rankings));
        text += title("Configurations of one problem", markdown) +
                table({{"sweep"},
                       {"configurations", Align::right},
                       {"ordered right", Align::right},
                       {"tau", Align::right},
                       {"regret", Align::right}},
                      rows, markdown);
    }
    rows.clear();
    for (const Ladder& one : validation.ladders)
        rows.push_back({one.name, fmt::format("{} of {}", one.ladder.agreed, one.ladder.steps)});
    if (!rows.empty()) {
        rows.push_back({"all ladders",
                        fmt::format("{} of {}", validation.steps.agreed, validation.steps.steps)});
        text += title("Rewrites of one kernel", markdown) +
                table({{"ladder"}, {"same direction", Align::right}}, rows, markdown);
    }
    return text;
}

Json json_of(const ErrorSummary& errors) {
    return {{"points", errors.count},
            {"median_abs", errors.median},
            {"p90_abs", errors.p90},
            {"bias", errors.bias},
            {"worst", errors.worst}};
}

Json json_of(const RankSummary& ranks) {
    return {{"pairs", ranks.pairs},
            {"ordered", ranks.ordered},
            {"tau", ranks.tau},
            {"regret", ranks.regret}};
}

std::string validation_json(const std::vector<Validated>& all, const Validation& validation) {
    Json points = Json::array(), groups = Json::object(), others = Json::object();
    for (const Validated& one : all)
        points.push_back({{"id", one.point.id},
                          {"group", one.point.group},
                          {"chip", one.point.chip},
                          {"trust", one.point.trust},
                          {"simulated", !one.failed},
                          {"measured_us", one.measured_us},
                          {"simulated_us", one.simulated_us},
                          {"error", one.error},
                          {"in_band", one.in_band}});
    for (const auto& [name, errors] : validation.groups) groups[name] = json_of(errors);
    for (const auto& [name, errors] : validation.others) others[name] = json_of(errors);
    Json sweeps = Json::array(), ladders = Json::array();
    for (const Sweep& sweep : validation.sweeps) {
        Json one = json_of(sweep.ranking);
        one["sweep"] = sweep.name;
        one["configurations"] = sweep.configurations;
        sweeps.push_back(std::move(one));
    }
    for (const Ladder& one : validation.ladders)
        ladders.push_back(
            {{"ladder", one.name}, {"steps", one.ladder.steps}, {"agreed", one.ladder.agreed}});
    return document({{"schema", "slab.validation/1"},
                     {"trusted", json_of(validation.trusted)},
                     {"all", json_of(validation.all)},
                     {"groups", std::move(groups)},
                     {"less_trusted", std::move(others)},
                     {"rankings", json_of(validation.rankings)},
                     {"ladder_steps", validation.steps.steps},
                     {"ladder_agreed", validation.steps.agreed},
                     {"sweeps", std::move(sweeps)},
                     {"ladders", std::move(ladders)},
                     {"points", std::move(points)}});
}

std::vector<Point> points_of(const ValidateFlags& flags, Diagnostics& diags) {
    std::vector<Point> all;
    const std::vector<std::string> files = flags.points.empty() ? shipped_points() : flags.points;
    for (const std::string& path : files) {
        const auto text = read_text_file(path, diags);
        const auto points = text ? read_points(*text, diags) : std::nullopt;
        for (std::size_t i = 0; points && i < points->size(); ++i)
            if (flags.group.empty() || (*points)[i].group == flags.group)
                all.push_back((*points)[i]);
    }
    if (all.empty() && !diags.has_errors())
        diags.add<Diag::points_none>({}, files.empty() ? "the source tree" : quoted_list(files));
    return all;
}

int run(const ValidateFlags& flags) {
    Diagnostics diags;
    const auto hbm = hbm_model(flags.hbm, diags);
    const std::vector<Point> points = points_of(flags, diags);
    if (!diags.has_errors()) {
        const std::vector<Validated> all = validate(points, flags.set_chip, *hbm, diags);
        const Validation validation = summarise(all);
        if (flags.json)
            write(validation_json(all, validation));
        else
            write(points_text(all, flags.markdown) + title("Errors", flags.markdown) +
                  summary_text(validation, flags.markdown) + rank_text(validation, flags.markdown));
    }
    show(diags, nullptr, flags.json && diags.exit_code() == 2);
    return diags.exit_code();
}

}  // namespace

Action declare_validate(CLI::App& app) {
    const auto flags = std::make_shared<ValidateFlags>();
    list_flag(app, "--points", flags->points, "FILE",
              "measured points of the schema slab.points/1; by default those of the source tree");
    text_flag(app, "--group", flags->group, "NAME", "only the points of this group");
    list_flag(app, "--set-chip", flags->set_chip, "PATH=VALUE",
              "another value for a number of every chip");
    hbm_flag(app, flags->hbm);
    truth_flag(app, "--markdown", flags->markdown, "print docs/validation.md");
    json_flag(app, flags->json, "slab.validation/1");
    return [flags] { return run(*flags); };
}

}  // namespace slab::cli
