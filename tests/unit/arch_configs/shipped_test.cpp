#include <string>
#include <tuple>
#include <vector>

#include <catch2/catch.hpp>

#include "arch_configs/read_chip.hpp"

namespace slab::arch {

namespace {

ChipFile shipped(const std::string& name, const std::vector<std::string>& overrides = {}) {
    Diagnostics diags;
    auto chip = read_chip(name, overrides, diags);
    for (const Diagnostic& each : diags.messages()) FAIL_CHECK(each.headline());
    REQUIRE(chip);
    return *chip;
}

/// Peak of the whole chip in 10^12 operations a second.
double peak(const std::string& name, DType type) {
    const ChipSpec spec = shipped(name).spec;
    return spec.peak_flops(type) * spec.cores_per_chip / 1e12;
}

}  // namespace

TEST_CASE("every shipped chip reads without a word") {
    CHECK(shipped_chips() == std::vector<std::string>{"v6e", "ironwood", "v5e", "v5p", "toy"});
    for (const std::string& name : shipped_chips()) {
        const ChipFile chip = shipped(name);
        CHECK(chip.spec.name == name);
        CHECK_FALSE(chip.spec.title.empty());
        for (const ChipParameter& each : chip.parameters) {
            INFO(name << " " << each.path);
            CHECK_FALSE(each.value.empty());
            CHECK_FALSE(each.source.empty());
        }
    }
}

TEST_CASE("the matrix units times the clock make the documented peaks") {
    CHECK(peak("v6e", DType::bf16) == Approx(918).epsilon(0.005));
    CHECK(peak("v6e", DType::f8e5m2) == Approx(918).epsilon(0.005));
    CHECK(peak("v6e", DType::i8) == Approx(1836).epsilon(0.005));
    CHECK(peak("v6e", DType::i4) == Approx(3680).epsilon(0.005));
    CHECK(peak("ironwood", DType::bf16) == Approx(2307).epsilon(0.005));
    CHECK(peak("ironwood", DType::f8e4m3) == Approx(4614).epsilon(0.005));
    CHECK(peak("v5e", DType::bf16) == Approx(197).epsilon(0.005));
    CHECK(peak("v5e", DType::i8) == Approx(393).epsilon(0.005));
    CHECK(peak("v5e", DType::i4) == Approx(788).epsilon(0.005));
    CHECK(peak("v5p", DType::bf16) == Approx(459).epsilon(0.005));
    CHECK(peak("v5p", DType::i8) == Approx(918).epsilon(0.005));
    CHECK(peak("toy", DType::bf16) == Approx(0.128));
}

TEST_CASE("figures of a chip are divided among its cores") {
    const ChipSpec ironwood = shipped("ironwood").spec;
    CHECK(ironwood.cores_per_chip == 2);
    CHECK(ironwood.hbm.bandwidth_gb_per_s == 3690);
    CHECK(ironwood.hbm.bytes == std::int64_t{96} << 30);
    CHECK(ironwood.vmem.bytes == std::int64_t{64} << 20);
    CHECK(shipped("v6e").spec.hbm.bandwidth_gb_per_s == 1638);
    CHECK(shipped("v5p").spec.hbm.bandwidth_gb_per_s == 1382.5);
}

TEST_CASE("pseudo-channels of a JEDEC data rate make the bandwidth of HBM") {
    const std::vector<std::tuple<std::string, int, double, double>> stacks = {
        {"v6e", 64, 32, 6.4},
        {"ironwood", 128, 32, 7.2},
        {"v5e", 32, 64, 3.2},
        {"v5p", 48, 64, 3.6}};
    for (const auto& [name, channels, bits, gbit_per_s] : stacks) {
        INFO(name);
        const ChipSpec spec = shipped(name).spec;
        CHECK(spec.dram.channels == channels);
        CHECK(spec.hbm.bandwidth_gb_per_s ==
              Approx(channels * bits * gbit_per_s / 8).epsilon(0.002));
        CHECK(spec.dram.burst_bytes == bits / 8 * (bits == 32 ? 8 : 4));
        CHECK(spec.dram.trc_ns >= spec.dram.trp_ns + spec.dram.trcd_ns + spec.dram.trtp_ns);
        CHECK(spec.dram.tccd_l_ns >=
              1.5 * spec.dram.burst_bytes * channels / spec.hbm.bandwidth_gb_per_s - 0.01);
    }
}

TEST_CASE("operand types are native where the arrays take them unconverted") {
    const ChipSpec v6e = shipped("v6e").spec;
    CHECK(v6e.multiplies(DType::f32, DType::bf16));
    CHECK(v6e.multiplies(DType::f8e5m2, DType::f32));
    CHECK(v6e.multiplies(DType::u8, DType::i8));
    CHECK_FALSE(v6e.multiplies(DType::f8e4m3, DType::f8e4m3));
    CHECK_FALSE(v6e.multiplies(DType::i8, DType::i4));
    CHECK_FALSE(v6e.multiplies(DType::i8, DType::bf16));
    const ChipSpec ironwood = shipped("ironwood").spec;
    CHECK(ironwood.multiplies(DType::bf16, DType::f8e4m3));
    CHECK(ironwood.multiplies(DType::f8e5m2, DType::f8e4m3));
    CHECK_FALSE(ironwood.multiplies(DType::f8e4m3, DType::bf16));
    CHECK_FALSE(ironwood.multiplies(DType::i8, DType::i8));
    CHECK(ironwood.peak_flops(DType::i8) == 0);
}

TEST_CASE("tiles have more rows for narrower types, as each chip lays them out") {
    const TilingSpec v6e = shipped("v6e").spec.tiling;
    CHECK(v6e.rows(DType::f32) == 8);
    CHECK(v6e.rows(DType::bf16) == 8);
    CHECK(v6e.rows(DType::i8) == 32);
    CHECK(v6e.rows(DType::u4) == 64);
    CHECK(v6e.rows(DType::pred) == 8);
    CHECK(shipped("ironwood").spec.tiling.rows(DType::bf16) == 16);
}

TEST_CASE("only Ironwood accumulates in the array") {
    for (const std::string& name : shipped_chips())
        CHECK(shipped(name).spec.mxu.accumulate_in_place == (name == "ironwood"));
}

TEST_CASE("aliases name the same chip") {
    for (const char* alias : {"tpu7x", "v7x", "7x"}) CHECK(shipped(alias).spec.name == "ironwood");
    CHECK(shipped("trillium").spec.name == "v6e");
}

TEST_CASE("a chip nobody knows is named with the nearest and the list") {
    Diagnostics diags;
    CHECK_FALSE(read_chip("ironwod", {}, diags));
    CHECK_FALSE(read_chip("", {}, diags));
    REQUIRE(diags.size() == 2);
    CHECK(diags.messages()[0].headline() ==
          "no chip `ironwod`, did you mean `ironwood`; there are v6e, ironwood, v5e, v5p, toy, and "
          "any file that ends in .json");
    CHECK(diags.messages()[1].headline() ==
          "no chip ``; there are v6e, ironwood, v5e, v5p, toy, and any file that ends in .json");
    CHECK(diags.exit_code() == 2);
}

}  // namespace slab::arch
