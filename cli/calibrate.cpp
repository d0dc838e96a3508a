#include <algorithm>
#include <functional>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/calibrating.hpp"
#include "cli/commands.hpp"
#include "cli/diagnostics_json.hpp"
#include "cli/flags.hpp"
#include "cli/output.hpp"
#include "cli/tables.hpp"
#include "cli/words.hpp"

namespace slab::cli {

namespace {

using Json = nlohmann::ordered_json;
using report::Align;
using Errors = std::map<std::string, std::vector<double>>;

struct CalibrateFlags {
    std::vector<std::string> points;
    std::vector<std::string> fit;
    bool json = false;
    bool markdown = false;
};

/// What came out: errors of the trusted points by group, before any fit, fitted, and each group
/// with values that were fitted without it.
struct Fit {
    std::vector<Unknown> unknowns;
    std::vector<double> values;
    Errors before, fitted, left_out;
};

Fit fit(Calibration& calibration) {
    Fit result;
    calibration.keep_those_that_matter();
    result.unknowns = calibration.unknowns();
    result.before = calibration.errors(calibration.before());
    remark(fmt::format("{} numbers matter; fitting, then once more without each of {} groups",
                       result.unknowns.size(), result.before.size()));
    result.values = calibration.fit();
    result.fitted = calibration.errors(result.values);
    return result;
}

void leave_out(Calibration& calibration, Fit& result) {
    for (const auto& [group, errors] : result.before) {
        result.left_out[group] = calibration.errors(calibration.fit(group)).at(group);
        remark("without " + group);
    }
}

std::vector<std::string> error_cells(const ErrorSummary& errors) {
    return {share(errors.median), share(errors.p90), percent(errors.bias)};
}

std::string errors_text(const Fit& fit, bool markdown) {
    Rows rows;
    const auto add = [&](const std::string& name, const auto& summary_of) {
        std::vector<std::string> row{name};
        for (const Errors* errors : {&fit.before, &fit.fitted, &fit.left_out})
            for (std::string& cell : error_cells(summary_of(*errors)))
                row.push_back(std::move(cell));
        rows.push_back(std::move(row));
    };
    for (const auto& entry : fit.before)
        add(entry.first, [&](const Errors& errors) {
            return group_summary({{"", errors.at(entry.first)}});
        });
    add("each group once", group_summary);
    std::vector<report::Column> columns{{"errors of"}};
    for (const char* name : {"before", "fitted", "left out"})
        for (const char* what : {"median", "90th", "bias"})
            columns.push_back({fmt::format("{} {}", name, what), Align::right});
    return table(columns, rows, markdown);
}

const char* const page_head = R"(# What was fitted

Numbers of chip files that nobody publishes, chosen within their ranges so that simulated times come close to
[measured ones](validation.md). `slab calibrate --markdown` prints this page: it starts from the values before any fit, takes
the points whose trust is not low, every group counting once, and searches all numbers together. "Left out" are the errors of
a group with values that were fitted without it. A number that was fitted says so in its chip file, with the value before.

## Numbers

)";

std::string values_text(const Fit& fit, bool markdown) {
    Rows rows;
    for (std::size_t i = 0; i < fit.values.size(); ++i) {
        const Unknown& unknown = fit.unknowns[i];
        rows.push_back({unknown.path, fmt::format("{}", fmt::join(unknown.chips, ", ")),
                        fmt::format("{}", unknown.axis.start), fmt::format("{}", fit.values[i]),
                        fmt::format("{} to {}", unknown.axis.low, unknown.axis.high),
                        fmt::format("{}", unknown.value)});
    }
    return table({{"parameter"},
                  {"chips"},
                  {"before", Align::right},
                  {"fitted", Align::right},
                  {"range", Align::right},
                  {"in the chip file", Align::right}},
                 rows, markdown);
}

Json json_of(const Errors& errors) {
    Json groups = Json::object();
    for (const auto& [name, values] : errors) groups[name] = values;
    return groups;
}

std::string fit_json(const Fit& fit) {
    Json values = Json::array();
    for (std::size_t i = 0; i < fit.values.size(); ++i) {
        const Unknown& unknown = fit.unknowns[i];
        values.push_back({{"path", unknown.path},
                          {"chips", unknown.chips},
                          {"default", unknown.axis.start},
                          {"fitted", fit.values[i]},
                          {"range", {unknown.axis.low, unknown.axis.high}},
                          {"in_chip_file", unknown.value}});
    }
    return document({{"schema", "slab.calibration/1"},
                     {"parameters", std::move(values)},
                     {"errors_before", json_of(fit.before)},
                     {"errors_fitted", json_of(fit.fitted)},
                     {"errors_left_out", json_of(fit.left_out)}});
}

std::vector<arch::ChipFile> chips_of(const std::vector<Point>& points, Diagnostics& diags) {
    std::vector<arch::ChipFile> chips;
    std::vector<std::string> names;
    for (const Point& point : points)
        if (std::find(names.begin(), names.end(), point.chip) == names.end())
            names.push_back(point.chip);
    for (const std::string& name : names)
        if (auto chip = arch::read_chip(name, {}, diags)) chips.push_back(std::move(*chip));
    return chips;
}

/// The unknowns that `--fit` names, or those that chip files call fitted; all if there are none.
std::vector<Unknown> chosen(std::vector<Unknown> unknowns, const std::vector<std::string>& fit,
                            Diagnostics& diags) {
    if (fit.empty()) {
        const auto is_fitted = [](const Unknown& unknown) { return unknown.is_fitted; };
        if (std::any_of(unknowns.begin(), unknowns.end(), is_fitted))
            std::erase_if(unknowns, std::not_fn(is_fitted));
        return unknowns;
    }
    std::vector<std::string> paths;
    for (const Unknown& unknown : unknowns) paths.push_back(unknown.path);
    for (const std::string& path : fit)
        if (std::find(paths.begin(), paths.end(), path) == paths.end())
            diags.add<Diag::flag_choice>(
                {}, "--fit", path,
                "a number that chip files leave open, within a range" + did_you_mean(path, paths));
    std::erase_if(unknowns, [&](const Unknown& unknown) {
        return std::find(fit.begin(), fit.end(), unknown.path) == fit.end();
    });
    return unknowns;
}

int run(const CalibrateFlags& flags) {
    Diagnostics diags;
    const std::vector<Point> points = points_of(flags.points, diags);
    auto unknowns = chosen(unknowns_of(chips_of(points, diags)), flags.fit, diags);
    if (!diags.has_errors()) {
        Calibration calibration(compile_points(points, {}, diags), std::move(unknowns));
        Fit result = fit(calibration);
        // the errors that are left out take longer than all before
        if (!flags.json)
            write((flags.markdown ? page_head : "") + values_text(result, flags.markdown));
        leave_out(calibration, result);
        write(flags.json ? fit_json(result)
                         : title("Errors", flags.markdown) + errors_text(result, flags.markdown));
    }
    show(diags, nullptr, flags.json && diags.exit_code() == 2);
    return diags.exit_code();
}

}  // namespace

Action declare_calibrate(CLI::App& app) {
    const auto flags = std::make_shared<CalibrateFlags>();
    list_flag(app, "--points", flags->points, "FILE",
              "measured points of the schema slab.points/1; by default those of the source tree");
    list_flag(app, "--fit", flags->fit, "PATH",
              "this number, within its range; by default those that chip files call fitted");
    truth_flag(app, "--markdown", flags->markdown, "print docs/calibration.md");
    json_flag(app, flags->json, "slab.calibration/1");
    return [flags] { return run(*flags); };
}

}  // namespace slab::cli
