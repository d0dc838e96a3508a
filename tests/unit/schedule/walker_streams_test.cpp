#include <catch2/catch.hpp>

#include "builder.hpp"

using namespace slab::schedule;
using namespace slab::schedule::testing;
using slab::DType;

namespace {

using Lines = std::vector<std::string>;

/// A gather: `idx` in SMEM names the rows of `t` that a stream fetches by its own copies.
struct Gather : Builder {
    SlotId i = slot("i");
    SlotId j = slot("j");
    SlotId r = slot("r");
    SlotId x = slot("x");
    SlotId fetching = slot("fetching", -1);
    SlotId seen = slot("seen", -1);
    OperandId operand_idx = operand("idx", Direction::in, DType::i32, {6});
    OperandId t = operand("t", Direction::in, DType::f32, {9, 4});
    OperandId o = operand("o", Direction::out, DType::f32, {9, 4});
    BufferId idx = buffer("idx", Space::smem, DType::i32, {6});
    BufferId rows = buffer("rows", Space::vmem, DType::f32, {2, 4}, 3);
    Data data{{{8, 0, 3, 4, 5, 6}}};

    Gather() { program.operands[0].resident = idx; }

    /// Copies row idx[i*2 + r] to row r of the copy that is being fetched, for r below `count`.
    Block gather(StreamId id, ExprId count) {
        const ExprId at_index = op(ScalarOp::add, op(ScalarOp::mul, get(i), num(2)), get(r));
        Copy copy;
        copy.source = of_operand(t, {at(element(idx, {at_index})), part(num(0), 4)});
        copy.target = of_buffer(rows, {at(get(r)), part(num(0), 4)}, get(fetching));
        copy.stream = id;
        return {loop(r, num(0), count, {Builder::copy(copy)})};
    }
    Block scatter(StreamId id) {
        Copy copy;
        copy.source = of_buffer(rows, {part(num(0), 2), part(num(0), 4)}, get(seen));
        copy.target = of_operand(o, {part(get(i), 2), part(num(0), 4)});
        copy.stream = id;
        return {Builder::copy(copy), set(x, get(i))};
    }
    Stream custom(Direction direction, std::int64_t depth) {
        Stream stream;
        stream.name = "rows";
        stream.direction = direction;
        stream.buffer = rows;
        stream.depth = depth;
        stream.moves_with = {true};
        stream.fetch_slot = fetching;
        stream.slot = seen;
        stream.place = place(60);
        return stream;
    }
    Lines run(Block block) {
        body(std::move(block));
        return events(program, data);
    }
};

}  // namespace

TEST_CASE("a stream's own fetch runs ahead with the axes of its step, and its bytes are awaited") {
    Gather k;
    Stream stream = k.custom(Direction::in, 2);
    stream.fetch = k.gather(0, k.num(2));
    stream.fetch.push_back(k.set(k.x, k.get(k.i)));
    k.stream(stream);
    CHECK(k.run({k.grid({{k.i, 3}}, {0}, {k.set(k.x, k.get(k.i)), k.set(k.j, k.get(k.seen))})}) ==
          Lines{"for",
                "copy c0 16/1 [fetch of rows]",
                "for",
                "copy c0 16/1 [fetch of rows]",
                "x=0",
                "step",
                "for",
                "copy c0 16/1 [fetch of rows]",
                "for",
                "copy c0 16/1 [fetch of rows]",
                "x=1",
                "rows? 32 [fetch of rows]",
                "x=0",
                "j=0",
                "step",
                "for",
                "copy c0 16/1 [fetch of rows]",
                "for",
                "copy c0 16/1 [fetch of rows]",
                "x=2",
                "rows? 32 [fetch of rows]",
                "x=1",
                "j=1",
                "step",
                "rows? 32 [fetch of rows]",
                "x=2",
                "j=0"});
}

TEST_CASE("a fetch that copies nothing is not waited for") {
    Gather k;
    Stream stream = k.custom(Direction::in, 1);
    stream.fetch = k.gather(0, k.get(k.i));
    k.stream(stream);
    CHECK(k.run({k.grid({{k.i, 2}}, {0}, {})}) ==
          Lines{"step", "step", "for", "copy c0 16/1 [fetch of rows]", "rows? 16 [fetch of rows]"});
}

TEST_CASE("a stream's own window changes with the axes it moves with, and skips dead steps") {
    Gather k;
    Stream stream = k.custom(Direction::in, 3);
    stream.fetch = {k.set(k.x, k.get(k.i))};
    stream.moves_with = {true, false};
    k.stream(stream);
    const ExprId where = k.op(ScalarOp::ne, k.get(k.i), k.num(1), ScalarType::pred);
    CHECK(k.run({k.grid({{k.i, 3}, {k.j, 2}}, {0}, {}, where)}) ==
          Lines{"x=0", "step", "x=2", "step", "dead", "dead", "step", "step"});
}

