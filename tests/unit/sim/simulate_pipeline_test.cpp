#include <algorithm>

#include <catch2/catch.hpp>

#include "tests/unit/sim/kernels.hpp"

using namespace slab;
using namespace slab::test;

namespace {

/// Cycles per step once the pipeline is full.
template <typename MakeKernel>
double period(const MakeKernel& kernel, const arch::ChipSpec& chip) {
    return (kernel(1200).run(chip).cycles - kernel(200).run(chip).cycles) / 1000;
}

}  // namespace

TEST_CASE("a kernel of one fetch and one region: launch, issue, latency, bytes, region") {
    const result::Result result = Kernel(1).in("a", 1000).region(50).run();
    // launch 1000, issue 10, latency 100, bytes 1000, region 50; control is hidden by the fetch
    CHECK(result.cycles == Approx(2160).epsilon(1e-12));
    CHECK(result.time_us == Approx(2.160).epsilon(1e-12));
    CHECK(waited(result, "fetch of a") == Approx(1090).epsilon(1e-12));
    CHECK(waited(result, "launch") == 1000);
}

TEST_CASE("a write is complete a part of the latency after its last byte") {
    const result::Result result = Kernel(1).out("c", 500).region(50).run();
    // launch 1000, control 10, region 50, issue 10, bytes 500, half a latency 50
    CHECK(result.cycles == Approx(1620).epsilon(1e-12));
    CHECK(waited(result, "write of c") == Approx(550).epsilon(1e-12));
}

TEST_CASE("fetches overlap their latencies and move one after the other") {
    const result::Result result = Kernel(1).in("a", 1000).in("b", 1000).region(0).run();
    // a is issued at 1010, b at 1020; the waits begin at 1030; a is complete at 2110, b at 3110
    CHECK(result.cycles == Approx(3110).epsilon(1e-12));
    CHECK(waited(result, "fetch of a") == Approx(2110 - 1030).epsilon(1e-12));
    CHECK(waited(result, "fetch of b") == Approx(1000).epsilon(1e-12));
}

TEST_CASE("a fetch and a write share HBM equally") {
    const auto cycles = [](std::int64_t written) {
        return Kernel(2).in("a", 1000).out("c", written, 1).region(0).run().cycles;
    };
    // The fetch of step 1 moves from 2110 to 3110, unless the write of step 0, issued at 2120, has
    // half of HBM for as long as it takes. The write of step 1 comes last.
    const double last = 10 + 50;  // issue, acknowledgement
    CHECK(cycles(200) == Approx(3110 + 200 + last + 200).epsilon(1e-12));
    CHECK(cycles(400) == Approx(3110 + 400 + last + 400).epsilon(1e-12));
}

TEST_CASE("runs cost bandwidth and are not counted as bytes") {
    arch::ChipSpec chip = round_chip();
    chip.dma.run_overhead_bytes = 300;
    const result::Result result = Kernel(1).in("a", 1000).region(50).run(chip);
    CHECK(result.cycles == Approx(2460).epsilon(1e-12));
    CHECK(result.hbm_bytes == 1000);
}

TEST_CASE("the period of a double-buffered step is that of its slowest part") {
    const arch::ChipSpec chip = round_chip();
    const double serial = 10 + 10;  // control and issue
    const auto [bytes, region] = GENERATE(table<std::int64_t, double>(
        {{100, 500}, {500, 100}, {20, 30}, {100, 90}, {200, 120}, {10, 10}, {1, 0}}));
    const auto kernel = [bytes = bytes, region = region](std::int64_t steps) {
        return Kernel(steps).in("a", bytes).region(region);
    };
    const double transfer = static_cast<double>(bytes);
    const double body = serial + region;
    const double expected = std::max({body, transfer, (100 + transfer + body) / 2});
    INFO(bytes << " bytes, region of " << region);
    CHECK(period(kernel, chip) == Approx(expected).epsilon(1e-9));
}

TEST_CASE("a third buffer hides a third of the latency") {
    const auto kernel = [](std::int64_t steps) { return Kernel(steps).in("a", 20, 3).region(30); };
    CHECK(period(kernel, round_chip()) == Approx((100 + 20 + 50) / 3.0).epsilon(1e-3));
}

TEST_CASE("one buffer overlaps nothing") {
    const auto kernel = [](std::int64_t steps) { return Kernel(steps).in("a", 20, 1).region(30); };
    CHECK(period(kernel, round_chip()) == Approx(100 + 20 + 50).epsilon(1e-9));
}

TEST_CASE("a block that does not move is fetched once") {
    const result::Result result = Kernel(100).in("a", 1000, 2, false).region(50).run();
    CHECK(result.hbm_bytes == 1000);
    CHECK(result.cycles == Approx(1000 + 10 + 100 + 1000 + 50 + 99 * 60).epsilon(1e-12));
}

TEST_CASE("write-backs of a compute-bound grid are hidden but for the last") {
    const auto kernel = [](std::int64_t steps) { return Kernel(steps).out("c", 100).region(300); };
    CHECK(period(kernel, round_chip()) == Approx(10 + 300 + 10).epsilon(1e-9));
    CHECK(waited(kernel(50).run(), "write of c") == Approx(150).epsilon(1e-9));
}

TEST_CASE("reads and writes of a bandwidth-bound grid add up") {
    const auto kernel = [](std::int64_t steps) {
        return Kernel(steps).in("a", 700).out("c", 300).region(50);
    };
    CHECK(period(kernel, round_chip()) == Approx(1000).epsilon(1e-9));
}

TEST_CASE("dead steps cost their control") {
    const result::Result all = Kernel(10).region(50).run();
    const result::Result some = Kernel(10).live_from(4).region(50).run();
    CHECK(all.cycles == Approx(1000 + 10 * 60).epsilon(1e-12));
    CHECK(some.steps == 10);
    CHECK(some.cores[0].dead_steps == 4);
}

TEST_CASE("branches and iterations take the core's time") {
    Kernel branching(4);
    branching.body({schedule::Branch{branching.constant(1), {}, {}, {}}});
    CHECK(branching.run().cycles == Approx(1000 + 4 * (10 + 20)).epsilon(1e-12));
    CHECK(busy(branching.run(), "scalar") == Approx(4 * (10 + 20)).epsilon(1e-12));
}
