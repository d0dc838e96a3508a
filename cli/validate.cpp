#include <algorithm>
#include <chrono>
#include <map>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "arch_configs/parameters.hpp"
#include "arch_configs/read_chip.hpp"
#include "cli/commands.hpp"
#include "cli/diagnostics_json.hpp"
#include "cli/flags.hpp"
#include "cli/mechanisms.hpp"
#include "cli/output.hpp"
#include "cli/plots.hpp"
#include "cli/replace_file.hpp"
#include "cli/running.hpp"
#include "cli/tables.hpp"
#include "cli/tuned.hpp"
#include "cli/tuned_ranking.hpp"
#include "cli/validate_tuned.hpp"
#include "cli/validating.hpp"
#include "cli/words.hpp"

namespace slab::cli {

namespace {

using Json = nlohmann::ordered_json;
using report::Align;

struct ValidateFlags {
    std::vector<std::string> points;
    std::vector<std::string> set_chip;
    std::string group;
    std::vector<std::string> without;
    bool ablation = false;
    bool tuned = false;
    bool host_time = false;
    std::string hbm = "fluid";
    std::string plots;
    bool json = false;
    bool markdown = false;
};

constexpr const char* page_head = R"(# Against hardware

Times that somebody measured and published, simulated. `slab validate --markdown --ablation --plots docs` prints this page and
draws its plots; [validation/](../validation/README.md) holds the points and says what trust means. An error is the simulated
time over the measured one, less 1. Trusted points are those of one launch whose grid, blocks and types are known; among them
every group counts once. Which numbers of a chip were fitted, and within which range, stands in [chips](chips.md);
[calibration](calibration.md) says how, and gives the errors of each group with a fit to the others.
)";

constexpr const char* times_file = "validation_times.svg";
constexpr const char* errors_file = "validation_errors.svg";

std::string time_text(double us) {
    return us < 1000 ? fmt::format("{:.4g} us", us) : fmt::format("{:.4g} ms", us / 1000);
}

void draw_plots(const std::string& folder, const std::vector<Validated>& all, Diagnostics& diags) {
    replace_file(fmt::format("{}/{}", folder, times_file), times_plot(all), diags);
    replace_file(fmt::format("{}/{}", folder, errors_file), errors_plot(all), diags);
}

/// The head of the page, up to the first table.
std::string head_text(bool plots) {
    std::string text = page_head;
    if (plots)
        text += title("Plots", true) +
                fmt::format("![Simulated against measured times]({})\n\n![Errors by group]({})\n",
                            times_file, errors_file);
    return text + title("Points", true);
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

std::string summary_text(const Validation& validation, const ErrorSummary& unfitted,
                         bool markdown) {
    Rows rows;
    for (const auto& [name, errors] : validation.groups) rows.push_back(summary_row(name, errors));
    rows.push_back(summary_row("trusted, each group once", validation.trusted));
    rows.push_back(summary_row("the same before any fit", unfitted));
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

Variant variant_of(const std::vector<std::string>& removed) {
    return [removed](arch::ChipSpec chip) {
        for (const std::string& name : removed) chip = without(name, std::move(chip));
        return chip;
    };
}

/// Chips with what their files say a number was before it was fitted.
Variant before_fit(const std::vector<std::string>& set_chip,
                   const std::vector<std::string>& removed) {
    return [set_chip, removed](const arch::ChipSpec& chip) {
        Diagnostics ignored;  // the file was read before
        const auto file = arch::read_chip(chip.name, set_chip, ignored);
        return variant_of(removed)(file ? arch::before_fit(*file) : chip);
    };
}

/// What the trusted errors come to without each mechanism, by its name.
using Ablation = std::vector<std::pair<const Mechanism*, Validation>>;

Ablation ablate(const std::vector<CompiledPoint>& points, std::vector<std::string> removed) {
    Ablation result;
    removed.emplace_back();
    Diagnostics ignored;  // of points that do not run, which are reported with all mechanisms
    for (const Mechanism& mechanism : mechanisms()) {
        removed.back() = mechanism.name;
        result.emplace_back(&mechanism, summarise(validate(points, ignored, variant_of(removed))));
    }
    return result;
}

std::string validation_json(const std::vector<Validated>& all, const Validation& validation,
                            const ErrorSummary& unfitted, const Ablation& ablation) {
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
    Json without = Json::object();
    for (const auto& [mechanism, errors] : ablation)
        without[mechanism->name] = json_of(errors.trusted);
    return document({{"schema", "slab.validation/1"},
                     {"trusted", json_of(validation.trusted)},
                     {"before_fit", json_of(unfitted)},
                     {"all", json_of(validation.all)},
                     {"groups", std::move(groups)},
                     {"less_trusted", std::move(others)},
                     {"rankings", json_of(validation.rankings)},
                     {"ladder_steps", validation.steps.steps},
                     {"ladder_agreed", validation.steps.agreed},
                     {"sweeps", std::move(sweeps)},
                     {"ladders", std::move(ladders)},
                     {"without", std::move(without)},
                     {"points", std::move(points)}});
}

std::string ablation_text(const Validation& validation, const Ablation& ablation, bool markdown) {
    if (ablation.empty()) return "";
    Rows rows;
    const auto add = [&](const std::string& name, const std::string& description,
                         const Validation& errors) {
        rows.push_back({name, description, share(errors.trusted.median), share(errors.trusted.p90),
                        percent(errors.trusted.bias),
                        fmt::format("{} of {}", errors.rankings.ordered, errors.rankings.pairs)});
    };
    add("", "all mechanisms", validation);
    for (const auto& [mechanism, errors] : ablation)
        add(mechanism->name, mechanism->description, errors);
    return title("Without one mechanism", markdown) + table({{"without"},
                                                             {""},
                                                             {"median", Align::right},
                                                             {"90th percentile", Align::right},
                                                             {"bias", Align::right},
                                                             {"ordered right", Align::right}},
                                                            rows, markdown);
}

/// Those of the group that is asked for, of which there must be some.
template <typename Entry>
std::vector<Entry> of_group(std::vector<Entry> entries, const ValidateFlags& flags,
                            Diagnostics& diags) {
    if (!flags.group.empty())
        std::erase_if(entries, [&](const Entry& one) { return one.group != flags.group; });
    if (entries.empty() && !diags.has_errors())
        diags.add<Diag::points_none>(
            {}, flags.points.empty() ? "the source tree" : quoted_list(flags.points));
    return entries;
}

/// How long the rows of a group took, in the order of the groups.
class GroupClock {
public:
    void add(const RankedRow& row) {
        const auto now = std::chrono::steady_clock::now();
        auto& [seconds, candidates] = groups_[row.row.group];
        seconds += std::chrono::duration<double>(now - last_).count();
        candidates += row.legal + row.illegal;
        last_ = now;
    }
    void say() const {
        for (const auto& [name, spent] : groups_)
            remark(fmt::format("{}: {} candidates in {:.1f} s", name, spent.second, spent.first));
    }

private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
    std::map<std::string, std::pair<double, std::size_t>> groups_;
};

int run_tuned(const ValidateFlags& flags) {
    Diagnostics diags;
    if (flags.ablation) diags.add<Diag::flags_exclude>({}, "--tuned", "--ablation");
    if (!flags.plots.empty()) diags.add<Diag::flags_exclude>({}, "--tuned", "--plots");
    const std::vector<TunedRow> rows = of_group(tuned_of(flags.points, diags), flags, diags);
    const auto hbm = hbm_model(flags.hbm, diags);
    for (const std::string& name : flags.without)
        one_of("--without", name, mechanism_names(), diags);
    if (!diags.has_errors()) {
        GroupClock clock;
        WorkloadCompiler compiler(flags.set_chip);
        std::vector<RankedRow> ranked;
        for (const TunedRow& row : rows) {
            ranked.push_back(
                rank_candidates(row, compiler, *hbm, variant_of(flags.without), diags));
            clock.add(ranked.back());
        }
        write(flags.json ? ranked_json(ranked) : ranked_text(ranked, flags.markdown));
        if (flags.host_time) clock.say();
    }
    show(diags, nullptr, flags.json && diags.exit_code() == 2);
    return diags.exit_code();
}

int run(const ValidateFlags& flags) {
    if (flags.tuned) return run_tuned(flags);
    Diagnostics diags;
    const std::vector<Point> points = of_group(points_of(flags.points, diags), flags, diags);
    const auto hbm = hbm_model(flags.hbm, diags);
    for (const std::string& name : flags.without)
        one_of("--without", name, mechanism_names(), diags);
    if (!diags.has_errors()) {
        std::vector<CompiledPoint> compiled = compile_points(points, flags.set_chip, diags);
        for (CompiledPoint& point : compiled) point.hbm = *hbm;
        const std::vector<Validated> all = validate(compiled, diags, variant_of(flags.without));
        const Validation validation = summarise(all);
        const ErrorSummary unfitted =
            summarise(validate(compiled, diags, before_fit(flags.set_chip, flags.without))).trusted;
        Ablation ablation;
        if (flags.ablation) ablation = ablate(compiled, flags.without);
        if (!flags.plots.empty()) draw_plots(flags.plots, all, diags);
        if (flags.json)
            write(validation_json(all, validation, unfitted, ablation));
        else
            write((flags.markdown ? head_text(!flags.plots.empty()) : "") +
                  points_text(all, flags.markdown) + title("Errors", flags.markdown) +
                  summary_text(validation, unfitted, flags.markdown) +
                  rank_text(validation, flags.markdown) +
                  ablation_text(validation, ablation, flags.markdown));
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
    list_flag(app, "--without", flags->without, "MECHANISM",
              "leave a mechanism of the timing model out");
    truth_flag(
        app, "--tuned", flags->tuned,
        "rank blocks that sweeps on hardware chose among all candidates instead;\nfiles are of "
        "the schema slab.tuned/1");
    truth_flag(app, "--ablation", flags->ablation, "add the errors without each of them");
    hbm_flag(app, flags->hbm);
    text_flag(app, "--plots", flags->plots, "FOLDER",
              "also draw times and errors, as validation_times.svg and validation_errors.svg");
    truth_flag(app, "--host-time", flags->host_time,
               "print to stderr how long the candidates of each group took");
    truth_flag(app, "--markdown", flags->markdown,
               "print docs/validation.md, or docs/tuned_blocks.md with --tuned");
    json_flag(app, flags->json, "slab.validation/1, or slab.ranking/1 with --tuned");
    return [flags] { return run(*flags); };
}

}  // namespace slab::cli
