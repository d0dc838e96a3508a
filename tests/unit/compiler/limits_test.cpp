#include <chrono>

#include <catch2/catch.hpp>

#include "kernels.hpp"

// No text makes the compiler crash, hang or run out of memory.

using namespace slab;
using namespace slab::compiler::test;

namespace {

std::string error(const std::string& statements) {
    const std::string messages = compile_body(statements, "o: vmem f32[64, 256]").error();
    return messages.substr(0, messages.find('\n'));
}

}  // namespace

TEST_CASE("functions that double one another end at a limit") {
    std::string functions = "fn g0(w) = w + 1 ";
    for (int i = 1; i < 40; ++i)
        functions += fmt::format("fn g{0}(w) = g{1}(w) + g{1}(w) ", i, i - 1);
    CHECK(error(functions + "o = g39(a)") ==
          "E0901: `k` unrolls into more than 200000 expressions");
}

TEST_CASE("calls do not multiply how deep expressions stand in one another") {
    std::string functions = "fn g0(w) = w ";
    for (int i = 1; i < 60; ++i) {
        std::string nested = fmt::format("g{}(w)", i - 1);
        for (int depth = 0; depth < 40; ++depth) nested = "abs(" + nested + ")";
        functions += fmt::format("fn g{}(w) = {} ", i, nested);
    }
    CHECK(error(functions + "o = g10(a)") == "");
    CHECK(error(functions + "o = g59(a)") ==
          "E0901: expressions, with the calls around them, stand more than 500 deep");
}

TEST_CASE("nested unrolls end at a limit, empty ones as well") {
    CHECK(error("for b in 0..4096 unroll { for c in 0..4096 unroll { for d in 0..4096 unroll { } } "
                "}") == "E0901: `k` unrolls into more than 200000 expressions");
}

TEST_CASE("a chain of calls is not deeper than 64") {
    const auto chain = [](int length) {
        std::string functions = "fn g0(w) = w ";
        for (int i = 1; i < length; ++i)
            functions += fmt::format("fn g{0}(w) = g{1}(w) ", i, i - 1);
        return functions + fmt::format("o = g{}(a)", length - 1);
    };
    CHECK(error(chain(64)) == "");
    CHECK(error(chain(65)) == "E0901: calls of functions stand more than 64 deep");
    CHECK(error(chain(5000)) == "E0901: calls of functions stand more than 64 deep");
}

TEST_CASE("expressions that share their parts cost no more than they are long") {
    std::string lets = "let b0 = n * n ";
    for (int i = 1; i < 200; ++i) lets += fmt::format("let b{0} = b{1} + b{1} % 7 ", i, i - 1);
    CHECK(error(lets + "for t in 0..b199 { o = a }") == "");
}

TEST_CASE("a long chain of scalar operations is refused, not followed into the ground") {
    std::string sum = "n";
    for (int i = 0; i < 20000; ++i) sum += " + n % 3";
    CHECK(error("let b = " + sum) == "E0901: scalar operations stand more than 500 deep");
    std::string blocks = "a";
    for (int i = 0; i < 5000; ++i) blocks += " + 1";
    CHECK(error("o = " + blocks) == "");
}

TEST_CASE("an `if` has at most 200 arms") {
    std::string arms = "if n > 0 { o = a }";
    for (int i = 1; i < 3000; ++i) arms += fmt::format(" else if n > {} {{ o = a }}", i);
    CHECK(error(arms) == "E0901: the arms of an `if` stand more than 200 deep");
}

TEST_CASE("loops and branches stand at most 250 deep") {
    const auto nested = [](int depth, const std::string& inside) {
        std::string text;
        for (int i = 0; i < depth; ++i) text += fmt::format("for j{} in 0..1 {{ ", i);
        return text + inside + std::string(static_cast<std::size_t>(depth), '}');
    };
    const std::string functions = "fn f(ref r) { " + nested(100, "r = a ") + " } fn g(ref r) { " +
                                  nested(100, "f(r) ") + " } ";
    CHECK(error(functions + nested(45, "g(o) ")) == "");
    CHECK(error(functions + nested(51, "g(o) ")) ==
          "E0901: loops and branches stand more than 250 deep");
}

TEST_CASE("a grid has at most 64 axes and 64 streams") {
    std::string axes = "j0 in 1";
    for (int i = 1; i < 65; ++i) axes += fmt::format(", j{} in 1", i);
    CHECK(error("grid (" + axes + ") { }") ==
          "E0004: `grid` takes at most 64 axes and streams, 65 given");
}

