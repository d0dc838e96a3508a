#include <catch2/catch.hpp>

#include "kernels.hpp"

// Grids: axes, `first` and `last`, `where`, nesting, and what is carried from step to step.

using namespace slab;
using namespace slab::compiler::test;

namespace {

/// Rows of x summed into y: `axes` with statements, x has 8 blocks of 8 rows.
Result sum(const std::string& grid, const std::string& body, const std::string& out = "out z = y") {
    return compile_text(
        "kernel k(n: i32, x: hbm f32[64, 128], out y: hbm f32[8, 128],\n"
        "  out w: hbm f32[64, 128]) grid (g in 1) out unused = w {\n unused = 0\n"
        "grid (" +
            grid + ")\n  in a = x[i@8, :]\n  " + out +
            "\n  scratch s: vmem f32[8, 128], t: vmem f32[8, 128]\n{\n" + body + "\n} }",
        "n=5");
}

std::string error(const std::string& grid, const std::string& body,
                  const std::string& out = "out z = y") {
    const Result result = sum(grid, body, out);
    return result.error();
}

}  // namespace

TEST_CASE("`first` holds where an axis and all after it begin, `last` where they end") {
    const Result result =
        sum("i in 8 seq, j in 2 seq",
            "first i { s = 0 } first j { s += a } last j { s += 1 } last i { z = s }");
    REQUIRE(result.compiled);
    CHECK(control(result.program()) ==
          "grid{r0 grid{if{r1}else{} if{r2}else{} if{r3}else{} if{r4}else{}}}");
    // `first i` needs i and j at their starts, `first j` only j
    std::vector<std::size_t> sizes;
    for (const schedule::ScalarExpr& expr : result.program().exprs)
        if (expr.op == schedule::ScalarOp::land) sizes.push_back(expr.args.size());
    CHECK(sizes.size() == 2);
}

TEST_CASE("`first` and `last` of an axis of one step are no branch") {
    const Result result = sum("i in 1 par", "first i { s = 0 } s += a last i { z = s }");
    REQUIRE(result.compiled);
    CHECK(control(result.program()) == "grid{r0 grid{r1}}");
    const Result inner = sum("i in 8 seq, j in 1 seq", "first j { s = 0 } s += a last i { z = s }");
    REQUIRE(inner.compiled);
    CHECK(control(inner.program()) == "grid{r0 grid{r1 if{r2}else{}}}");
}

TEST_CASE("`first` and `last` need an axis with an order") {
    CHECK(error("i in 8 par", "first i { s = 0 } s += a z = s") ==
          "E0304: `first i`: `i` has no order");
    CHECK(error("i in 8", "first j { s = 0 } s = a z = s") ==
          "E0304: `first j`: no axis of an enclosing grid is named `j`");
    CHECK(error("i in 8", "last g { z = a } z = a") == "");
    const Result typo = sum("i in 8 seq, cols in 2 seq", "s = a first cosl { s = 0 } z = s");
    CHECK(typo.diags.messages()[0].edits().at(0).text == "cols");
}

TEST_CASE("state must be set on every run before it is used") {
    CHECK(error("i in 8", "s += a last i { z = s }") == "E0305: `s` is used before it is set");
    CHECK(error("i in 8", "first i { s = 0 } s += a last i { z = s }") == "");
    CHECK(error("i in 8", "if i > 3 { s = 0 } z = s") == "E0305: `s` is used before it is set");
    CHECK(error("i in 8", "if i > 3 { s = 0 } else { s = 1 } z = s") == "");
    CHECK(error("i in 8", "if n > 3 { s = a } else { t = a } z = s").substr(0, 5) == "E0305");
    CHECK(error("i in 8", "last i { s = 0 } z = s").substr(0, 5) == "E0305");
    CHECK(error("i in 8", "for j in 0..4 { s = a } z = s") == "");
    CHECK(compile_text("kernel k(out y: hbm f32[8, 128]) { scratch s: vmem f32[8, 128]\n"
                       "let a = s + 1 grid (i in 1) out z = y { z = a } }")
              .error() == "E0305: `s` is used before it is set");
    const Result result = sum("j in 2 par, i in 8 seq, m in 2 seq", "s += a z = s");
    CHECK(result.diags.messages()[0].fixes() == std::vector<std::string>{"first i { s = 0 }"});
}

