#include "sim/memory/vmem.hpp"

#include <catch2/catch.hpp>

#include "sim/simulation_scope.hpp"

using namespace slab;
using namespace slab::sim;

namespace {

/// DMA takes 4 bytes per cycle of a port.
struct Bench {
    SimulationScope scope;
    Vmem vmem{"vmem", {0, 0, 0, 0, 4}};
};

timing::UnitCycles accesses(double loads, double stores) {
    return {0, 0, 0, 0, loads, stores};
}

}  // namespace

TEST_CASE("without copies a region takes its own time") {
    Bench bench;
    CHECK(bench.vmem.region_cycles(100, accesses(100, 100)) == 100);
}

TEST_CASE("a copy into VMEM uses cycles in which a region leaves the store port idle") {
    Bench bench;
    bench.vmem.copy_started(false, 4 * 60);
    CHECK(bench.vmem.region_cycles(100, accesses(100, 40)) == 100);
}

TEST_CASE("a copy into VMEM stretches a region that needs the store port itself") {
    Bench bench;
    bench.vmem.copy_started(false, 4 * 60);
    CHECK(bench.vmem.region_cycles(100, accesses(0, 90)) == 150);
}

TEST_CASE("a copy out of VMEM contends with loads instead") {
    Bench bench;
    bench.vmem.copy_started(true, 4 * 60);
    CHECK(bench.vmem.region_cycles(100, accesses(0, 100)) == 100);
    bench.vmem.copy_started(true, 4 * 60);
    CHECK(bench.vmem.region_cycles(100, accesses(100, 0)) == 160);
}

TEST_CASE("the core and the DMA take turns, so a short region is at most doubled") {
    Bench bench;
    bench.vmem.copy_started(false, 4 * 1000);
    CHECK(bench.vmem.region_cycles(10, accesses(0, 10)) == 20);
    // 990 port cycles are still to be given to the copy
    CHECK(bench.vmem.region_cycles(2000, accesses(0, 1900)) == 2890);
    CHECK(bench.vmem.region_cycles(2000, accesses(0, 1900)) == 2000);
}

TEST_CASE("a copy that has been waited for contends no more") {
    Bench bench;
    bench.vmem.copy_started(false, 4 * 60);
    bench.vmem.copy_started(false, 4 * 30);
    bench.vmem.copy_waited(false, 4 * 60);
    CHECK(bench.vmem.region_cycles(100, accesses(0, 100)) == 130);
}

TEST_CASE("slots that a region's schedule cannot fill go to the DMA") {
    Bench bench;
    bench.vmem.copy_started(false, 4 * 30);
    CHECK(bench.vmem.region_cycles(120, accesses(0, 100)) == 130);
    bench.vmem.copy_started(false, 4 * 20);
    CHECK(bench.vmem.region_cycles(120, accesses(0, 100)) == 120);
}
