#include <catch2/catch.hpp>

#include "compiler/schedule/print.hpp"
#include "programs.hpp"

using namespace slab::schedule;
using namespace slab::schedule::testing;

TEST_CASE("events are printed with the names of their program, a line each, and read back") {
    const Program program = toy(R"(
        scope "all" {
            grid main (i in 0 .. 2) where i == 1 {
                in x = a[i*2 +: 2, 1 - i +: 2] buffer x depth 2 moves (i)
                out o = p[i*2 +: 2, 0 +: 2] buffer o depth 2 moves (i)
                if i == 1 {
                    region r0
                }
            }
            for t in 0 .. 1 {
                set n = 5
            }
        })");
    const EventText text(program);
    std::string all;
    Walker walker(program);
    Event event;
    while (walker.next(event)) {
        const std::string line = text.print(event);
        CHECK(text.parse(line) == event);
        CHECK(print(event, program) == line);
        CHECK(parse_event(line, program) == event);
        all += line + '\n';
    }
    CHECK(lines(all) == lines(R"(
        scope all begins
        copy x <- a[2 +: 2, 0 +: 2] 16 B in 2 runs, semaphore 0, slot 0
        step main dead
        branch 0 false
        step main
        wait x <- a 16 B, semaphore 0, slot 0
        branch 0 true
        region r0
        copy o -> p[2 +: 1, 0 +: 2] 8 B in 1 runs, semaphore 2, slot 0
        wait o -> p 8 B, semaphore 2, slot 0
        iteration t
        set n
        scope all ends)"));
}

TEST_CASE("another chip and core than the first are named") {
    const Program program = toy("region r0");
    Walker walker(program, {}, 12);
    Event event;
    REQUIRE(walker.next(event));
    CHECK(print(event, program) == "member 12: region r0");
    CHECK(parse_event("member 12: region r0", program) == event);
}

TEST_CASE("names that occur twice are told apart") {
    const Program program = toy(R"(
        grid g (i in 0 .. 1) { }
        grid g (i in 0 .. 1) { }
        for t in 0 .. 1 { }
        for t in 0 .. 1 { })");
    const EventText text(program);
    Walker walker(program);
    Event event;
    std::string all;
    while (walker.next(event)) {
        all += text.print(event) + '\n';
        CHECK(text.parse(text.print(event)) == event);
    }
    CHECK(lines(all) == lines(R"(
        step g#0
        step g#1
        iteration t#0
        iteration t#1)"));
}

TEST_CASE("what is no event is not read") {
    const Program program = toy("region r0");
    for (const char* line : {"", "stop", "step g", "region 0", "region r0 and more", "copy x <- a",
                             "branch 0", "\"open"})
        CHECK_FALSE(parse_event(line, program).has_value());
}
