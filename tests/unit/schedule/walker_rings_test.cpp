#include <catch2/catch.hpp>

#include "builder.hpp"

using namespace slab::schedule;
using namespace slab::schedule::testing;
using slab::DType;

namespace {

using Lines = std::vector<std::string>;
using Kind = UseRing::Kind;

/// `a` and `o` [8, 4] of f32 in HBM and a ring `kv` of two slots of [2, 4].
struct Rings : Builder {
    SlotId i = slot("i");
    OperandId a = operand("a", Direction::in, DType::f32, {8, 4});
    OperandId o = operand("o", Direction::out, DType::f32, {8, 4});
    BufferId slots = buffer("kv", Space::vmem, DType::f32, {2, 4}, 2);
    RingId kv = ring("kv", slots);
    SlotId filling = program.rings[0].fill;
    SlotId taking = program.rings[0].take;

    /// A copy of one row into the slot that is being filled.
    Stmt row(std::int64_t from, std::int64_t to) {
        Copy copy;
        copy.source = of_operand(a, {at(num(from)), part(num(0), 4)});
        copy.target = of_buffer(slots, {at(num(to)), part(num(0), 4)}, get(filling));
        copy.ring = kv;
        copy.place = place(30);
        return start(copy);
    }
    Stmt out() {
        Copy copy;
        copy.source = of_buffer(slots, {part(num(0), 2), part(num(0), 4)}, get(filling));
        copy.target = of_operand(o, {part(num(0), 2), part(num(0), 4)});
        copy.ring = kv;
        return start(copy);
    }
    Stmt fill(Block block, std::uint32_t n = 0) { return use(Kind::fill, kv, std::move(block), n); }
    Stmt take(Block block, std::uint32_t n = 0) { return use(Kind::take, kv, std::move(block), n); }
    Lines run(Block block) {
        body(std::move(block));
        return events(program);
    }

private:
    Stmt start(Copy copy) { return Builder::copy(std::move(copy)); }
};

}  // namespace

TEST_CASE("slots are filled and taken in turn, and a take waits for the bytes of its slot") {
    Rings k;
    const Stmt see_fill = k.set(k.i, k.get(k.filling));
    const Stmt see_take = k.set(k.i, k.get(k.taking));
    CHECK(k.run({k.fill({k.row(0, 0), k.row(1, 1), see_fill}), k.fill({k.row(2, 0), see_fill}),
                 k.take({see_take}), k.fill({}), k.take({see_take}), k.take({see_take})}) ==
          Lines{"kv{0",
                "copy c0 16/1 [slot 0 of kv]",
                "copy c1 16/1 [slot 0 of kv]",
                "i=0",
                "}0",
                "kv{1",
                "copy c2 16/1 [slot 1 of kv]",
                "i=1",
                "}1",
                "kv{0",
                "await 32 [slot 0 of kv]",
                "i=0",
                "}0",
                "kv{0",
                "}0",
                "kv{1",
                "await 16 [slot 1 of kv]",
                "i=1",
                "}1",
                "kv{0",
                "i=0",
                "}0"});
    CHECK(Walker(k.program).semaphore_count() == 2 + 1);
}

TEST_CASE("a put waits for the copies out of its slot, a drain for all in order") {
    Rings k;
    const auto put = [&] { return k.use(Kind::put, k.kv, {k.out()}); };
    CHECK(k.run({put(), put(), put(), k.use(Kind::drain, k.kv), k.use(Kind::drain, k.kv)}) ==
          Lines{"kv{0", "copy c0 32/1 [slot 0 of kv]", "}0", "kv{1", "copy c1 32/1 [slot 1 of kv]",
                "}1", "kv{0", "await 32 [slot 0 of kv]", "copy c2 32/1 [slot 0 of kv]", "}0",
                "kv{1", "await 32 [slot 1 of kv]", "await 32 [slot 0 of kv]", "}1", "kv{1", "}1"});
}

TEST_CASE("a ring is not filled beyond its slots, nor taken when it is empty") {
    Rings k;
    CHECK(k.run({k.fill({}), k.fill({}), k.fill({}, 5)}) ==
          Lines{"kv{0", "}0", "kv{1", "}1",
                "stop@5: ring `kv` is filled 3 times before a take, it has 2 slots (a slot is free "
                "again after its take: take before the next fill, or a larger `depth`)"});
    CHECK(k.run({k.take({}, 6)}) ==
          Lines{"stop@6: ring `kv` is taken while no slot of it is filled (a take waits for the "
                "oldest slot that a fill before it has started)"});
}

TEST_CASE("what is filled is taken before the program ends") {
    Rings k;
    CHECK(k.run({k.fill({})}) ==
          Lines{"kv{0", "}0",
                "stop@90: ring `kv` ends with 1 slot filled and never taken (what fills a slot may "
                "still be under way then: as many takes as fills)"});
    CHECK(k.run({k.fill({}), k.use(Kind::drain, k.kv, {}, 4)}) ==
          Lines{"kv{0", "}0",
                "stop@4: ring `kv` ends with 1 slot filled and never taken (what fills a slot may "
                "still be under way then: as many takes as fills)"});
}

TEST_CASE("a ring is not used inside the block of another use of it") {
    Rings k;
    CHECK(k.run({k.fill({}), k.take({k.fill({}, 7)})}) ==
          Lines{"kv{0", "}0", "kv{0",
                "stop@7: ring `kv` is used inside the block of another use of it (a block holds "
                "one slot; the next use begins after its closing brace)"});
}

TEST_CASE("a copy of a ring stands in the block that fills its slot") {
    Rings k;
    CHECK(k.run({k.set(k.filling, k.num(0)), k.row(0, 0)}) ==
          Lines{"kv_fill=0", "stop@30: a copy for ring `kv` outside of its `fill` and `put`"});
}

TEST_CASE("a copy of a walker goes its own way through a ring") {
    Rings k;
    k.body({k.fill({k.row(0, 0)}), k.take({})});
    Walker walker(k.program);
    Event event;
    REQUIRE(walker.next(event));
    REQUIRE(walker.next(event));
    const Walker kept = walker;
    const Lines rest{"}0", "kv{0", "await 16 [slot 0 of kv]", "}0"};
    CHECK(events(k.program, walker) == rest);
    CHECK(events(k.program, kept) == rest);
}
