#include "compiler/schedule/walker.hpp"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "programs.hpp"

using namespace slab::schedule;
using namespace slab::schedule::testing;

TEST_CASE(
    "a step starts the next fetches, waits for its own, runs, and writes back what it leaves") {
    CHECK(walk(R"(
        grid mm (i in 0 .. 2 par, j in 0 .. 2 par, k in 0 .. 2) {
            in x = a[i*2 +: 2, k*2 +: 2] buffer x depth 2 moves (i, k)
            in y = a[k*2 +: 2, j*2 +: 2] buffer y depth 2 moves (k, j)
            out o = c[i*2 +: 2, j*2 +: 2] buffer o depth 2 moves (i, j)
            region r0
        })") == lines(R"(
        x<0,0/0 y<0,0/0
        step x<0,2/1 y<2,0/1 x?/0 y?/0 r0
        step x<0,0/0 y<0,2/0 x?/1 y?/1 r0 o>0,0/0
        step x<0,2/1 y<2,2/1 x?/0 y?/0 r0
        step x<2,0/0 y<0,0/0 x?/1 y?/1 r0 o>0,2/1 o!/0
        step x<2,2/1 y<2,0/1 x?/0 y?/0 r0
        step x<2,0/0 y<0,2/0 x?/1 y?/1 r0 o>2,0/0 o!/1
        step x<2,2/1 y<2,2/1 x?/0 y?/0 r0
        step x?/1 y?/1 r0 o>2,2/1 o!/0 o!/1)"));
}

TEST_CASE("depth 1 fetches at the step itself and waits for a write at once") {
    CHECK(walk(R"(
        grid g (i in 0 .. 2, k in 0 .. 2) {
            in x = a[i*2 +: 2, k*2 +: 2] buffer x depth 1 moves (i, k)
            out o = c[i*2 +: 2, 0 +: 2] buffer o depth 1 moves (i)
            region r0
        })") == lines(R"(
        step x<0,0/0 x?/0 r0
        step x<0,2/0 x?/0 r0 o>0,0/0 o!/0
        step x<2,0/0 x?/0 r0
        step x<2,2/0 x?/0 r0 o>2,0/0 o!/0)"));
}

TEST_CASE("depth 3 fetches two steps ahead, the first two before the first step") {
    CHECK(walk(R"(
        grid g (i in 0 .. 4) {
            in w = v[i*2 +: 2] buffer w depth 3 moves (i)
            region r0
        })") == lines(R"(
        w<0/0 w<2/1
        step w<4/2 w?/0 r0
        step w<6/0 w?/1 r0
        step w?/2 r0
        step w?/0 r0)"));
}

TEST_CASE("the first fetches come step by step, each stream in its turn") {
    CHECK(walk(R"(
        grid g (i in 0 .. 3) {
            in w = v[i*2 +: 2] buffer w depth 3 moves (i)
            in x = a[i +: 2, 0 +: 2] buffer x depth 2 moves (i)
            region r0
        })")
              .front() == "w<0/0 x<0,0/0 w<2/1");
}

TEST_CASE("a window that no axis moves is fetched once and written once") {
    CHECK(walk(R"(
        grid g (i in 0 .. 3) {
            in w = v[n +: 2] buffer w depth 1 moves ()
            out z = u[4 +: 2] buffer z depth 1 moves ()
            region r0
        })") == lines(R"(
        w<2/0
        step w?/0 r0
        step r0
        step r0 z>4/0 z!/0)"));
}

TEST_CASE("a window that stays for some steps is moved when it changes") {
    CHECK(walk(R"(
        grid g (i in 0 .. 6) {
            in w = v[i / 2*2 +: 2] buffer w depth 2 moves (i)
            out z = u[i / 3*2 +: 2] buffer z depth 2 moves (i)
            region r0
        })") == lines(R"(
        w<0/0
        step w?/0 r0
        step w<2/1 r0
        step w?/1 r0 z>0/0
        step w<4/0 r0
        step w?/0 r0
        step r0 z>2/1 z!/0 z!/1)"));
}

TEST_CASE("no window moves on a dead step, and look-ahead goes past it") {
    // Causal attention: the output leaves after the dead steps of its row, whose `last` stores it.
    CHECK(walk(R"(
        grid causal (i in 0 .. 3, j in 0 .. 3) where j <= i {
            in w = v[j*2 +: 2] buffer w depth 2 moves (j)
            out z = u[i*2 +: 2] buffer z depth 2 moves (i)
            region r0
        })") == lines(R"(
        w<0/0
        step w?/0 r0
        dead r0
        dead r0 z>0/0
        step w<2/1 r0
        step w<0/0 w?/1 r0
        dead r0 z>2/1 z!/0
        step w<2/1 w?/0 r0
        step w<4/0 w?/1 r0
        step w?/0 r0 z>4/0 z!/1 z!/0)"));
}

TEST_CASE("a window goes on from the last live step, however many dead ones lie between") {
    CHECK(walk(R"(
        grid g (i in 0 .. 4) where i != 1 and i != 2 {
            in w = v[i*2 +: 2] buffer w depth 2 moves (i)
            in x = a[1 +: 2, 0 +: 2] buffer x depth 2 moves (i)
        })") == lines(R"(
        w<0/0 x<1,0/0
        step w<6/1 w?/0 x?/0
        dead
        dead
        step w?/1)"));
}

TEST_CASE("a grid with no live step moves nothing, and dead steps may come first and last") {
    CHECK(walk(R"(
        grid none (i in 0 .. 2) where i > 7 {
            in w = v[i*2 +: 2] buffer w depth 2 moves (i)
            out z = u[i*2 +: 2] buffer z depth 2 moves (i)
            region r0
        }
        grid middle (j in 0 .. 4) where j == 1 {
            in x = a[j +: 2, 0 +: 2] buffer x depth 2 moves (j)
            out o = c[j +: 2, 0 +: 2] buffer o depth 2 moves (j)
            region r0
        })") == lines(R"(
        dead r0
        dead r0 x<1,0/0
        dead r0
        step x?/0 r0
        dead r0
        dead r0 o>1,0/0 o!/0)"));
}

TEST_CASE("elements outside the array are not moved, and an empty window is no copy") {
    CHECK(walk(R"(
        grid g (i in 0 .. 2, j in 0 .. 2) {
            in x = p[i*2 +: 2, j*2 +: 2] buffer x depth 2 moves (i, j)
            out o = p[i*2 +: 2, j*2 +: 2] buffer o depth 2 moves (i, j)
            region r0
        })") == lines(R"(
        x<0,0/0
        step x<0,2(2,1)/1 x?/0 r0 o>0,0/0
        step x<2,0(1,2)/0 x?/1 r0 o>0,2(2,1)/1 o!/0
        step x<2,2(1,1)/1 x?/0 r0 o>2,0(1,2)/0 o!/1
        step x?/1 r0 o>2,2(1,1)/1 o!/0 o!/1)"));
    CHECK(walk(R"(
        grid g (i in 0 .. 4) {
            in w = v[i*2 +: min(i, 1)*2 upto 2] buffer w depth 2 moves (i)
            out z = u[i*3 - 1 +: min(3 - i, 1)*2 upto 2] buffer z depth 2 moves (i)
            region r0
        })") == lines(R"(
        step w<2/1 r0 z>-1(1)/0
        step w<4/0 w?/1 r0 z>2/1 z!/0
        step w<6/1 w?/0 r0 z>5/0 z!/1
        step w?/1 r0 z!/0)"));
}

TEST_CASE("a window without an element in its array ends the walk before its fetch") {
    const auto last = [](const std::string& window) {
        return walk("grid g (i in 0 .. 4) { " + window + " depth 2 moves (i) }").back();
    };
    CHECK(last("in w = v[i*4 +: 2] buffer w") ==
          "the window at 8 of `v` starts past its end: dimension 0 has 8 elements");
    CHECK(last("out z = u[i*i - 2 +: 2] buffer z") ==
          "the window at -2 of `u` ends before its beginning");
    CHECK(last("out o = c[0 +: 2, i*i*1000 +: 2] buffer o") ==
          "the window at 1000 of `c` starts past its end: dimension 1 has 4 elements");
    // Elements counted from a start before the array: here the only one.
    CHECK(last("in w = v[i - 1 +: 1 upto 2] buffer w") ==
          "the window at -1 of `v` ends before its beginning");
}

TEST_CASE("windows of dead steps, and those that are empty, may lie anywhere") {
    CHECK(walk(R"(
        grid g (i in 0 .. 9) where i % 8 == 0 {
            in w = v[i*(i - 8)*9 + i / 8*6 +: 2] buffer w depth 3 ahead moves (i)
        })") == lines(R"(
        w<0/0 w<6/1
        step w?/0
        dead
        dead
        dead
        dead
        dead
        dead
        dead
        step w?/1)"));
    CHECK(walk(R"(
        grid g (i in 0 .. 2) {
            in w = v[i*8 +: 2 - i*2 upto 2] buffer w depth 2 moves (i)
        })") == lines(R"(
        w<0/0
        step w?/0
        step)"));
}

TEST_CASE("a live length bounds what is moved, and is part of the window") {
    CHECK(walk(R"(
        grid g (i in 0 .. 4) {
            in w = v[4 +: i / 2 upto 2] buffer w depth 2 moves (i)
            region r0
        })") == lines(R"(
        step r0
        step w<4(1)/1 r0
        step w?/1 r0
        step r0)"));
}

TEST_CASE("copies carry the bytes and runs of what they move") {
    const Program program = toy(R"(
        grid g (i in 0 .. 2) {
            in x = p[i*2 +: 2, 0 +: 2] buffer x depth 2 moves (i)
        })");
    Walker walker(program);
    Event event;
    REQUIRE(walker.next(event));
    CHECK(event.bytes == 16);
    CHECK(event.runs == 2);
    REQUIRE(walker.next(event));
    REQUIRE(walker.next(event));
    CHECK(event.kind == EventKind::copy);
    CHECK(event.bytes == 8);
    CHECK(event.runs == 1);
}

TEST_CASE("bounds may depend on outer axes and on variables") {
    const Program program = toy(R"(
        set m = n + 1
        grid triangle (i in 1 .. m, j in i .. 3) {
            set t = i*10 + j
        })");
    CHECK(walk(program) == lines(R"(
        m=3
        step t=11
        step t=12
        step t=22)"));
}

TEST_CASE("there are as many steps as the product of the extents") {
    for (int outer = 0; outer < 4; ++outer)
        for (int inner = 0; inner < 4; ++inner) {
            const Program program = toy(fmt::format(
                "grid g (i in 0 .. {}, j in 2 .. {}, k in 0 .. 3) {{ }}", outer, 2 + inner));
            Walker walker(program);
            Event event;
            while (walker.next(event)) CHECK(event.kind == EventKind::step);
            CHECK(walker.steps() == outer * inner * 3);
        }
}

TEST_CASE("an extent of zero runs nothing, also within a grid that has steps") {
    CHECK(walk(R"(
        grid g (i in 0 .. m) {
            in w = v[i*2 +: 2] buffer w depth 2 moves (i)
            out z = u[i*2 +: 2] buffer z depth 2 moves (i)
            region r0
        }
        grid h (j in 0 .. 4, k in 2 .. j) {
            set t = j*10 + k
        })") == lines("step t=32"));
}

TEST_CASE("a grid inside a loop begins anew in each iteration, with the variables of that time") {
    CHECK(walk(R"(
        for t in 0 .. 2 {
            grid g (i in 0 .. 2) {
                in w = v[t*4 + i*2 +: 2] buffer w depth 2 moves (i)
                region r0
            }
        })") == lines(R"(
        for w<0/0
        step w<2/1 w?/0 r0
        step w?/1 r0
        for w<4/0
        step w<6/1 w?/0 r0
        step w?/1 r0)"));
}

TEST_CASE("a grid inside a grid runs within the step") {
    CHECK(walk(R"(
        grid outer (i in 0 .. 2) {
            in w = v[i*2 +: 2] buffer w depth 2 moves (i)
            grid inner (j in 0 .. 2) {
                in x = a[i*2 +: 2, j*2 +: 2] buffer x depth 2 moves (j)
                region r0
            }
        })") == lines(R"(
        w<0/0
        step w<2/1 w?/0 x<0,0/0
        step x<0,2/1 x?/0 r0
        step x?/1 r0
        step w?/1 x<2,0/0
        step x<2,2/1 x?/0 r0
        step x?/1 r0)"));
}

TEST_CASE("loops, branches, assignments and scopes") {
    CHECK(walk(R"(
        for t in 4 .. 0 step -2 {
            if t == 4 {
                set n = t / 3
            } else {
                scope "else" {
                    region r0
                }
            }
        }
        for t in 0 .. 0 {
            region r0
        }
        set m = -(-2147483648) - 1)") == lines(R"(
        for if n=1
        for else { r0 } m=2147483647)"));
}

TEST_CASE("numbers and ids of events follow the program") {
    const Program program = toy(R"(
        scope "outer" {
            grid first (i in 0 .. 1) {
                grid second (j in 0 .. 1) {
                }
            }
        }
        for t in 0 .. 1 {
            for k in 0 .. 1 {
                if t == 1 {
                }
                if t == 0 {
                }
            }
        })");
    std::vector<std::pair<EventKind, int>> seen;
    Walker walker(program, {}, 7);
    Event event;
    while (walker.next(event)) {
        seen.emplace_back(event.kind, event.id);
        CHECK(event.member == 7);
    }
    CHECK(seen == std::vector<std::pair<EventKind, int>>{{EventKind::scope_begin, 0},
                                                         {EventKind::step, 0},
                                                         {EventKind::step, 1},
                                                         {EventKind::scope_end, 0},
                                                         {EventKind::iteration, 0},
                                                         {EventKind::iteration, 1},
                                                         {EventKind::branch, 0},
                                                         {EventKind::branch, 1}});
    CHECK(walker.steps() == 2);
}
