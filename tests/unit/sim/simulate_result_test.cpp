#include <catch2/catch.hpp>

#include "tests/unit/sim/kernels.hpp"

using namespace slab;
using namespace slab::test;

namespace {

/// A region whose units are busy as given, and which takes that long.
timing::RegionTime matrix_work(double mxu, double cycles) {
    return {cycles, {mxu, 0, 0, 0, 0, 0}, 0};
}

/// A dot of 8 x 8 x 8.
schedule::Region small_dot() {
    schedule::Region region;
    const schedule::BlockType block{DType::bf16, {8, 8}};
    region.values = {block, block, {DType::f32, {8, 8}}};
    schedule::Op dot;
    dot.name = std::string("dot");
    dot.cls = schedule::OpClass::dot;
    dot.args = {0, 1};
    dot.result = 2;
    region.ops.push_back(dot);
    region.flops = 2 * 8 * 8 * 8;
    return region;
}

Kernel mixed(std::int64_t steps = 40) {
    return Kernel(steps)
        .in("a", 300)
        .in("b", 90, 3)
        .out("c", 120)
        .region({200, {150, 40, 0, 0, 100, 120}, 0}, small_dot())
        .region({30, {0, 20, 10, 0, 30, 30}, 0});
}

}  // namespace

TEST_CASE("unit times, traffic, flops and waits are those of the schedule") {
    const result::Result result = mixed(40).run();
    CHECK(result.steps == 40);
    CHECK(result.flops == 40 * 1024);
    CHECK(busy(result, "mxu") == 40 * 150);
    CHECK(busy(result, "vpu") == 40 * 60);
    CHECK(busy(result, "store") == 40 * 150);
    CHECK(busy(result, "dma") == Approx(40 * 3 * 10));
    CHECK(busy(result, "hbm") == Approx(40 * (300 + 90 + 120)));
    CHECK(waited(result, "chain") == 40 * 50);

    const result::Traffic* a = result::find_traffic(result.cores[0], "a");
    REQUIRE(a);
    CHECK(a->read_bytes == 40 * 300);
    CHECK(a->written_bytes == 0);
    CHECK(a->copies == 40);
    CHECK(a->array_bytes == 40 * 300);
    CHECK(result::find_traffic(result.cores[0], "c")->written_bytes == 40 * 120);
    CHECK(result.hbm_bytes == 40 * 510);
    CHECK(result.hbm_gb_per_s == Approx(40 * 510 / result.cycles));
}

TEST_CASE("everything the core does and waits for adds up to its time") {
    const result::Result result = mixed().run();
    double sum = busy(result, "scalar") + busy(result, "dma") + 40 * (150 + 30);
    for (const result::Wait& wait : result.cores[0].waits) sum += wait.cycles;
    CHECK(sum == Approx(result.cycles).epsilon(1e-12));
}

TEST_CASE("the clock scales cycles and leaves microseconds alone") {
    arch::ChipSpec chip = round_chip();
    chip.clock = {2, 0.5};
    const Kernel kernel = Kernel(10).region(1000);
    const result::Result nominal = kernel.run(chip);
    const result::Result sustained = kernel.run(chip, {sim::Clock::sustained});
    CHECK(nominal.time_us == Approx(1 + 10 * (0.010 + 0.5)).epsilon(1e-12));
    CHECK(sustained.time_us == Approx(1 + 10 * (0.010 + 2)).epsilon(1e-12));
    CHECK(nominal.cycles == Approx(2000 * nominal.time_us).epsilon(1e-12));
    CHECK(sustained.clock == "sustained");
    CHECK(sustained.clock_ghz == 0.5);
}

TEST_CASE("power is a floor under matrix work at the sustained clock") {
    arch::ChipSpec chip = round_chip();
    chip.mxu.sustained_share_random = 0.8;
    chip.mxu.sustained_share_zeros = 0.95;
    const Kernel kernel = Kernel(1).region(matrix_work(760, 800));
    const auto region_cycles = [&](const sim::Options& options) {
        return kernel.run(chip, options).cycles - 1010;
    };
    CHECK(region_cycles({}) == Approx(800));
    CHECK(region_cycles({sim::Clock::sustained, sim::Activity::random}) == Approx(950));
    CHECK(region_cycles({sim::Clock::sustained, sim::Activity::zeros}) == Approx(800));
    CHECK(waited(kernel.run(chip, {sim::Clock::sustained}), "power") == Approx(150));
}

