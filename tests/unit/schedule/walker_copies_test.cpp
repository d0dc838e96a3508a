#include <catch2/catch.hpp>

#include "builder.hpp"

using namespace slab::schedule;
using namespace slab::schedule::testing;
using slab::Diag;
using slab::DType;

namespace {

using Lines = std::vector<std::string>;

/// f32 `a` [4, 4] and `o` [4, 4] in HBM, `b` [2, 4] in VMEM, semaphores `got` [2, 3] and `ready`.
struct Copies : Builder {
    SlotId i = slot("i");
    SlotId n = slot("n", 2);
    OperandId a = operand("a", Direction::in, DType::f32, {4, 4});
    OperandId o = operand("o", Direction::out, DType::f32, {4, 4});
    BufferId b = buffer("b", Space::vmem, DType::f32, {2, 4});
    SemaphoreId got = semaphore("got", SemaphoreKind::dma, {2, 3});
    SemaphoreId ready = semaphore("ready", SemaphoreKind::count);

    MemoryRef rows_of_a(ExprId start, ExprId live = none) {
        return of_operand(a, {part(start, 2, live), part(num(0), 4)});
    }
    MemoryRef rows_of_b(ExprId live = none) {
        return of_buffer(b, {part(num(0), 2, live), part(num(0), 4)});
    }
    Lines run(Block block) {
        body(std::move(block));
        return events(program);
    }
};

}  // namespace

TEST_CASE("a synchronous copy is waited for at once, on a semaphore of its own") {
    Copies k;
    CHECK(k.run({k.copy(k.rows_of_a(k.num(2)), k.of_buffer(k.b)),
                 k.copy(k.of_buffer(k.b),
                        k.of_operand(k.o, {k.part(k.num(0), 2), k.part(k.num(0), 4)}))}) ==
          Lines{"copy c0 32/1 [synchronous copies]", "await 32 [synchronous copies]",
                "copy c1 32/1 [synchronous copies]", "await 32 [synchronous copies]"});
    CHECK(Walker(k.program).semaphore_count() == 6 + 1 + 1);
}

TEST_CASE("a copy with `done` completes on that semaphore, and a wait takes a region's bytes") {
    Copies k;
    Copy copy;
    copy.source = k.rows_of_a(k.get(k.i));
    copy.target = k.of_buffer(k.b);
    copy.done = {k.got, {k.num(1), k.get(k.i)}};
    Wait wait;
    wait.semaphore = {k.got, {k.num(1), k.get(k.i)}};
    wait.region = k.of_buffer(k.b);
    CHECK(k.run({k.loop(k.i, k.num(1), k.num(3), {k.copy(copy), k.wait(wait)})}) ==
          Lines{"for", "copy c0 32/1 [got[1, 1]]", "await 32 [got[1, 1]]", "for",
                "copy c0 32/1 [got[1, 2]]", "await 32 [got[1, 2]]"});
}

TEST_CASE("counting semaphores are signalled and waited for by count") {
    Copies k;
    Wait wait;
    wait.semaphore = {k.ready, {}};
    wait.count = k.get(k.n);
    Signal signal;
    signal.semaphore = {k.ready, {}};
    Signal by = signal;
    by.by = k.get(k.n);
    CHECK(k.run({k.signal(signal), k.signal(by), k.wait(wait), k.set(k.n, k.num(0)), k.wait(wait),
                 k.set(k.n, k.num(-3)), k.wait(wait)}) ==
          Lines{"signal 1 > 0 ready", "signal 2 > 0 ready", "await 2 [ready]", "n=0", "n=-3",
                "stop@0: a wait for -3, which no semaphore ever holds"});
}

TEST_CASE("only the live part of a copy moves, and nothing for a length of zero") {
    Copies k;
    const auto live = [&] { return k.get(k.n); };
    const Stmt copy = k.copy(k.rows_of_a(k.num(3), live()), k.rows_of_b(live()), 5);
    CHECK(k.run({k.set(k.n, k.num(1)), copy, k.set(k.n, k.num(0)), copy, k.set(k.n, k.num(3)),
                 copy}) ==
          Lines{"n=1", "copy c0 16/1 [synchronous copies]", "await 16 [synchronous copies]", "n=0",
                "copy c0 0/0 [synchronous copies]", "n=3",
                "stop@5: length 3 of `a` is not between 0 and 2, the bound of dimension 0"});
}

