#include "dsl/check.hpp"

#include <catch2/catch.hpp>

#include "compiler/ops/op.hpp"
#include "dsl/parse.hpp"

// What is wrong in a file before any size is known.

using namespace slab;

namespace {

std::vector<std::string> errors(const std::string& text) {
    const SourceFile source("t.slab", text);
    Diagnostics diags;
    const dsl::ast::File file = dsl::parse(source, diags);
    dsl::check(file, compiler::op_names(), diags);
    std::vector<std::string> lines;
    for (const Diagnostic& message : diags.messages())
        lines.push_back(fmt::format("{}: {}", message.info().code(), message.headline()));
    return lines;
}

std::vector<std::string> body(const std::string& statements) {
    return errors(
        "kernel k[b = 8, c: bool = true](x: hbm f32[M, 128], n: i32, w: hbm f32[M, 128]?) {\n" +
        statements + "\n}");
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE(
    "names of items: constants and functions share one space, kernels and references another") {
    CHECK(errors("const A = 1 const A = 2") == Lines{"E0003: `A` is declared twice"});
    CHECK(errors("const A = 1 fn A(x) = x") == Lines{"E0003: `A` is declared twice"});
    CHECK(errors("kernel k() { } kernel k() { }") == Lines{"E0003: `k` is declared twice"});
    CHECK(errors("kernel k() { } program k() { }") == Lines{"E0003: `k` is declared twice"});
    CHECK(errors("kernel k() { } reference k() { }") == Lines{});
    CHECK(errors("kernel k() { } reference k() { } reference k() { }") ==
          Lines{"E0003: `k` is declared twice"});
    CHECK(errors("const exp = 1") ==
          Lines{"E0003: `exp` is a built-in and cannot be declared again"});
    CHECK(errors("fn MiB(x) = x") ==
          Lines{"E0003: `MiB` is a built-in and cannot be declared again"});
}

TEST_CASE("constants see what stands before them, functions all of the file") {
    CHECK(errors("const A = B const B = 1") == Lines{"E0002: no value named `B`"});
    CHECK(errors("fn f(x) = x + B const B = 1") == Lines{});
    CHECK(errors("fn f(x) = g(x) fn g(x) = x") == Lines{});
    CHECK(errors("fn f(x) = y") == Lines{"E0002: no value named `y`"});
    CHECK(errors("fn f(x: T) = x") == Lines{"E0002: no type named `T`"});
    CHECK(errors("fn f(x, x) = x") == Lines{"E0003: `x` is declared twice"});
}

TEST_CASE("sizes are declared by the types of operands, in kernels and their references") {
    CHECK(errors("kernel k[b = M/2](x: hbm f32[M, N + b]) require N > M { let y = M*N }") ==
          Lines{});
    CHECK(errors("kernel k[b = Q](x: hbm f32[M]) { }") == Lines{"E0002: no value named `Q`"});
    CHECK(errors("kernel k[T: dtype = f32](x: hbm T[M]) { }") == Lines{});
    CHECK(errors("kernel k(x: hbm T[M]) { }") == Lines{"E0002: no type named `T`"});
    CHECK(errors("kernel k(x: hbm f32[M]) mesh (r: N) const h = N*M { let y = h }") == Lines{});
    CHECK(errors("kernel k[s = 2](x: hbm f32[M, D]) { }"
                 " reference k(x: [M, D]) { x = x * s * D + cumsum(x, 0) }") == Lines{});
    CHECK(errors("kernel k(x: hbm f32[M, D]) { } reference k(x: [M, E]) { x = y }") ==
          Lines{"E0002: no value named `E`", "E0002: no value named `y`"});
    CHECK(errors("reference k(x: [8]) { }") == Lines{"E0002: no kernel named `k`"});
}

TEST_CASE("unknown names and functions, each once") {
    CHECK(body("let y = foo + foo(3)") ==
          Lines{"E0002: no value named `foo`", "E0002: no function named `foo`"});
    CHECK(body("foo(x)") == Lines{"E0002: no function named `foo`"});
    CHECK(body("let y = x[i@8, b +: 3]") == Lines{"E0002: no value named `i`"});
    CHECK(body("let y = fold(add, x, 0)") == Lines{});
    CHECK(body("let y = f64(x)") == Lines{});
    CHECK(body("let y = y") == Lines{"E0002: no value named `y`"});
    CHECK(body("for t in 0..t { }") == Lines{"E0002: no value named `t`"});
    CHECK(body("if n > 3 { let y = 1 } let w = y") == Lines{"E0002: no value named `y`"});
    CHECK(body("copy x -> q done r prio p") == Lines{"E0002: no value named `q`",
                                                     "E0002: no value named `r`",
                                                     "E0002: no value named `p`"});
    CHECK(body("grid (i in 4) in a = x[i@b, j@b] { let y = i + j }") ==
          Lines{"E0002: no value named `j`", "E0002: no value named `j`"});
}

TEST_CASE("arms that sizes may switch off are not looked into") {
    CHECK(body("if b > 8 { let y = foo } else { let y = bar }") == Lines{});
    CHECK(body("if has(w) { let y = foo }") == Lines{});
    CHECK(body("if c { let y = foo }") == Lines{});
    CHECK(body("let d = b*2 if d > M { let y = foo }") == Lines{});
    CHECK(body("if n > 3 { let y = foo } else { let y = bar }") ==
          Lines{"E0002: no value named `foo`", "E0002: no value named `bar`"});
    CHECK(body("if n > 3 { } else if b > 3 { let y = foo } else { let y = bar }") == Lines{});
    CHECK(body("var d = b if d > 3 { let y = foo }") == Lines{"E0002: no value named `foo`"});
    CHECK(body("if b > foo { }") == Lines{"E0002: no value named `foo`"});
    CHECK(errors("fn f(x) { if x > 3 { let y = foo } }") == Lines{});
}

TEST_CASE("names declared twice in a scope") {
    CHECK(body("let y = 1 let y = 2") == Lines{"E0003: `y` is declared twice"});
    CHECK(body("let y = 1 scratch y: vmem f32[8, 128]") == Lines{"E0003: `y` is declared twice"});
    CHECK(body("let x = 1 let n = 2 for y in 0..3 { let y = 1 }") == Lines{});
    CHECK(body("grid (i in 2, i in 3) in i = x scratch i: vmem f32[8, 128] { let i = 3 }").size() ==
          4);
    CHECK(errors("kernel k[b = 1, b = 2](b: i32) { }").size() == 2);
    CHECK(body("let max = 3") == Lines{"E0003: `max` is a built-in and cannot be declared again"});
}

TEST_CASE("calls of the file's functions take their arguments") {
    CHECK(body("fn f(u, v) = u + v let y = f(1)") ==
          Lines{"E0004: `f` takes 2 arguments, 1 given"});
    CHECK(body("fn f() = 1 let y = f() + f(2)") == Lines{"E0004: `f` takes 0 arguments, 1 given"});
    CHECK(body("fn f(u) { } f(1, 2)") == Lines{"E0004: `f` takes 1 argument, 2 given"});
    CHECK(errors("fn f(u) = u fn g(u) = f(u, u)") == Lines{"E0004: `f` takes 1 argument, 2 given"});
}

TEST_CASE("functions that reach themselves, once for each way back") {
    CHECK(errors("fn f(u) = f(u)") == Lines{"E0901: `f` calls itself"});
    CHECK(errors("fn f(u) = g(u) fn g(u) = h(u) fn h(u) = f(u)") ==
          Lines{"E0901: `f` calls itself"});
    CHECK(errors("fn f(u) = g(u) + g(u) fn g(u) = u") == Lines{});
    CHECK(errors("fn f(u) { f(u) }") == Lines{"E0901: `f` calls itself"});
    CHECK(body("fn f(u) = u fn g(u) { fn f(u) = g(u) return f(u) } let y = g(1)") ==
          Lines{"E0901: `g` calls itself"});
}

TEST_CASE("`first` and `last` name axes around them") {
    CHECK(body("first k { }") ==
          Lines{"E0304: `first k`: no axis of an enclosing grid is named `k`"});
    CHECK(body("grid (i in 2) { last i { } last j { } }") ==
          Lines{"E0304: `last j`: no axis of an enclosing grid is named `j`"});
    CHECK(body("grid (i in 2) { grid (j in 3) { first i { } first j { } } first j { } }").size() ==
          1);
    CHECK(errors("fn f() { first k { } } kernel m() grid (k in 2) { f() }") == Lines{});
}

TEST_CASE("constructs stand where they have a meaning") {
    CHECK(body("buffer q: hbm f32[8, 128]") ==
          Lines{"E0004: `buffer` cannot stand here: buffers are declared in a `program`"});
    CHECK(body("k[b = 3](x)") ==
          Lines{"E0004: a launch cannot stand here: kernels are launched by a `program`"});
    CHECK(body("k(x)") ==
          Lines{"E0004: a launch cannot stand here: kernels are launched by a `program`"});
    CHECK(body("return 3") == Lines{"E0004: `return` cannot stand here: it ends a function"});
    CHECK(
        body("fn f(u) { return u let y = 3 }") ==
        Lines{"E0004: `return` cannot stand here: it is the last statement of a function's block"});
    CHECK(body("fn f(u) { for t in 0..3 { return u } }").size() == 1);
    CHECK(errors("kernel k() { } reference k(x: [8], out y: [8]) { let s = x for t in 0..3 { y = s "
                 "} assert true }") == Lines{});
    CHECK(errors("kernel k() { } reference k(out y: [8]) { scratch s: vmem f32[8] grid (i in 3) { "
                 "} y = 1 }")
              .size() == 2);
    CHECK(
        errors(
            "kernel k(x: hbm f32[8]) { } program p(x: hbm f32[M]) { buffer t: hbm f32[M] let n = 3"
            " for i in 0..n { k[b = n](x) k(t) } scope \"s\" { } print \"x\", n }") == Lines{});
    CHECK(
        errors("program p(x: hbm f32[M]) { grid (i in 3) { } copy x -> x k(x) }") ==
        Lines{"E0004: `grid` cannot stand here: a program holds `buffer`, launches, `let`, `var`, "
              "`if`, `for`, `assert`, `print` and `scope`",
              "E0004: `copy` cannot stand here: a program holds `buffer`, launches, `let`, `var`, "
              "`if`, `for`, `assert`, `print` and `scope`",
              "E0002: no kernel named `k`"});
}

TEST_CASE("a hundred messages are enough") {
    std::string text;
    for (int i = 0; i < 10000; ++i) text += fmt::format("const A{} = B{}\n", i, i);
    CHECK(errors(text).size() < 110);
}
