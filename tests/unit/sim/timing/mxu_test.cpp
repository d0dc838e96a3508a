#include "sim/timing/mxu.hpp"

#include <catch2/catch.hpp>

#include "region_builder.hpp"

using namespace slab;
using namespace slab::sim::timing;

namespace {

DotTime on_v6e(DotShape dot) {
    return dot_time(dot, test::v6e().mxu);
}

DotShape dot(std::int64_t m, std::int64_t k, std::int64_t n) {
    DotShape shape;
    shape.m = m;
    shape.k = k;
    shape.n = n;
    return shape;
}

}  // namespace

TEST_CASE("weight tiles are shared by the units and rows stream through each") {
    const DotTime time = on_v6e(dot(1024, 1024, 2048));
    CHECK(time.k_tiles == 4);
    CHECK(time.n_tiles == 8);
    CHECK(time.rounds == 4 * 8 / 2);
    CHECK(time.n_groups == 8);
    CHECK(time.k_together == 2);
    CHECK(time.cycles == 16 * 1024 / 2);
    CHECK(time.first_load == 64);
    CHECK(time.latency == 160);
}

TEST_CASE("a dimension below that of the array is padded to it") {
    // Attention with a head of 64 or 128 uses as many cycles as one of 256.
    for (std::int64_t k : {64, 128, 256}) CHECK(on_v6e(dot(2048, k, 1024)).cycles == 2 * 1024);
    for (std::int64_t n : {64, 128, 256}) CHECK(on_v6e(dot(2048, 1024, n)).cycles == 2 * 1024);
    CHECK(on_v6e(dot(2048, 257, 256)).k_tiles == 2);
}

TEST_CASE("units that take different k pop together, those that accumulate prefer columns") {
    for (const std::int64_t columns : {128, 1024}) {
        const DotTime time = on_v6e(dot(2048, 1024, columns));
        CHECK(time.k_tiles == 4);
        CHECK(time.k_together == 2);
        CHECK(time.n_groups == time.n_tiles);
        CHECK(time.rounds == 2 * time.n_tiles);
    }
    CHECK(on_v6e(dot(2048, 256, 1024)).k_together == 1);
    CHECK(on_v6e(dot(2048, 256, 1024)).n_groups == 2);
    const arch::MxuSpec in_place = test::ironwood().mxu;
    CHECK(dot_time(dot(2048, 1024, 128), in_place).k_together == 2);
    CHECK(dot_time(dot(2048, 1024, 512), in_place).k_together == 1);
    CHECK(dot_time(dot(2048, 1024, 512), in_place).n_groups == 1);
}

TEST_CASE("of several rounds each takes a block of rows, whose weights come again for the next") {
    arch::MxuSpec mxu = test::v6e().mxu;
    mxu.row_block = 512;
    const DotTime time = dot_time(dot(2048, 256, 1024), mxu);
    CHECK(time.row_blocks == 4);
    CHECK(time.rounds == 2);
    CHECK(time.cycles == 2 * 2048 / 2);  // loads of 64 cycles hide behind 256 of rows
    mxu.row_block = 64;
    CHECK(dot_time(dot(2048, 256, 1024), mxu).cycles == 63 * 64 + 32);
    CHECK(dot_time(dot(2048, 256, 512), mxu).row_blocks == 1);
    mxu.accumulate_in_place = true;
    mxu.accumulator_rows = 1024;
    mxu.row_block = 4096;
    CHECK(dot_time(dot(2048, 1024, 512), mxu).row_blocks == 2);
    CHECK(dot_time(dot(2048, 256, 1024), mxu).row_blocks == 1);
}

TEST_CASE("a single tile's rows are split over the units") {
    CHECK(on_v6e(dot(128, 128, 128)).cycles == 128 / 2 / 2);
    CHECK(on_v6e(dot(128, 128, 512)).cycles == 128 / 2);
}

TEST_CASE("rows come in groups of eight sublanes") {
    CHECK(on_v6e(dot(1, 256, 512)).cycles == 4);
    CHECK(on_v6e(dot(8, 256, 512)).cycles == 4);
    CHECK(on_v6e(dot(9, 256, 512)).cycles == 8);
}

TEST_CASE("with few rows the weight loads show, except the first, which is told apart") {
    // 128 rows stream in 64 cycles and just hide a plain load.
    CHECK(on_v6e(dot(128, 1024, 512)).cycles == 4 * 64);
    CHECK(on_v6e(dot(8, 1024, 512)).cycles == 3 * 64 + 4);

    DotShape transposed = dot(128, 1024, 512);
    transposed.transposed = true;
    CHECK(on_v6e(transposed).cycles == 3 * 128 + 64);
    CHECK(on_v6e(transposed).first_load == 128);
}

TEST_CASE("narrow types stream faster, and the wider operand decides") {
    DotShape shape = dot(1024, 256, 512);
    shape.lhs = shape.rhs = DType::i8;
    CHECK(on_v6e(shape).cycles == 1024 / 4);
    CHECK(on_v6e(shape).first_load == 32);
    shape.lhs = DType::bf16;
    CHECK(on_v6e(shape).cycles == 1024 / 2);
}

TEST_CASE("every batch entry and every pass brings its own tiles") {
    DotShape shape = dot(512, 256, 256);
    shape.batch = 6;
    CHECK(on_v6e(shape).rounds == 3);
    CHECK(on_v6e(shape).cycles == 3 * 256);

    DotShape three = dot(512, 256, 512);
    three.passes = 3;
    CHECK(on_v6e(three).cycles == 3 * 256);
    CHECK(on_v6e(three).k_tiles == 3);
}
