#include <catch2/catch.hpp>

#include "builder.hpp"

using namespace slab::schedule;
using namespace slab::schedule::testing;
using slab::Diag;
using slab::DType;

namespace {

using Lines = std::vector<std::string>;

/// A kernel with an operand `table` of 2 x 4 words in SMEM and a scratch `t` of 3.
struct Tables : Builder {
    SlotId i = slot("i");
    SlotId x = slot("x");
    OperandId operand_table = operand("table", Direction::in, DType::i32, {2, 4});
    BufferId table = buffer("table", Space::smem, DType::i32, {2, 4});
    BufferId t = buffer("t", Space::smem, DType::i32, {3});
    Data data{{{10, 11, 12, 13, 20, 21, 22, 23}}};

    Tables() { program.operands[0].resident = table; }
    Lines run(Block block) {
        body(std::move(block));
        return events(program, data);
    }
};

class Computed : public ScalarSource {
public:
    std::vector<std::int64_t> read(CopyId copy) override {
        asked.push_back(copy);
        return values;
    }
    std::vector<std::int64_t> values;
    std::vector<CopyId> asked;
};

}  // namespace

TEST_CASE("an operand in SMEM is there before the body, and its elements are read row-major") {
    Tables k;
    CHECK(k.run({k.set(k.x, k.element(k.table, {k.num(1), k.num(2)})),
                 k.set(k.x, k.element(k.table,
                                      {k.num(0), k.op(ScalarOp::sub, k.get(k.x), k.num(21))}))}) ==
          Lines{"x=22", "x=11"});
}

TEST_CASE("an index outside its dimension ends the walk, wherever it is evaluated") {
    Tables k;
    CHECK(k.run({k.loop(k.i, k.num(0), k.element(k.table, {k.num(0), k.num(4)}), {})}) ==
          Lines{"stop@80: index 4 of `table` lies outside dimension 1, which has 4 elements"});
    CHECK(k.run({k.set(k.t, {k.num(-1)}, k.num(0), 7)}) ==
          Lines{"stop@7: index -1 of `t` lies outside dimension 0, which has 3 elements"});
}

TEST_CASE("an element that nobody wrote ends the walk, and so does an operand without a value") {
    Tables k;
    Block body{k.set(k.t, {k.num(1)}, k.num(5)), k.set(k.x, k.element(k.t, {k.num(1)})),
               k.set(k.x, k.element(k.t, {k.num(2)}))};
    CHECK(k.run(body) ==
          Lines{"t[]", "x=5", "stop@0: an element of `t` is read before it is written"});
    k.data = {};
    CHECK(k.run({k.set(k.x, k.element(k.table, {k.num(1), k.num(2)}))}) ==
          Lines{"stop@0: operand `table` without a value (the scalar unit reads its elements)"});
    k.data = {{{1, 2}}};
    CHECK(k.run({k.set(k.x, k.num(1))}) ==
          Lines{"stop@0: operand `table` has 8 elements, its value has 2"});
}

TEST_CASE("a copy into SMEM moves words from an operand or from SMEM") {
    Tables k;
    const OperandId lens = k.operand("lens", Direction::in, DType::i32, {6});
    k.data.operands.push_back({0, 10, 20, 30, 40, 50});
    Block body{k.copy(k.of_operand(lens, {k.part(k.num(1), 3, none, 2)}), k.of_buffer(k.t)),
               k.set(k.x, k.element(k.t, {k.num(2)})),
               k.copy(k.of_buffer(k.table, {k.at(k.num(1)), k.part(k.num(2), 2)}),
                      k.of_buffer(k.t, {k.part(k.num(1), 2)})),
               k.set(k.x, k.element(k.t, {k.num(2)}))};
    CHECK(k.run(body) == Lines{"copy c0 12/3 [synchronous copies]", "await 12 [synchronous copies]",
                               "x=50", "copy c1 8/1 [synchronous copies]",
                               "await 8 [synchronous copies]", "x=23"});
}

TEST_CASE("a copy into SMEM through views moves the words that the views show") {
    Tables k;
    MemoryRef rows = k.of_buffer(k.table, {k.part(k.num(0), 2), k.part(k.num(1), 3)});
    View
        turned;  // the transposed 3 x 2 part as 6 words, the last three of it: 21, 12 -> 12, 22 ...
    turned.type = DType::i32;
    turned.order = {1, 0};
    turned.shape = {6};
    turned.dims = {k.part(k.num(3), 3)};
    rows.views.push_back(turned);
    Block body{k.copy(rows, k.of_buffer(k.t))};
    for (int i = 0; i < 3; ++i) body.push_back(k.set(k.x, k.element(k.t, {k.num(i)})));
    // 11 12 13 over 21 22 23, read by columns: 11 21 12 22 13 23
    CHECK(k.run(body) == Lines{"copy c0 12/1 [synchronous copies]", "await 12 [synchronous copies]",
                               "x=22", "x=13", "x=23"});
}

