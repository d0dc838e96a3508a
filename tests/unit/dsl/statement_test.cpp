#include "reading.hpp"

using namespace slab::dsl;

TEST_CASE("a statement on one line prints as it was written") {
    for (const char* text : {
             "let x = a*b + c",
             "var s = 0",
             "var s: f32[bq, 1] = 0",
             "var n: i32 = 0",
             "ref r = buf[slot, :]",
             "ring kv: vmem bf16[C, D] depth 2",
             "const C = P * page",
             "scratch acc: vmem f32[bm, bn] = 0, arrived: sem dma[2], ready: sem count",
             "buffer s: hbm f32[H, S, S]",
             "fn used(s, c) = min(P, cdiv(lens[s], page) - c*P)",
             "fn f(ref r, x: f32[8, 128], n: T) = x",
             "fn f() = 1",
             "if x > 0 { a = 1 }",
             "for t in 0..N - 1 { a = t }",
             "for t in lo..hi step 2 unroll 4 { a = t }",
             "for t in 0..8 unroll { a = t }",
             "for t in 0..n*2 unroll m + 1 { a = t }",
             "while x < y atmost 2 * N { x += 1 }",
             "first k { acc = 0 }",
             "last k { z = bf16(acc) }",
             "fill kv as d { copy a -> d }",
             "take kv as b { use(b) }",
             "put kv as d { d = x }",
             "scope \"bias\" { g += bb }",
             "copy a[i@b] -> buf done got[0] prio 1",
             "copy a -> b",
             "send y[a, 0@h] -> y[a, 0@h] at (r: right, c: 0) done sent[0] arrive got[0, t]",
             "wait got[0, t] for y[(a + N - 1) % N, 0@h]",
             "wait ready for 2",
             "signal ready at (r: left)",
             "signal ready at (r: left) by 2",
             "barrier all r",
             "barrier (r: left), (r: right)",
             "assert nc > 0 and nq <= bq",
             "assert nc > 0, \"empty\"",
             "print \"x = \", x, y + 1",
             "print \"here\"",
             "a = b",
             "a[0, :].x += b",
             "a -= b",
             "a *= b",
             "prefetch(0, c + 1, slot: 1 - slot)",
             "run()",
             "matmul[bm = 512, bk = 64 * 2](x, y, none)",
             "return x + 1",
         })
        CHECK(statements(text) == std::string(text) + '\n');
}

TEST_CASE("an assignment, a call and a launch are told apart by what follows the name") {
    const auto kind = [](const std::string& text) -> std::string {
        const Reading reading(in_kernel(text));
        INFO(reading.errors());
        REQUIRE(reading.diags.empty());
        const auto& kernel = *ast::get_if<ast::Kernel>(reading.file.items.at(0));
        const auto& effect =
            *ast::get_if<ast::Effect>(ast::get_if<ast::Block>(kernel.body)->stmts.at(0));
        if (const auto* launch = ast::get_if<ast::Launch>(effect))
            return launch->bindings.empty() ? "call" : "launch";
        return ast::get_if<ast::Assign>(effect) ? "assignment" : "other";
    };
    CHECK(kind("a[0] = 1") == "assignment");
    CHECK(kind("a[b] = 1") == "assignment");
    CHECK(kind("a[b == c] = 1") == "assignment");
    CHECK(kind("a = 1") == "assignment");
    CHECK(kind("f(a)") == "call");
    CHECK(kind("f[a = 1](b)") == "launch");
}

TEST_CASE("a line that starts with an operator or a bracket continues the expression above") {
    CHECK(statements("let a = b\n  - c\nlet d = e\n(f)\nlet g = h\n[0]\n.T") ==
          "let a = b - c\nlet d = e(f)\nlet g = h[0].T\n");
}

TEST_CASE("several statements may share a line") {
    CHECK(statements("m = -inf  l = 0  f(x) g(y)") == "m = -inf\nl = 0\nf(x)\ng(y)\n");
}

TEST_CASE("arms of an `if` stand below each other") {
    CHECK(statements("if a { x = 1 } else if b { x = 2 } else { x = 3 }") ==
          "if a {\n  x = 1\n} else if b {\n  x = 2\n} else {\n  x = 3\n}\n");
}

TEST_CASE("a grid as a statement indents its streams and sets its braces apart") {
    CHECK(statements("grid (i in 2..n par, j in M/bm seq, k in K) where j < i "
                     "in x = a[i@b] depth 3 ahead pad 0 inout y = c[:] revisit "
                     "in t: smem i32[P] fetch { copy a -> t } flush { copy t -> a } depth 2 "
                     "out z = c scratch s: vmem f32[8] { y = x }") ==
          "grid (i in 2..n par, j in M/bm seq, k in K)\n"
          "  where j < i\n"
          "  in x = a[i@b] depth 3 ahead pad 0\n"
          "  inout y = c[:] revisit\n"
          "  in t: smem i32[P] fetch { copy a -> t } flush { copy t -> a } depth 2\n"
          "  out z = c\n"
          "  scratch s: vmem f32[8]\n"
          "{\n"
          "  y = x\n"
          "}\n");
}

TEST_CASE("a procedure is a function with a block") {
    CHECK(statements("fn f(ref r, n) { r = n let x = 1 }") ==
          "fn f(ref r, n) {\n  r = n\n  let x = 1\n}\n");
    CHECK(statements("fn f(x) { return x }") == "fn f(x) { return x }\n");
}
