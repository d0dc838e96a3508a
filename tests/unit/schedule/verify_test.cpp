#include "compiler/schedule/verify.hpp"

#include <functional>

#include <catch2/catch.hpp>

#include "programs.hpp"

using namespace slab;
using namespace slab::schedule;
using namespace slab::schedule::testing;

namespace {

Program sound() {
    return read(R"(
program sound chip toy lanes 128 sublanes 8
vmem 30720 of 32768
operand a: in hbm bf16[64, 256] tile 8
operand c: out hbm f32[64, 256] tile 8
buffer x: window vmem bf16[8, 128] tile 8 copies 2 bytes 2048 at 0
buffer o: window vmem f32[8, 128] tile 8 copies 2 bytes 4096 at 4096
buffer s: scratch vmem f32[8, 128] tile 8 copies 1 bytes 4096 at 12288
buffer p: live vmem f32[8, 128] tile 8 copies 1 bytes 4096 at 16384
buffer q: live vmem f32[8, 128] tile 8 copies 1 bytes 4096 at 16384
slot i: i32 = 0
slot j: i32 = 0
slot n: i32 = 3
slot r: f32 = 0.0
region r0 main flops 16384 {
    %0 = load x[0 +: 8, 0 +: 128]: bf16[8, 128]
    %1 = load p[0 +: 8, 0 +: 128]: f32[8, 128]
    %2 = dot %0, %0 transposed: f32[8, 8]
    %3 = rowmax.reduce_lanes %1: f32[8, 1]
    %4 = sub.map %1, %3 valu 8: f32[8, 128]
    store %4, s[0 +: 8, 0 +: 128]
    store %4, q[0 +: 8, 0 +: 128]
}
body {
    grid g (i in 0 .. n, j in i .. 2) where i < j {
        in x = a[i*8 +: 8, j*128 +: 128] buffer x depth 2 moves (i, j)
        out o = c[i*8 +: 8, 0 +: 128] buffer o depth 2 moves (i)
        region r0
        if j == 1 {
            set r = 1.5
        }
    }
    for j in 0 .. 4 step 2 {
        region r0
    }
}
)");
}

/// The first complaint about the program after `change`.
std::string complaint(const std::function<void(Program&)>& change) {
    Program program = sound();
    change(program);
    const auto sentences = verify(program);
    return sentences.empty() ? "" : sentences.front();
}

Pipeline& grid(Program& program) {
    return std::get<Pipeline>(program.body[0].node);
}
template <typename Node>
void append(Block& block, Node node) {
    block.emplace_back().node = std::move(node);
}
Op& op(Program& program, std::size_t i) {
    return program.regions[0].ops[i];
}
ExprId constant(Program& program, std::int64_t value) {
    ScalarExpr expr;
    expr.integer = value;
    program.exprs.push_back(expr);
    return static_cast<ExprId>(program.exprs.size()) - 1;
}
ExprId read_slot(Program& program, SlotId slot) {
    ScalarExpr expr;
    expr.op = ScalarOp::slot;
    expr.slot = slot;
    expr.type = program.slots[static_cast<std::size_t>(slot)].type;
    program.exprs.push_back(expr);
    return static_cast<ExprId>(program.exprs.size()) - 1;
}
ScalarExpr& find(Program& program, ScalarOp op) {
    for (ScalarExpr& expr : program.exprs)
        if (expr.op == op) return expr;
    FAIL("no such expression");
    return program.exprs.front();
}

}  // namespace

TEST_CASE("a sound program gives no complaint") {
    CHECK(verify(sound()).empty());
    CHECK(verify(Program{}).empty());
}

