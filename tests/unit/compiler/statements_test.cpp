#include <catch2/catch.hpp>

#include "kernels.hpp"

// Declarations, assignments, control flow and functions, and the regions they make.

using namespace slab;
using namespace slab::compiler::test;

namespace {

std::string error(const std::string& statements,
                  const std::string& scratch = "o: vmem f32[64, 256]") {
    return compile_body(statements, scratch).error();
}

/// The control flow of the grid's body, the store to `z` at its end left out where it is alone.
std::string flow(const std::string& statements,
                 const std::string& scratch = "o: vmem f32[64, 256]") {
    const Result result = compile_body(statements, scratch);
    return result.compiled ? control(result.program()) : result.error();
}

std::string ops(const std::string& statements,
                const std::string& scratch = "o: vmem f32[64, 256]") {
    const Result result = compile_body(statements, scratch);
    return result.compiled ? operations(result.program()) : result.error();
}

}  // namespace

TEST_CASE("straight-line code is one region, and what nobody uses is gone") {
    CHECK(ops("let b = a + 1 let c = exp(b) o = b * c") ==
          "load:a splat add exp mul store:o store:z");
    CHECK(ops("let b = exp(a)") == "load:a store:z");
    CHECK(ops("let b = a o = b + a") == "load:a add store:o store:z");
}

TEST_CASE("a load is repeated only after a store to the same memory") {
    CHECK(ops("o = a + a o += a") == "load:a add store:o load:o add store:o store:z");
    CHECK(ops("o[0 +: 8, :] = 1 o[8 +: 8, :] = 2") ==
          "splat broadcast store:o splat broadcast store:o load:a store:z");
}

TEST_CASE("assignments to memory: all forms, and what they convert and spread") {
    CHECK(ops("o = 0 o += a o -= a o *= 2") ==
          "splat broadcast store:o load:o load:a add store:o load:o sub store:o load:o splat mul "
          "store:o store:z");
    CHECK(error("o = rowmax(a)") == "");
    CHECK(error("o = v") == "");
    CHECK(error("o = n") == "E0102: `n` needs equal types, these are i32 and f32");
    CHECK(error("o = s") == "");
    CHECK(error("o = a[0 +: 8, :]") ==
          "E0101: cannot store f32[8,256] into `o`, which is f32[64,256]");
    CHECK(error("o = 1.5 o = \"x\"") == "E0102: the string \"x\" does not fit f32");
    CHECK(error("o = true") == "E0102: the truth value true does not fit f32");
    CHECK(error("o[0, :] = v") == "");
    CHECK(error("o[0, 0] = 1") == "E0204: `o` is one element, VMEM is read and written in blocks");
    CHECK(error("o.T = a.T") == "E0204: the transpose of `o` cannot be assigned to");
}

TEST_CASE("what cannot be assigned to says so, each in its words") {
    CHECK(error("a = 1") == "E0307: `a` is a copy, the write would be lost");
    CHECK(error("a[0, :] += v") == "E0307: `a` is a copy, the write would be lost");
    CHECK(error("x = 1") == "E0204: `x`, which is in HBM, cannot be assigned to");
    CHECK(error("y[0, :] = v") == "E0204: `y`, which is in HBM, cannot be assigned to");
    CHECK(error("n = 3") == "E0204: `n` cannot be assigned to");
    CHECK(error("i = 3") == "E0204: `i` cannot be assigned to");
    CHECK(error("pi = 3") == "E0204: `pi` cannot be assigned to");
    CHECK(error("const C = 1 C = 2") == "E0204: `C` cannot be assigned to");
    CHECK(error("fn f(x) = x f = 3") ==
          "E0004: the function `f` cannot stand here: a function is not a value");
    CHECK(error("exp = 3") ==
          "E0004: the function `exp` cannot stand here: a function is not a value");
    CHECK(error("nothing = 3") == "E0002: no value named `nothing`");
    CHECK(error("for t in 0..4 { t = 3 }") == "E0204: `t` cannot be assigned to");
    const Result let = compile_body("let l = a l = 2");
    CHECK(let.error() == "E0204: `l` cannot be assigned to");
    CHECK(let.diags.messages()[0].fixes() == std::vector<std::string>{"var l = …"});
    CHECK(compile_body("var l = a l = 2").compiled);
}

TEST_CASE("names are declared once in a scope and may be shadowed inside it") {
    CHECK(error("let b = 1 let b = 2") == "E0003: `b` is declared twice");
    CHECK(error("let b = 1 var b = 2") == "E0003: `b` is declared twice");
    CHECK(error("let a = 1") == "E0003: `a` is declared twice");
    CHECK(error("let exp = 1") == "E0003: `exp` is a built-in and cannot be declared again");
    CHECK(error("let KiB = 1") == "E0003: `KiB` is a built-in and cannot be declared again");
    CHECK(error("let b = 1 if n > 3 { let b = 2 } for b in 0..3 { let b = 4 } scope \"s\" { let b "
                "= 5 }") == "");
    CHECK(error("let x = 3 let n = x") == "");
    CHECK(error("if n > 3 { let c = 1 } let d = c") == "E0002: no value named `c`");
}

