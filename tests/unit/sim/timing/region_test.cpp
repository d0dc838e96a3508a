#include "sim/timing/region.hpp"

#include <catch2/catch.hpp>

#include "kernels.hpp"

using namespace slab;
using namespace slab::sim::timing;
using namespace slab::sim::timing::test;

namespace {

RegionTime time_of(const RegionBuilder& b, const arch::ChipSpec& chip) {
    return schedule_region(b.region(), b.program(), chip);
}

}  // namespace

TEST_CASE("an empty region takes no time") {
    CHECK(time_of(RegionBuilder(v6e()), v6e()).cycles == 0);
}

TEST_CASE("a copy in VMEM is bound by its stores, and pays one latency") {
    RegionBuilder b(v6e());
    const BufferId x = b.buffer(DType::f32, {512, 1024});
    const BufferId y = b.buffer(DType::f32, {512, 1024});
    b.store(y, b.load(x));
    const RegionTime time = time_of(b, v6e());
    CHECK(time.cycles == Approx(512 / 0.89 + 8));
    CHECK(time.busy.store == 512);
    CHECK(time.busy.load == 256);
    CHECK(time.busy.vpu == 0);
}

TEST_CASE("a dependent dot pays its result latency and a load once") {
    RegionBuilder b(v6e());
    const BufferId x = b.buffer(DType::bf16, {128, 128});
    const BufferId z = b.buffer(DType::f32, {128, 128});
    b.store(z, b.dot(b.load(x), b.load(x)));
    const double one = time_of(b, v6e()).cycles;
    CHECK(one >= 8 + 64 + 32 + 160);
    CHECK(one <= 8 + 64 + 32 + 160 + 30);
    b.store(z, b.dot(b.cast(DType::bf16, b.load(z)), b.load(x)));
    const double two = time_of(b, v6e()).cycles;
    CHECK(two - one > 160);  // rows stream as they come
    CHECK(two - one < 32 + 160 + 60);
}

TEST_CASE("independent dots hide each other's latency") {
    RegionBuilder one(v6e());
    RegionBuilder four(v6e());
    for (RegionBuilder* b : {&one, &four})
        for (int i = 0; i < (b == &one ? 1 : 4); ++i) {
            const BufferId x = b->buffer(DType::bf16, {128, 128});
            const BufferId z = b->buffer(DType::f32, {128, 128});
            b->store(z, b->dot(b->load(x), b->load(x)));
        }
    CHECK(time_of(four, v6e()).cycles < time_of(one, v6e()).cycles + 3 * 70);
}

TEST_CASE("time is proportional to large blocks") {
    const Attention small{2048, 2048, 512, 128};
    const Attention large{16384, 2048, 512, 128};
    const double one = time_of(splash_attention(v6e(), small), v6e()).cycles;
    const double eight = time_of(splash_attention(v6e(), large), v6e()).cycles;
    CHECK(eight == Approx(8 * one).epsilon(0.08));
}

TEST_CASE("a wider window of look-ahead lets sub-blocks overlap") {
    arch::ChipSpec blind = v6e();
    blind.vpu.lookahead_ops = 1;
    const Attention a{2048, 2048, 512, 128};
    const RegionBuilder b = splash_attention(v6e(), a);
    CHECK(time_of(b, blind).cycles > 1.1 * time_of(b, v6e()).cycles);
}

TEST_CASE("the same region always takes the same time") {
    const RegionBuilder b = jax_attention(v6e(), {1024, 1024, 128, 128});
    CHECK(time_of(b, v6e()).cycles == time_of(b, v6e()).cycles);
}

TEST_CASE("a value saved before its memory is overwritten does not lock the schedule") {
    RegionBuilder b(v6e());
    const BufferId x = b.buffer(DType::f32, {256, 512});
    const BufferId y = b.buffer(DType::f32, {256, 512});
    const ValueId old = b.load(x);
    const ValueId fresh = b.map("neg", {b.load(y)}, 1);
    b.store(x, fresh);
    b.store(y, b.map("add", {old, b.map("mul", {fresh, b.reduce_lanes(fresh)}, 1)}, 1));
    CHECK(time_of(b, v6e()).cycles > 0);
}