TEST_CASE("after a hundred messages the rest is not told") {
    std::string wrong;
    for (int i = 0; i < 5000; ++i) wrong += fmt::format("let b{0} = nothing{0} + a ", i);
    const Result result = compile_body(wrong);
    CHECK(result.diags.size() > 50);
    CHECK(result.diags.size() < 210);
}

TEST_CASE("the divisors of a large size are found at once") {
    const std::string kernel = "kernel k[b = 1073741824](x: hbm i8[M]) grid (i in M/b) { }";
    CHECK(compile_text(kernel, "M=2147483647").error() ==
          "E0404: M = 2147483647 is not a multiple of b = 1073741824");
}

TEST_CASE("looking for smaller blocks is given up when a kernel is large") {
    const std::string kernel =
        "kernel k[b = 8192, c = 8192, d = 8192](x: hbm f32[8192, 8192], out y: hbm f32[8192, "
        "8192])\n"
        "grid (i in 1) in a = x[0 +: b, 0 +: c] out z = y {\n"
        "  for t in 0..4000 unroll { let e = a * (1.0*t) + t } z = a }";
    const Result result = compile_text(kernel);
    REQUIRE_FALSE(result.compiled);
    CHECK(result.headlines()[0].substr(0, 20) == "kernel needs 512.0 M");
}

TEST_CASE("odd kernels compile or say why not") {
    CHECK(compile_text("kernel k() { }").compiled);
    CHECK(compile_text("kernel k() grid (i in 8) { }").compiled);
    CHECK(compile_text("kernel k(n: i32) grid (i in n, j in 0, l in 5..3, m in -2) { }", "n=3")
              .compiled);
    CHECK(
        compile_text(
            "kernel k(x: hbm f32[1], out y: hbm f32[1]) grid (i in 1) in a = x out z = y { z = a }")
            .compiled);
    CHECK(compile_text("kernel k(x: hbm f32[1, 1, 1, 1, 1, 1], out y: hbm f32[1, 1, 1, 1, 1, 1])"
                       " grid (i in 1) in a = x out z = y { z = a.T }")
              .compiled);
    CHECK(compile_text("kernel k(x: hbm f32[7, 129], out y: hbm f32[7, 129])"
                       " grid (i in 1) in a = x out z = y { z = a + rowmax(a) * colsum(a) }")
              .compiled);
    CHECK(
        compile_text("kernel k(x: hbm f32[2, 3, 1, 2, 8, 128], out y: hbm f32[2, 3, 1, 2, 8, 128])"
                     " grid (i in 2, j in 3) in a = x[i, j] out z = y[i, j] { z = a + 1 }")
            .compiled);
}

TEST_CASE("windows far outside are refused") {
    const auto window = [](const std::string& slice) {
        const std::string messages =
            compile_text(
                "kernel k(x: hbm f32[8, 128], out y: hbm f32[8, 128]) grid (i in 3) in a = x[" +
                slice + ", :] out z = y { z = 1 }")
                .error();
        return messages.substr(0, messages.find('\n'));
    };
    CHECK(window("i@2147483647") ==
          "E0601: `a` f32[2147483647,128] has 2.75e+11 elements, which no VMEM holds");
    CHECK(window("2147483647@2147483647") ==
          "E0401: this slice of `x` starts at 4611686014132420609, it has 8 elements");
    CHECK(window("i@1000000000000") ==
          "E0401: a slice of `x` has size 1000000000000, it must be 1 to 2147483647");
    CHECK(window("i*2147483647 +: 8").substr(0, 5) == "E0401");
    CHECK(window("(i*2147483647)*2147483647 +: 8").substr(0, 5) == "E0401");
    CHECK(window("(0 - i)@8") == "E0401: a window of `x` starts at -16, before its beginning");
}

TEST_CASE("too many steps are counted, not walked") {
    CHECK(compile_text("kernel k() grid (i in 100000, j in 100000) { }").error() ==
          "E0902: the grid has 10000000000 steps, more than the limit of 1000000000");
    CHECK(compile_text("kernel k() grid (i in 1 << 30, j in 1 << 30, l in 1 << 30) { }").error() ==
          "E0902: the grid has 2^63 or more steps, more than the limit of 1000000000");
}
