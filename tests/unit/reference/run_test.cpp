#include <cmath>

#include <catch2/catch.hpp>

#include "evaluating.hpp"

using namespace slab;
using namespace slab::reference;

namespace {

const Array row = reals({3}, {1, 2, 3});

std::string kernel(const std::string& params, const std::string& body) {
    return "reference k(" + params + ") {\n" + body + "\n}\n";
}

}  // namespace

TEST_CASE("attention, as a reference writes it") {
    const std::string text =
        "kernel k(q: hbm f32[H, S, D], k: hbm f32[H, S, D], v: hbm f32[H, S, D], out o: hbm f32[H, "
        "S, D]) { }\n"
        "reference k(q: [H, S, D], k: [H, S, D], v: [H, S, D], out o: [H, S, D]) {\n"
        "  let s = dot(q, k.T) * rsqrt(D)\n  let p = exp(s - rowmax(s))\n"
        "  o = dot(p, v) / rowsum(p)\n}\n";
    const Text read = reference::read(text);
    const Arrays inputs = {{"q", reals({1, 2, 2}, {1, 0, 0, 1})},
                           {"k", reals({1, 2, 2}, {1, 0, 0, 1})},
                           {"v", reals({1, 2, 2}, {1, 2, 3, 4})}};
    Diagnostics diags;
    const auto outputs = run(read.file, *find_reference(read.file, "k"),
                             {size("H", 1), size("S", 2), size("D", 2)}, inputs, diags);
    REQUIRE(outputs);
    const double e = std::exp(1 / std::sqrt(2.0));
    const std::vector<double>& o = outputs->at("o").values;
    CHECK(o[0] == Approx((e + 3) / (e + 1)));
    CHECK(o[1] == Approx((2 * e + 4) / (e + 1)));
    CHECK(o[2] == Approx((1 + 3 * e) / (e + 1)));
}

TEST_CASE("statements: variables, loops, branches and parts of outputs") {
    const std::string recurrence =
        kernel("x: [N], out y: [N]",
               "  y[0] = x[0]\n  for t in 1..N {\n    if t % 2 == 1 { y[t] = y[t - 1] + x[t] }\n"
               "    else { y[t] = 0 }\n  }");
    CHECK(outputs_of(recurrence, {{"x", row}}, {size("N", 3)}) == "y = real [3] 1 3 0");
    const std::string sums = kernel("x: [3], out s: [], inout c: [2]",
                                    "  var total = 0\n  for i in 0..3 step 2 { total += x[i] }\n"
                                    "  s = total\n  c[1] *= 5");
    CHECK(outputs_of(sums, {{"x", row}, {"c", integers({2}, {1, 2})}}) ==
          "c = integer [2] 1 10\ns = real 4");
    CHECK(outputs_of(kernel("x: [3], out y: [2, 3]", "  y = x"), {{"x", row}}) ==
          "y = real [2, 3] 1 2 3 1 2 3");
    CHECK(outputs_of(kernel("x: [3], out y: [3]", "  return x * 2"), {{"x", row}}) ==
          "y = real [3] 2 4 6");
}

TEST_CASE("constants of the kernel and optional operands are known") {
    const std::string text =
        "kernel k[b: int = 2](x: hbm f32[N], bias: hbm f32[N]?, out y: hbm f32[N])\nconst C = "
        "b*N\n{ }\n"
        "reference k(x: [N], bias: [N]?, out y: [N]) {\n  y = x * C\n"
        "  if has(bias) { y += bias }\n}\n";
    const std::vector<compiler::Bound> sizes = {size("N", 3), size("b", 2)};
    CHECK(outputs_of(text, {{"x", row}}, sizes) == "y = real [3] 6 12 18");
    CHECK(outputs_of(text, {{"x", row}, {"bias", row}}, sizes) == "y = real [3] 7 14 21");
}

TEST_CASE("an output must be covered, and read after it is written") {
    CHECK(outputs_of(kernel("x: [3], out y: [3]", "  y[0] = 1"), {{"x", row}}) ==
          "error[E0302]: 66.7 % of `y` is never written\n  --> k.slab:1:25\n"
          " 1 | reference k(x: [3], out y: [3]) {\n   |                         ^\n");
    CHECK(outputs_of(kernel("x: [3], out y: [3]", "  y[0] = y[1]"), {{"x", row}}) ==
          "error[E0306]: `y` starts undefined\n  --> k.slab:2:11\n"
          " 2 |   y[0] = y[1]\n   |           ^^^\n");
}

TEST_CASE("what cannot be assigned says why") {
    const auto said = [](const std::string& body) {
        const std::string text =
            outputs_of(kernel("x: [3], out y: [3]", "  " + body + "\n  y = x"), {{"x", row}});
        return text.substr(0, text.find('\n'));
    };
    CHECK(said("x = 1") == "error[E0307]: `x` is read-only, the write would be lost");
    CHECK(said("let a = 1  a = 2") == "error[E0204]: `a` cannot be assigned to");
    CHECK(said("y = [1, 2]") == "error[E0101]: cannot store [2] into `y`, which is [3]");
    CHECK(said("y[3] = 1") == "error[E0401]: index 3 of `y` is not inside its 3 elements");
    CHECK(said("y[0, 0] = 1") == "error[E0101]: `y` has 1 dimensions, 2 are indexed");
    CHECK(said("assert x[0] > 1, \"too small\"") ==
          "error[E0005]: `assert x[0] > 1` does not hold");
    CHECK(said("if x[0] { }") == "error[E0102]: a condition is needed here, this is a real");
    CHECK(said("for i in 0..3 step 0 { }") ==
          "error[E0004]: the step of a loop must be at least 1, this is 0");
    CHECK(said("nothing(x)") == "error[E0002]: no function named `nothing`");
    CHECK(said("scratch a: vmem f32[8, 128]").find("`scratch` cannot stand here") !=
          std::string::npos);
}

TEST_CASE("inputs must have the shape that is written") {
    CHECK(outputs_of(kernel("x: [4], out y: [3]", "  y = 1"), {{"x", row}}).substr(0, 66) ==
          "error[E0101]: cannot store [3] into `x`, which is [4]\n  --> k.slab");
}
