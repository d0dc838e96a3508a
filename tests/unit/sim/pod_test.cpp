#include <catch2/catch.hpp>

#include "sim/chip.hpp"
#include "sim/simulation_scope.hpp"
#include "tests/unit/sim/kernels.hpp"

using namespace slab;
using namespace slab::test;

TEST_CASE("cores run side by side, each with its own share of HBM") {
    const Kernel kernel = Kernel(50).in("a", 300).out("c", 100).region(40);
    const schedule::Program program = kernel.program();
    const std::vector<timing::RegionTime> regions = {{40, {}, 0}};
    const arch::ChipSpec chip = round_chip();
    const sim::Options options;
    const schedule::Data data;
    const sim::Job job{program, data, regions, chip, options, sim::CoreClock(1)};
    const double alone = kernel.run().cycles;

    const sim::SimulationScope scope;
    sim::Pod pod("pod", job, 2, 2);
    sc_core::sc_start();
    for (const sim::Chip& part : pod.chips)
        for (const sim::TensorCore& core : part.cores) {
            CHECK(core.sequencer.finished());
            CHECK(job.clock.to_cycles(core.sequencer.local_time()) == alone);
        }
}

TEST_CASE("a core that waits says for what") {
    const schedule::Program program = Kernel(1).in("keys", 300).region(40).program();
    const std::vector<timing::RegionTime> regions = {{40, {}, 0}};
    const arch::ChipSpec chip = round_chip();
    const sim::Options options;
    const schedule::Data data;
    const sim::SimulationScope scope;
    sim::Pod pod("pod", {program, data, regions, chip, options, sim::CoreClock(1)}, 1, 1);
    sc_core::sc_start(1, sc_core::SC_US);
    const sim::Sequencer& sequencer = pod.chips[0].cores[0].sequencer;
    CHECK(sequencer.waits_for() == "waits for 300 bytes of the fetch of keys; 0 have arrived");
    sc_core::sc_start();
    CHECK(sequencer.waits_for() == "has finished");
}