TEST_CASE(
    "variables: scalars live in slots, blocks in registers until control flow may change them") {
    CHECK(flow("var v1 = 3 v1 += n let w = v1") == "grid{set:v1 set:v1 set:w r0}");
    CHECK(ops("var b = a b = b + 1 b += 1 o = b") == "load:a splat add splat add store:o store:z");
    CHECK(flow("var b = a for t in 0..n { b = b + a } o = b") == "grid{r0 loop{r1} r2}");
    CHECK(ops("var b = a for t in 0..n { b = b + a } o = b") ==
          "load:a store:b | load:b load:a add store:b | load:b store:o load:a store:z");
    CHECK(ops("var b = a if n > 3 { b = 0 } o = b") ==
          "load:a store:b | splat broadcast store:b | load:b store:o load:a store:z");
    CHECK(error("var b: f32[64, 256] = 0 b = a o = b") == "");
    CHECK(error("var b: bf16[64, 256] = a") == "E0102: cannot store f32 into bf16 block `b`");
    CHECK(error("var b: f32 = h") == "E0102: cannot store bf16 into f32 block `b`");
    CHECK(error("var b: f32 = 1 b = 2.5") == "");
    CHECK(error("var b: f32 = n") == "E0102: an i32 scalar does not fit f32");
    CHECK(error("var b: bf16 = 1") == "E0102: a scalar does not fit bf16");
    CHECK(error("var b: i32 = 1.5") == "E0102: the real 1.5 does not fit i32");
    CHECK(error("var b: pred = n > 3 b = false") == "");
    CHECK(error("var b = 1 b = 2.5") ==
          "E0102: cannot assign the real 2.5 to `b`, which is an i32 scalar");
    CHECK(error("var b: f32[64, 256] = a[0 +: 8, :]") ==
          "E0101: cannot store f32[8,256] into `b`, which is f32[64,256]");
    CHECK(error("var b = a b = a[0 +: 8, :]") ==
          "E0101: cannot store f32[8,256] into `b`, which is f32[64,256]");
    CHECK(error("var b: f32[64, 256] = v b = rowmax(a) b = 0 o = b") == "");
    CHECK(error("var b = a b = h") ==
          "E0102: cannot assign bf16[64,256] to `b`, which is f32[64,256]");
    CHECK(error("var b = \"x\"") ==
          "E0004: the variable `b` must be a block, a number or a condition, this is the string "
          "\"x\"");
    CHECK(error("var b = 3000000000") == "E0102: 3000000000 does not fit i32");
    CHECK(error("var b: f32[0] = 0") == "E0006: `0` is 0, a size is at least 1");
    CHECK(error("var b: f32[1, 1, 1, 1, 1, 1, 1] = 0") ==
          "E0004: the rank of `b` must be 1 to 6, this is 7");
    CHECK(error("var b: f32[3000000, 3000000] = 0") ==
          "E0601: `b` f32[3000000,3000000] has 9e+12 elements, which no VMEM holds");
}

TEST_CASE("`let` holds what a variable was, also as a place in memory") {
    const Result result =
        compile_body("var t = n let u = t * 8 t = t + 1 o = a[u +: 8, :]", "o: vmem f32[8, 256]");
    REQUIRE(result.compiled);
    CHECK(control(result.program()) == "grid{set:t set:u set:t r0}");
    CHECK(flow("var t = n ref part = o[t*8 +: 8, :] t += 1 part = 0") ==
          "grid{set:t set:part set:t r0}");
    CHECK(flow("var t = n fn f(w) { t += 1 return w } let u = f(t)") ==
          "grid{set:t set:w set:t r0}");
    CHECK(flow("let u = n * 8 let w = u + 1") == "grid{r0}");
}

TEST_CASE("`ref` names a part of memory") {
    CHECK(ops("ref part = o[8 +: 8, :] part = 1 part += 1") ==
          "splat broadcast store:o load:o splat add store:o load:a store:z");
    CHECK(ops("ref part = a[8 +: 8, :] ref q1 = part[0, :] o[0, :] = q1") ==
          "load:a store:o load:a store:z");
    CHECK(error("ref part = 3") == "E0204: `3` is a value, a reference to memory is needed");
    CHECK(error("ref part = a + 1") ==
          "E0204: `a + 1` is a value, a reference to memory is needed");
    CHECK(error("ref part = o[60 +: 8, :]") ==
          "E0401: this slice of `o` ends at 68, past its 64 elements");
}

