#include <catch2/catch.hpp>

#include "compiler/schedule/print.hpp"
#include "tests/unit/compiler/kernels.hpp"

using namespace slab;
using namespace slab::compiler::test;

namespace {

/// A kernel on two arrays of 64 rows, with what stands between its braces.
std::string error(const std::string& body, const std::string& clauses = "") {
    return compile_text("kernel k(n: i32, x: hbm f32[64, 128], inout o: hbm f32[64, 128]) " +
                            clauses + " {\n" + body + "\n}",
                        "n=3")
        .error();
}

const std::string buffers = "scratch b: vmem f32[2, 8, 128], s: sem dma[2], c: sem count\n";

}  // namespace

TEST_CASE("a copy has two ends of one type and shape, and the right to write") {
    CHECK(error(buffers + "copy x[0@8, :] -> b[0]  copy b[0] -> o[0@8, :]") == "");
    CHECK(error(buffers + "copy x[0@16, :] -> b[0]") ==
          "E0805: the ends of this copy differ: [16,128] into [8,128]");
    CHECK(error(buffers + "copy x[0 +: n upto 8, :] -> b[0, 0 +: n upto 8, :]") == "");
    CHECK(error("scratch h: vmem bf16[8, 128]\ncopy x[0@8, :] -> h") ==
          "E0102: cannot copy f32 into bf16 block `h`");
    CHECK(error(buffers + "copy x[0@8, :] -> b[0]  copy b[0] -> x[0@8, :]") ==
          "E0307: `x` is read-only, the write would be lost");
    CHECK(error(buffers + "copy x[0@8, :] -> s[0]") ==
          "E0204: `s[0]` is a value, a reference to memory is needed");
    CHECK(error("scratch h: vmem f32[128, 64]\ncopy x[0@64, :].T -> h") ==
          "E0004: a transpose cannot stand here: a DMA moves tiles as they lie");
    CHECK(error(buffers + "copy b[0] -> o[0@8, :]") == "E0305: `b` is used before it is set");
}

TEST_CASE("semaphores count bytes or signals, and each has its users") {
    CHECK(error(buffers + "copy x[0@8, :] -> b[0] done s[0]  wait s[0] for b[0]") == "");
    CHECK(error(buffers + "copy x[0@8, :] -> b[0] done c") ==
          "E0806: `c` counts signals, `done` needs one that counts bytes");
    CHECK(error(buffers + "wait s[0] for 3") ==
          "E0806: `s` counts bytes, so the wait is for a region of memory, this is the integer 3");
    CHECK(error(buffers + "wait c for b[0]").substr(0, 6) == "E0806:");
    CHECK(error(buffers + "copy x[0@8, :] -> b[0] done s") ==
          "E0101: `s` has 1 dimensions, 0 are indexed");
    CHECK(error(buffers + "copy x[0@8, :] -> b[0] done s[2]") ==
          "E0401: dimension 0 of `s` has 2 semaphores, this is number 2");
    CHECK(error(buffers + "copy x[0@8, :] -> b[0] done b[0]") == "E0204: `b[0]` is no semaphore");
    CHECK(error("scratch s: sem dma[70000]").substr(0, 6) == "E0603:");
    CHECK(error(buffers +
                "grid (i in 4 par) { copy x[i@8, :] -> b[0] done s[0]  wait s[0] for b[0] }")
              .substr(0, 6) == "E0303:");
}

TEST_CASE("chips are named by the axes of the mesh") {
    const std::string sems = "scratch d: sem dma, a: sem dma, c: sem count\n";
    const std::string send = "send x -> o at (r: (me.r + 1) % 4) done d arrive a\n";
    const std::string waits = "wait a for o  wait d for x";
    CHECK(error(sems + "barrier (r: (me.r + 1) % 4), (r: (me.r + 3) % 4)\n" + send + waits,
                "mesh (r: 4)") == "");
    CHECK(error(sems + "barrier all r\n" + send + waits, "mesh (r: 4)") == "");
    CHECK(error(sems + send + waits) ==
          "E0004: `send` cannot stand here: the kernel runs on one core");
    CHECK(error(sems + send + waits, "mesh (r: 4)") ==
          "E0804: `send` may reach a chip that has not begun the kernel");
    CHECK(error("barrier (q: 0)", "mesh (r: 4)") == "E0603: no mesh axis `q`");
    CHECK(error("let y = me.q", "mesh (r: 4)") == "E0603: no mesh axis `q`");
    CHECK(error(sems + "signal d at (r: 0)", "mesh (r: 4)") ==
          "E0806: `d` counts bytes, `signal` needs one that counts signals");
    CHECK(error("", "mesh (r: 100000)") ==
          "E0603: the mesh has 100000 members, the largest pod has 9216");
    CHECK(error("", "mesh (r: 2, r: 2)") == "E0003: `r` is declared twice");
}

