#include <catch2/catch.hpp>
#include <fmt/format.h>

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

TEST_CASE("events of copies, semaphores, rings and SMEM") {
    const Program program = read(together);
    const EventText text(program);
    const auto line = [&](Event event) {
        const std::string printed = text.print(event);
        INFO(printed);
        CHECK(text.parse(printed) == event);
        return printed;
    };
    Event event;
    event.kind = EventKind::transfer;
    event.id = 2;
    event.bytes = 4096;
    event.runs = 2;
    event.semaphore = 5;
    CHECK(line(event) == "transfer 2 out -> y 4096 B in 2 runs, semaphore 5");
    event.id = 3;
    event.peer = 7;
    event.arrival = 6;
    CHECK(line(event) == "transfer 3 y -> y 4096 B in 2 runs, semaphore 5, to member 7, arrival 6");
    event.id = none;
    CHECK(line(event) == "transfer -1 4096 B in 2 runs, semaphore 5, to member 7, arrival 6");

    event = {};
    event.kind = EventKind::await;
    event.id = 1;
    event.semaphore = 3;
    event.bytes = 512;
    CHECK(line(event) == "await 1 got 512 B, semaphore 3");
    event.id = 3;
    event.bytes = 2;
    CHECK(line(event) == "await 3 ready 2, semaphore 3");
    event.id = none;
    event.slot = 1;
    event.write = true;
    CHECK(line(event) == "await -1 2 B, semaphore 3, slot 1, write");

    event = {};
    event.kind = EventKind::signal;
    event.id = 0;
    event.bytes = 1;
    event.peer = 2;
    event.arrival = 9;
    CHECK(line(event) == "signal 0 ready by 1, to member 2, arrival 9");
    event.id = none;
    event.member = 3;
    CHECK(line(event) == "member 3: signal -1 by 1, to member 2, arrival 9");

    event = {};
    event.kind = EventKind::ring;
    event.id = 1;
    event.slot = 1;
    CHECK(line(event) == "ring out begins, slot 1");
    event.live = false;
    CHECK(line(event) == "ring out ends, slot 1");

    event = {};
    event.kind = EventKind::element;
    event.id = 1;
    CHECK(line(event) == "element \"live pages\"");
    event.kind = EventKind::print;
    CHECK(line(event) == "print 1");

    event = {};
    event.kind = EventKind::wait;
    event.id = 0;
    event.bytes = 2048;
    event.semaphore = 4;
    CHECK(line(event) == "wait rows <- fetch 2048 B, semaphore 4, slot 0");
    event.write = true;
    CHECK(line(event) == "wait rows -> flush 2048 B, semaphore 4, slot 0");
    for (const char* wrong :
         {"transfer 2 4096 B in 2 runs", "transfer 2 out -> y 4096 B", "await 1 gut 512 B",
          "await got 512 B", "signal 0 ready 1", "ring out", "ring nowhere begins", "element w",
          "print", "print 1, 2", "wait rows <- y 2048 B, semaphore 4, slot 0",
          "copy rows <- fetch 2048 B", "await 1 got 512 B, colour 3"})
        CHECK_FALSE(parse_event(wrong, program).has_value());
}

TEST_CASE("loops and grids among transfers come before the body, `while` among the loops") {
    const Program program = read(together);
    const EventText text(program);
    Event event;
    event.kind = EventKind::iteration;
    const char* const loops[] = {"while", "p#1", "p#2"};
    for (event.id = 0; event.id < 3; ++event.id)
        CHECK(text.print(event) == fmt::format("iteration {}", loops[event.id]));
    const Program two = toy(R"(
        grid g (i in 0 .. 2) {
            in x: buffer x depth 2 moves (i)
                fetch m { for t in 0 .. 1 { scope first { } } }
            for k in 0 .. 1 { scope then { } }
            while i < 2 atmost 3 { }
        })");
    const EventText other(two);
    const char* const in_order[] = {"t", "k", "while"};
    for (event.id = 0; event.id < 3; ++event.id)
        CHECK(other.print(event) == fmt::format("iteration {}", in_order[event.id]));
    event.kind = EventKind::scope_begin;
    event.id = 0;
    CHECK(other.print(event) == "scope first begins");
}

TEST_CASE("what is no event is not read") {
    const Program program = toy("region r0");
    for (const char* line : {"", "stop", "step g", "region 0", "region r0 and more", "copy x <- a",
                             "branch 0", "\"open"})
        CHECK_FALSE(parse_event(line, program).has_value());
}