TEST_CASE("`if` on constants keeps one arm, on scalars it branches") {
    CHECK(ops("if 1 > 2 { o = foo } else if true { o = 1 } else { o = bar }") ==
          "splat broadcast store:o load:a store:z");
    CHECK(flow("if n > 3 { o = 1 } else if n > 2 { o = 2 } else { o = 3 }") ==
          "grid{if{r0}else{if{r1}else{r2}} r3}");
    CHECK(flow("if n > 3 { } else { }") == "grid{r0}");
    CHECK(flow("if i == 0 { o = 1 } else { o = foo }") == "grid{r0}");  // an axis of one step
    CHECK(error("if a > 0 { }") ==
          "E0102: a condition is needed here, this is a block pred[64,256]");
    CHECK(error("if n { }") == "E0102: a condition is needed here, this is an i32 scalar");
    CHECK(error("if 1 { }") == "E0102: a condition is needed here, this is the integer 1");
    CHECK(error("if n > 3 { o = foo }") == "E0002: no value named `foo`");
}

TEST_CASE("loops: known ranges, empty ones, and bounds that are fixed at the start") {
    CHECK(flow("for t in 0..4 { o = a }") == "grid{loop{r0} r1}");
    CHECK(flow("for t in 4..4 { o = foo1 }").substr(0, 5) == "E0002");
    CHECK(flow("for t in 5..3 { o = a }") == "grid{r0}");
    CHECK(flow("for t in 0..n step 2 { o = a }") == "grid{loop{r0} r1}");
    CHECK(flow("var e = n for t in 0..e { e = 0 }") == "grid{set:e set:t_end loop{set:e} r0}");
    CHECK(error("for t in 0..4 step 0 { }") ==
          "E0004: the step of `for` must be 1 to 2147483647, this is 0");
    CHECK(error("for t in 0..4 step n { }") ==
          "E0008: the step of a loop must be known at compile time");
    CHECK(error("for t in 0..1.5 { }") ==
          "E0004: the end of a loop must be an integer scalar, this is the real 1.5");
    CHECK(error("for t in a..4 { }") ==
          "E0004: the start of a loop must be an integer scalar, this is a block f32[64,256] in "
          "VMEM");
    CHECK(error("for t in 0..3000000000 { }") == "E0102: 3000000000 does not fit i32");
}

TEST_CASE("unrolled loops are copies in one region, their variable a constant") {
    CHECK(ops("for t in 0..3 unroll { o[t@8, :] = t + 0.5 }") ==
          "splat broadcast store:o splat broadcast store:o splat broadcast store:o load:a store:z");
    CHECK(flow("for t in 0..8 unroll 4 { o = a }") == "grid{loop{r0} r1}");
    CHECK(ops("for t in 0..7 unroll 3 { o = a }") ==
          "load:a store:o store:o store:o | load:a store:o store:z");
    CHECK(flow("for t in 0..2 unroll 3 { o = a }") == "grid{r0}");
    CHECK(flow("for t in 3..3 unroll { o = a }") == "grid{r0}");
    CHECK(ops("for t in 0..10 step 4 unroll { o[t@8, :] = 1 }").substr(0, 5) == "E0401");
    CHECK(error("for t in 0..n unroll { }") ==
          "E0008: the range of an unrolled loop must be known at compile time");
    CHECK(error("for t in 0..4 unroll 0 { }") ==
          "E0901: `unroll` makes 0 copies, at most 4096 are allowed");
    CHECK(error("for t in 0..5000 unroll { }") ==
          "E0901: `unroll` makes 5000 copies, at most 4096 are allowed");
}

TEST_CASE("functions are inlined, see what surrounds them, and take references") {
    CHECK(ops("fn f(x1) = x1 * 2 + n2 let n2 = 3 o = f(a)") ==
          "load:a splat mul splat add store:o store:z");
    CHECK(ops("fn add_to(ref r1, w) { r1 += w } o = 0 add_to(o[0 +: 8, :], 2) add_to(o, a)") ==
          "splat broadcast store:o load:o splat add store:o load:o load:a add store:o store:z");
    CHECK(ops("fn f(w) { let u = w + 1 return u * u } o = f(a)") ==
          "load:a splat add mul store:o store:z");
    CHECK(error("fn f(w) = w o = f(a, a)") == "E0004: `f` takes 1 argument, 2 given");
    CHECK(error("fn f() = 3 o = f(1)") == "E0004: `f` takes 0 arguments, 1 given");
    CHECK(error("fn f(ref w) = w o = f(a + 1)") ==
          "E0204: `a + 1` is a value, a reference to memory is needed");
    CHECK(error("fn f(w) = w o = f(u: a)") == "E0004: `f` has no argument `u`");
    CHECK(error("fn f(w) { let u = w } o = f(a)") ==
          "E0004: `f` gives no value, it has no `return`");
    CHECK(error("exp(a)") == "E0004: the value of `exp` is not used");
    CHECK(error("k(a)") ==
          "E0004: a launch cannot stand here: kernels are launched by a `program`");
    CHECK(error("qux(a)") == "E0002: no function named `qux`");
    CHECK(error("a(3)") == "E0004: `a` is a block f32[64,256] in VMEM, it cannot be called");
}