TEST_CASE("a written copy stays inside its arrays") {
    Copies k;
    CHECK(k.run({k.copy(k.rows_of_a(k.num(3)), k.of_buffer(k.b), 5)}) ==
          Lines{"stop@5: elements 3 to 4 of `a` reach outside dimension 0, which has 4"});
    CHECK(k.run({k.copy(k.of_operand(k.a, {k.at(k.num(-1)), k.part(k.num(0), 4)}),
                        k.of_buffer(k.b, {k.at(k.num(0)), k.part(k.num(0), 4)}), 6)}) ==
          Lines{"stop@6: index -1 of `a` lies outside dimension 0, which has 4 elements"});
    CHECK(k.run({k.copy(k.rows_of_a(k.num(0)),
                        k.of_buffer(k.b, {k.part(k.num(0), 2), k.part(k.num(0), 4)}, k.num(1)),
                        7)}) == Lines{"stop@7: copy 1 of `b` does not exist, the buffer has 1"});
    Copy copy;
    copy.source = k.rows_of_a(k.num(0));
    copy.target = k.of_buffer(k.b);
    copy.done = {k.got, {k.num(0), k.num(3)}};
    copy.place = place(8);
    CHECK(k.run({k.copy(copy)}) ==
          Lines{"stop@8: index 3 of `got` lies outside dimension 1, which has 3 elements"});
}

TEST_CASE("the ends of a copy hold the same number of elements, whatever their shapes") {
    Copies k;
    CHECK(k.run({k.copy(k.rows_of_a(k.num(0), k.get(k.n)), k.rows_of_b(k.num(1)), 5)}) ==
          Lines{"stop@5: the ends of this copy differ: 8 elements of `a` into 4 of `b`"});
    CHECK(k.run({k.copy(k.of_operand(k.a, {k.at(k.num(3)), k.part(k.num(0), 4)}),
                        k.of_buffer(k.b, {k.part(k.num(0), 2), k.part(k.num(0), 2)}))}) ==
          Lines{"copy c1 16/1 [synchronous copies]", "await 16 [synchronous copies]"});
}

TEST_CASE("runs are those of HBM, more of them where elements are apart") {
    Copies k;
    const OperandId tall = k.operand("tall", Direction::in, DType::f32, {3, 8, 4}, 8);
    const BufferId d = k.buffer("d", Space::vmem, DType::f32, {3, 8, 4});
    const auto runs = [&](RefDim planes, RefDim rows, RefDim columns) {
        k.body({k.copy(k.of_operand(tall, {planes, rows, columns}),
                       k.of_buffer(d, {k.part(k.num(0), planes.size), k.part(k.num(0), rows.size),
                                       k.part(k.num(0), columns.size)}))});
        return events(k.program)[0].substr(8);
    };
    const RefDim planes = k.part(k.num(0), 3), rows = k.part(k.num(0), 8);
    const RefDim columns = k.part(k.num(0), 4);
    CHECK(runs(planes, rows, columns) == "384/1 [synchronous copies]");
    CHECK(runs(k.part(k.num(0), 2, none, 2), rows, columns) == "256/2 [synchronous copies]");
    CHECK(runs(planes, k.part(k.num(0), 4, none, 2), columns) == "192/24 [synchronous copies]");
    CHECK(runs(planes, rows, k.part(k.num(1), 2, none, 2)) == "192/48 [synchronous copies]");
}

TEST_CASE("a view counts its own elements and the runs it leaves") {
    Copies k;
    MemoryRef all = k.of_operand(k.a);
    View flat;
    flat.type = DType::f32;
    flat.shape = {2, 8};
    flat.dims = {k.at(k.num(1)), k.part(k.num(0), 8)};
    all.views.push_back(flat);
    MemoryRef halves = k.of_operand(k.a);
    View turned = flat;
    turned.order = {1, 0};
    halves.views.push_back(turned);
    MemoryRef past = k.of_operand(k.a);
    flat.dims[0] = k.at(k.num(2));
    past.views.push_back(flat);
    CHECK(k.run({k.copy(all, k.of_buffer(k.b)), k.copy(halves, k.of_buffer(k.b)),
                 k.copy(past, k.of_buffer(k.b), 5)}) ==
          Lines{"copy c0 32/1 [synchronous copies]", "await 32 [synchronous copies]",
                "copy c1 32/8 [synchronous copies]", "await 32 [synchronous copies]",
                "stop@5: index 2 of `a` lies outside dimension 0, which has 2 elements"});
}

TEST_CASE("the first fault is the one that is told, with the place of its statement") {
    Copies k;
    const ExprId broken = k.op(ScalarOp::div, k.num(8), k.op(ScalarOp::sub, k.get(k.n), k.num(2)));
    CHECK(k.run({k.copy(k.rows_of_a(broken, broken), k.of_buffer(k.b), 9)}) ==
          Lines{"stop@9: a division by zero in `8 / (n - 2)`"});
}
