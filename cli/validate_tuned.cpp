#include "cli/validate_tuned.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "cli/diagnostics_json.hpp"
#include "cli/tables.hpp"

namespace slab::cli {

namespace {

using Json = nlohmann::ordered_json;
using report::Align;

constexpr const char* page_head = R"(# Tuned blocks

Block sizes that a sweep on hardware chose, and where they stand among all candidates when those are simulated. `slab validate
--tuned --markdown` prints this page; [validation/](../validation/README.md#tuned-blocks) says where the rows are from and how
they map onto kernels of the library. The best tenth counts at least one candidate, and regret is the time of the choice over
that of the best candidate.

## Rows

)";

std::string times(double regret) {
    return fmt::format("{:.3f}", regret);
}

std::vector<const RankedRow*> pointers(const std::vector<RankedRow>& rows) {
    std::vector<const RankedRow*> all;
    for (const RankedRow& one : rows) all.push_back(&one);
    return all;
}

std::string rows_text(const std::vector<RankedRow>& rows, bool markdown) {
    std::vector<const RankedRow*> sorted = pointers(rows);
    std::stable_sort(sorted.begin(), sorted.end(), [](const RankedRow* a, const RankedRow* b) {
        return a->row.group < b->row.group;
    });
    Rows lines;
    for (const RankedRow* one : sorted) {
        const std::string chosen = spelled(one->row, choice(one->row));
        if (one->failed) {
            lines.push_back({one->row.group, one->row.id, "", "", "does not run", "", chosen, ""});
            continue;
        }
        lines.push_back({one->row.group, one->row.id, fmt::format("{}", one->legal),
                         fmt::format("{}", one->placing.rank),
                         one->placing.among_best ? "yes" : "no", times(one->placing.regret), chosen,
                         spelled(one->row, one->best)});
    }
    return table({{"group"},
                  {"row", Align::left, 0, 56},
                  {"candidates", Align::right},
                  {"rank", Align::right},
                  {"best tenth"},
                  {"regret", Align::right},
                  {"hardware chose", Align::left, 0, 40},
                  {"fastest", Align::left, 0, 40}},
                 lines, markdown);
}

std::vector<std::string> summary_line(const std::string& name, const RankedSummary& summary) {
    return {name, fmt::format("{}", summary.rows), fmt::format("{}", summary.among_best),
            share(summary.share()), summary.regret > 0 ? times(summary.regret) : ""};
}

Json json_of(const RankedSummary& summary) {
    return {{"rows", summary.rows},
            {"among_best", summary.among_best},
            {"share_among_best", summary.share()},
            {"median_regret", summary.regret}};
}

Json values_of(const TunedRow& row, const std::vector<std::int64_t>& values) {
    Json object = Json::object();
    for (std::size_t i = 0; i < values.size(); ++i) object[row.tuned[i].name] = values[i];
    return object;
}

}  // namespace

std::string ranked_text(const std::vector<RankedRow>& rows, bool markdown) {
    Rows lines;
    for (const auto& [name, summary] : summaries_by_group(rows))
        lines.push_back(summary_line(name, summary));
    lines.push_back(summary_line("all rows", summarise(pointers(rows))));
    return (markdown ? page_head : "") + rows_text(rows, markdown) + title("Summary", markdown) +
           table({{"rows of"},
                  {"rows", Align::right},
                  {"in the best tenth", Align::right},
                  {"share", Align::right},
                  {"median regret", Align::right}},
                 lines, markdown);
}

std::string ranked_json(const std::vector<RankedRow>& rows) {
    Json groups = Json::object(), list = Json::array();
    for (const auto& [name, summary] : summaries_by_group(rows)) groups[name] = json_of(summary);
    for (const RankedRow& one : rows) {
        Json row = {{"id", one.row.id},         {"group", one.row.group},
                    {"chip", one.row.chip},     {"origin", one.row.origin},
                    {"simulated", !one.failed}, {"chosen", values_of(one.row, choice(one.row))}};
        if (!one.failed) {
            row["chosen_us"] = one.chosen_us;
            row["best"] = values_of(one.row, one.best);
            row["best_us"] = one.best_us;
            row["candidates"] = one.legal;
            row["illegal"] = one.illegal;
            row["rank"] = one.placing.rank;
            row["among_best"] = one.placing.among_best;
            row["regret"] = one.placing.regret;
        }
        list.push_back(std::move(row));
    }
    return document({{"schema", "slab.ranking/1"},
                     {"all", json_of(summarise(pointers(rows)))},
                     {"groups", std::move(groups)},
                     {"rows", std::move(list)}});
}

}  // namespace slab::cli
