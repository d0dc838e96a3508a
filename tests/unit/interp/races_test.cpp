#include <catch2/catch.hpp>

#include "compiler/skeleton/memory.hpp"
#include "running.hpp"

using namespace slab;
using namespace slab::interp;

namespace {

/// A kernel that every member of a ring of N sends its row around with.
std::string ring(const std::string& body) {
    return "kernel k(x: hbm f32[8, 8], out y: hbm f32[8, 8])\nmesh (r: N)\n{\n"
           "  scratch a: vmem f32[8, 8], b: vmem f32[8, 8], sent: sem dma, got: sem dma, free: sem "
           "count\n"
           "  let right = (me.r + 1) % N\n  let left = (me.r + N - 1) % N\n"
           "  copy x -> a\n" +
           body + "}\n";
}

std::string error_of(const std::string& text, std::uint64_t seed, bool sync = false) {
    return test::run_text(text, "N=4", {}, "", {seed, sync, {}}).error();
}

}  // namespace

TEST_CASE("a second round into a buffer that the receiver may still read is a race, whoever runs") {
    // each receives twice into `b`; nothing tells the sender that `b` has been read
    const std::string racy = ring(
        "  barrier (r: left), (r: right)\n"
        "  for t in 0..2 {\n"
        "    send a -> b at (r: right) done sent arrive got\n"
        "    wait sent for a\n"
        "    wait got for b\n"
        "    a = b + 1\n"
        "  }\n"
        "  copy a -> y\n");
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
        INFO("seed " << seed);
        CHECK(error_of(racy, seed).find("E0703") != std::string::npos);
    }
    const std::string told = ring(
        "  barrier (r: left), (r: right)\n"
        "  for t in 0..2 {\n"
        "    if t > 0 { wait free for 1 }\n"
        "    send a -> b at (r: right) done sent arrive got\n"
        "    wait sent for a\n"
        "    wait got for b\n"
        "    a = b + 1\n"
        "    if t == 0 { signal free at (r: left) }\n"
        "  }\n"
        "  copy a -> y\n");
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        INFO("seed " << seed);
        CHECK(error_of(told, seed) == "fine");
    }
}

TEST_CASE("a wait for one of two copies on a semaphore tells of neither") {
    const std::string text =
        "kernel k(x: hbm f32[16, 8], out z: hbm f32[16, 8]) {\n"
        "  scratch a: vmem f32[16, 8], s: sem dma\n"
        "  copy x[0@8, :] -> a[0@8, :] done s\n"
        "  copy x[1@8, :] -> a[1@8, :] done s\n"
        "  wait s for a[0@8, :]\n"
        "  a[0@8, :] = a[0@8, :] + 1\n"
        "  wait s for a[1@8, :]\n"
        "  copy a -> z\n}";
    const auto ran = test::run_text(text);
    CHECK(ran.error().substr(0, 5) == "E0703");
    CHECK(ran.rendered().find("the wait on `s` may have been for another copy") !=
          std::string::npos);
}

TEST_CASE("copies that are complete at once leave only mistakes of arithmetic") {
    const std::string text =
        "kernel k(x: hbm f32[8, 8], out z: hbm f32[8, 8]) {\n"
        "  scratch a: vmem f32[8, 8], b: vmem f32[8, 8], s: sem dma\n"
        "  copy x -> a done s\n  b = a + 1\n  wait s for a\n  copy b -> z\n}";
    auto compiled = compiler::test::compile_text(text, "", "toy");
    CHECK(compiled.error().substr(0, 5) == "E0703");  // the compiler sees this one itself
}

TEST_CASE("members whose turns are shuffled compute the same") {
    const std::string text = ring(
        "  barrier (r: left), (r: right)\n"
        "  send a -> b at (r: right) done sent arrive got\n"
        "  wait sent for a\n  wait got for b\n  copy b -> y\n");
    const auto first = test::run_text(text, "N=4");
    INFO(first.rendered());
    REQUIRE(first.error() == "fine");
    for (std::uint64_t seed = 1; seed < 10; ++seed)
        CHECK(test::run_text(text, "N=4", {}, "", {seed, false, {}}).arrays == first.arrays);
}

TEST_CASE("every other row is not the row between") {
    const auto rows = [](std::int64_t begin, std::int64_t end, std::int64_t step) {
        skeleton::Box box;
        box.rank = 1;
        box.begin[0] = begin;
        box.end[0] = end;
        box.step[0] = step;
        return box;
    };
    const auto overlap = [](const skeleton::Box& a, const skeleton::Box& b) {
        CHECK(a.overlaps(b) == b.overlaps(a));
        return a.overlaps(b);
    };
    const skeleton::Box even = rows(0, 7, 2);
    CHECK_FALSE(overlap(even, rows(1, 2, 1)));
    CHECK_FALSE(overlap(even, rows(7, 9, 1)));
    CHECK_FALSE(overlap(even, rows(1, 8, 2)));
    CHECK_FALSE(overlap(even, rows(1, 8, 4)));
    CHECK_FALSE(overlap(even, rows(3, 3, 1)));
    CHECK(overlap(even, rows(1, 3, 1)));
    CHECK(overlap(even, rows(0, 8, 4)));
    CHECK(overlap(even, rows(4, 8, 3)));
}