TEST_CASE("a flush runs when its window is left, and is awaited before the next but one") {
    Gather k;
    Stream stream = k.custom(Direction::out, 2);
    stream.flush = k.scatter(0);
    k.stream(stream);
    const std::string copy = "copy c0 32/1 [write-back of rows]";
    const std::string wait = "rows! 32 [write-back of rows]";
    CHECK(k.run({k.grid({{k.i, 3}}, {0}, {})}) ==
          Lines{"step", copy, "x=0", "step", copy, "x=1", wait, "step", copy, "x=2", wait, wait});
}

TEST_CASE(
    "a flush waits at once with one copy of the buffer, and sees its own step after dead ones") {
    Gather k;
    Stream stream = k.custom(Direction::out, 1);
    stream.flush = k.scatter(0);
    k.stream(stream);
    const std::string copy = "copy c0 32/1 [write-back of rows]";
    const std::string wait = "rows! 32 [write-back of rows]";
    const ExprId where = k.op(ScalarOp::ne, k.get(k.i), k.num(1), ScalarType::pred);
    CHECK(k.run({k.grid({{k.i, 3}}, {0}, {}, where)}) ==
          Lines{"step", "dead", copy, "x=0", wait, "step", copy, "x=2", wait});
}

TEST_CASE("a stream that fetches and flushes does not fetch over what is being written") {
    Gather k;
    Stream stream = k.custom(Direction::inout, 2);
    stream.fetch = k.gather(0, k.num(1));
    stream.flush = k.scatter(0);
    k.stream(stream);
    const std::string in = "copy c0 16/1 [fetch of rows]";
    const std::string arrived = "rows? 16 [fetch of rows]";
    const std::string out = "copy c1 32/1 [write-back of rows]";
    const std::string written = "rows! 32 [write-back of rows]";
    CHECK(k.run({k.grid({{k.i, 3}}, {0}, {})}) ==
          Lines{"for", in,      "step", "for", in,     arrived, out, "x=0", "step",  written, "for",
                in,    arrived, out,    "x=1", "step", arrived, out, "x=2", written, written});
}

TEST_CASE("a table that a stream fetches into SMEM is read by the step it is for") {
    Gather k;
    const OperandId pages = k.operand("pages", Direction::in, DType::i32, {3, 2});
    k.data.operands.resize(4);
    k.data.operands[3] = {10, 11, 20, 21, 30, 31};
    const BufferId p = k.buffer("p", Space::smem, DType::i32, {2}, 2);
    Stream stream = k.custom(Direction::in, 2);
    stream.name = "p";
    stream.buffer = p;
    Copy copy;
    copy.source = k.of_operand(pages, {k.at(k.get(k.i)), k.part(k.num(0), 2)});
    copy.target = k.of_buffer(p, {k.part(k.num(0), 2)}, k.get(k.fetching));
    copy.stream = 0;
    stream.fetch = {k.copy(copy)};
    k.stream(stream);
    CHECK(k.run({k.grid({{k.i, 3}}, {0}, {k.set(k.x, k.element(p, {k.num(1)}, k.get(k.seen)))})}) ==
          Lines{"copy c0 8/1 [fetch of p]", "step", "copy c0 8/1 [fetch of p]", "p? 8 [fetch of p]",
                "x=11", "step", "copy c0 8/1 [fetch of p]", "p? 8 [fetch of p]", "x=21", "step",
                "p? 8 [fetch of p]", "x=31"});
}

TEST_CASE("a fault in a fetch has its place") {
    Gather k;
    Stream stream = k.custom(Direction::in, 2);
    stream.fetch = k.gather(0, k.num(2));
    k.stream(stream);
    k.data.operands[0][3] = 9;
    CHECK(k.run({k.grid({{k.i, 3}}, {0}, {})}).back() ==
          "stop@0: index 9 of `t` lies outside dimension 0, which has 9 elements");
}

TEST_CASE("a window of elements apart moves those inside its array") {
    Builder k;
    const SlotId i = k.slot("i");
    const OperandId v = k.operand("v", Direction::in, DType::f32, {10});
    const BufferId w = k.buffer("w", Space::vmem, DType::f32, {3}, 2);
    Stream stream;
    stream.name = "w";
    stream.operand = v;
    stream.buffer = w;
    stream.depth = 1;
    stream.moves_with = {true};
    const ExprId start = k.op(ScalarOp::sub, k.op(ScalarOp::mul, k.get(i), k.num(4)), k.num(3));
    stream.dims = {k.part(start, 3, none, 2)};
    k.stream(stream);
    k.body({k.grid({{i, 4}}, {0}, {})});
    // -3 -1 1, then 1 3 5, 5 7 9 and 9 11 13.
    CHECK(events(k.program) == Lines{"step", "fetch w 4/1", "w? 4 [fetch of w]", "step",
                                     "fetch w 12/3", "w? 12 [fetch of w]", "step", "fetch w 12/3",
                                     "w? 12 [fetch of w]", "step", "fetch w 4/1",
                                     "w? 4 [fetch of w]"});
}
