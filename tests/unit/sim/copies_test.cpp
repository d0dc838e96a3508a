#include <catch2/catch.hpp>

#include "tests/unit/sim/kernels.hpp"

using namespace slab;
using namespace slab::test;

namespace {

using schedule::MemoryRef;
using schedule::Space;

/// A program of written copies, by hand; blocks are rows of i8.
class Written {
public:
    Written() { program_.kernel = std::string("written"); }

    schedule::ExprId constant(std::int64_t value) {
        schedule::ScalarExpr expr;
        expr.integer = value;
        program_.exprs.push_back(expr);
        return static_cast<schedule::ExprId>(program_.exprs.size() - 1);
    }
    MemoryRef operand(const std::string& name, std::int64_t bytes) {
        schedule::Operand operand;
        operand.name = name;
        operand.type = DType::i8;
        operand.direction = schedule::Direction::inout;
        operand.shape = {1, bytes};
        program_.operands.push_back(operand);
        MemoryRef ref = whole(bytes);
        ref.operand = static_cast<schedule::OperandId>(program_.operands.size() - 1);
        return ref;
    }
    MemoryRef buffer(const std::string& name, std::int64_t bytes, Space space = Space::vmem) {
        schedule::Buffer buffer;
        buffer.name = name;
        buffer.space = space;
        buffer.type = DType::i8;
        buffer.shape = {1, bytes};
        buffer.bytes = bytes;
        program_.buffers.push_back(buffer);
        MemoryRef ref = whole(bytes);
        ref.buffer = static_cast<schedule::BufferId>(program_.buffers.size() - 1);
        return ref;
    }
    schedule::SemaphoreRef semaphore(const std::string& name,
                                     schedule::SemaphoreKind kind = schedule::SemaphoreKind::dma) {
        schedule::Semaphore semaphore;
        semaphore.name = name;
        semaphore.kind = kind;
        program_.semaphores.push_back(semaphore);
        return {static_cast<schedule::SemaphoreId>(program_.semaphores.size() - 1), {}};
    }
    /// A mesh of one axis; returns this core's coordinate.
    schedule::ExprId mesh(std::int64_t extent) {
        schedule::Slot slot;
        slot.name = std::string("r");
        program_.slots.push_back(slot);
        const auto id = static_cast<schedule::SlotId>(program_.slots.size() - 1);
        program_.mesh.push_back({std::string("r"), extent, id, {}});
        schedule::ScalarExpr expr;
        expr.op = schedule::ScalarOp::slot;
        expr.slot = id;
        program_.exprs.push_back(expr);
        return static_cast<schedule::ExprId>(program_.exprs.size() - 1);
    }
    schedule::ExprId binary(schedule::ScalarOp op, schedule::ExprId a, schedule::ExprId b) {
        schedule::ScalarExpr expr;
        expr.op = op;
        expr.args = {a, b};
        program_.exprs.push_back(expr);
        return static_cast<schedule::ExprId>(program_.exprs.size() - 1);
    }