TEST_CASE("a ring is filled and taken, or put, one slot at a time") {
    const std::string ring = "ring r: vmem f32[8, 128] depth 2\n";
    const std::string fill = "fill r as d { copy x[0@8, :] -> d }\n";
    const std::string take = "take r as t { copy t -> o[0@8, :] }\n";
    CHECK(error(ring + fill + take) == "");
    CHECK(error(ring + "put r as d { d = 0  copy d -> o[0@8, :] }") == "");
    CHECK(error(ring + fill) == "E0801: `r` is filled and never taken from");
    CHECK(error(ring + take) == "E0801: `r` is taken from and never filled");
    CHECK(error(ring + fill + fill + fill + take).substr(0, 6) == "E0801:");
    CHECK(error(ring + fill + fill + take).substr(0, 6) == "E0801:");
    CHECK(error(ring + fill + take + "put r as d { d = 0  copy d -> o[0@8, :] }") ==
          "E0801: `r` is used by `put` and by `fill`");
    CHECK(error("fill n as d { }") == "E0801: `n` is no ring, `fill` needs one");
    CHECK(error(ring + "fill r as d { fill r as e { } }\n" + take).substr(0, 6) == "E0801:");
    CHECK(error(ring + "fill r as d { copy x[0@8, :] -> o[0@8, :] }\n" + take) ==
          "E0004: `o[0@8, :]` cannot stand here: a copy in `fill` goes into `d`");
    CHECK(error("ring r: smem f32[8, 128] depth 2") == "E0204: `r` cannot lie in smem");
    CHECK(error("ring r: vmem f32[8, 128] depth 0").substr(0, 6) == "E0004:");
    CHECK(error(ring + "scratch s: sem dma\nfill r as d { copy x[0@8, :] -> d done s }\n" + take)
              .substr(0, 6) == "E0004:");
}

TEST_CASE("a ring in the body of a grid ends with the step") {
    const auto grid = [](const std::string& head, const std::string& body) {
        return error("grid (i in 4 par) " + head + "{ ring r: vmem f32[8, 128] depth 2\n" + body +
                     "}");
    };
    const std::string fill = "fill r as d { copy x[i@8, :] -> d }\n";
    const std::string puts =
        "for j in 0..2 { put r as d { d = 0  copy d -> o[(2*i + j)@8, :] } }\n";
    for (const std::string head : {"", "where i > 1 "}) {
        CHECK(grid(head, puts) == "");
        CHECK(grid(head, fill + "take r as t { }") == "");
        CHECK(grid(head, fill) == "E0801: `r` is filled and never taken from");
    }
}

TEST_CASE("what a copy is still moving may not be touched") {
    const std::string start = "copy x[0@8, :] -> b[0] done s[0]\n";
    const std::string out = "copy b[1] -> o[0@8, :]";
    CHECK(error(buffers + start + "b[1] = b[0] + 1\nwait s[0] for b[0]\n" + out) ==
          "E0703: `b` is read while copies into it may be running");
    CHECK(error(buffers + start + "b[0] = 0\nwait s[0] for b[0]") ==
          "E0703: `b` is written while copies into it may be running");
    CHECK(error(buffers + start + "copy x[1@8, :] -> b[0] done s[1]\n" +
                "wait s[0] for b[0]  wait s[1] for b[0]") ==
          "E0702: two copies may write the same part of `b`");
    CHECK(
        error(buffers + "b = 0\ncopy b[0] -> o[0@8, :] done s[0]\nb[0] = 1\nwait s[0] for b[0]") ==
        "E0703: `b` is written while copies out of it may be running");
    CHECK(error(buffers + start + "wait s[0] for b[0]\nb[1] = b[0] + 1\n" + out) == "");
    CHECK(error(buffers + "if n > 2 { " + start + " wait s[0] for b[0] }\nb[1] = b[0]\n" + out) ==
          "");
    CHECK(error(buffers + start) == "E0802: an arrival on `s[0]` is never waited for");
    CHECK(error(buffers + "wait s[0] for b[0]") == "E0803: the wait for `s[0]` can never end");
    CHECK(error(buffers + "b[0] = 0\ncopy b[1] -> o[0@8, :]") ==
          "E0701: row [1, 0] of `b` is read before it is written");
}