TEST_CASE("an `out` window must be written before it is read") {
    CHECK(error("i in 8", "z += a") == "E0306: `z` starts undefined");
    CHECK(error("i in 8", "first i { z = 0 } z += a") == "");
    CHECK(error("i in 8", "s = z z = s") == "E0306: `z` starts undefined");
    CHECK(compile_text("kernel k(inout y: hbm f32[8, 128]) grid (i in 4) inout z = y { z += 1 }")
              .compiled);
    CHECK(compile_text("kernel k(out y: hbm f32[8, 128]) grid (i in 4) inout z = y { z += 1 }")
              .error() == "E0306: `y` starts undefined");
    CHECK(compile_text("kernel k(y: hbm f32[8, 128]) grid (i in 4) out z = y { z = 1 }").error() ==
          "E0307: `y` is read-only, the write would be lost");
}

TEST_CASE("no value is carried across a parallel axis") {
    CHECK(error("i in 8 par", "s += a z = s", "scratch u: vmem f32[8, 128] = 0 out z = y")
              .substr(0, 5) == "E0305");
    CHECK(error("j in 2 seq, i in 8 par", "first j { s = 0 } s += a z = s") ==
          "E0303: `s` carries a value across parallel axis `i`");
    CHECK(error("j in 2 par, i in 8 seq", "first i { s = 0 } s += a z = s") == "");
}

TEST_CASE("what is stored before a grid is carried by the steps that change it") {
    const auto kernel = [](const std::string& order, const std::string& body) {
        return compile_text(
                   "kernel k(x: hbm f32[64, 128], out y: hbm f32[64, 128]) {\n"
                   "  var c = 0\n  scratch s: vmem f32[8, 128] = 2\n"
                   "  grid (i in 8 " +
                   order + ") in a = x[i@8, :] out z = y[i@8, :] {\n" + body + "\n } }")
            .error();
    };
    CHECK(kernel("seq", "s += a z = s") == "");
    CHECK(kernel("par", "z = a * s") == "");
    CHECK(kernel("par", "s += a z = s") == "E0303: `s` carries a value across parallel axis `i`");
    CHECK(kernel("par", "z = s s = a") == "E0303: `s` carries a value across parallel axis `i`");
    CHECK(kernel("par", "s = a z = s") == "");
    CHECK(kernel("seq", "c += 1 z = f32(c)") == "");
    CHECK(kernel("par", "c += 1 z = f32(c)") ==
          "E0303: `c` carries a value across parallel axis `i`");
    CHECK(kernel("par", "z = f32(c)") == "");
}

TEST_CASE("nested grids hand their state to the grid around them") {
    const auto kernel = [](const std::string& outer, const std::string& inner,
                           const std::string& before, const std::string& body) {
        return compile_text(
                   "kernel k(x: hbm f32[64, 128], out y: hbm f32[64, 128])\n"
                   "grid (i in 8 " +
                   outer + ") out z = y[i@8, :] scratch s: vmem f32[8, 128] {\n" + before +
                   "\n  grid (j in 8 " + inner + ") in a = x[j@8, :] {\n" + body +
                   "\n  }\n  z = s\n}")
            .error();
    };
    CHECK(kernel("par", "seq", "", "first j { s = 0 } s += a") == "");
    CHECK(kernel("par", "seq", "s = 0", "s += a") == "");
    CHECK(kernel("par", "par", "s = 0", "s += a") ==
          "E0303: `s` carries a value across parallel axis `j`");
    CHECK(kernel("seq", "seq", "first i { s = 0 }", "s += a") == "");
    CHECK(kernel("par", "seq", "", "s += a").substr(0, 5) == "E0305");
    const std::string carried =
        "kernel k(x: hbm f32[64, 128], out y: hbm f32[64, 128])\n"
        "grid (i in 8 par) out z = y[i@8, :] scratch s: vmem f32[8, 128] = 0 {\n"
        "  grid (j in 8 seq) in a = x[j@8, :] { s += a }\n  z = s\n}";
    CHECK(compile_text(carried).error() == "E0303: `s` carries a value across parallel axis `i`");
}

