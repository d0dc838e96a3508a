#include "sim/memory/banked_hbm.hpp"

#include <map>
#include <vector>

#include <catch2/catch.hpp>

#include "sim/clock.hpp"
#include "sim/simulation_scope.hpp"
#include "sim/units/dma_engine.hpp"
#include "tests/unit/sim/kernels.hpp"

using namespace slab;
using namespace slab::sim;
using sc_core::sc_time;

namespace {

sc_time ns(double value) {
    return CoreClock::from_us(value / 1e3);
}

/// Eight channels of a byte per ns and pieces of 8 bytes, which are rows and bursts as well.
/// Nothing limits but the bus, turns between reads and writes take 10 ns there and back, and a
/// queue holds 5 bursts: of mixed traffic 80 of 90 ns are left.
arch::DramSpec eight_channels() {
    arch::DramSpec dram;
    dram.channels = 8;
    dram.burst_bytes = dram.row_bytes = dram.interleave_bytes = 8;
    dram.banks = 64;
    dram.bank_groups = 1;
    dram.queue_bursts = 5;
    dram.twtr_ns = 7;
    dram.trtw_ns = 3;
    dram.trefi_ns = 1;
    return dram;
}

arch::ChipSpec banked_chip() {
    arch::ChipSpec chip = test::round_chip();
    chip.hbm.bandwidth_gb_per_s = 8;
    chip.dram = eight_channels();
    return chip;
}

struct Bench : MemoryClient {
    explicit Bench(const arch::ChipSpec& chip = banked_chip()) : hbm("hbm", chip.hbm, chip.dram) {
        hbm.attach(*this);
    }

    void post(std::int32_t number, double arrival_ns, double bytes, bool write = false) {
        hbm.post({ns(arrival_ns), bytes, number, write, 1});
    }
    void run() {
        hbm.commit();
        sc_core::sc_start();
    }
    double served_ns(std::int32_t number) const { return served_at.at(number).to_double() / 1e6; }
    void served(const Transfer& transfer) override {
        order.push_back(transfer.tag);
        served_at[transfer.tag] = sc_core::sc_time_stamp();
        bytes_served += transfer.bytes;
    }

    SimulationScope scope;
    BankedHbm hbm;
    std::map<std::int32_t, sc_time> served_at;
    std::vector<std::int32_t> order;
    double bytes_served = 0;
};

}  // namespace

TEST_CASE("a transfer over all channels moves at their rate, one over a single one at its own") {
    Bench bench;
    bench.post(0, 100, 640);
    bench.run();
    CHECK(bench.served_ns(0) == 180);
    bench.post(1, 300, 8);
    bench.run();
    CHECK(bench.served_ns(1) == 308);
    CHECK(bench.hbm.time_alone({ns(0), 640, 0, false, 1}) == ns(80));
    CHECK(bench.hbm.service_time() == ns(81));
}

TEST_CASE("transfers over few channels move side by side until the channels are taken") {
    Bench bench;
    for (std::int32_t i = 0; i < 10; ++i) bench.post(i, 0, 8);  // a channel each, of eight
    bench.run();
    for (std::int32_t i = 0; i < 8; ++i) CHECK(bench.served_ns(i) == 8);
    CHECK(bench.served_ns(8) == 16);
    CHECK(bench.served_ns(9) == 16);
}

TEST_CASE("transfers of one direction take all channels in the order of their arrival") {
    Bench bench;
    bench.post(1, 10, 640);
    bench.post(0, 0, 640);
    bench.post(2, 20, 80);
    bench.run();
    CHECK(bench.order == std::vector<std::int32_t>{0, 1, 2});
    CHECK(bench.served_ns(0) == 80);
    CHECK(bench.served_ns(1) == 160);
    CHECK(bench.served_ns(2) == 176);  // ten pieces: two of the channels have two
}

TEST_CASE("a read and a write share the channels, less what the turns take") {
    Bench bench;
    bench.post(0, 0, 640);
    bench.post(1, 0, 640, true);
    bench.run();
    // each alone takes 80 ns; together 160 and an eighth of it for turns
    CHECK(bench.served_ns(0) == Approx(180));
    CHECK(bench.served_ns(1) == Approx(180));
}

TEST_CASE("a read and a write that leave channels free do not slow each other") {
    Bench bench;
    bench.post(0, 0, 16);
    bench.post(1, 0, 16, true);
    bench.run();
    CHECK(bench.served_ns(0) == 8);
    CHECK(bench.served_ns(1) == 8);
}

TEST_CASE("a small write beside a large read is not held up") {
    Bench bench;
    bench.post(0, 0, 8000);
    bench.post(1, 100, 8, true);
    bench.run();
    CHECK(bench.served_ns(1) == 108);
    CHECK(bench.served_ns(0) == Approx(1000 + 8 * (1 - (8.0 / 9 - 1.0 / 8))));
}

TEST_CASE("every transfer is served once, with all its bytes, and twice the same") {
    const auto run = [] {
        Bench bench;
        double posted = 0;
        for (std::int32_t i = 0; i < 200; ++i) {
            const double bytes = (i * 37) % 301;
            bench.post(i, (i * 53) % 400, bytes, i % 3 == 0);
            posted += bytes;
        }
        bench.run();
        CHECK(bench.bytes_served == posted);
        CHECK(bench.order.size() == 200);
        CHECK(sc_core::sc_time_stamp() >= bench.hbm.service_time());
        return bench.served_at;
    };
    const auto first = run();
    CHECK(first.size() == 200);
    CHECK(first == run());
}

TEST_CASE("a transfer of no bytes needs no channel") {
    Bench bench;
    bench.post(0, 0, 640);
    bench.post(1, 70, 0);
    bench.run();
    CHECK(bench.served_ns(1) == 70);
    CHECK(bench.served_ns(0) == 80);
}

TEST_CASE("the copies of a core fill the channels together") {
    SimulationScope scope;
    const arch::ChipSpec chip = banked_chip();
    Semaphores semaphores{8};
    BankedHbm hbm("hbm", chip.hbm, chip.dram);
    DmaEngine dma("dma", chip, CoreClock(1), semaphores);
    dma.memory(hbm);
    for (int i = 0; i < 16; ++i) {
        DmaEngine::Copy copy;
        copy.bytes = 16;  // two channels of eight
        copy.runs = 1;
        copy.from_hbm = true;
        dma.start(copy, ns(0));
    }
    dma.commit();
    sc_core::sc_start();
    CHECK(semaphores.bytes(0) == 16 * 16);
    CHECK(CoreClock::to_us(dma.last_done()) == Approx(0.100 + 0.032));  // four at a time
}

TEST_CASE("the model of HBM is an option of the simulation, and decides who pays for short runs") {
    const test::Kernel kernel = test::Kernel(16).in("x", 64).region(1);
    arch::ChipSpec chip = banked_chip();
    chip.dma.run_overhead_bytes = 1e6;  // of the fluid
    sim::Options banked;
    banked.hbm = HbmModel::banked;
    CHECK(kernel.run(chip).time_us > 100);
    CHECK(kernel.run(chip, banked).time_us < 10);
    CHECK(kernel.run(chip, banked).hbm_bytes == kernel.run(chip).hbm_bytes);
    CHECK(kernel.run(chip, banked).cycles == kernel.run(chip, banked).cycles);
}
