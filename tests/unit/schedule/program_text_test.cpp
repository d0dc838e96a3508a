#include <catch2/catch.hpp>

#include "compiler/schedule/print.hpp"
#include "programs.hpp"

using namespace slab;
using namespace slab::schedule;
using namespace slab::schedule::testing;

namespace {

const char* const everything = R"(program everything chip toy lanes 128 sublanes 8
vmem 4096 of 65536
operand a#0: in hbm bf16[64, 256] tile 8
operand a#1: inout hbm f32[2, 8, 128] tile 8
operand table: in smem i32[7] tile 1
buffer w: window vmem bf16[8, 128] tile 8 copies 3 bytes 2048 at 0
buffer "s t": scratch vmem f32[8, 128] tile 8 copies 2 bytes 4096 at 6144
buffer l: live vmem f32[8, 128] tile 8 copies 1 bytes 4096 at 16384
buffer z: window vmem f32[8, 128] tile 8 copies 2 bytes 4096 at 20480
slot i#0: i32 = 0
slot i#1: i32 = -5
slot x: f32 = 1.5
slot flag: pred = true
slot inf#4: f32 = -inf
region r0 first flops 2097152 {
    %0 = load w[0 +: 8, 0 +: 128]: bf16[8, 128]
    %1 = splat.source (x): f32[8, 128]
    %2 = iota.source of {0} valu 8: i32[8, 128]
    %3 = load "s t"[0 +: 4 step 2, 0 +: 128]: f32[4, 128]
    %4 = transpose.move %3 of {1, 0} xlu 4.5: f32[128, 4]
    %5 = rowmax.reduce_lanes %1 valu 7 xlu 16: f32[8, 1]
    %6 = colsum.reduce_sublanes %1 xlu 1e-07: f32[1, 128]
    %7 = exp.map %1, %6 valu 16 eup 8: f32[8, 128]
    %8 = dot %0, %0 transposed passes 3: f32[8, 8]
    store %7, l[0 +: 8, 0 +: 128]
    %9 = load z[i#0, 0 +: 128]: f32[128]
}
region r1 "" flops 0 {
}
body {
    grid "the grid" (i#0 in 0 .. 8 par, i#1 in 0 .. i#0 + 1) where i#0 != i#1 {
        in w = a#0[i#0*8 +: 8, 128 +: 128] buffer w depth 3 ahead pad -inf moves (i#0)
        inout z = a#1[i#1 % 2, 0 +: i#0 upto 8, 0 +: 128] buffer z depth 2 revisit moves (i#0, i#1)
        region r0
        if flag and x < 2.0 {
            set x = x*0.5
        } else {
            scope "a \"b\" \\ c" {
                region r1
            }
        }
    }
    grid alone () {
    }
    for i#0 in 0 .. 10 step 2 {
        for i#1 in i#0 .. 3 {
        }
    }
}
)";

std::string complaint(std::string text) {
    const SourceFile source("p", std::move(text));
    Diagnostics diags;
    CHECK_FALSE(parse_program(source, diags).has_value());
    REQUIRE(diags.size() == 1);
    const Diagnostic& message = diags.messages()[0];
    return fmt::format("{}: {}", source.place(message.span().begin).line, message.headline());
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), by);
}

}  // namespace

TEST_CASE("a program prints as it was read") {
    const Program program = read(everything);
    CHECK(print(program) == everything);
    CHECK(canonical(program) == program);
}

TEST_CASE("comments and layout do not matter") {
    const Program program = toy("region r0\nif n == 2 { set t = i + 1 }");
    CHECK(toy("  region\n r0 // work\n\nif n==2{set t=i+1}") == program);
}