TEST_CASE("copies into VMEM hold up a region of stores") {
    const Kernel kernel = Kernel(100).in("a", 200).region({400, {0, 0, 0, 0, 0, 400}, 0});
    const result::Result result = kernel.run();
    // 200 bytes at 4 a cycle; the last step has no fetch beside it
    CHECK(waited(result, "vmem ports") == Approx(99 * 50));
}

TEST_CASE("the bound is the longest term of the roofline") {
    const auto bound = [](const Kernel& kernel) { return kernel.run().roofline.bound; };
    CHECK(bound(Kernel(100).in("a", 2000).region(50)) == "hbm");
    CHECK(bound(Kernel(100).in("a", 100).region(matrix_work(900, 1000))) == "mxu");
    CHECK(bound(Kernel(100).in("a", 10).region(matrix_work(10, 20))) == "latency");
    CHECK(bound(Kernel(100).in("a", 10).region(matrix_work(300, 1000))) == "chain");
    CHECK(bound(Kernel(2).region(matrix_work(10, 10))) == "launch");
}

TEST_CASE("roofline terms, intensity and ridge") {
    const result::Result result = mixed().run();
    CHECK(term_us(result, "mxu") == Approx(40 * 0.150));
    CHECK(term_us(result, "hbm") == Approx(40 * 0.510));
    CHECK(term_us(result, "dma") == Approx(40 * 3 * 0.010));
    CHECK(term_us(result, "launch") == Approx(1));
    CHECK(result.roofline.time_us == Approx(40 * 0.510));
    CHECK(result.roofline.fraction == Approx(result.roofline.time_us / result.time_us));
    CHECK(result.roofline.intensity_flop_per_byte == Approx(1024.0 / 510));
    // 8 x 8 array, one row a cycle, 1 GHz
    CHECK(result.roofline.peak_tflops == Approx(0.128));
    CHECK(result.roofline.ridge_flop_per_byte == Approx(128));
}

TEST_CASE("padding makes the executed matrix work longer than the flops at the peak") {
    // 1024 flops take 8 cycles at the peak
    const auto mxu_us = [](double executed) {
        return term_us(Kernel(1).region(matrix_work(executed, 100), small_dot()).run(), "mxu");
    };
    CHECK(mxu_us(16) == Approx(0.016));
    CHECK(mxu_us(4) == Approx(0.008));
}

TEST_CASE("the VMEM table tells padding from elements") {
    schedule::Program program = Kernel(1).region(1).program();
    schedule::Buffer column;
    column.name = std::string("m");
    column.shape = {512, 1};
    column.bytes = 512 * 128 * 4;
    column.copies = 2;
    program.buffers.push_back(column);
    schedule::Buffer table;
    table.space = schedule::Space::smem;
    table.bytes = 4096;
    table.copies = 3;
    program.buffers.push_back(table);
    program.vmem_bytes = 2 * column.bytes;
    program.vmem_limit_bytes = 1 << 20;
    arch::ChipSpec chip = round_chip();
    chip.smem.bytes = 1 << 20;
    const result::VmemUse use = sim::simulate(program, {}, chip, {}, {timing::RegionTime{}}).vmem;
    REQUIRE(use.rows.size() == 1);
    CHECK(use.rows[0].type == "f32[512, 1]");
    CHECK(use.rows[0].role == "scratch");
    CHECK(use.rows[0].bytes == 2 * 262144);
    CHECK(use.rows[0].padding_fraction == Approx(127.0 / 128));
    CHECK(use.limit == 1 << 20);
    CHECK(use.smem_bytes == 3 * 4096);
    CHECK(use.smem_limit == 1 << 20);
}

TEST_CASE("a fault ends the kernel and is told") {
    Kernel kernel(10);
    const auto quotient = kernel.binary(schedule::ScalarOp::div, kernel.constant(1), kernel.axis());
    kernel.region(50).body({schedule::SetSlot{1, quotient}});
    schedule::Program program = kernel.program();
    program.slots.push_back({std::string("x"), schedule::ScalarType::i32, 0, 0});
    const result::Result result =
        sim::simulate(program, {}, round_chip(), {}, {timing::RegionTime{50, {}, 0}});
    CHECK_FALSE(result.fault.empty());
    CHECK(result.steps == 1);
}