TEST_CASE("block variables are carried through nested grids in memory") {
    const Result result = compile_text(
        "kernel k(x: hbm f32[64, 128], out y: hbm f32[8, 128]) grid (i in 1) out z = y {\n"
        "  var s: f32[8, 128] = 0\n  grid (j in 8 seq) in a = x[j@8, :] { s += a }\n  z = s\n}");
    REQUIRE(result.compiled);
    CHECK(operations(result.program()) ==
          "splat broadcast store:s | load:s load:a add store:s | load:s store:z");
}

TEST_CASE("dead steps run `first` and `last` only, and what live steps compute ends with them") {
    const std::string head =
        "kernel k(x: hbm f32[64, 128], out y: hbm f32[8, 128]) grid (i in 8 seq) where i < 4\n"
        "  in a = x[i@8, :] out z = y scratch s: vmem f32[8, 128] {\n";
    const Result result =
        compile_text(head + "first i { s = 0 } let b = a * 2 s += b last i { z = s } }");
    REQUIRE(result.compiled);
    CHECK(control(result.program()) == "grid{if{r0}else{} if{r1}else{} if{r2}else{}}");
    CHECK(compile_text(head + "first i { s = 0 } let b = a * 2 s += b last i { z = s + b } }")
              .error() == "E0306: `b` is computed on live steps, and this runs on dead ones too");
    CHECK(compile_text(head +
                       "first i { s = 0 } let b = i * 2 s += f32(b) last i { z = s + f32(b) } }")
              .compiled);
    CHECK(compile_text("kernel k(out y: hbm f32[8, 128]) grid (i in 8) where 3 out z = y { z = 1 }")
              .error() == "E0102: a condition is needed here, this is the integer 3");
    CHECK(compile_text(
              "kernel k(out y: hbm f32[8, 128]) grid (i in 8) where true out z = y { z = 1 }")
              .compiled);
}

TEST_CASE("bounds, conditions and windows may not depend on what the body changes") {
    const auto kernel = [](const std::string& grid) {
        return compile_text("kernel k(x: hbm f32[64, 128], out y: hbm f32[64, 128]) { var c = 0\n" +
                            grid + " out z = y[i@8, :] { c += 1 z = a } }")
            .error();
    };
    CHECK(kernel("grid (i in 8 seq) in a = x[c@8, :]") ==
          "E0303: this window depends on `c`, which the body of the grid changes");
    CHECK(kernel("grid (i in 8 seq) where c < 3 in a = x[i@8, :]") ==
          "E0303: this condition depends on `c`, which the body of the grid changes");
    CHECK(kernel("grid (i in c + 8 seq) in a = x[i@8, :]") ==
          "E0303: this extent depends on `c`, which the body of the grid changes");
    CHECK(
        compile_text(
            "kernel k(x: hbm f32[64, 128], out y: hbm f32[64, 128]) { var c = 0\n"
            "for t in 0..8 { grid (i in 1) in a = x[c@8, :] out z = y[c@8, :] { z = a } c += 1 } }")
            .compiled);
}

TEST_CASE("extents divide exactly, wherever the division stands in them") {
    const auto extent = [](const std::string& expression) {
        const Result result =
            compile_text("fn half(x) = x/2 kernel k[b = 512](x: hbm f32[M, 128]) grid (i in " +
                             expression + ") { }",
                         "M=1000");
        return result.error();
    };
    CHECK(extent("M/500") == "");
    CHECK(extent("M/b") == "E0404: M = 1000 is not a multiple of b = 512");
    CHECK(extent("M/300") == "E0404: M = 1000 is not a multiple of 300");
    CHECK(extent("M/b*2 + 1") == "E0404: M = 1000 is not a multiple of b = 512");
    CHECK(extent("min(M/b, 4)") == "E0404: M = 1000 is not a multiple of b = 512");
    CHECK(extent("(M + 1)/b") == "E0404: M + 1 = 1001 is not a multiple of b = 512");
    CHECK(extent("cdiv(M, b)") == "");
    CHECK(extent("half(M + 1)") == "");
    CHECK(extent("M/0") == "E0009: `1000 / 0` divides by 0");
    const Result result =
        compile_text("kernel k[b = 512](x: hbm f32[M, 128]) grid (i in M/b) { }", "M=1000");
    CHECK(
        result.diags.messages()[0].fixes() ==
        std::vector<std::string>{"b = 200 or 1000, which divides 1000",
                                 "cdiv(M, b), with `pad` on the windows that reach past the end"});
}

