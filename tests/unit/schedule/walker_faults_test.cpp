#include <catch2/catch.hpp>

#include "programs.hpp"

using namespace slab::schedule;
using namespace slab::schedule::testing;

TEST_CASE("a division by zero ends the walk and names the expression") {
    CHECK(walk("grid g (i in 0 .. 4 / m) { region r0 }") == lines("a division by zero in `4 / m`"));
    CHECK(walk(R"(
        region r0
        if n % m == 0 {
            region r0
        })") == lines(R"(
        r0
        a division by zero in `n % m`)"));
}

TEST_CASE("a division by zero in a window ends the walk when look-ahead comes to it") {
    CHECK(walk(R"(
        grid g (i in 0 .. 4) {
            in w = v[6 / (2 - i) +: 2] buffer w depth 2 moves (i)
            region r0
        })") == lines(R"(
        w<3/0
        step w<6/1 w?/0 r0
        a division by zero in `6 / (2 - i)`)"));
}

TEST_CASE("a live length outside its window ends the walk") {
    CHECK(walk(R"(
        grid g (i in 2 .. 4) {
            in w = v[0 +: i upto 2] buffer w depth 1 moves (i)
        })") == lines(R"(
        a window of `w` has 3 live elements in a dimension, they must be 0 to its size)"));
}

TEST_CASE("a loop with a step of zero ends the walk") {
    CHECK(walk("for t in 0 .. 4 step m { region r0 }") == lines("the step of loop `t` is zero"));
}
