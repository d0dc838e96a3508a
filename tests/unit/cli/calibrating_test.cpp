#include "cli/calibrating.hpp"

#include <catch2/catch.hpp>

#include "folder.hpp"

using namespace slab;
using namespace slab::cli;

namespace {

/// A chip file of which two numbers are open and one was fitted.
arch::ChipFile chip_file(const std::string& name, double latency) {
    arch::ChipFile file;
    file.spec.name = name;
    const auto add = [&](const char* path, double value, const char* status, arch::Range range) {
        file.parameters.push_back({path, fmt::format("{}", value), "us", status, "", "", range});
    };
    add("dma.latency_us", latency, "inferred", {0.05, 2});
    add("scalar.step_us", 0.05, "unknown", {0, 0.1});
    add("launch.kernel_us", 1, "documented", {0, 2});
    return file;
}

constexpr const char* copies = R"(kernel copies[b = 8](x: hbm f32[M, 8], out y: hbm f32[M, 8])
grid (i in M/b par)
  in xb = x[i@b, :]
  out yb = y[i@b, :]
{
  yb = xb
}
)";

}  // namespace

TEST_CASE("a search by doubling finds the least power, on either side of the start") {
    const auto off = [](double goal) {
        return [goal](double value) { return std::fabs(std::log2(value / goal)); };
    };
    const Axis axis{1024, 256, 4096, true};
    CHECK(doubling_search(axis, off(400)) == 512);
    CHECK(doubling_search(axis, off(1100)) == 1024);
    CHECK(doubling_search(axis, off(1e6)) == 4096);
    CHECK(doubling_search(axis, off(1)) == 256);
}

TEST_CASE("a search goes to the minimum, in its bounds and to whole numbers") {
    const std::vector<Axis> axes = {{0, -1, 3, false}, {8, 0, 8, true}, {0, 0, 1, false}};
    const auto bowl = [](const std::vector<double>& v) {
        return std::pow(v[0] - 1.25, 2) + std::pow(v[1] - 3.4, 2) + std::pow(v[2] - 7, 2);
    };
    const auto found = coordinate_search(axes, bowl, 1.0 / 64, 1e-9);
    CHECK(found == std::vector<double>{1.25, 3, 1});
}

TEST_CASE("a search with linear residuals finds what fits most of them") {
    const std::vector<Axis> axes = {{1, 0, 4, false}, {1, 0, 4, false}};
    int evaluations = 0;
    const Residuals line{[&](const std::vector<double>& v) {
                             ++evaluations;
                             std::vector<double> all;
                             // y = 3 + 2 x, but for one of the points
                             for (const double x : {0.0, 0.25, 0.5, 0.75, 1.0})
                                 all.push_back(v[0] + v[1] * x - (x == 0.5 ? 9 : 3 + 2 * x));
                             return all;
                         },
                         [](const std::vector<double>& residuals, const std::vector<double>&) {
                             double sum = 0;
                             for (const double one : residuals) sum += std::fabs(one);
                             return sum;
                         }};
    const auto found = linear_search(axes, line, 1.0 / 64, 1e-6);
    CHECK(found[0] == Approx(3).margin(0.1));
    CHECK(found[1] == Approx(2).margin(0.2));
    CHECK(evaluations < 60);
}

TEST_CASE("a number that two chip files leave open alike is one") {
    const auto unknowns = unknowns_of({chip_file("a", 0.5), chip_file("b", 0.7)});
    REQUIRE(unknowns.size() == 3);  // two latencies, one step; what is documented is no question
    CHECK(unknowns[0].path == "dma.latency_us");
    CHECK(unknowns[0].chips == std::vector<std::string>{"a"});
    CHECK(unknowns[1].path == "scalar.step_us");
    CHECK(unknowns[1].chips == std::vector<std::string>{"a", "b"});
    CHECK(unknowns[2].chips == std::vector<std::string>{"b"});
}

TEST_CASE("a fit finds the latency that the points were made with") {
    const Folder folder("calibrating");
    const std::string file = folder.write("copies.slab", copies);
    std::vector<Point> points;
    for (const char* rows : {"16", "64", "256"}) {
        Point point;
        point.id = rows;
        point.chip = "toy";
        point.file = file;
        point.item = "copies";
        point.set = {{"M", rows}};
        point.trust = "high";
        point.group = rows;
        points.push_back(point);
    }
    Diagnostics diags;
    const auto truth = compile_points(points, {"dma.latency_us=0.8"}, diags);
    REQUIRE(diags.empty());
    for (std::size_t i = 0; i < points.size(); ++i)
        points[i].value = validate(truth[i], truth[i].chip, diags).simulated_us;

    Calibration calibration(compile_points(points, {}, diags),
                            unknowns_of({chip_file("toy", 0.1)}));
    calibration.keep_those_that_matter();
    REQUIRE(calibration.unknowns().front().path == "dma.latency_us");
    const std::vector<double> fitted = calibration.fit();
    CHECK(fitted[0] == Approx(0.8).margin(0.1));
    for (const auto& [group, errors] : calibration.errors(fitted)) {
        CHECK(std::fabs(errors.front()) < 0.03);
        CHECK(std::fabs(calibration.errors(calibration.before()).at(group).front()) > 0.2);
        // without a group the others say the same
        CHECK(std::fabs(calibration.errors(calibration.fit(group)).at(group).front()) < 0.1);
    }
}
