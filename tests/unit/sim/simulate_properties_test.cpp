#include <catch2/catch.hpp>

#include "tests/unit/sim/kernels.hpp"

using namespace slab;
using namespace slab::test;

namespace {

/// Grids of every kind of balance between copies and work.
std::vector<Kernel> assorted() {
    std::vector<Kernel> kernels;
    for (const std::int64_t bytes : {8, 150, 900})
        for (const double cycles : {0.0, 120.0, 1000.0})
            for (const std::int64_t depth : {1, 2, 4}) {
                const timing::RegionTime work{cycles, {cycles / 2, 0, 0, 0, cycles, cycles}, 0};
                kernels.push_back(Kernel(60).in("a", bytes, depth).region(work));
                kernels.push_back(Kernel(60)
                                      .in("a", bytes, depth)
                                      .in("b", 70, 2, false)
                                      .out("c", bytes / 2, depth)
                                      .region(work)
                                      .region(20));
            }
    return kernels;
}

}  // namespace

TEST_CASE("two simulations in one process give the same result") {
    for (const Kernel& kernel : assorted()) CHECK(kernel.run() == kernel.run());
}

TEST_CASE("a process can simulate a thousand times") {
    const Kernel kernel = Kernel(3).in("a", 100).out("c", 50).region(10);
    const result::Result first = kernel.run();
    for (int i = 0; i < 1000; ++i) REQUIRE(kernel.run() == first);
}

TEST_CASE("more bandwidth is never slower") {
    for (const Kernel& kernel : assorted()) {
        double last = 0;
        for (const double gb_per_s : {0.3, 0.5, 1.0, 1.1, 2.0, 4.0, 50.0}) {
            arch::ChipSpec chip = round_chip();
            chip.hbm.bandwidth_gb_per_s = gb_per_s;
            const double cycles = kernel.run(chip).cycles;
            if (last > 0) CHECK(cycles <= last);
            last = cycles;
        }
    }
}

TEST_CASE("a longer latency is never faster") {
    for (const Kernel& kernel : assorted()) {
        double last = 0;
        for (const double latency_us : {0.0, 0.05, 0.1, 0.3, 1.0}) {
            arch::ChipSpec chip = round_chip();
            chip.dma.latency_us = latency_us;
            const double cycles = kernel.run(chip).cycles;
            CHECK(cycles >= last);
            last = cycles;
        }
    }
}

TEST_CASE("nothing beats its roofline") {
    for (const Kernel& kernel : assorted()) {
        const result::Result result = kernel.run();
        CHECK(result.roofline.fraction <= 1);
        CHECK(result.roofline.time_us <= result.time_us);
    }
}

TEST_CASE("what is remembered of a run does not grow with its steps") {
    const auto events_per_step = [](std::int64_t steps) {
        const Kernel kernel = Kernel(steps).in("a", 64).in("b", 64).region(20);
        return static_cast<double>(kernel.run().events) / static_cast<double>(steps);
    };
    // step, two copies, two waits, region; one activation each for two completions and two waits
    CHECK(events_per_step(20'000) <= 10.01);
}
