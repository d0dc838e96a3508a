#include <catch2/catch.hpp>

#include "running.hpp"

using namespace slab;
using namespace slab::interp;
using test::Numbers;

namespace {
std::string error_of(const std::string& text, const std::string& data = "",
                     const std::map<std::string, Numbers>& inputs = {}) {
    return test::run_text(text, "", inputs, data).error();
}
}  // namespace

TEST_CASE("scratch that is written in part on some data is told with the way it went") {
    const auto ran = test::run_text(
        "kernel k(n: smem i32[1], x: hbm f32[8, 8], out z: hbm f32[8, 8]) {\n"
        "  scratch a: vmem f32[8, 8], b: vmem f32[8, 8]\n"
        "  copy x[0 +: n[0] upto 8, :] -> a[0 +: n[0] upto 8, :]\n"
        "  b = a + 1\n"
        "  copy b -> z\n"
        "}\n",
        "", {}, "n=[6]");
    CHECK(ran.error() == "E0701: element [6, 0] of `b` is undefined and reaches the copy into `z`");
    const std::string text = ran.rendered();
    CHECK(text.find("`a` starts undefined") != std::string::npos);
    CHECK(text.find("stored in `b`") != std::string::npos);
}

TEST_CASE("undefined elements may flow as long as they reach nothing") {
    const std::string head =
        "kernel k(n: smem i32[1], x: hbm f32[8, 8], out z: hbm f32[8, 8]) {\n"
        "  scratch a: vmem f32[8, 8], b: vmem f32[8, 8]\n"
        "  copy x[0 +: n[0] upto 8, :] -> a[0 +: n[0] upto 8, :]\n";
    CHECK(error_of(head + "b = select(iota([8, 8], 0) < n[0], a * 2, 0)  copy b -> z }", "n=[6]") ==
          "fine");
    // zero times undefined is not zero
    CHECK(error_of(head + "b = a * 0  copy b -> z }", "n=[6]").substr(0, 5) == "E0701");
    CHECK(error_of(head + "b = a  copy b[0@4, :] -> z[0@4, :]  copy x[4@1, :] -> z[4@1, :] "
                          "copy x[5@1, :] -> z[5@1, :] copy x[6@1, :] -> z[6@1, :] "
                          "copy x[7@1, :] -> z[7@1, :] }",
                   "n=[6]") == "fine");
}

TEST_CASE("what a product meets, it makes undefined: rows by rows, columns by columns") {
    const std::string text =
        "kernel k(n: smem i32[1], x: hbm bf16[8, 8], out z: hbm f32[8, 8]) {\n"
        "  scratch a: vmem bf16[8, 8], b: vmem bf16[8, 8], c: vmem f32[8, 8]\n"
        "  copy x[0 +: n[0] upto 8, :] -> a[0 +: n[0] upto 8, :]\n"
        "  copy x -> b\n";
    CHECK(error_of(text + "c = dot(a, b)  copy c -> z }", "n=[6]") ==
          "E0701: element [6, 0] of `c` is undefined and reaches the copy into `z`");
    CHECK(error_of(text + "c = dot(b, a.T)  copy c -> z }", "n=[6]") ==
          "E0701: element [0, 6] of `c` is undefined and reaches the copy into `z`");
    CHECK(error_of(text + "c = dot(b, a)  copy c -> z }", "n=[6]") ==
          "E0701: element [0, 0] of `c` is undefined and reaches the copy into `z`");
}

TEST_CASE("live rows of a window are there, the others only with `pad`") {
    const std::string head =
        "kernel k(n: smem i32[1], x: hbm f32[8, 8], out z: hbm f32[8, 8])\n"
        "grid (i in 1 seq)\n  in a = x[0 +: n[0] upto 8, :]";
    CHECK(error_of(head + "\n  out b = z\n{ b = a }", "n=[5]") ==
          "E0701: element [5, 0] of window `b` is undefined and reaches element [5, 0] of `z`");
    const auto padded = test::run_text(head + " pad 9\n  out b = z\n{ b = a }", "", {}, "n=[5]");
    REQUIRE(padded.error() == "fine");
    CHECK(padded.arrays.at("z")[39] == 39);
    CHECK(padded.arrays.at("z")[40] == 9);
}

