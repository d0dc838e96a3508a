#include <catch2/catch.hpp>

#include "builder.hpp"

using namespace slab::schedule;
using namespace slab::schedule::testing;
using slab::DType;

namespace {

using Lines = std::vector<std::string>;

/// A mesh of 2 x 3 with the operand `y` [3, 4] and semaphores.
struct Mesh : Builder {
    SlotId r = axis("r", 2);
    SlotId c = axis("c", 3);
    SlotId x = slot("x");
    OperandId y = operand("y", Direction::inout, DType::f32, {3, 4});
    SemaphoreId sent = semaphore("sent", SemaphoreKind::dma);
    SemaphoreId got = semaphore("got", SemaphoreKind::dma, {3});
    SemaphoreId told = semaphore("told", SemaphoreKind::count);

    MemoryRef row(ExprId index) { return of_operand(y, {at(index), part(num(0), 4)}); }
    Device right() {
        const ExprId next = op(ScalarOp::add, get(c), num(1));
        return {get(r), op(ScalarOp::mod, next, num(3))};
    }
};

}  // namespace

TEST_CASE("the coordinates of a member are set, the last axis fastest") {
    Mesh k;
    const Walker walker(k.program, {}, 5);
    CHECK(walker.integer(k.r) == 1);
    CHECK(walker.integer(k.c) == 2);
    CHECK(Walker(k.program, {}, 1).integer(k.c) == 1);
    CHECK(walker.semaphore_count() == 1 + 3 + 1 + 1);
}

TEST_CASE("a remote copy names the member and its semaphore, by what the sender computes") {
    Mesh k;
    Copy send;
    send.source = k.row(k.get(k.c));
    send.target = k.row(k.get(k.c));
    send.device = k.right();
    send.done = {k.sent, {}};
    send.arrive = {k.got, {k.get(k.c)}};
    k.body({k.copy(send)});
    CHECK(events(k.program, {}, 4) == Lines{"copy c0 16/1 [sent] > 5 got[1]"});
    CHECK(events(k.program, {}, 5) == Lines{"copy c0 16/1 [sent] > 3 got[2]"});
}

TEST_CASE("a signal goes to the member that is named, and nowhere outside the mesh") {
    Mesh k;
    Signal signal;
    signal.semaphore = {k.told, {}};
    signal.device = {k.num(0), k.get(k.x)};
    signal.place = place(4);
    k.body({k.signal(signal), k.set(k.x, k.num(3)), k.signal(signal)});
    CHECK(events(k.program, {}, 4) ==
          Lines{"signal 1 > 0 told", "x=3",
                "stop@4: coordinate 3 of `c` lies outside the mesh, which has 3"});
}

TEST_CASE("a barrier tells every peer and then listens to every peer") {
    Mesh k;
    Barrier barrier;
    barrier.peers = {k.right(), {k.num(0), k.num(0)}};
    k.body({k.barrier(barrier), k.set(k.x, k.num(1))});
    CHECK(events(k.program, {}, 4) ==
          Lines{"signal 1 > 5 barrier from member 4", "signal 1 > 0 barrier from member 4",
                "await 1 [barrier from member 5]", "await 1 [barrier from member 0]", "x=1"});
}

TEST_CASE("a barrier over an axis is of all that differ in this coordinate alone") {
    Mesh k;
    Barrier barrier;
    barrier.all = 0;
    k.body({k.barrier(barrier)});
    CHECK(events(k.program, {}, 4) ==
          Lines{"signal 1 > 1 barrier from 1 before in r", "await 1 [barrier from 1 before in r]"});
    k.program.barriers[0].all = 1;
    CHECK(events(k.program, {}, 4) == Lines{"signal 1 > 5 barrier from 1 before in c",
                                            "signal 1 > 3 barrier from 2 before in c",
                                            "await 1 [barrier from 1 before in c]",
                                            "await 1 [barrier from 2 before in c]"});
}

TEST_CASE("a barrier over a long axis goes in rounds") {
    Builder k;
    k.axis("r", 40);
    Barrier barrier;
    barrier.all = 0;
    k.body({k.barrier(barrier)});
    const Lines lines = events(k.program, {}, 39);
    REQUIRE(lines.size() == 2 * (15 + 2));
    CHECK(lines[14] == "signal 1 > 14 barrier from 15 before in r");
    CHECK(lines[29] == "await 1 [barrier from 15 before in r]");
    CHECK(lines[30] == "signal 1 > 15 barrier from 16 before in r");
    CHECK(lines[31] == "signal 1 > 31 barrier from 32 before in r");
    CHECK(lines[33] == "await 1 [barrier from 32 before in r]");
}

TEST_CASE("semaphores of barriers: one per member where peers are named, one per distance") {
    Mesh k;
    const std::int32_t without = Walker(k.program).semaphore_count();
    Barrier barrier;
    barrier.all = 1;
    k.body({k.barrier(barrier)});
    CHECK(Walker(k.program).semaphore_count() == without + 2);
    barrier.all = none;
    barrier.peers = {k.right()};
    k.body({k.barrier(barrier)});
    CHECK(Walker(k.program).semaphore_count() == without + 6 + 2);
}
