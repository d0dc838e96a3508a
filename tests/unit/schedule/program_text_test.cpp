#include <algorithm>
#include <functional>

#include <catch2/catch.hpp>

#include "compiler/schedule/print.hpp"
#include "compiler/schedule/verify.hpp"
#include "programs.hpp"

using namespace slab;
using namespace slab::schedule;
using namespace slab::schedule::testing;

namespace {

const char* const everything = R"(program everything chip toy lanes 128 sublanes 8
vmem 4096 of 65536
operand a#0: in hbm bf16[64, 256] tile 8
operand a#1: inout hbm f32[2, 8, 128] tile 8
operand table: in hbm i32[7] tile 1
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

TEST_CASE("a program with memories, rings and copies of its own prints as it was read") {
    const Program program = read(together);
    CHECK(print(program) == together);
    CHECK(canonical(program) == program);
    CHECK(program.operands[0].resident == 0);
    CHECK(program.copies.size() == 7);
    CHECK(program.copies[0].ring == 0);
    CHECK(program.copies[4].source.views.at(0).order == std::vector<std::int32_t>{1, 0, 2});
    CHECK(program.copies[3].is_remote());
    CHECK(program.streams[0].is_custom());
    CHECK(program.streams[0].fetch_slot == 6);
    CHECK(program.checks[0].message == "a \"row\"\nout of range");
    CHECK(program.signals[1].by == none);
}

TEST_CASE("entries of tables come in the order of the statements") {
    const Program program = read(together);
    Program other = program;
    std::reverse(other.copies.begin(), other.copies.end());
    std::swap(other.waits[0], other.waits[2]);
    std::swap(other.signals[0], other.signals[1]);
    std::swap(other.barriers[0], other.barriers[1]);
    std::swap(other.prints[0], other.prints[1]);
    CHECK_FALSE(canonical(other) == program);
    const auto last = static_cast<CopyId>(other.copies.size()) - 1;
    const std::function<void(Block&)> follow = [&](Block& block) {
        for (Stmt& stmt : block) {
            if (auto* copy = std::get_if<StartCopy>(&stmt.node)) copy->copy = last - copy->copy;
            if (auto* wait = std::get_if<Await>(&stmt.node))
                wait->wait = wait->wait > 2 ? wait->wait : 2 - wait->wait;
            if (auto* signal = std::get_if<SendSignal>(&stmt.node))
                signal->signal = 1 - signal->signal;
            if (auto* barrier = std::get_if<MeetPeers>(&stmt.node))
                barrier->barrier = 1 - barrier->barrier;
            if (auto* print = std::get_if<PrintValues>(&stmt.node)) print->print = 1 - print->print;
            for_each_block(stmt, follow);
        }
    };
    follow(other.body);
    for (Stream& stream : other.streams) {
        follow(stream.fetch);
        follow(stream.flush);
    }
    CHECK_FALSE(other == program);
    CHECK(canonical(other) == program);
    CHECK(print(other) == together);
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

TEST_CASE("an unsound program with memories of its own is printed all the same") {
    Program program = read(together);
    for (Copy& copy : program.copies) copy.ring = copy.stream = 9;
    for (Wait& wait : program.waits) wait.semaphore.semaphore = 33;
    program.barriers[0].peers[0].resize(7, 4000);
    program.mesh[0].slot = none;
    program.rings[0].buffer = 44;
    program.operands[0].resident = 55;
    program.streams[0].fetch_slot = none;
    std::get<MeetPeers>(program.body[0].node).barrier = 8;
    const std::string text = print(program);
    for (const char* part : {"ring ?9 stream ?9", "wait ?33", "s: ", "slot ?-1", "buffer ?44",
                             "resident ?55", "fetch {", "barrier ?8"})
        CHECK(text.find(part) != std::string::npos);
    CHECK(verify(program) != std::vector<std::string>{});
}

TEST_CASE("what is wrong with a text is said with its line") {
    CHECK(complaint("") == "1: expected `program`, the text ends");
    CHECK(complaint(replaced(everything, "tile 8\n", "tile eight\n")) ==
          "3: expected a number after `tile`, there is `eight`");
    CHECK(complaint(replaced(everything, "in hbm", "in hbn")) ==
          "3: expected `hbm`, there is `hbn`");
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
          "43: expected a statement (`grid`, `for`, `while`, `if`, `set`, `region`, `scope`, "
          "`fill`, `take`, `put`, `drain`, `copy`, `send`, `wait`, `signal`, `barrier`, `assert`, "
          "`print`) or `}`, there is `gird`");
    CHECK(complaint(replaced(everything, "\\\\ c\"", "\\\\ c")) ==
          "38: expected a closing quote on the same line");
    CHECK(complaint(std::string(everything) + "}") ==
          "50: expected the end of the text, there is `}`");
    CHECK(complaint(replaced(everything, "x*0.5", std::string(2000, '(') + "x")) ==
          "36: brackets are nested too deeply");
    CHECK(complaint(replaced(everything, "= -5", "= 99999999999999999999")) ==
          "11: 99999999999999999999 does not fit in 64 bits");
}

TEST_CASE("what is wrong with copies and synchronisation is said with its line") {
    const auto complaint_after = [](const std::string& what, const std::string& by) {
        return complaint(replaced(together, what, by));
    };
    CHECK(complaint_after("resident table", "resident tabel") == "3: no buffer named `tabel`");
    CHECK(complaint_after("mesh axis s", "mesh axis r") == "24: mesh axis `r` is declared twice");
    CHECK(complaint_after("sent: dma", "sent: bytes") ==
          "26: expected a kind of semaphores (dma, count), there is `bytes`");
    CHECK(complaint_after("ring out: buffer out", "ring out: buffer outs") ==
          "29: no buffer named `outs`");
    CHECK(complaint_after("permuted (1, 0, 2) as bf16[16, 128][p",
                          "permuted (9999999999) as bf16[16, 128][p") ==
          "32: no dimension 9999999999");
    CHECK(complaint_after("barrier (r: 1 - \"me.r\", s", "barrier (s: 1 - \"me.r\", r") ==
          "39: axis `s` out of order: a device has a coordinate per mesh axis, in their order");
    CHECK(complaint_after("barrier (r: 1 - \"me.r\", s: \"me.s\")", "barrier (r: 1)") ==
          "39: the device has 1 coordinates, the mesh 2 axes");
    CHECK(complaint_after("barrier all s", "barrier all q") == "40: no mesh axis named `q`");
    CHECK(complaint_after("atmost n*2", "at n*2") == "41: expected `atmost`, there is `at`");
    CHECK(complaint_after("set \"live pages\"{1}", "set \"live pages\"{1") ==
          "43: expected `}`, there is `[`");
    CHECK(complaint_after("fill kv {", "fill vk {") == "49: no ring named `vk`");
    CHECK(complaint_after("-> kv{kv_fill}[p*8", "-> hbm kv{kv_fill}[p*8") ==
          "50: no operand named `kv`");
    CHECK(complaint_after("wait sent for kv", "wait sent or kv") ==
          "61: expected `for` a part of a memory, or `until`, there is `or`");
    CHECK(complaint_after("arrive got", "arrive gut") == "62: no semaphore named `gut`");
    CHECK(complaint_after("[p, 0 +: 128] stream rows", "[p, 0 +: 128] stream b") ==
          "74: no stream named `b`");
    CHECK(complaint_after("for p in 0 .. 8 {",
                          "grid h () { in c = hbm#1[0, 0, 0] buffer rows depth 2 moves ()") ==
          "72: the transfers of a stream have no grids");
    CHECK(complaint_after("not table, \"a", "not table, 7 \"a") ==
          "81: expected a message, there is `7`");
    CHECK(complaint_after("table[0, 0] < n", "tabel[0, 0] < n") == "41: no buffer named `tabel`");
    CHECK(complaint(replaced(everything, "x*0.5", [] {
              std::string text;
              for (int i = 0; i < 2000; ++i) text += "w[";
              return text;
          }())) == "36: brackets are nested too deeply");
    std::string blocks;
    for (int i = 0; i < 20000; ++i) blocks += "scope s {";
    CHECK(complaint(replaced(everything, "set x = x*0.5", blocks)) ==
          "36: brackets are nested too deeply");
    CHECK(complaint(replaced(everything, "set x = x*0.5", "send w[0, 0] -> w[0, 0] at ()")) ==
          "36: there is no mesh to send in");
}