TEST_CASE("expressions are typed, acyclic and refer to what exists") {
    CHECK(complaint([](Program& p) {
              find(p, ScalarOp::mul).args.pop_back();
          }).ends_with("has 1 arguments, it needs 2"));
    CHECK(complaint([](Program& p) {
              find(p, ScalarOp::mul).args[1] = 99;
          }).ends_with("uses expression 99, which does not exist"));
    CHECK(complaint([](Program& p) {
              const auto last = static_cast<ExprId>(p.exprs.size()) - 1;
              p.exprs.back().op = ScalarOp::neg;
              p.exprs.back().args = {last};
          }) == "an expression contains itself");
    CHECK(complaint([](Program& p) {
              find(p, ScalarOp::slot).slot = 12;
          }).ends_with("reads slot 12, which does not exist"));
    CHECK(complaint([](Program& p) {
              p.slots[0].type = ScalarType::f32;
          }).ends_with("reads slot `i` with another type than it has"));
    CHECK(complaint([](Program& p) { find(p, ScalarOp::mul).args[1] = read_slot(p, 3); }) ==
          "`i*r` mixes types");
    CHECK(complaint([](Program& p) { find(p, ScalarOp::lt).type = ScalarType::i32; }) ==
          "`i < j` is called i32, it is pred");
    CHECK(complaint([](Program& p) { find(p, ScalarOp::mul).op = ScalarOp::land; }) ==
          "`i and 8` has no meaning on i32");
    CHECK(complaint([](Program& p) { constant(p, std::int64_t{1} << 31); }) ==
          "the constant 2147483648 does not fit in an i32");
}

TEST_CASE("buffers lie in VMEM, large enough and apart") {
    CHECK(complaint([](Program& p) { p.buffers[0].bytes = 2000; }) ==
          "buffer `x` has 2000 bytes, bf16[8, 128] need 2048");
    CHECK(complaint([](Program& p) { p.buffers[2].offset = 30000; }) ==
          "buffer `s` ends at byte 34096, the limit is 32768");
    CHECK(complaint([](Program& p) { p.buffers[2].offset = 8192; }) ==
          "buffers `o` and `s` overlap");
    CHECK(complaint([](Program& p) { p.buffers[3].offset = 12288; }) ==
          "buffers `s` and `p` overlap");
    CHECK(complaint([](Program& p) { p.vmem_bytes = 40000; }) ==
          "40000 bytes of VMEM are charged, the limit is 32768");
    CHECK(complaint([](Program& p) {
              p.operands[0].shape = {64, 0};
          }) == "operand `a` is 64 x 0: every extent must be 1 or more");
    CHECK(complaint([](Program& p) { p.operands[0].shape.assign(7, 1); }) ==
          "operand `a` has rank 7, it must be 1 to 6");
}

TEST_CASE("values are defined before they are used, and have the shapes their ops give") {
    const std::string in_region = " in region `main` ";
    CHECK(complaint([](Program& p) { op(p, 2).args[1] = 4; }) ==
          "`dot`" + in_region + "uses %4, which is not defined before");
    CHECK(complaint([](Program& p) { op(p, 3).result = 2; }) ==
          "`rowmax`" + in_region + "defines %2 again");
    CHECK(complaint([](Program& p) { op(p, 5).result = 4; }) ==
          "`store`" + in_region + "has result 4");
    CHECK(complaint([](Program& p) { op(p, 5).ref.reset(); }) ==
          "`store`" + in_region + "refers to no buffer");
    CHECK(complaint([](Program& p) { op(p, 4).ref = op(p, 5).ref; }) ==
          "`sub`" + in_region + "refers to a buffer");
    CHECK(complaint([](Program& p) { op(p, 5).args[0] = 3; }) ==
          "`store`" + in_region + "moves f32[8, 1] where `s` has f32[8, 128]");
    CHECK(complaint([](Program& p) { op(p, 5).ref->dims[1].start = constant(p, 1); }) ==
          "`store`" + in_region + "takes elements 1 to 128 of the 128 of `s`");
    CHECK(complaint([](Program& p) { op(p, 5).ref->dims.pop_back(); }) ==
          "`store`" + in_region + "gives 1 indices to `s` of rank 2");
    CHECK(complaint([](Program& p) { op(p, 2).transposed = false; }) ==
          "`dot`" + in_region + "multiplies 8 x 128 by 8 x 128 to 8 x 8");
    CHECK(complaint([](Program& p) {
              p.regions[0].values[3].shape = {8, 2};
          }) == "`rowmax`" + in_region + "reduces 8 x 128 to 8 x 2");
    CHECK(complaint([](Program& p) { op(p, 4).args[1] = 2; }) ==
          "`sub`" + in_region + "spreads 8 x 8 over 8 x 128");
    CHECK(complaint([](Program& p) { op(p, 4).work.valu = -1; }) ==
          "`sub`" + in_region + "works -1");
    CHECK(complaint([](Program& p) { p.regions[0].flops = 100; }) ==
          "region `main` counts 100 flops, its dots have 16384");
}