    Written& copy(const schedule::Copy& copy) {
        program_.copies.push_back(copy);
        return add(schedule::StartCopy{static_cast<schedule::CopyId>(program_.copies.size() - 1)});
    }
    Written& copy(const MemoryRef& source, const MemoryRef& target,
                  schedule::SemaphoreRef done = {}) {
        schedule::Copy written;
        written.source = source;
        written.target = target;
        written.done = done;
        return copy(written);
    }
    Written& send(const MemoryRef& source, const MemoryRef& target, schedule::ExprId device,
                  schedule::SemaphoreRef done, schedule::SemaphoreRef arrive) {
        schedule::Copy written;
        written.source = source;
        written.target = target;
        written.done = done;
        written.device = {device};
        written.arrive = arrive;
        return copy(written);
    }
    Written& wait(schedule::SemaphoreRef semaphore, const MemoryRef& region) {
        schedule::Wait wait;
        wait.semaphore = semaphore;
        wait.region = region;
        wait.place.span = {40, 44};
        program_.waits.push_back(wait);
        return add(schedule::Await{static_cast<schedule::WaitId>(program_.waits.size() - 1)});
    }
    Written& wait(schedule::SemaphoreRef semaphore, std::int64_t count) {
        schedule::Wait wait;
        wait.semaphore = semaphore;
        wait.count = constant(count);
        program_.waits.push_back(wait);
        return add(schedule::Await{static_cast<schedule::WaitId>(program_.waits.size() - 1)});
    }
    Written& signal(schedule::SemaphoreRef semaphore, schedule::ExprId device, std::int64_t by) {
        schedule::Signal signal;
        signal.semaphore = semaphore;
        signal.device = {device};
        signal.by = constant(by);
        program_.signals.push_back(signal);
        return add(
            schedule::SendSignal{static_cast<schedule::SignalId>(program_.signals.size() - 1)});
    }
    Written& barrier(schedule::ExprId peer) {
        schedule::Barrier barrier;
        barrier.peers = {{peer}};
        program_.barriers.push_back(barrier);
        return add(
            schedule::MeetPeers{static_cast<schedule::BarrierId>(program_.barriers.size() - 1)});
    }
    Written& region(double cycles) {
        program_.regions.emplace_back();
        regions_.push_back({cycles, {}, 0});
        return add(
            schedule::RunRegion{static_cast<schedule::RegionId>(program_.regions.size() - 1)});
    }
    Written& print(const std::string& message, std::vector<schedule::ExprId> values) {
        program_.prints.push_back({message, std::move(values), {}});
        return add(
            schedule::PrintValues{static_cast<schedule::PrintId>(program_.prints.size() - 1)});
    }
    template <typename Node>
    Written& add(Node node) {
        program_.body.push_back({std::move(node)});
        return *this;
    }

    result::Result run() const {
        arch::ChipSpec chip = round_chip();
        chip.dma.manual_issue_us = 0.004;
        chip.ici = {2, 1, 0.5, 0.030};
        return sim::simulate(program_, {}, chip, {}, regions_);
    }
    schedule::Program& program() { return program_; }

private:
    MemoryRef whole(std::int64_t bytes) {
        MemoryRef ref;
        ref.dims = {{constant(0), schedule::none, 1, 1, false},
                    {constant(0), schedule::none, bytes, 1, false}};
        return ref;
    }

    schedule::Program program_;
    std::vector<timing::RegionTime> regions_;
};

}  // namespace

TEST_CASE("a synchronous copy costs its issue, its latency and its bytes") {
    Written kernel;
    const auto a = kernel.operand("a", 256);
    const auto b = kernel.buffer("b", 256);
    kernel.copy(a, b);
    const result::Result result = kernel.run();
    CHECK(result.cycles == Approx(1000 + 4 + 100 + 256));
    CHECK(waited(result, "copy of a") == Approx(356));
    CHECK(busy(result, "dma") == Approx(4));
    CHECK(result.hbm_bytes == 256);
}

TEST_CASE("a copy with a semaphore runs beside the work up to the wait for it") {
    Written kernel;
    const auto a = kernel.operand("a", 256);
    const auto b = kernel.buffer("b", 256);
    const auto arrived = kernel.semaphore("arrived");
    kernel.copy(a, b, arrived).region(200).wait(arrived, b);
    const result::Result result = kernel.run();
    CHECK(result.cycles == Approx(1000 + 4 + 356));
    CHECK(waited(result, "semaphore arrived") == Approx(156));
}

TEST_CASE("written copies are counted by operand, small and empty ones too") {
    Written kernel;
    const auto a = kernel.operand("a", 8192);
    const auto b = kernel.operand("b", 8192);
    const auto part = kernel.buffer("part", 8192);
    auto nothing = a;
    nothing.dims[1].live = kernel.constant(0);
    auto nowhere = part;
    nowhere.dims[1].live = nothing.dims[1].live;
    kernel.copy(a, part).copy(a, b).copy(nothing, nowhere);
    const result::Result result = kernel.run();
    const result::Traffic& read = *result::find_traffic(result.cores[0], "a");
    CHECK(read.read_bytes == 2 * 8192);
    CHECK(read.copies == 3);
    CHECK(read.small_copies == 0);
    CHECK(read.empty_copies == 1);
    const result::Traffic& written = *result::find_traffic(result.cores[0], "b");
    CHECK(written.written_bytes == 8192);
    CHECK(written.copies == 1);
    CHECK(result.hbm_bytes == 3 * 8192);
}

