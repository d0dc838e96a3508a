#include <catch2/catch.hpp>

#include "arch_configs/read_chip.hpp"
#include "kernels.hpp"
#include "sim/timing/region.hpp"

// What was measured, against the chips with their numbers before any fit: the mechanisms alone have
// to come near. Whole times, with the numbers that are shipped, are compared by `slab validate`.
using namespace slab;
using namespace slab::sim::timing;
using test::Attention;
using test::bf16_add;
using test::bf16_exp;
using test::jax_attention;
using test::matmul_step;
using test::RegionBuilder;
using test::splash_attention;

namespace {

arch::ChipSpec before_fit(const char* name) {
    Diagnostics diags;
    return arch::before_fit(*arch::read_chip(name, {}, diags));
}
const arch::ChipSpec& v6e() {
    static const arch::ChipSpec chip = before_fit("v6e");
    return chip;
}
const arch::ChipSpec& ironwood() {
    static const arch::ChipSpec chip = before_fit("ironwood");
    return chip;
}

double cycles(const RegionBuilder& b, const arch::ChipSpec& chip) {
    return schedule_region(b.region(), b.program(), chip).cycles;
}

double microseconds(const RegionBuilder& b, const arch::ChipSpec& chip) {
    return cycles(b, chip) / (chip.clock.nominal_ghz * 1000);
}

double jax_per_register(const Attention& a) {
    return cycles(jax_attention(v6e(), a), v6e()) / a.score_registers();
}

double splash_per_register(const Attention& a, const arch::ChipSpec& chip) {
    return cycles(splash_attention(chip, a), chip) / a.score_registers();
}

}  // namespace

TEST_CASE("matmul step of 1024/2048/1024 is bound by the arrays at their sustained rate on v6e") {
    // JAXBench 8p: 5.7 to 6.3 us per step, 9,975 to 11,025 cycles; 8,192 are streaming.
    const double time = 8192 / v6e().mxu.sustained_share_random;
    CHECK(cycles(matmul_step(v6e(), 1024, 2048, 1024), v6e()) < time);
    CHECK(time > 9400);
    CHECK(time < 12000);
}

TEST_CASE("and by streaming alone where nothing else slows it") {
    CHECK(cycles(matmul_step(ironwood(), 1024, 2048, 1024), ironwood()) ==
          Approx(8300).epsilon(0.05));
}

TEST_CASE("small matmul steps are bound by latency") {
    // Bodies within measured steps of 0.785 and 0.443 us, of which control and issue take about
    // 0.1.
    CHECK(microseconds(matmul_step(v6e(), 512, 512, 256), v6e()) == Approx(0.37).epsilon(0.1));
    const double tiny = microseconds(matmul_step(v6e(), 128, 128, 128), v6e());
    CHECK(tiny > 0.15);
    CHECK(tiny < 0.19);
}

TEST_CASE("the masked attention kernel is bound by the vector ALUs") {
    // JAXBench 1p without its skipped steps: 3.6 cycles per (8, 128) register of scores; with 512
    // keys 4.0, or 3.25 with one block per head; with 128 keys 6.8 if every step costs the same.
    const double two = jax_per_register({2048, 2048, 1024, 128});
    CHECK(two > 3.2);
    CHECK(two < 4.1);
    const double four = jax_per_register({2048, 2048, 512, 128});
    CHECK(four > 3.25);
    CHECK(four < 4.0);
    CHECK(jax_per_register({1024, 1024, 128, 128}) == Approx(6.0).epsilon(0.1));
}

TEST_CASE("splash attention exposes less of its chain the more sub-blocks there are") {
    // tokamax benchmarks on v6e, cycles per register of scores: 2.5 to 2.7, 2.95, and 3.2 to 4.3.
    const double four = splash_per_register({2048, 2048, 512, 128}, v6e());
    const double two = splash_per_register({2048, 2048, 1024, 128}, v6e());
    const double one = splash_per_register({1024, 1024, 1024, 128}, v6e());
    CHECK(four > 2.5);
    CHECK(four < 2.7);
    CHECK(two > 2.7);
    CHECK(two < 2.95);
    CHECK(one > 3.2);
    CHECK(one < 4.3);
    // tokamax on TPU7x: 2.4 to 2.6.
    CHECK(splash_per_register({4096, 4096, 256, 128}, ironwood()) == Approx(2.5).epsilon(0.06));
}

TEST_CASE("element-wise kernels in VMEM are bound by stores or by the EUP") {
    // v6e, wall slope of a chained program.
    CHECK(microseconds(bf16_add(v6e(), 1 << 21), v6e()) == Approx(1.4058).epsilon(0.07));
    CHECK(microseconds(bf16_add(v6e(), 1 << 22), v6e()) == Approx(2.6821).epsilon(0.03));
    CHECK(microseconds(bf16_add(v6e(), 1 << 24), v6e()) == Approx(10.4982).epsilon(0.03));
    CHECK(microseconds(bf16_exp(v6e(), 1 << 21), v6e()) == Approx(1.6187).epsilon(0.04));
    CHECK(microseconds(bf16_exp(v6e(), 1 << 22), v6e()) == Approx(3.1865).epsilon(0.03));
    CHECK(microseconds(bf16_exp(v6e(), 1 << 24), v6e()) == Approx(12.6599).epsilon(0.03));
}