TEST_CASE("values that the kernel computes are asked of a source where the copy starts") {
    Tables k;
    const BufferId v = k.buffer("v", Space::vmem, DType::i32, {3});
    k.body({k.copy(k.of_buffer(v), k.of_buffer(k.t), 5), k.set(k.x, k.element(k.t, {k.num(1)}))});
    CHECK(events(k.program) ==
          Lines{"stop@5: control flow that reads `v`, which the kernel computes, is not supported "
                "here (what decides is known only to a run with values)"});
    Computed source;
    source.values = {7, 8, 9};
    Walker walker(k.program);
    walker.computed_by(source);
    CHECK(events(k.program, walker) ==
          Lines{"copy c0 12/1 [synchronous copies]", "await 12 [synchronous copies]", "x=8"});
    CHECK(source.asked == std::vector<CopyId>{0});
    source.values = {7};
    CHECK(events(k.program, walker) ==
          Lines{"stop@5: 1 elements of `v` are known, the copy moves 3"});
}

TEST_CASE("a window, a bound and a condition may read SMEM") {
    Tables k;
    const OperandId a = k.operand("a", Direction::in, DType::f32, {40});
    const BufferId w = k.buffer("w", Space::vmem, DType::f32, {2}, 2);
    Stream stream;
    stream.name = "w";
    stream.operand = a;
    stream.buffer = w;
    stream.dims = {k.part(k.element(k.table, {k.num(1), k.get(k.i)}), 2)};
    stream.moves_with = {true};
    const StreamId id = k.stream(stream);
    const ExprId where =
        k.op(ScalarOp::ne, k.element(k.table, {k.num(0), k.get(k.i)}), k.num(11), ScalarType::pred);
    CHECK(k.run({k.grid({{k.i, 3}}, {id}, {}, where)}) ==
          Lines{"fetch w 8/1", "step", "fetch w 8/1", "w? 8 [fetch of w]", "dead", "step",
                "w? 8 [fetch of w]"});
}

TEST_CASE("a while goes on while its condition holds, and no further than it may") {
    Tables k;
    const ExprId more = k.op(ScalarOp::lt, k.get(k.x), k.num(2), ScalarType::pred);
    const Stmt count = k.set(k.x, k.op(ScalarOp::add, k.get(k.x), k.num(1)));
    CHECK(k.run({{While{more, k.num(2), {count}, place(3)}}, k.set(k.i, k.num(9))}) ==
          Lines{"for", "x=1", "for", "x=2", "i=9"});
    CHECK(k.run({{While{more, k.num(1), {count}, place(3)}}}) ==
          Lines{"for", "x=1", "stop@3: `while` has gone on for more than its 1 iterations"});
    Walker walker(k.program);
    Event event;
    while (walker.next(event)) {
    }
    CHECK(walker.stop()->id == Diag::E0901_while);
}

TEST_CASE("checks that hold say nothing, others end the walk: prints are told") {
    Tables k;
    const auto less = [&](std::int64_t bound) {
        return k.op(ScalarOp::lt, k.get(k.x), k.num(bound), ScalarType::pred);
    };
    CHECK(k.run({k.check(less(1), "fine"), k.print("x is", {k.get(k.x)}),
                 k.check(less(0), "x is too large", 4)}) ==
          Lines{"print", "stop@4: `assert x < 0` does not hold (x is too large)"});
}

TEST_CASE("a walk ends at the loop or grid that will pass the limit of steps and iterations") {
    Tables k;
    const auto ends = [&](Block block, std::int64_t limit) {
        k.body(std::move(block));
        return events(k.program, Walker(k.program, {}, 0, limit));
    };
    CHECK(ends({k.loop(k.i, k.num(0), k.num(100), {})}, 99) ==
          Lines{"stop@80: this loop runs 100 times in all, more than the limit of 99 steps"});
    CHECK(ends({k.loop(k.i, k.num(0), k.num(2), {k.loop(k.x, k.num(0), k.num(2), {})})}, 5) ==
          Lines{"for", "for", "for", "for",
                "stop@80: this loop runs 6 times in all, more than the limit of 5 steps"});
    CHECK(ends({k.grid({{k.i, 3}}, {}, {})}, 3) == Lines{"step", "step", "step"});
    CHECK(ends({k.grid({{k.i, 3}, {k.x, 3}}, {}, {})}, 8)
              .back()
              .ends_with("the grid has 9 steps, more than the limit of 8"));
}

TEST_CASE("a copy of a walker keeps the words it had") {
    Tables k;
    k.body({k.set(k.t, {k.num(0)}, k.num(1)), k.set(k.t, {k.num(0)}, k.num(2))});
    const ExprId read = k.element(k.t, {k.num(0)});
    Walker walker(k.program, k.data);
    Event event;
    REQUIRE(walker.next(event));
    const Walker kept = walker;
    REQUIRE(walker.next(event));
    CHECK(kept.integer_of(read) == 1);
    CHECK(walker.integer_of(read) == 2);
    // What cannot be evaluated is 0 and does not end the walk.
    const ExprId unset = k.element(k.t, {k.num(2)});
    const Walker fresh(k.program, k.data);
    CHECK(fresh.integer_of(unset) == 0);
    CHECK_FALSE(fresh.stop());
}