TEST_CASE("extents are integers: the last axis may depend on those before it") {
    const auto extent = [](const std::string& expression) {
        return compile_text("kernel k(n: i32, s: f32, x: hbm f32[8, 128]) grid (i in 4, j in " +
                                expression + ") { }",
                            "n=3,s=1")
            .error();
    };
    CHECK(extent("i + 1") == "");
    CHECK(extent("i..4") == "");
    CHECK(extent("n") == "");
    CHECK(extent("0") == "");
    CHECK(extent("s") == "E0004: an extent must be an integer scalar, this is an f32 scalar");
    CHECK(extent("1.5") == "E0004: an extent must be an integer scalar, this is the real 1.5");
    CHECK(extent("x") ==
          "E0004: an extent must be an integer scalar, this is an array f32[8,128] in HBM");
    CHECK(extent("true") ==
          "E0004: an extent must be an integer scalar, this is the truth value true");
}

TEST_CASE("options of streams are checked") {
    const auto option = [](const std::string& text) {
        return compile_text(
                   "kernel k(x: hbm f32[64, 128], out y: hbm f32[64, 128]) grid (i in 8) in a = "
                   "x[i@8, :] " +
                   text + " out z = y[i@8, :] { z = a }")
            .error();
    };
    CHECK(option("depth 3 ahead") == "");
    CHECK(option("pad 0") == "");
    CHECK(option("pad -inf") == "");
    CHECK(option("depth 0") == "E0004: the depth of `a` must be 1 to 64, this is 0");
    CHECK(option("depth 65") == "E0004: the depth of `a` must be 1 to 64, this is 65");
    CHECK(option("depth i") == "E0008: the depth of a stream must be known at compile time");
    CHECK(option("pad true") ==
          "E0004: the padding of `a` must be a number, this is a truth value");
    CHECK(option("in b = a") == "E0204: a window needs an operand in HBM, `a` is none");
    CHECK(option("in b = 3") == "E0204: `3` is a value, a reference to memory is needed");
}

TEST_CASE("windows that move have two buffers, those that stay have one, `depth` says otherwise") {
    const Result result = compile_text(
        "kernel k(x: hbm f32[64, 128], w: hbm f32[8, 128], out y: hbm f32[64, 128])\n"
        "grid (i in 8) in a = x[i@8, :] in b = w in c = x[i@8, :] depth 3 out z = y[i@8, :] { z = "
        "a + b + c }");
    REQUIRE(result.compiled);
    CHECK(buffer(result.program(), "a")->copies == 2);
    CHECK(buffer(result.program(), "b")->copies == 1);
    CHECK(buffer(result.program(), "c")->copies == 3);
    CHECK(buffer(result.program(), "z")->copies == 2);
    CHECK(result.program().streams[0].moves_with == std::vector<bool>{true});
    CHECK(result.program().streams[1].moves_with == std::vector<bool>{false});
}

TEST_CASE("a window on an operand that is not passed does not exist") {
    const std::string kernel =
        "kernel k(x: hbm f32[8, 128], b: hbm f32[8, 128]?, out y: hbm f32[8, 128])\n"
        "grid (i in 1) in a = x in c = b out z = y { z = a + c }";
    CHECK(compile_text(kernel).error() == "E0204: `c` is an optional operand that is not passed");
    CHECK(compile_text(kernel, "", "v6e", "b").compiled);
    CHECK(compile_text("kernel k(x: hbm f32[8, 128]) { if has(3) { } }").error() ==
          "E0004: the argument of `has` must be the name of an operand, this is `3`");
    CHECK(compile_text("kernel k(x: hbm f32[8, 128]) { if has(x, x) { } }").error() ==
          "E0004: `has` takes 1 argument, 2 given");
    CHECK(compile_text("kernel k(x: hbm f32[8, 128]) { if has(q) { } }").error() ==
          "E0002: no value named `q`");
}