TEST_CASE("a copy nobody waits for ends the kernel later") {
    Written kernel;
    const auto a = kernel.operand("a", 256);
    const auto b = kernel.buffer("b", 256);
    kernel.copy(a, b, kernel.semaphore("arrived")).region(10);
    const result::Result result = kernel.run();
    CHECK(result.cycles == Approx(1000 + 4 + 356));
    CHECK(waited(result, "copies at the end") == Approx(346));
}

TEST_CASE("neighbours in a ring exchange blocks") {
    Written kernel;
    const auto me = kernel.mesh(3);
    const auto x = kernel.operand("x", 400);
    const auto y = kernel.operand("y", 400);
    const auto sent = kernel.semaphore("sent");
    const auto got = kernel.semaphore("got");
    const auto right = kernel.binary(schedule::ScalarOp::mod,
                                     kernel.binary(schedule::ScalarOp::add, me, kernel.constant(1)),
                                     kernel.constant(3));
    kernel.send(x, y, right, sent, got).wait(got, y).wait(sent, x);
    const result::Result result = kernel.run();
    REQUIRE(result.fault.empty());
    REQUIRE(result.cores.size() == 3);
    // the issue, the latency, 800 on the link, a hop, the acknowledgement
    for (const result::CoreResult& core : result.cores) {
        CHECK(core.cycles == Approx(1000 + 4 + 100 + 800 + 30 + 50));
        CHECK(result::find_traffic(core, "y")->written_bytes == 400);
        CHECK(result::find_traffic(core, "x")->read_bytes == 400);
    }
    CHECK(result.hbm_bytes == 3 * 800);
    CHECK(result.roofline.bound == "launch");
    CHECK(busy(result, "ici") == Approx(800));
}

TEST_CASE("a signal releases the peer after a hop, a barrier waits for the last") {
    Written kernel;
    const auto me = kernel.mesh(2);
    const auto go = kernel.semaphore("go", schedule::SemaphoreKind::count);
    const auto other = kernel.binary(schedule::ScalarOp::sub, kernel.constant(1), me);
    kernel.region(500).signal(go, other, 2).wait(go, 2).barrier(other);
    const result::Result result = kernel.run();
    REQUIRE(result.fault.empty());
    CHECK(result.cycles == Approx(1000 + 500 + 30 + 30));
    CHECK(waited(result, "semaphore go") == Approx(30));
    CHECK(waited(result, "barrier") == Approx(30));
}

TEST_CASE("a core that waits for ever is a fault with its place") {
    Written kernel;
    kernel.mesh(2);
    const auto a = kernel.buffer("a", 300);
    kernel.wait(kernel.semaphore("got"), a);
    const result::Result result = kernel.run();
    CHECK(result.fault == "member 0 (r = 0) waits for ever: 300 bytes of `got`; 0 have arrived");
    REQUIRE(result.stop);
    CHECK(result.stop->id == Diag::E0803_deadlock);
    CHECK(result.stop->span == Span{40, 44});
}

TEST_CASE("prints carry their values and their member, and the first hundred are kept") {
    Written kernel;
    const auto me = kernel.mesh(2);
    kernel.print("at", {me, kernel.constant(7)});
    const result::Result result = kernel.run();
    REQUIRE(result.prints.size() == 2);
    CHECK(result.prints[0] == "member 0 (r = 0): at 0 7");
    CHECK(result.prints[1] == "member 1 (r = 1): at 1 7");

    Written chatty;
    for (int i = 0; i < 130; ++i) chatty.print("again", {});
    CHECK(chatty.run().prints.size() == 100);
    CHECK(chatty.run().print_count == 130);
}
