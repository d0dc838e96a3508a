#include "cli/points.hpp"

#include <catch2/catch.hpp>

#include "cli/validating.hpp"
#include "folder.hpp"

using namespace slab;
using namespace slab::cli;

namespace {

std::string point(const std::string& more) {
    return R"({"id": "a", "chip": "toy", "kernel": "k", "set": {"M": 16}, "metric": "time", "value": 5,
               "unit": "us", "group": "g", "trust": "high", "source": "a test")" +
           more + "}";
}

struct Read {
    std::optional<std::vector<Point>> points;
    std::string said;
};
Read read(const std::string& points, const std::string& path = "points.json") {
    Diagnostics diags;
    const SourceFile text(path, R"({"schema": "slab.points/1", "points": [)" + points + "]}");
    Read result{read_points(text, diags), ""};
    for (const Diagnostic& message : diags.messages()) result.said += message.headline() + "\n";
    return result;
}

}  // namespace

TEST_CASE("a point is read with its units turned into ours") {
    const Read one = read(point(R"(, "timer": "wall", "clock": "sustained", "band": [4, 6])"));
    REQUIRE(one.points);
    const Point& p = one.points->front();
    CHECK(p.value == 5);
    CHECK(p.wall);
    CHECK(p.sustained);
    CHECK(p.band == std::pair(4.0, 6.0));
    CHECK(p.file.ends_with("kernels/k/k.slab"));
    const Read ms = read(R"({"id": "a", "chip": "toy", "program": "p", "metric": "time", "value": 5,
        "unit": "ms", "group": "g", "trust": "low", "source": "a test"})");
    REQUIRE(ms.points);
    CHECK(ms.points->front().value == 5000);
}

TEST_CASE("what is wrong with a point is said with its place") {
    CHECK(read(point(R"(, "bend": 1)")).said.find("`points[0].bend`") != std::string::npos);
    CHECK(read(point(R"(, "program": "p")")).said.find("either a `kernel` or a `program`") !=
          std::string::npos);
    CHECK(read(point("") + "," + point("")).said.find("comes twice") != std::string::npos);
    CHECK(read(R"({"id": "a"})").said.find("`points[0].value` is missing") != std::string::npos);
    const std::string unit = R"({"id": "a", "chip": "toy", "kernel": "k", "metric": "flop_rate",
        "value": 5, "unit": "us", "group": "g", "trust": "high", "source": "a test"})";
    CHECK(read(unit).said.find("no unit of `flop_rate`") != std::string::npos);
}

TEST_CASE("points are simulated, their file is looked for beside them, and failures are named") {
    const Folder folder("points");
    folder.write("k.slab",
                 "kernel k(x: hbm f32[M, 8], out y: hbm f32[M, 8])\ngrid (i in M/8 par)\n"
                 "  in a = x[i@8, :]\n  out b = y[i@8, :]\n{ b = a }\n");
    const std::string path = folder.write("points.json", "");
    const auto two = read(point(R"(, "file": "k.slab")") + "," +
                              R"({"id": "b", "chip": "toy", "kernel": "k", "file": "k.slab",
                              "set": {"M": 15}, "metric": "byte_rate", "value": 1, "unit": "GB/s",
                              "group": "g", "trust": "high", "source": "a test"})",
                          path);
    REQUIRE(two.points);
    Diagnostics diags;
    const auto all = validate(*two.points, {}, sim::HbmModel::fluid, diags);
    REQUIRE(all.size() == 2);
    CHECK_FALSE(all[0].failed);
    CHECK(all[0].measured_us == 5);
    CHECK(all[0].error == Approx(all[0].simulated_us / 5 - 1));
    CHECK(all[1].failed);
    REQUIRE(diags.size() == 1);
    CHECK(diags.messages()[0].headline() == "point `b` cannot be simulated");
    const Validation summary = summarise(all);
    CHECK(summary.trusted.count == 1);
    CHECK(summary.groups.at("g").count == 1);
}
