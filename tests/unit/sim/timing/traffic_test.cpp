#include "sim/timing/traffic.hpp"

#include <catch2/catch.hpp>

#include "kernels.hpp"

using namespace slab;
using namespace slab::sim::timing;
using namespace slab::sim::timing::test;

namespace {

std::vector<Traffic> traffic_of(const RegionBuilder& b, const arch::ChipSpec& chip) {
    const Dataflow flow = dataflow(b.region(), b.program(), chip.mxu);
    return region_traffic(flow, fuse(flow, chip.vpu), b.program(), chip).stages;
}

Traffic total(const RegionBuilder& b, const arch::ChipSpec& chip) {
    Traffic sum;
    for (const Traffic& stage : traffic_of(b, chip)) {
        sum.valu += stage.valu;
        sum.loads += stage.loads;
        sum.stores += stage.stores;
        sum.pops += stage.pops;
        sum.spilled_registers += stage.spilled_registers;
    }
    return sum;
}

}  // namespace

TEST_CASE("16-bit data 128 wide costs an access per memory tile, two per register on v6e") {
    CHECK(total(bf16_add(v6e(), 1 << 20), v6e()).loads == 2 * 1024);
    CHECK(total(bf16_add(v6e(), 1 << 20), v6e()).stores == 1024);
    CHECK(total(bf16_add(ironwood(), 1 << 20), ironwood()).loads == 1024);
}

TEST_CASE("without accumulators every k tile is popped and added, every round over k stored") {
    // 1024/2048/1024 has 2048 f32 registers of output and 4 k tiles.
    const Traffic sum = total(matmul_step(v6e(), 1024, 2048, 1024), v6e());
    CHECK(sum.pops == 4 * 2048);
    // An access of the output moves two 8-row tiles that lie side by side.
    CHECK(sum.stores == 2 * 2048 + 1024);
    CHECK(sum.valu == 4 * 2048 + 1024);
    // Partial results, 8 streams of the left operand for 8 n tiles, the weights once a row block.
    CHECK(sum.loads == 2 * 2048 + 8 * 512 + 1024);
}

TEST_CASE("with accumulators a result is popped once") {
    const Traffic sum = total(matmul_step(ironwood(), 1024, 2048, 1024), ironwood());
    CHECK(sum.pops == 2048);
    CHECK(sum.stores == 2048 + 1024);
    CHECK(sum.valu == 2048 + 1024);
}

TEST_CASE("rows beyond the accumulators load the weights again") {
    const double once = total(matmul_step(ironwood(), 1024, 256, 1024), ironwood()).loads;
    const double twice = total(matmul_step(ironwood(), 2048, 256, 1024), ironwood()).loads;
    CHECK(twice == 2 * once);
}

TEST_CASE("k tiles that units take together are added in registers") {
    Attention a;
    a.rows = a.keys = a.sub_block = 512;
    const auto stages = traffic_of(splash_attention(v6e(), a), v6e());
    CHECK(stages[3].dot.k_tiles == 2);
    CHECK(stages[3].stores == 0);
    CHECK(stages[4].pops == 2 * 64);
}

TEST_CASE("a large value between passes is stored once and loaded by each, a small one is not") {
    const auto build = [](std::int64_t rows) {
        RegionBuilder b(v6e());
        const BufferId x = b.buffer(DType::f32, {rows, 512});
        const BufferId y = b.buffer(DType::f32, {1, 512});
        const ValueId s = b.map("mul", {b.load(x)}, 1);
        b.store(y, b.reduce_sublanes(s));
        const ValueId t = b.map("sub", {s, b.load(y)}, 1);
        b.store(x, t);
        return b;
    };
    // x twice through the ports, s once more, y stored.
    const Traffic large = total(build(512), v6e());
    CHECK(large.stores == 256 + 256 + 4);
    CHECK(large.loads == 256 + 256);
    const Traffic small = total(build(8), v6e());
    CHECK(small.stores == 4 + 4);
    CHECK(small.loads == 4);
}

TEST_CASE("constants are made anew in each pass that uses them") {
    RegionBuilder b(v6e());
    const BufferId x = b.buffer(DType::f32, {64, 512});
    const ValueId column = b.source(DType::f32, {64, 512}, 1);
    const ValueId s = b.map("add", {b.load(x), column}, 1);
    b.store(x, b.map("sub", {column, b.reduce_lanes(s)}, 1));
    const auto stages = traffic_of(b, v6e());
    REQUIRE(stages.size() == 2);
    CHECK(stages[0].valu == 3 * 32);
    CHECK(stages[1].valu == 2 * 32);
}

TEST_CASE("values beyond the register file are spilled for every tile") {
    arch::ChipSpec chip = v6e();
    chip.vpu.registers = 4;
    RegionBuilder b(chip);
    const BufferId x = b.buffer(DType::f32, {64, 128});
    std::vector<ValueId> terms;
    for (int i = 0; i < 6; ++i) terms.push_back(b.map("term", {b.load(x)}, 1));
    ValueId sum = terms[0];
    for (int i = 1; i < 6; ++i) sum = b.map("add", {sum, terms[i]}, 1);
    b.store(x, sum);
    CHECK(total(b, chip).spilled_registers == 2 * 8);
    CHECK(total(b, v6e()).spilled_registers == 0);
}
