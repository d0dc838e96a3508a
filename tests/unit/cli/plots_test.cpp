#include "cli/plots.hpp"

#include <algorithm>
#include <sstream>

#include <boost/property_tree/xml_parser.hpp>
#include <catch2/catch.hpp>

using namespace slab::cli;

namespace {

Validated point(const std::string& group, const std::string& trust, double measured_us,
                double simulated_us) {
    Validated one;
    one.point.group = group;
    one.point.id = group + "_a<b";
    one.point.trust = trust;
    one.measured_us = measured_us;
    one.simulated_us = simulated_us;
    one.error = simulated_us / measured_us - 1;
    return one;
}

std::vector<Validated> some_points() {
    std::vector<Validated> points = {
        point("gemm", "high", 10, 11),        point("gemm", "high", 1000, 990),
        point("gemm", "medium", 20, 30),      point("flash", "high", 5, 5),
        point("page_gather", "low", 7, 1),    point("streams", "medium", 200, 100),
        point("read_reduce", "low", 300, 300)};
    points.push_back(point("broken", "high", 10, 0));
    points.back().failed = true;
    return points;
}

/// What a reader of XML finds: marks of points, and everything that is written.
struct Found {
    int points = 0;
    std::vector<std::string> words;

    bool has(const std::string& text) const {
        return std::find(words.begin(), words.end(), text) != words.end();
    }
};

Found read(const std::string& svg) {
    std::istringstream in(svg);
    boost::property_tree::ptree tree;
    boost::property_tree::read_xml(in, tree);
    Found found;
    for (const auto& [name, node] : tree.get_child("svg")) {
        if (node.get("<xmlattr>.class", "") == "point") ++found.points;
        if (name == "text") found.words.push_back(node.data());
    }
    return found;
}

}  // namespace

TEST_CASE("both plots have a mark for each point that ran, and the same bytes each time") {
    for (const auto plot : {times_plot, errors_plot}) {
        const std::string svg = plot(some_points());
        CHECK(read(svg).points == 7);
        CHECK(plot(some_points()) == svg);
    }
}

TEST_CASE("the axes of the times cover all of them, decade by decade") {
    const Found found = read(times_plot(some_points()));
    for (const std::string words :
         {"measured", "simulated", "1 us", "10 us", "100 us", "1 ms", "10 ms"})
        CHECK(found.has(words));
    CHECK_FALSE(found.has("100 ms"));
}

TEST_CASE("errors have a row for each group and trust, and the band that is good") {
    const Found found = read(errors_plot(some_points()));
    CHECK(std::count(found.words.begin(), found.words.end(), "gemm") == 2);
    for (const std::string words : {"flash", "page_gather", "-15 %", "+15 %", "0", "-80 %"})
        CHECK(found.has(words));
    CHECK_FALSE(found.has("broken"));
}

TEST_CASE("the legend counts kinds of work that there are") {
    for (const auto plot : {times_plot, errors_plot}) {
        const Found found = read(plot(some_points()));
        for (const std::string words : {"matrix products (3)", "attention (1)",
                                        "streams and rows (2)", "other (1)", "trusted"})
            CHECK(found.has(words));
        const Found one = read(plot({point("flash", "high", 5, 5)}));
        CHECK(one.has("attention (1)"));
        CHECK_FALSE(one.has("other (0)"));
    }
}

TEST_CASE("without points there are axes") {
    CHECK(read(times_plot({})).has("1 us"));
    CHECK(read(errors_plot({})).has("0"));
}