TEST_CASE("live values share bytes only if one is done with before the other is touched") {
    // `p` is loaded before `q` is stored, so they may share; loaded after it, they may not.
    CHECK(complaint([](Program& p) {
              auto& ops = p.regions[0].ops;
              ops.push_back(ops[1]);
              ops.back().result = 5;
              p.regions[0].values.push_back({DType::f32, {8, 128}});
          }) == "live values `p` and `q` share bytes in region `main`");
}

TEST_CASE("streams fit their operand, their buffer and their one grid") {
    CHECK(complaint([](Program& p) { grid(p).streams.push_back(0); }) ==
          "stream `x` belongs to 2 grids, not to one");
    CHECK(complaint([](Program& p) { grid(p).streams.pop_back(); }) ==
          "stream `o` belongs to 0 grids, not to one");
    CHECK(complaint([](Program& p) { p.streams[0].depth = 3; }) ==
          "stream `x` has depth 3, `x` has 2 copies");
    CHECK(complaint([](Program& p) { p.streams[0].direction = Direction::inout; }) ==
          "stream `x` writes to `a`, which is an input");
    CHECK(complaint([](Program& p) { p.streams[0].dims.pop_back(); }) ==
          "stream `x` gives 1 indices to `a` of rank 2");
    CHECK(complaint([](Program& p) { p.streams[0].dims[1].size = 256; }) ==
          "stream `x` moves bf16[8, 256] through `x` of bf16[8, 128]");
    CHECK(complaint([](Program& p) { p.streams[0].moves_with[1] = false; }) ==
          "stream `x` moves with an axis that it denies: `j*128`");
    CHECK(complaint([](Program& p) { p.streams[0].moves_with.pop_back(); }) ==
          "stream `x` says of 1 axes whether they move it, there are 2");
}

TEST_CASE("statements refer to what exists and leave alone what steers them") {
    CHECK(complaint([](Program& p) { append(p.body, RunRegion{4}); }) == "region 4 does not exist");
    CHECK(complaint([](Program& p) {
              std::get<Branch>(grid(p).body[1].node).condition = constant(p, 1);
          }) == "the condition of a branch is i32 `1`, it must be pred");
    CHECK(complaint([](Program& p) {
              append(grid(p).body, SetSlot{2, constant(p, 1)});
          }) == "`n` of grid `g` depends on `n`, which its body sets");
    CHECK(complaint([](Program& p) {
              append(grid(p).body, SetSlot{0, constant(p, 1)});
          }) == "`i` of grid `g` depends on `i`, which its body sets");
    CHECK(complaint([](Program& p) {
              Loop inner;
              inner.slot = 1;
              inner.lo = inner.hi = constant(p, 0);
              append(std::get<Loop>(p.body[1].node).body, inner);
          }) == "`j` counts a loop and one inside it");
    CHECK(complaint([](Program& p) { std::get<Loop>(p.body[1].node).slot = 3; }) ==
          "`r` counts a loop and is no i32");
    CHECK(complaint([](Program& p) { grid(p).axes[0].hi = none; }) ==
          "a bound of grid g has no expression: id -1");
}
