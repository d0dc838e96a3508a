#include "sim/hbm_rates.hpp"

#include <catch2/catch.hpp>

#include "arch_configs/read_chip.hpp"

using namespace slab;
using namespace slab::sim;

namespace {

arch::ChipSpec chip(const char* name) {
    Diagnostics diags;
    return arch::read_chip(name, {}, diags)->spec;
}

}  // namespace

TEST_CASE("the rates of the fluid are its efficiency and the overhead of runs") {
    const arch::ChipSpec v6e = chip("v6e");
    for (const HbmRates& one : hbm_rates(v6e, HbmModel::fluid)) {
        const double rate = v6e.hbm.bandwidth_gb_per_s * v6e.hbm.stream_efficiency * one.run_bytes /
                            (one.run_bytes + v6e.dma.run_overhead_bytes);
        INFO(one.run_bytes);
        for (double got : {one.read, one.write, one.copy, one.pages})
            CHECK(got == Approx(rate).epsilon(1e-5));
    }
}

TEST_CASE("banks let longer runs go faster, no faster than refresh allows, and copies slower") {
    for (const char* name : {"v6e", "ironwood", "v5e", "v5p", "toy"}) {
        const arch::ChipSpec spec = chip(name);
        const double most =
            spec.hbm.bandwidth_gb_per_s * (1 - spec.dram.trfc_ns / spec.dram.trefi_ns);
        HbmRates before;
        for (const HbmRates& one : hbm_rates(spec, HbmModel::banked)) {
            INFO(name << " " << one.run_bytes);
            CHECK(one.read >= before.read * (1 - 1e-9));
            CHECK(one.write >= before.write * (1 - 1e-9));
            CHECK(one.pages <= one.read * 1.001);
            CHECK(one.copy < one.read);
            CHECK(one.read <= most * (1 + 1e-9));
            before = one;
        }
        CHECK(before.read == Approx(most).epsilon(0.01));  // rows that are hit
    }
}
