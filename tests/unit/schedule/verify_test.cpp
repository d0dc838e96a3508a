#include "compiler/schedule/verify.hpp"

#include <functional>

#include <catch2/catch.hpp>

#include "compiler/schedule/print.hpp"
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

/// The first complaint about `together` after `change`.
std::string complaint_together(const std::function<void(Program&)>& change) {
    Program program = read(together);
    change(program);
    const auto sentences = verify(program);
    return sentences.empty() ? "" : sentences.front();
}

/// The first complaint about `together` with `by` in the place of `what`.
std::string complaint_about(const std::string& what, const std::string& by) {
    std::string text = together;
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    const SourceFile source("test", text.replace(at, what.size(), by));
    Diagnostics diags;
    const auto program = parse_program(source, diags);
    INFO(render(diags, &source));
    REQUIRE(program.has_value());
    const auto sentences = verify(*program);
    return sentences.empty() ? "" : sentences.front();
}

}  // namespace

TEST_CASE("a sound program gives no complaint") {
    CHECK(verify(sound()).empty());
    CHECK(verify(read(together)).empty());
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

TEST_CASE("elements are of SMEM buffers, one index per dimension, with the type they have") {
    CHECK(complaint_together([](Program& p) {
              p.buffers[0].space = Space::vmem;
          }).ends_with("takes an element of `table`, which is not in SMEM"));
    CHECK(complaint_together([](Program& p) {
              find(p, ScalarOp::element).args.pop_back();
          }).ends_with("gives 1 indices to `table` of rank 2"));
    CHECK(complaint_together([](Program& p) {
              find(p, ScalarOp::element).buffer = 44;
          }).ends_with("refers to buffer 44"));
    CHECK(complaint_together([](Program& p) {
              find(p, ScalarOp::element).copy = 4444;
          }).ends_with("is of copy 4444"));
    CHECK(complaint_together([](Program& p) {
              find(p, ScalarOp::element).type = ScalarType::f32;
          }).ends_with("is called f32, it is i32"));
    CHECK(complaint_together([](Program& p) {
              find(p, ScalarOp::add).copy = 0;
          }).ends_with("is of copy 0"));
    CHECK(complaint_together([](Program& p) {
              for (ScalarExpr& expr : p.exprs)
                  if (expr.op == ScalarOp::element && expr.copy != none)
                      expr.copy = static_cast<ExprId>(&expr - p.exprs.data());
          }) == "an expression contains itself");
    CHECK(complaint_about("table[0, 0] < n", "table[0, 16] < n")
              .ends_with("takes elements 16 to 16 of the 16 of `table`"));
    CHECK(complaint_about("table[0, 0] < n", "table[0, f32(n)] < n")
              .ends_with("an index of table is f32 `f32(n)`, it must be i32"));
    CHECK(complaint_about("\"live pages\"[0] ==", "\"live pages\"{2}[0] ==")
              .ends_with("takes copy 2 of the 2 of `live pages`"));
    CHECK(complaint_about("set \"live pages\"{1}[p + 1]", "set kv[p + 1, 0]") ==
          "an assignment takes an element of `kv`, which is not in SMEM");
    CHECK(complaint_about("set \"live pages\"{1}[p + 1]", "set \"live pages\"{1}[p, 1]") ==
          "an assignment gives 2 indices to `live pages` of rank 1");
    CHECK(complaint_about("[p + 1] = table[i, 3]", "[p + 1] = 0.5") ==
          "the value of an element of live pages is f32 `0.5`, it must be i32");
}

TEST_CASE("refs name one memory, an index per dimension, and views of the same bits") {
    const std::string load = "`load` in region `views` ";
    CHECK(complaint_together([](Program& p) { op(p, 0).ref->operand = 0; }) ==
          "`load` in region `views` refers to an operand, which is in HBM");
    CHECK(complaint_about("load kv{kv_take}[0", "load kv{table}[0") ==
          "the copy of kv is pred `table`, it must be i32");
    CHECK(complaint_about("load kv{kv_take}[0", "load kv{2}[0") ==
          load + "takes copy 2 of the 2 of `kv`");
    CHECK(complaint_about("permuted (1, 0, 2)", "permuted (1, 0, 1)") ==
          load + "permutes the 3 dimensions of `of` by (1, 0, 1)");
    CHECK(complaint_about("permuted (1, 0, 2)", "permuted (1, 0)") ==
          load + "permutes the 3 dimensions of `of` by (1, 0)");
    CHECK(complaint_about("as f32[8, 128][", "as f32[16, 128][") ==
          load + "sees bf16[16, 128] of `kv` as f32[16, 128]");
    CHECK(complaint_about("as f32[8, 128][0 +: 8", "as f32[8, 128][1 +: 8") ==
          load + "takes elements 1 to 8 of the 8 of `kv`");
    CHECK(complaint_about("as u32[512][5 +: 1]: u32[1]", "as u32[512][5 +: 1, 0]: u32[1]") ==
          load + "gives 2 indices to `kv` of rank 1");
    CHECK(complaint_about("0 +: 64 step 2]", "1 +: 65 step 2]") ==
          load + "takes elements 1 to 129 of the 128 of `of`");
    CHECK(complaint_about("kv[p +: n upto 8", "kv[p +: f32(n) upto 8") ==
          "a length of kv is f32 `f32(n)`, it must be i32");
    CHECK(complaint_about("step 2]: bf16[64]", "step 0]: bf16[64]") ==
          load + "takes 64 elements, 0 apart, of `of`");
    CHECK(complaint_together([](Program& p) { p.copies[0].source.buffer = 0; }) ==
          "copy 0 refers to operand 1 and buffer 0, one of them is meant");
    CHECK(complaint_together([](Program& p) { p.copies[0].source = {}; }) ==
          "copy 0 refers to operand -1 and buffer -1, one of them is meant");
    CHECK(complaint_together([](Program& p) { p.copies[0].source.operand = 3; }) ==
          "copy 0 refers to operand 3");
    CHECK(complaint_together([](Program& p) { p.copies[0].target.buffer = 30; }) ==
          "copy 0 refers to buffer 30");
    CHECK(complaint_about("hbm y[0, 0 +: 8", "hbm y{0}[0, 0 +: 8") ==
          "copy 6 asks for a copy of operand `y`");
    CHECK(complaint_about("hbm hbm#1[table[i, p], 0 +: 8", "hbm hbm#1[0 +: 8") ==
          "copy 0 gives 2 indices to `hbm` of rank 3");
}

TEST_CASE("copies have equal ends and one way to complete") {
    CHECK(complaint_about("0 +: 8, 0 +: 128] -> kv{kv_fill}", "0 +: 4, 0 +: 128] -> kv{kv_fill}") ==
          "copy 0 moves bf16[4, 128] to bf16[8, 128]");
    CHECK(complaint_about("y: inout", "y: in") == "copy 2 writes to `y`, which is an input");
    CHECK(complaint_about("ring kv\n", "done sent ring kv\n") == "copy 0 completes in 2 ways");
    CHECK(complaint_about("done sent prio", "done ready[0] prio") ==
          "copy 1 uses the count semaphore `ready`, it needs a dma one");
    CHECK(complaint_about("done sent prio", "done got prio") ==
          "copy 1 gives 0 indices to semaphore `got` of rank 2");
    CHECK(complaint_about("done sent prio", "done got[0, 4] prio") ==
          "copy 1 takes element 4 of the 4 of semaphore `got`");
    CHECK(complaint_about("done sent prio", "done got[true, 0] prio") ==
          "an index of got is pred `true`, it must be i32");
    CHECK(complaint_together([](Program& p) { p.copies[1].done.semaphore = 3; }) ==
          "copy 1 uses semaphore 3, which does not exist");
    CHECK(complaint_together([](Program& p) { p.copies[0].ring = 2; }) ==
          "copy 0 belongs to ring 2, which does not exist");
    CHECK(complaint_together([](Program& p) { p.copies[5].stream = 2; }) ==
          "copy 5 belongs to stream 2, which does not exist");
    CHECK(complaint_about("done sent prio", "done sent arrive sent prio") ==
          "copy 1 arrives at a semaphore and goes to no other member");
    CHECK(complaint_about("done sent arrive", "arrive") ==
          "copy 3 is remote and done on no semaphore");
    CHECK(complaint_about("done sent arrive got[0, p % 4]", "done sent") ==
          "copy 3 uses semaphore -1, which does not exist");
    CHECK(complaint_about("arrive got[0, p % 4]", "arrive ready[0]") ==
          "copy 3 uses the count semaphore `ready`, it needs a dma one");
    CHECK(complaint_together([](Program& p) { p.copies[3].device.pop_back(); }) ==
          "copy 3 names a member by 1 coordinates, the mesh has 2 axes");
    CHECK(complaint_about("at (r: \"me.r\", s: 0)", "at (r: \"me.r\", s: 0.5)") ==
          "a coordinate of copy 3 is f32 `0.5`, it must be i32");
    CHECK(complaint_about("put out {", "if true {") ==
          "copy 2 belongs to a ring that is not being filled there");
    CHECK(complaint_about("[p*8 +: 8, 0 +: 128] ring kv", "[p*8 +: 8, 0 +: 128] ring out") ==
          "copy 0 belongs to a ring that is not being filled there");
    CHECK(complaint_together([](Program& p) { p.copies[2].stream = 0, p.copies[2].ring = none; }) ==
          "copy 2 belongs to a stream whose transfers it is not among");
}

TEST_CASE("waits and signals fit their semaphores, barriers the mesh") {
    CHECK(complaint_about("wait sent for kv[0 +: n upto 8, 0 +: 128]", "wait sent until 4") ==
          "wait 0 is for bytes and needs a part of a memory, not a count");
    CHECK(complaint_about("until n + 1", "for kv[0, 0]") == "wait 3 is for a count, not for bytes");
    CHECK(complaint_about("until n + 1", "until 1.0") ==
          "the count of wait 3 is f32 `1.0`, it must be i32");
    CHECK(complaint_together([](Program& p) { p.waits[0].semaphore.semaphore = 9; }) ==
          "wait 0 uses semaphore 9, which does not exist");
    CHECK(complaint_together([](Program& p) { p.waits[0].region->dims.pop_back(); }) ==
          "wait 0 gives 1 indices to `kv` of rank 2");
    CHECK(complaint_about("signal ready[1] at", "signal sent at") ==
          "signal 0 uses the dma semaphore `sent`, it needs a count one");
    CHECK(complaint_about("signal ready[0] at (r: 0, s: 0)", "signal ready[0]") ==
          "signal 1 names a member by 0 coordinates, the mesh has 2 axes");
    CHECK(complaint_about("by n + 1", "by n > 1") ==
          "the count of signal 0 is pred `n > 1`, it must be i32");
    CHECK(complaint_together([](Program& p) { p.barriers[0].peers.clear(); }) ==
          "barrier 0 is with nobody");
    CHECK(complaint_together([](Program& p) { p.barriers[0].all = 1; }) ==
          "barrier 0 is with an axis and with peers");
    CHECK(complaint_together([](Program& p) { p.barriers[1].all = 2; }) ==
          "barrier 1 is along axis 2 of the mesh, which does not exist");
    CHECK(complaint_together([](Program& p) { p.barriers[0].peers[1].pop_back(); }) ==
          "barrier 0 names a member by 1 coordinates, the mesh has 2 axes");
    CHECK(complaint_about("assert i < 8 and not table", "assert i") ==
          "the condition of check 0 is i32 `i`, it must be pred");
    CHECK(complaint_together([](Program& p) { p.prints[0].values[1] = 4000; }) ==
          "print 0 has expression 4000, which does not exist");
}

TEST_CASE("every entry of a table is used once") {
    const auto after = [](const auto& change) { return complaint_together(change); };
    CHECK(after([](Program& p) { append(p.body, MeetPeers{0}); }) == "barrier 0 is used twice");
    CHECK(after([](Program& p) { p.body.erase(p.body.begin()); }) == "barrier 0 is used nowhere");
    CHECK(after([](Program& p) { append(p.body, StartCopy{1}); }) == "copy 1 is used twice");
    CHECK(after([](Program& p) { append(p.body, StartCopy{7}); }) == "copy 7 does not exist");
    CHECK(after([](Program& p) { append(p.body, Await{0}); }) == "wait 0 is used twice");
    CHECK(after([](Program& p) { append(p.body, SendSignal{none}); }) ==
          "signal -1 does not exist");
    CHECK(after([](Program& p) { append(p.body, MakeSure{0}); }) == "check 0 is used twice");
    CHECK(after([](Program& p) { append(p.body, PrintValues{2}); }) == "print 2 does not exist");
    CHECK(after([](Program& p) { p.prints.push_back(p.prints[0]); }) == "print 2 is used nowhere");
}

TEST_CASE("meshes, semaphores, rings and residents are whole") {
    CHECK(complaint_together([](Program& p) { p.mesh[0].slot = none; }) ==
          "mesh axis `r` has slot -1, which does not exist");
    CHECK(complaint_about("mesh axis r = 2 slot \"me.r\"", "mesh axis r = 2 slot table") ==
          "the slot of mesh axis `r` is no i32");
    CHECK(complaint_about("mesh axis r = 2", "mesh axis r = 0") == "mesh axis `r` has extent 0");
    CHECK(complaint_about("mesh axis r = 2", "mesh axis r = 9000000000000000000") ==
          "the mesh has more members than can be numbered");
    CHECK(complaint_about("dma[2, 4]", "dma[0, 4]") ==
          "semaphore `got` is 0 x 4: every extent must be 1 or more");
    CHECK(complaint_about("ring kv: buffer kv", "ring kv: buffer rows") ==
          "ring `kv` is made of buffer `rows`, which is no ring");
    CHECK(complaint_together([](Program& p) { p.rings[0].buffer = 17; }) ==
          "ring `kv` has buffer 17, which does not exist");
    CHECK(complaint_about("take kv_take", "take table") ==
          "ring `kv` has slot 10, which is no i32 variable");
    CHECK(complaint_together([](Program& p) { p.rings[0].fill = 99; }) ==
          "ring `kv` has slot 99, which is no i32 variable");
    CHECK(complaint_about("take kv {", "take out {") ==
          "`take` of ring `out` has no variable for its slot");
    CHECK(complaint_together([](Program& p) { std::get<UseRing>(p.body[4].node).ring = 3; }) ==
          "ring 3 does not exist");
    CHECK(complaint_together([](Program& p) {
              append(std::get<UseRing>(p.body[4].node).body, RunRegion{0});
          }) == "`drain` of ring `out` has a body");
    CHECK(complaint_about("resident table", "resident kv") ==
          "operand `table` of i32[4, 16] is held by buffer `kv` of bf16[16, 128]");
    CHECK(complaint_together([](Program& p) { p.operands[0].resident = 70; }) ==
          "operand `table` is held by buffer 70, which does not exist");
}

TEST_CASE("transfers of a stream are copies of its own, and go its way") {
    const std::string copy = "copy hbm hbm#1[table[0, p], i";
    CHECK(complaint_about(copy, "region r0 " + copy) ==
          "the transfers of stream `rows` have a region among them");
    CHECK(complaint_about(copy, "drain out " + copy) ==
          "the transfers of stream `rows` have a ring among them");
    CHECK(complaint_together([](Program& p) { append(p.streams[0].flush, Pipeline{}); }) ==
          "the transfers of stream `rows` have a grid among them");
    CHECK(complaint_together([](Program& p) { p.copies[5].stream = 1; }) ==
          "copy 5 belongs to a stream whose transfers it is not among");
    CHECK(complaint_about("-> rows{rows_next}[p, 0", "-> kv{rows_next}[p, 0") ==
          "copy 5 moves nothing into stream `rows`");
    CHECK(complaint_about("copy rows{rows_now}", "copy kv{rows_now}") ==
          "copy 6 moves nothing out of stream `rows`");
    CHECK(complaint_about("inout rows:", "in rows:") ==
          "stream `rows` only reads and has a `flush`");
    CHECK(complaint_about("inout rows:", "out rows:") ==
          "stream `rows` only writes and has a `fetch`");
    CHECK(complaint_about("fetch rows_next {", "fetch {") ==
          "stream `rows` has slot -1 for the number of its copy, which is no i32 variable");
    CHECK(complaint_about("slot rows_now\n            fetch", "slot table\n            fetch") ==
          "stream `rows` has slot 10 for the number of its copy, which is no i32 variable");
    CHECK(complaint_together([](Program& p) { p.streams[1].slot = 1; }) ==
          "stream `b` has an operand and transfers of its own");
    CHECK(complaint_together([](Program& p) { p.streams[0].dims = p.streams[1].dims; }) ==
          "stream `rows` has 3 indices and transfers of its own");
    CHECK(complaint_together([](Program& p) { p.streams[0].buffer = none; }) ==
          "stream `rows` has buffer -1");
    CHECK(complaint_about("buffer rows depth 3", "buffer rows depth 4") ==
          "stream `rows` has depth 4, `rows` has 3 copies");
    CHECK(complaint_about("in b = hbm#1[i, 0 +: 8,", "in b = hbm#1[i, 0 +: 8 step 0,") ==
          "stream `b` takes elements 0 apart");
}

TEST_CASE("what steers a grid is changed neither by its body nor by its streams") {
    const auto bounded_by = [](const std::string& bound, const std::string& statement) {
        return complaint_about("print \"\"\n    }\n", "print \"\" } grid g (p in 0 .. " + bound +
                                                          ") { " + statement + " }\n");
    };
    CHECK(bounded_by("\"live pages\"[0]", "") == "");
    CHECK(bounded_by("\"live pages\"[n]", "set \"live pages\"[2] = 1") ==
          "`\"live pages\"[n]` of grid `g` depends on `live pages`, which its body sets");
    CHECK(bounded_by("\"live pages\"{n}[0]", "set n = 1") ==
          "`\"live pages\"{n}[0]` of grid `g` depends on `n`, which its body sets");
    CHECK(bounded_by("kv_fill", "fill kv { }") ==
          "`kv_fill` of grid `g` depends on `kv_fill`, which its body sets");
    CHECK(bounded_by("kv_fill", "take kv { }") == "");
    CHECK(bounded_by("kv_take", "while true atmost 3 { take kv { } }") ==
          "`kv_take` of grid `g` depends on `kv_take`, which its body sets");
    CHECK(bounded_by("\"live pages\"[0]",
                     "copy \"live pages\"{1}[0 +: 8] -> \"live pages\"[0 +: 8]") ==
          "`\"live pages\"[0]` of grid `g` depends on `live pages`, which its body sets");
    CHECK(complaint_about("grid gather (i in 0 .. 8)", "grid gather (i in 0 .. rows_next)") ==
          "`rows_next` of grid `gather` depends on `rows_next`, which its body sets");
    CHECK(complaint_about("atmost n*2", "atmost 2.0") ==
          "the bound of a `while` is f32 `2.0`, it must be i32");
    CHECK(complaint_about("while table[0, 0] < n and table", "while n") ==
          "the condition of a `while` is i32 `n`, it must be pred");
}
