#include "sim/units/dma_engine.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/memory/fluid_hbm.hpp"
#include "sim/simulation_scope.hpp"
#include "sim/units/ici.hpp"
#include "tests/unit/sim/kernels.hpp"

using namespace slab;
using namespace slab::sim;
using namespace slab::test;
using sc_core::sc_time;

namespace {

sc_time ns(double value) {
    return CoreClock::from_us(value / 1e3);
}

/// A core's side of copies: HBM of a byte per ns, a latency of 100 ns, acknowledgements after 50,
/// ports of 4 bytes per ns.
struct End : sc_core::sc_module {
    End(const sc_core::sc_module_name& name, const arch::ChipSpec& chip)
        : sc_module(name),
          hbm("hbm", chip.hbm, chip.dma.run_overhead_bytes),
          dma("dma", chip, CoreClock(1), semaphores) {
        dma.memory(hbm);
    }

    bool has(std::int32_t semaphore, std::int64_t bytes) const {
        return semaphores.bytes(semaphore) >= bytes;
    }

    Semaphores semaphores{8};
    FluidHbm hbm;
    DmaEngine dma;
};

DmaEngine::Copy copy(std::int64_t bytes, bool from_hbm, bool to_hbm, std::int32_t semaphore = 0,
                     std::int64_t priority = 0) {
    DmaEngine::Copy copy;
    copy.bytes = bytes;
    copy.semaphore = semaphore;
    copy.from_hbm = from_hbm;
    copy.to_hbm = to_hbm;
    copy.priority = priority;
    return copy;
}

/// Runs in steps of a ns and notes when each semaphore first held something.
struct Watch {
    std::map<std::int32_t, double> first;

    void run(const End& end, double until_ns) {
        for (double now = 1; now <= until_ns; ++now) {
            sc_core::sc_start(ns(1));
            for (std::int32_t s = 0; s < 8; ++s)
                if (end.has(s, 1) && !first.count(s)) first[s] = now;
        }
    }
};

struct Bench {
    SimulationScope scope;
    arch::ChipSpec chip = round_chip();
    End end{"core", chip};
};

}  // namespace

TEST_CASE("a copy inside HBM reads and writes at once, and is acknowledged") {
    Bench bench;
    bench.end.dma.start(copy(200, true, true), ns(10));
    bench.end.dma.commit();
    Watch watch;
    watch.run(bench.end, 800);
    // latency 100, twice 200 bytes share one byte per ns, acknowledgement 50
    CHECK(watch.first.at(0) == Approx(10 + 100 + 400 + 50).margin(1));
    CHECK(bench.end.semaphores.bytes(0) == 200);
    CHECK(CoreClock::to_us(bench.end.hbm.service_time()) == Approx(0.4));
}

TEST_CASE("copies on the chip go through a port of VMEM one by one and leave HBM alone") {
    Bench bench;
    bench.end.dma.start(copy(400, false, false, 0), ns(10));
    bench.end.dma.start(copy(400, false, false, 1), ns(10));
    bench.end.dma.commit();
    Watch watch;
    watch.run(bench.end, 400);
    CHECK(watch.first.at(0) == Approx(10 + 100 + 50).margin(1));
    CHECK(watch.first.at(1) == Approx(10 + 200 + 50).margin(1));
    CHECK(bench.end.hbm.service_time() == sc_core::SC_ZERO_TIME);
}

TEST_CASE("empty copies complete in every direction") {
    Bench bench;
    const bool ends[] = {false, true};
    std::int32_t semaphore = 0;
    for (bool from : ends)
        for (bool to : ends) {
            bench.end.dma.start(copy(0, from, to, semaphore++), ns(10));
        }
    bench.end.dma.commit();
    sc_core::sc_start();
    // reads latest: 10 + latency 100 + acknowledgement 50
    CHECK(CoreClock::to_us(bench.end.dma.last_done()) == Approx(0.160));
}

TEST_CASE("of the copies that wait the higher priority goes first") {
    Bench bench;
    bench.end.dma.start(copy(100, true, false, 0), ns(0));
    bench.end.dma.start(copy(100, true, false, 1), ns(0));
    bench.end.dma.start(copy(100, true, false, 2, 1), ns(0));
    bench.end.dma.commit();
    Watch watch;
    watch.run(bench.end, 500);
    CHECK(watch.first.at(0) == Approx(200).margin(1));
    CHECK(watch.first.at(2) == Approx(300).margin(1));
    CHECK(watch.first.at(1) == Approx(400).margin(1));
}

TEST_CASE("a copy of high priority that is still far away does not hold up the others") {
    Bench bench;
    bench.end.dma.start(copy(100, true, false, 0), ns(0));
    bench.end.dma.start(copy(100, true, false, 1), ns(0));
    bench.end.dma.start(copy(100, true, false, 2, 1), ns(900));
    bench.end.dma.commit();
    Watch watch;
    watch.run(bench.end, 1200);
    CHECK(watch.first.at(1) == Approx(300).margin(1));
    CHECK(watch.first.at(2) == Approx(1100).margin(1));
}