TEST_CASE("programs that differ in the numbers of expressions and values are canonically equal") {
    const Program program = read(everything);
    Program other = program;
    // An unused expression in front moves all others up, and one is there twice.
    other.exprs.insert(other.exprs.begin(), ScalarExpr{});
    const auto shift = [](ExprId& id) { id += id != none; };
    for (ScalarExpr& expr : other.exprs)
        for (ExprId& arg : expr.args) shift(arg);
    for (Region& region : other.regions)
        for (Op& op : region.ops) {
            if (op.ref)
                for (RefDim& dim : op.ref->dims) shift(dim.start);
            for (ExprId& scalar : op.scalars) shift(scalar);
        }
    for (Stream& stream : other.streams)
        for (RefDim& dim : stream.dims) {
            shift(dim.start);
            shift(dim.live);
        }
    auto& grid = std::get<Pipeline>(other.body[0].node);
    for (Axis& axis : grid.axes) {
        shift(axis.lo);
        shift(axis.hi);
    }
    shift(grid.where);
    auto& branch = std::get<Branch>(grid.body[1].node);
    shift(branch.condition);
    shift(std::get<SetSlot>(branch.then[0].node).value);
    auto& loop = std::get<Loop>(other.body[2].node);
    auto& inner = std::get<Loop>(loop.body[0].node);
    for (ExprId* id : {&loop.lo, &loop.hi, &loop.step, &inner.lo, &inner.hi}) shift(*id);
    other.exprs.push_back(other.exprs[static_cast<std::size_t>(loop.hi)]);
    loop.hi = static_cast<ExprId>(other.exprs.size()) - 1;
    std::swap(other.streams[0], other.streams[1]);
    grid.streams = {1, 0};

    CHECK_FALSE(other == program);
    CHECK(canonical(other) == program);
    CHECK(print(canonical(other)) == everything);
}

TEST_CASE("an unsound program is printed all the same") {
    Program program = toy("grid g (i in 0 .. 2) { region r0 }");
    auto& grid = std::get<Pipeline>(program.body[0].node);
    grid.axes[0].slot = 77;
    grid.axes[0].hi = 99;
    grid.streams = {5};
    ScalarExpr circle;
    circle.op = ScalarOp::neg;
    circle.args = {static_cast<ExprId>(program.exprs.size())};
    grid.axes[0].lo = circle.args[0];
    program.exprs.push_back(circle);
    const std::string text = print(program);
    CHECK(text.find("?77 in ") != std::string::npos);
    CHECK(text.find(" .. ?99)") != std::string::npos);
    CHECK(text.find("in ?5") != std::string::npos);
}

TEST_CASE("what is wrong with a text is said with its line") {
    CHECK(complaint("") == "1: expected `program`, the text ends");
    CHECK(complaint(replaced(everything, "tile 8\n", "tile eight\n")) ==
          "3: expected a number after `tile`, there is `eight`");
    CHECK(complaint(replaced(everything, "in hbm", "in hbn")) ==
          "3: expected a space (hbm, vmem, smem), there is `hbn`");
    CHECK(complaint(replaced(everything, "slot x", "slot flag")) ==
          "13: slot `flag` is declared twice");
    CHECK(complaint(replaced(everything, "%7 = exp.map %1", "%7 = exp.map %8")) ==
          "23: no value %8 before this");
    CHECK(complaint(replaced(everything, "%7 = exp.map", "%7 = exp")) ==
          "23: operation `exp` needs its class, as in `exp.map`");
    CHECK(complaint(replaced(everything, "region r1 \"\"", "region r2 \"\"")) ==
          "28: regions are numbered in order, this is r1");
    CHECK(complaint(replaced(everything, "buffer w depth", "buffer q depth")) ==
          "32: no buffer named `q`");
    CHECK(complaint(replaced(everything, "i#0*8 +: 8", "i#0*8 +: i#0")) ==
          "32: expected a size; a length known at run time needs `upto`, there is `i#0`");
    CHECK(complaint(replaced(everything, "moves (i#0)", "moves (x)")) ==
          "32: `x` is no axis of this grid");
    CHECK(complaint(replaced(everything, "x < 2.0", "x < ")) ==
          "35: expected an expression, there is `{`");
    CHECK(complaint(replaced(everything, "x*0.5", "cos(x)")) == "36: no function named `cos`");
    CHECK(complaint(replaced(everything, "x*0.5", "max(x)")) ==
          "36: `max` takes 2 arguments, there are 1");
    CHECK(complaint(replaced(everything, "region r0\n        if", "region r9\n        if")) ==
          "34: no region r9");
    CHECK(complaint(replaced(everything, "grid alone", "gird alone")) ==
          "43: expected `grid`, `for`, `if`, `set`, `region`, `scope` or `}`, there is `gird`");
    CHECK(complaint(replaced(everything, "\\\\ c\"", "\\\\ c")) ==
          "38: expected a closing quote on the same line");
    CHECK(complaint(std::string(everything) + "}") ==
          "50: expected the end of the text, there is `}`");
    CHECK(complaint(replaced(everything, "x*0.5", std::string(2000, '(') + "x")) ==
          "36: brackets are nested too deeply");
    CHECK(complaint(replaced(everything, "= -5", "= 99999999999999999999")) ==
          "11: 99999999999999999999 does not fit in 64 bits");
}
