#include <catch2/catch.hpp>

#include "compiler/schedule/walker.hpp"
#include "programs.hpp"

// Streams whose transfers could meet each other: inout, revisit, ahead.
using namespace slab::schedule;
using namespace slab::schedule::testing;

TEST_CASE("`ahead` fetches the next different windows, however many steps away they are") {
    CHECK(walk(R"(
        grid g (i in 0 .. 9) {
            in w = v[i / 3*2 +: 2] buffer w depth 2 ahead moves (i)
            region r0
        })") == lines(R"(
        w<0/0
        step w<2/1 w?/0 r0
        step r0
        step r0
        step w<4/0 w?/1 r0
        step r0
        step r0
        step w?/0 r0
        step r0
        step r0)"));
    CHECK(walk(R"(
        grid g (i in 0 .. 8) where i % 2 == 0 {
            in w = v[i / 4*2 +: 2] buffer w depth 3 ahead moves (i)
            in x = a[i / 4 +: 2, 0 +: 2] buffer x depth 2 moves (i)
            region r0
        })") == lines(R"(
        w<0/0 x<0,0/0 w<2/1
        step w?/0 x?/0 r0
        dead r0
        step x<1,0/1 r0
        dead r0
        step w?/1 x?/1 r0
        dead r0
        step r0
        dead r0)"));
}

TEST_CASE("an inout window is fetched, and written back when it is left") {
    // With two copies of the buffer a fetch must wait for the write-back of the copy it fills.
    CHECK(walk(R"(
        grid g (i in 0 .. 3) {
            inout z = u[i*2 +: 2] buffer z depth 2 moves (i)
            region r0
        })") == lines(R"(
        z<0/0
        step z<2/1 z?/0 r0 z>0/0
        step z!/0 z<4/0 z?/1 r0 z>2/1
        step z?/0 r0 z>4/0 z!/1 z!/0)"));
    CHECK(walk(R"(
        grid g (i in 0 .. 3) {
            inout z = u[i*2 +: 2] buffer z depth 3 moves (i)
            region r0
        })") == lines(R"(
        z<0/0 z<2/1
        step z<4/2 z?/0 r0 z>0/0
        step z?/1 r0 z>2/1 z!/0
        step z?/2 r0 z>4/2 z!/1 z!/2)"));
    CHECK(walk(R"(
        grid g (i in 0 .. 2) {
            inout z = u[i*2 +: 2] buffer z depth 1 moves (i)
            region r0
        })") == lines(R"(
        step z<0/0 z?/0 r0 z>0/0 z!/0
        step z<2/0 z?/0 r0 z>2/0 z!/0)"));
}

TEST_CASE("`revisit` writes on leaving and reads on arrival, after what it wrote has arrived") {
    CHECK(walk(R"(
        grid g (i in 0 .. 3) {
            out z = u[i % 2*2 +: 2] buffer z depth 2 revisit moves (i)
            region r0
        })") == lines(R"(
        step z<0/0 z?/0 r0 z>0/0
        step z!/0 z<2/1 z?/1 r0 z>2/1
        step z!/1 z<0/0 z?/0 r0 z>0/0 z!/0)"));
}

TEST_CASE("an empty write-back still waits for the one before it") {
    CHECK(walk(R"(
        grid g (i in 0 .. 4) {
            out z = u[i*4 +: (1 - i / 2)*2 upto 2] buffer z depth 2 moves (i)
            region r0
        })") == lines(R"(
        step r0 z>0/0
        step r0 z>4/1 z!/0
        step r0 z!/1
        step r0)"));
}

TEST_CASE("semaphores: one per copy for fetches, then up to two for write-backs") {
    const Program program = toy(R"(
        grid g (i in 0 .. 3) {
            in w = v[i*2 +: 2] buffer w depth 3 moves (i)
            out o = c[i +: 2, 0 +: 2] buffer o depth 1 moves (i)
            inout z = u[i*2 +: 2] buffer z depth 4 moves (i)
        })");
    CHECK(Walker(program).semaphore_count() == 3 + 1 + 4 + 2 + 1);
    Walker walker(program);
    Event event;
    std::vector<std::pair<int, int>> fetches, writes;
    while (walker.next(event))
        if (event.kind == EventKind::copy && event.id == 2)
            (event.write ? writes : fetches).emplace_back(event.semaphore, event.slot);
    CHECK(fetches == std::vector<std::pair<int, int>>{{4, 0}, {5, 1}, {6, 2}});
    CHECK(writes == std::vector<std::pair<int, int>>{{8, 0}, {9, 1}, {8, 2}});
}

TEST_CASE("the walker tells which window and copy the body sees, from the step event on") {
    const Program program = toy(R"(
        grid g (i in 0 .. 5) where i != 0 {
            out z = u[i / 2*2 +: 2] buffer z depth 2 moves (i)
        })");
    Walker walker(program);
    Event event;
    std::vector<std::int64_t> starts, indices, slots;
    while (walker.next(event)) {
        if (event.kind != EventKind::step) continue;
        const auto window = walker.window(0);
        REQUIRE(window.has_value() == (walker.integer(0) > 0));
        if (!window) continue;
        starts.push_back(window->start[0]);
        indices.push_back(window->index);
        slots.push_back(window->slot);
        CHECK(window->extent[0] == 2);
    }
    CHECK(starts == std::vector<std::int64_t>{0, 2, 2, 4});
    CHECK(indices == std::vector<std::int64_t>{0, 1, 1, 2});
    CHECK(slots == std::vector<std::int64_t>{0, 1, 1, 0});
}