namespace {

/// A mesh whose links move a byte in 2 ns and hand it on after 30.
struct Mesh {
    explicit Mesh(std::vector<std::int64_t> extents) {
        for (std::int64_t extent : extents) {
            schedule::MeshAxis axis;
            axis.extent = extent;
            program.mesh.push_back(axis);
        }
        chip.ici = {2, 1, 0.5, 0.030};
        ici = std::make_unique<Ici>("ici", program, chip.ici);
        for (std::int64_t i = 0; i < program.members(); ++i) {
            ends.push_back(std::make_unique<End>(("m" + std::to_string(i)).c_str(), chip));
            ici->attach(ends.back()->dma, ends.back()->semaphores);
        }
    }

    /// `done` is semaphore 0, `arrive` semaphore 1.
    void send(std::size_t from, std::int32_t to, std::int64_t bytes, bool hbm, double at) {
        DmaEngine::Copy sent = copy(bytes, hbm, hbm, 0);
        sent.peer = to;
        sent.arrival = 1;
        sent.id = 0;
        ends[from]->dma.start(sent, ns(at));
        ends[from]->dma.commit();
    }

    SimulationScope scope;
    schedule::Program program;
    arch::ChipSpec chip = round_chip();
    std::unique_ptr<Ici> ici;
    std::vector<std::unique_ptr<End>> ends;
};

/// Runs and says when the semaphore of a member first held so many bytes.
double arrival_ns(Mesh& mesh, std::size_t member, std::int32_t semaphore, std::int64_t bytes) {
    for (int now = 1; now < 20000; ++now) {
        sc_core::sc_start(ns(1));
        if (mesh.ends[member]->has(semaphore, bytes)) return now;
    }
    return -1;
}

}  // namespace

TEST_CASE("a remote copy crosses one link, then signals the peer") {
    Mesh mesh({4});
    mesh.send(0, 1, 400, false, 10);
    // the source has left the port by 10 + 100, the link began at 10 and needs 800
    CHECK(arrival_ns(mesh, 0, 0, 400) == Approx(810).margin(1));
    CHECK(arrival_ns(mesh, 1, 1, 400) == Approx(30).margin(1));
    CHECK(mesh.ends[1]->dma.received(0) == 400);
    CHECK(mesh.ends[0]->dma.received(0) == 0);
}

TEST_CASE("a remote copy between HBMs is read, sent and acknowledged") {
    Mesh mesh({2});
    mesh.send(0, 1, 400, true, 0);
    // first byte after 100, 800 on the link, a hop of 30, acknowledgement 50
    CHECK(arrival_ns(mesh, 1, 1, 400) == Approx(100 + 800 + 30 + 50).margin(1));
    CHECK(CoreClock::to_us(mesh.ends[0]->hbm.service_time()) == Approx(0.4));
    CHECK(CoreClock::to_us(mesh.ends[1]->hbm.service_time()) == Approx(0.4));
}

TEST_CASE("links are taken the shorter way round, and each hop adds its latency once") {
    Mesh mesh({5});
    mesh.send(0, 2, 100, false, 0);
    CHECK(arrival_ns(mesh, 2, 1, 100) == Approx(200 + 2 * 30).margin(1));
    mesh.send(0, 4, 100, false, 1000);
    CHECK(arrival_ns(mesh, 4, 1, 100) == Approx(1000 + 200 + 30 - 260).margin(1));
}

TEST_CASE("copies over one link wait for each other, those the other way do not") {
    Mesh mesh({4});
    mesh.send(0, 1, 400, false, 0);
    mesh.send(0, 1, 400, false, 0);
    mesh.send(1, 0, 400, false, 0);
    CHECK(arrival_ns(mesh, 0, 1, 400) == Approx(830).margin(1));
    CHECK(arrival_ns(mesh, 1, 1, 800) == Approx(1630 - 830).margin(1));
    CHECK(CoreClock::to_us(mesh.ici->busiest_link(0)) == Approx(1.6));
}

TEST_CASE("a copy in transit uses the links between") {
    Mesh mesh({4});
    mesh.send(0, 2, 400, false, 0);
    mesh.send(1, 2, 400, false, 10);
    // member 1's link up is taken from 30 to 830, then by its own copy
    CHECK(arrival_ns(mesh, 2, 1, 400) == Approx(860).margin(1));
    CHECK(arrival_ns(mesh, 2, 1, 800) == Approx(800).margin(1));
}

TEST_CASE("a mesh of two axes goes along one, then the other") {
    Mesh mesh({3, 4});
    mesh.send(0, 6, 100, false, 0);  // (0, 0) to (1, 2): three hops
    CHECK(arrival_ns(mesh, 6, 1, 100) == Approx(200 + 3 * 30).margin(1));
    CHECK(CoreClock::to_us(mesh.ici->busiest_link(4)) == Approx(0.2));
    CHECK(CoreClock::to_us(mesh.ici->busiest_link(1)) == 0);
}

TEST_CASE("a signal takes the hops and no bandwidth") {
    Mesh mesh({8});
    mesh.ici->signal(1, 6, 3, 2, ns(100));
    CHECK(arrival_ns(mesh, 6, 3, 2) == Approx(100 + 3 * 30).margin(1));
    mesh.ici->signal(2, 2, 3, 1, ns(500));
    CHECK(arrival_ns(mesh, 2, 3, 1) == Approx(500 - 190).margin(1));
}
