#include <catch2/catch.hpp>

#include "support/diagnostics.hpp"

using slab::nearest;

TEST_CASE("the nearest name is one with a letter wrong, missing, added or swapped") {
    const std::vector<std::string> names{"rowmax", "rowsum", "select", "K"};
    CHECK(nearest("rowmx", names) == "`rowmax`");
    CHECK(nearest("rowsumm", names) == "`rowsum`");
    CHECK(nearest("seelct", names) == "`select`");
    CHECK(nearest("rowsun", names) == "`rowsum`");
}

TEST_CASE("names with little in common are no misspellings of each other") {
    CHECK(nearest("transpose", {"select", "dot"}).empty());
    CHECK(nearest("M", {"N", "K"}).empty());
    CHECK(nearest("", {"a"}).empty());
    CHECK(nearest("acc", {}).empty());
}

TEST_CASE("a short name may differ in case or by a swap") {
    CHECK(nearest("acc", {"Acc"}) == "`Acc`");
    CHECK(nearest("bmm", {"bm", "bk"}) == "`bm`");
}

TEST_CASE("of two equally near names the first is taken") {
    CHECK(nearest("row", {"rot", "rox"}) == "`rot`");
}