TEST_CASE("SMEM holds 32-bit scalars, one at a time") {
    const std::string smem = "scratch t: smem i32[8] = 0\n";
    CHECK(error(smem + "t[n] = n + 1  t[0] += t[n]  print \"t\", t[0]") == "");
    CHECK(error(smem + "let v = t + 1") == "E0204: `t` is in SMEM and cannot be read as a value");
    CHECK(error(smem + "t = 1").substr(0, 6) == "E0204:");
    CHECK(error(smem + "t[8] = 1").substr(0, 6) == "E0401:");
    CHECK(error("scratch t: smem bf16[8]") == "E0205: SMEM has no bf16 elements");
    CHECK(error("scratch t: smem i32[300000]\nt[0] = 1").substr(0, 6) == "E0602:");
    CHECK(error("scratch t: smem i32[8]\nprint \"t\", t[0]") ==
          "E0305: `t` is used before it is set");
    CHECK(error(smem + "grid (i in 2) in w = x[t[i]@8, :] { t[0] = 1 }").substr(0, 6) == "E0303:");
    CHECK(compile_text("kernel k(t: smem i32[8]) { }").error() ==
          "E0006: `t` i32[8] without values");
    CHECK(compile_text("kernel k(t: smem i8[8]) { }").error() == "E0205: SMEM has no i8 elements");
    CHECK(compile_text("kernel k(s: sem dma[8]) { }").error().substr(0, 6) == "E0004:");
}

TEST_CASE("a stream may have transfers of its own") {
    const auto grid = [](const std::string& stream, const std::string& body = "w[0@8, :] = g") {
        return error("grid (i in 8 seq)\n" + stream + "\nout w = o[i@8, :] {" + body + "}");
    };
    const std::string fetch = "fetch { for r in 0..8 { copy x[i*8 + r, :] -> g[r, :] } } depth 3";
    CHECK(grid("in g: vmem f32[8, 128] " + fetch) == "");
    CHECK(grid("scratch s: vmem f32[8, 128] = 0\nin g: vmem f32[8, 128] " + fetch) == "");
    CHECK(grid("in g: vmem f32[8, 128] flush { copy g -> o[i@8, :] }") ==
          "E0004: `in g` needs `fetch` alone");
    CHECK(grid("in g: vmem f32[8, 128] fetch { g = 0 }").substr(0, 6) == "E0004:");
    CHECK(grid("in g: vmem f32[8, 128] fetch { copy x[0@8, :] -> o[0@8, :] }") ==
          "E0004: `o[0@8, :]` cannot stand here: a copy in `fetch` goes into `g`");
    CHECK(grid("in g: vmem f32[8, 128] fetch { grid (j in 2) { } }").substr(0, 6) == "E0004:");
    CHECK(grid("in g: hbm f32[8, 128] fetch { }") == "E0204: `g` cannot lie in hbm");
    CHECK(grid("in t: smem i32[8] fetch { t[0] = i }  in y = x[t[0]@8, :]", "w = y").substr(0, 6) ==
          "E0004:");
}

TEST_CASE("`while` is decided by the scalar unit, round by round") {
    CHECK(error("var i = 0\nwhile i < n atmost 10 { i += 1 }\nprint \"i\", i") == "");
    CHECK(error("var i = 0\nwhile i < n atmost 2 { i += 1 }  assert i == 3").substr(0, 6) ==
          "E0901:");
    CHECK(error("while n atmost 2 { }").substr(0, 6) == "E0102:");
    CHECK(error("var i = 0\nwhile i < 3 atmost 4 { i += 1 }\nassert i == 4, \"three\"") ==
          "E0005: `assert i == 4` does not hold");
}
