#include "report/svg.hpp"

#include <sstream>

#include <boost/property_tree/xml_parser.hpp>
#include <catch2/catch.hpp>

using namespace slab::report;

namespace {

std::string drawn(const std::string& words) {
    Svg svg(100, 50, words);
    svg.line({0, 0.04}, {33.333, -0.04}, {"#444", 1, true});
    svg.area({{0, 0}, {10, 0}, {10, 10}}, "#eee");
    svg.text({5, 5}, words, {Anchor::end, 11, true, true, "#222"});
    for (const Mark shape : {Mark::circle, Mark::square, Mark::diamond, Mark::triangle}) {
        svg.mark({20, 20}, shape, "#00f", true, words);
        svg.mark({30, 20}, shape, "#00f", false);
    }
    return svg.finish();
}

}  // namespace

TEST_CASE("a drawing is well-formed whatever its words are") {
    const std::string words = "a < b & \"c\"\n\x1b[31m ±15 % ]]> <!--";
    std::istringstream in(drawn(words));
    boost::property_tree::ptree tree;
    REQUIRE_NOTHROW(boost::property_tree::read_xml(in, tree));
    CHECK(tree.get<std::string>("svg.title") == "a < b & \"c\"  [31m ±15 % ]]> <!--");
    CHECK(tree.get<std::string>("svg.<xmlattr>.viewBox") == "0 0 100 50");
    CHECK(drawn(words) == drawn(words));
}

TEST_CASE("coordinates have one digit after the point, where there is something to say") {
    CHECK(drawn("").find("d=\"M0 0L33.3 0\"") != std::string::npos);
}