TEST_CASE("types of parameters are checked where the function stands") {
    CHECK(error("fn f(w: f32) = w o = f(a) o = f(s)") == "");
    CHECK(error("fn f(w: f32) = w let u = f(2)") == "");
    CHECK(error("fn f(w: f32) = w o = f(h)") ==
          "E0004: the argument `w` must be f32, this is a block bf16[64,256] in VMEM");
    CHECK(error("fn f(w: i32) = w let u = f(s)") ==
          "E0004: the argument `w` must be i32, this is an f32 scalar");
    CHECK(error("fn f(w: any[64, 256]) = w o = f(f32(h))") == "");
    CHECK(error("fn f(w: f32[8, 256]) = w o = f(a)") ==
          "E0004: the argument `w` must be f32[8,256], this is a block f32[64,256] in VMEM");
    CHECK(error("const R = 64 fn f(w: f32[R, 256]) = w o = f(a)") == "");
}

TEST_CASE("`return` ends the block of a function and stands nowhere else") {
    CHECK(error("return 3") == "E0004: `return` cannot stand here: it ends a function");
    CHECK(error("fn f(w) { return w let u = 3 } o = f(a)") ==
          "E0004: `return` cannot stand here: it is the last statement of a function's block");
    CHECK(error("fn f(w) { if n > 3 { return w } return a } o = f(a)") ==
          "E0004: `return` cannot stand here: it is the last statement of a function's block");
}

TEST_CASE("recursion is found, direct and through others, once") {
    CHECK(error("fn f(w) = f(w) o = f(a)") == "E0901: `f` calls itself");
    CHECK(error("fn f(w) = g(w) fn g(w) = f(w) o = f(a)") == "E0901: `f` calls itself");
    CHECK(error("fn f(w) { f(w) } f(a)") == "E0901: `f` calls itself");
    CHECK(error("fn f(w) = w fn g(w) = f(f(w)) o = g(g(a))") == "");
}

TEST_CASE("a variable that a function changes is kept in memory where loops call it") {
    CHECK(ops("var b = a fn add_to(w) { b = b + w } for t in 0..n { add_to(a) } o = b") ==
          "load:a store:b | load:b load:a add store:b | load:b store:o load:a store:z");
    CHECK(ops("var b = a fn next(w) { b = b + w return b } for t in 0..n { o = next(a) }") ==
          "load:a store:b | load:b load:a add store:b load:b store:o | load:a store:z");
}

TEST_CASE("values cross into other regions through live buffers") {
    const Result result = compile_body(
        "let b = exp(a) if n > 3 { o = b } else { o = b + 1 } o += b", "o: vmem f32[64, 256]");
    REQUIRE(result.compiled);
    CHECK(operations(result.program()) ==
          "load:a exp store:b | load:b store:o | splat load:b add store:o | load:o load:b add "
          "store:o load:a store:z");
    const schedule::Buffer* b = buffer(result.program(), "b");
    REQUIRE(b);
    CHECK(b->role == schedule::BufferRole::live);
    // without a name as well: the argument of a function that branches
    CHECK(ops("fn f(w) { if n > 3 { o = w } } f(a * 2)") ==
          "load:a splat mul store:t2 | load:t2 store:o | load:a store:z");
}

TEST_CASE("`assert` on constants holds or is an error") {
    CHECK(error("assert 2 > 1") == "");
    const Result result = compile_body("assert 1 > 2, \"one is less\"");
    CHECK(result.error() == "E0005: `assert 1 > 2` does not hold");
    CHECK(result.diags.messages()[0].why() == "one is less");
    CHECK(error("assert 3") == "E0102: a condition is needed here, this is the integer 3");
    CHECK(error("assert n > 3") == "");
}

TEST_CASE("`scope` holds a title and its own region") {
    CHECK(flow("scope \"one\" { o = a } scope \"two\" { o += a }") ==
          "grid{scope{r0} scope{r1} r2}");
}

TEST_CASE("five mistakes in one kernel are five messages") {
    const Result result = compile_body(
        "o = h\n"
        "let b = a + q\n"
        "let c = dot(a, a.T)\n"
        "let d = nothing\n"
        "let e = rowmax(a, a)");
    CHECK(result.headlines().size() == 5);
}