TEST_CASE("an output window is undefined whenever it has moved") {
    const auto ran = test::run_text(
        "kernel k(n: smem i32[1], x: hbm f32[16, 8], out z: hbm f32[16, 8])\n"
        "grid (i in 2 seq)\n  in a = x[i@8, :]\n  out b = z[i@8, :]\n"
        "{ if i < n[0] { b = a } }",
        "", {}, "n=[1]");
    CHECK(ran.error().substr(0, 5) == "E0701");
    CHECK(ran.rendered().find("at i = 1") != std::string::npos);
}

TEST_CASE("an output with elements that nobody wrote is told with the first of them") {
    const auto ran = test::run_text(
        "kernel k(n: smem i32[1], x: hbm f32[8, 8], out z: hbm f32[8, 8]) {\n"
        "  scratch a: vmem f32[8, 8]\n"
        "  copy x -> a\n  copy a[0 +: n[0] upto 8, 0@8] -> z[0 +: n[0] upto 8, 0@8]\n}",
        "", {}, "n=[6]");
    CHECK(ran.error().substr(0, 5) == "E0302");
}

TEST_CASE("a place that is computed at run time must be inside the block") {
    const std::string text =
        "kernel k(n: smem i32[1], x: vmem f32[2, 8, 8], out z: vmem f32[8, 8]) { z = x[n[0]] }";
    CHECK(error_of(text, "n=[1]") == "fine");
    CHECK(error_of(text, "n=[2]").substr(0, 5) == "E0401");
}

TEST_CASE("a kernel may decide by what it computed, once that is in SMEM") {
    const std::string text =
        "kernel k(x: vmem f32[1, 8], out z: hbm i32[1, 8]) {\n"
        "  scratch best: vmem i32[1, 1], chosen: smem i32[1, 1], b: vmem i32[1, 8]\n"
        "  best = argmax(x)\n"
        "  copy best -> chosen\n"
        "  if chosen[0, 0] > 3 { b = iota([1, 8], 1) + chosen[0, 0] } else { b = 0 }\n"
        "  copy b -> z\n}";
    const auto high = test::run_text(text, "", {{"x", {1, 2, 3, 4, 5, 9, 7, 8}}});
    INFO(high.rendered());
    CHECK(high.arrays.at("z") == Numbers{5, 6, 7, 8, 9, 10, 11, 12});
    CHECK(test::run_text(text, "", {{"x", {1, 9, 3, 4, 5, 6, 7, 8}}}).arrays.at("z") ==
          Numbers{0, 0, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("integers divided by 0 have no result") {
    const std::string text = "kernel k(x: vmem i32[8, 8], out z: vmem i32[8, 8]) { z = 1000 / x }";
    CHECK(error_of(text) == "E0009: an element of the divisor is 0");
}

TEST_CASE("a block that no run with values could hold is refused, not tried") {
    CHECK(error_of("kernel k(out z: vmem f32[1, 8192]) { z = colsum(f32(iota([16384, 8192], 0))) }")
              .substr(0, 5) == "E0601");
}

TEST_CASE("a scalar that vector code uses and that has no value ends the run, with its step") {
    const auto with = [](const std::string& scalar) {
        return test::run_text(
            "kernel k(n: smem i32[4], x: hbm f32[16, 8], out z: hbm f32[16, 8])\n"
            "grid (i in 2)\n  in a = x[i@8, :]\n  out b = z[i@8, :]\n"
            "{ b = a * f32(" +
                scalar + ") }",
            "", {}, "n=[2, 0, 1, 1]");
    };
    CHECK(with("8 / (n[i] + 1)").error() == "fine");
    CHECK(with("8 / n[i]").error().find("a division by zero in `8 / n[i]`") != std::string::npos);
    CHECK(with("8 / n[i]").rendered().find("at i = 1") != std::string::npos);
    CHECK(with("n[i * 4]").error().find("E0401") == 0);
}
