#include "cli/tuned.hpp"

#include <algorithm>
#include <map>

#include <catch2/catch.hpp>

#include "cli/points.hpp"
#include "cli/statistics.hpp"
#include "cli/tuned_ranking.hpp"
#include "folder.hpp"

using namespace slab;
using namespace slab::cli;

namespace {

std::string row(const std::string& id, const std::string& set, const std::string& tuned) {
    return R"({"id": ")" + id + R"(", "chip": "toy", "kernel": "k", "file": "k.slab", "set": )" +
           set + R"(, "tuned": )" + tuned +
           R"(, "group": "g", "origin": "a sweep", "source": "a test"})";
}

struct Read {
    std::optional<std::vector<TunedRow>> rows;
    std::string said;
};
Read read(const std::string& rows, const std::string& path = "rows.json") {
    Diagnostics diags;
    const SourceFile text(path, R"({"schema": "slab.tuned/1", "rows": [)" + rows + "]}");
    Read result{read_tuned(text, diags), ""};
    for (const Diagnostic& message : diags.messages()) result.said += message.headline() + "\n";
    return result;
}

using Values = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("candidates are the powers of two of a range, its end and the choice") {
    CHECK(TunedParameter{"b", 64, 16, 128}.all() == Values{16, 32, 64, 128});
    CHECK(TunedParameter{"b", 96, 16, 100}.all() == Values{16, 32, 64, 96, 100});
    CHECK(TunedParameter{"b", 640, 128, 320}.all() == Values{128, 256, 320, 640});
    CHECK(TunedParameter{"b", 16, 16, 16}.all() == Values{16});
    CHECK(TunedParameter{"b", 24, 20, 24}.all() == Values{24});
}

TEST_CASE("every combination of a row is a candidate once, the last parameter fastest") {
    const Read one = read(row("a", "{}",
                              R"({"p": {"value": 2, "from": 1, "to": 2},
                                  "q": {"value": 8, "from": 8, "to": 12}})"));
    REQUIRE(one.rows);
    const TunedRow& first = one.rows->front();
    CHECK(combinations(first) == std::vector<Values>{{1, 8}, {1, 12}, {2, 8}, {2, 12}});
    CHECK(spelled(first, choice(first)) == "p=2, q=8");
    CHECK(first.origin == "a sweep");
}

TEST_CASE("what is wrong with a row is said with its place") {
    const auto said = [](const std::string& tuned) { return read(row("a", "{}", tuned)).said; };
    CHECK(said("{}").find("`rows[0].tuned` is {}") != std::string::npos);
    CHECK(said(R"({"b": 8})").find("`rows[0].tuned.b` is 8, it must be an object") !=
          std::string::npos);
    CHECK(said(R"({"b": {"value": 8, "from": 8}})").find("`rows[0].tuned.b.to` is missing") !=
          std::string::npos);
    CHECK(said(R"({"b": {"value": 8, "from": 16, "to": 8}})").find("at most 8") !=
          std::string::npos);
    CHECK(said(R"({"b": {"value": 1.5, "from": 1, "to": 8}})").find("a whole number from 1") !=
          std::string::npos);
}

TEST_CASE("a choice is placed among the times of all candidates") {
    const Placing second = placing({3, 1, 2, 2, 5, 6, 7, 8, 9, 10}, 3);
    CHECK(second.rank == 2);  // of equals none is in front of the other
    CHECK(second.best == 1);
    CHECK(second.regret == 2);
    CHECK_FALSE(second.among_best);
    CHECK(placing({3, 1, 2, 2, 5, 6, 7, 8, 9, 10, 11}, 3).among_best);  // 2 of 11
    CHECK(placing({1}, 0).among_best);
    CHECK(placing({2, 2, 1}, 2).among_best);
    CHECK_FALSE(placing({2, 2, 1}, 0).among_best);
}

TEST_CASE("illegal candidates are left out, and a choice that is illegal is reported") {
    const Folder folder("tuned");
    folder.write("k.slab",
                 "kernel k[b = 8](x: hbm f32[M, 8], out y: hbm f32[M, 8])\ngrid (i in M/b par)\n"
                 "  in a = x[i@b, :]\n  out c = y[i@b, :]\n{ c = a }\n");
    const std::string tuned = R"({"b": {"value": 16, "from": 8, "to": 48}})";
    const Read two =
        read(row("fits", R"({"M": 48})", tuned) + "," + row("does_not", R"({"M": 40})", tuned),
             folder.write("rows.json", ""));
    REQUIRE(two.rows);
    Diagnostics diags;
    WorkloadCompiler compiler({});
    std::vector<RankedRow> ranked;
    for (const TunedRow& one : *two.rows)
        ranked.push_back(rank_candidates(one, compiler, sim::HbmModel::fluid, {}, diags));
    CHECK(ranked[0].legal == 3);  // 8, 16 and 48, but not 32
    CHECK(ranked[0].illegal == 1);
    CHECK(ranked[0].best_us <= ranked[0].chosen_us);
    CHECK(ranked[0].placing.regret == Approx(ranked[0].chosen_us / ranked[0].best_us));
    CHECK(ranked[1].failed);
    REQUIRE(diags.size() == 1);
    CHECK(diags.messages()[0].headline() ==
          "row `does_not` cannot be simulated with what the hardware chose, b=16");
    const RankedSummary summary = summaries_by_group(ranked).at("g");
    CHECK(summary.rows == 2);
    CHECK(summary.among_best <= 1);
    CHECK(summary.regret == ranked[0].placing.regret);
}

TEST_CASE("points of XLA's products state the tilings that were found for them") {
    Diagnostics diags;
    const auto rows = tuned_of({SLAB_SOURCE_DIR "/validation/tilings/xla_products.json"}, diags);
    const std::vector<Point> points = points_of({}, diags);
    REQUIRE_FALSE(diags.has_errors());
    REQUIRE_FALSE(rows.empty());
    for (const TunedRow& row : rows) {
        CAPTURE(row.id);
        const auto point = std::find_if(points.begin(), points.end(),
                                        [&](const Point& one) { return one.id == row.id; });
        REQUIRE(point != points.end());
        std::map<std::string, std::string> sizes(row.set.begin(), row.set.end());
        for (const TunedParameter& side : row.tuned) sizes[side.name] = std::to_string(side.value);
        CHECK(std::map<std::string, std::string>(point->set.begin(), point->set.end()) == sizes);
        CHECK(point->item == row.item);
        CHECK(point->zeros == row.zeros);
    }
}
