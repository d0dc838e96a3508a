#include "cli/perturbing.hpp"

#include <catch2/catch.hpp>

#include "arch_configs/read_chip.hpp"

using namespace slab;
using namespace slab::cli;

TEST_CASE("numbers of the chip change one by one and together, the widest comes first") {
    Diagnostics diags;
    const arch::ChipSpec chip = arch::read_chip("v6e", {}, diags)->spec;
    // 3 us of copies and 1 us of latency
    const auto time_of = [&](const arch::ChipSpec& variant) {
        return 3 * chip.hbm.bandwidth_gb_per_s / variant.hbm.bandwidth_gb_per_s +
               variant.dma.latency_us / chip.dma.latency_us;
    };
    const result::Sensitivity found = perturb(chip, 0.1, time_of);
    REQUIRE(found.influences.size() == 5);
    CHECK(found.influences[0].name == "hbm");
    CHECK(found.influences[0].slower_us == Approx(3 / 0.9 + 1));
    CHECK(found.influences[0].faster_us == Approx(3 / 1.1 + 1));
    CHECK(found.influences[1].name == "latency");
    CHECK(found.influences[1].slower_us == Approx(4.1));
    CHECK(found.influences[2].width_us() == 0);
    CHECK(found.slowest_us == Approx(3 / 0.9 + 1.1));
    CHECK(found.fastest_us == Approx(3 / 1.1 + 0.9));
}

TEST_CASE("a part is a percentage or a fraction above nothing and below all") {
    Diagnostics diags;
    CHECK(read_part("10%", diags) == Approx(0.1));
    CHECK(read_part("0.05", diags) == Approx(0.05));
    CHECK(diags.empty());
    for (const char* wrong : {"", "%", "0", "-5%", "91%", "1.5", "nan", "ten", "10%%"})
        CHECK_FALSE(read_part(wrong, diags));
    CHECK(diags.size() == 9);
    CHECK(diags.exit_code() == 2);
}
