#include "report/table.hpp"

#include <catch2/catch.hpp>

using namespace slab::report;
using Lines = std::vector<std::string>;

TEST_CASE("columns are as wide as their widest cell, and lines end without blanks") {
    CHECK(table({{"name"}, {"size", Align::right}, {"note"}},
                {{"a", "1", "small"}, {"longer", "12345", ""}}) == Lines{"name     size  note",   //
                                                                         "a           1  small",  //
                                                                         "longer  12345"});
}

TEST_CASE("a table without headers starts with its first row") {
    CHECK(table({{""}, {""}}, {{"a", "b"}, {"c"}}) == Lines{"a  b", "c"});
}

TEST_CASE("a cell longer than its column is cut, and a column counts code points") {
    CHECK(table({{"x", Align::left, 0, 4}, {"y"}}, {{"abcdef", "1"}, {"█▌", "2"}}) ==
          Lines{"x     y", "abc…  1", "█▌    2"});
    CHECK(width("█▌…a") == 4);
    CHECK(cut("█▌…a", 3) == "█▌…");
    CHECK(cut("abc", 3) == "abc");
}

TEST_CASE("a list is broken after commas only") {
    CHECK(wrapped("M = 1, K = 22, N = 333", 16) == Lines{"  M = 1, K = 22,", "  N = 333"});
    CHECK(wrapped("M = 1", 16) == Lines{"  M = 1"});
    CHECK(wrapped("a_very_long_name = 1", 10) == Lines{"  a_very_…"});
}
