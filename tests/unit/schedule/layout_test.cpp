#include "compiler/schedule/layout.hpp"

#include <catch2/catch.hpp>

using namespace slab::schedule;
using slab::DType;
using Shape = std::vector<std::int64_t>;

namespace {

constexpr std::int64_t KiB = 1024;
constexpr std::int64_t MiB = 1024 * KiB;

}  // namespace

TEST_CASE("a block in VMEM is rounded up to whole tiles") {
    CHECK(vmem_bytes(DType::f32, {512, 128}, 8, 128) == 256 * KiB);
    CHECK(vmem_bytes(DType::f32, {512, 1}, 8, 128) == 256 * KiB);
    CHECK(vmem_bytes(DType::f32, {2048, 1}, 8, 128) == 1 * MiB);
    CHECK(vmem_bytes(DType::f32, {3, 130}, 8, 128) == 8 * KiB);
    CHECK(vmem_bytes(DType::bf16, {1024, 1024}, 8, 128) == 2 * MiB);
    CHECK(vmem_bytes(DType::bf16, {17, 128}, 16, 128) == 8 * KiB);
    CHECK(vmem_bytes(DType::i4, {64, 128}, 64, 128) == 4 * KiB);
    CHECK(vmem_bytes(DType::f32, {2, 3, 8, 128}, 8, 128) == 24 * KiB);
    // rank 1 is one row
    CHECK(vmem_bytes(DType::f32, {300}, 8, 128) == 12 * KiB);
}

TEST_CASE("tiles are counted over the last two dimensions and all before them") {
    CHECK(tile_count({512, 256}, 8, 128) == 128);
    // two 8-row tiles of 16-bit data lie side by side in what a register loads; a single column of
    // tiles wastes half
    CHECK(access_count(DType::bf16, {512, 256}, 8, 128, 8) == 64);
    CHECK(access_count(DType::bf16, {512, 128}, 8, 128, 8) == 64);
    CHECK(access_count(DType::bf16, {512, 128}, 16, 128, 8) == 32);
    CHECK(access_count(DType::f32, {512, 256}, 8, 128, 8) == 128);
    CHECK(tile_count({4, 9, 129}, 8, 128) == 16);
    CHECK(tile_count({300}, 8, 128) == 3);
}

TEST_CASE("an access moves a register, and so two half-register tiles side by side") {
    CHECK(access_count(DType::f32, {512, 256}, 8, 128, 8) == 128);
    CHECK(access_count(DType::bf16, {512, 256}, 8, 128, 8) == 64);
    CHECK(access_count(DType::bf16, {512, 128}, 8, 128, 8) == 64);
    CHECK(access_count(DType::bf16, {512, 256}, 16, 128, 8) == 64);
}

TEST_CASE("an array in HBM pads its rows to tiles and not its minor dimension") {
    const auto bytes = [](DType type, Shape shape, std::int64_t tile_rows) {
        Operand operand;
        operand.type = type;
        operand.shape = std::move(shape);
        operand.tile_rows = tile_rows;
        return hbm_bytes(operand);
    };
    CHECK(bytes(DType::f32, {8, 256, 64}, 8) == 8 * 256 * 64 * 4);
    CHECK(bytes(DType::bf16, {2, 9, 64}, 8) == 2 * 16 * 64 * 2);
    CHECK(bytes(DType::bf16, {2, 9, 64}, 16) == 2 * 16 * 64 * 2);
    CHECK(bytes(DType::f32, {100}, 8) == 400);
    CHECK(bytes(DType::i4, {64, 128}, 64) == 4 * KiB);
}

TEST_CASE("a copy moves its elements in as many runs as HBM tiles and edges make of it") {
    struct Row {
        const char* what;
        DType type;
        Shape shape, extent;
        std::int64_t tile_rows, bytes, runs;
    };
    const Row rows[] = {
        {"a run of 16 KiB per row of tiles",
         DType::bf16,
         {8192, 8192},
         {1024, 1024},
         8,
         2 * MiB,
         128},
        {"a column of tiles: runs of 4 KiB",
         DType::f32,
         {4096, 1024},
         {4096, 128},
         8,
         2 * MiB,
         512},
        {"whole rows are one run", DType::bf16, {8192, 1024}, {512, 1024}, 8, 1 * MiB, 1},
        {"the whole array is one run", DType::f32, {512, 1024}, {512, 1024}, 8, 2 * MiB, 1},
        {"16-row tiles: half as many runs",
         DType::bf16,
         {8192, 8192},
         {1024, 1024},
         16,
         2 * MiB,
         64},
        {"a narrow array is not padded", DType::bf16, {8, 256, 64}, {8, 256, 64}, 8, 256 * KiB, 1},
        {"one head of a narrow array", DType::bf16, {8, 4096, 64}, {1, 256, 64}, 8, 32 * KiB, 1},
        {"a stretch per head", DType::bf16, {8, 4096, 64}, {8, 256, 64}, 8, 256 * KiB, 8},
        {"whole planes merge", DType::f32, {16, 8, 128}, {4, 8, 128}, 8, 16 * KiB, 1},
        {"and merge outward", DType::f32, {3, 16, 8, 128}, {2, 16, 8, 128}, 8, 128 * KiB, 1},
        {"until one is cut", DType::f32, {3, 16, 8, 128}, {2, 5, 8, 128}, 8, 40 * KiB, 2},
        {"and no further", DType::f32, {3, 3, 16, 8, 128}, {2, 2, 5, 8, 128}, 8, 80 * KiB, 4},
        {"a row is a piece of each tile", DType::bf16, {8192, 8192}, {1, 1024}, 8, 2 * KiB, 8},
        {"a whole row too", DType::bf16, {64, 1024}, {1, 1024}, 8, 2 * KiB, 8},
        {"a row of one tile's width", DType::f32, {64, 128}, {1, 128}, 8, 512, 1},
        {"half a tile", DType::f32, {64, 256}, {4, 256}, 8, 4 * KiB, 2},
        {"whole tiles and half a tile", DType::f32, {64, 512}, {20, 256}, 8, 20 * KiB, 4},
        {"the last rows of the array", DType::f32, {20, 512}, {4, 256}, 8, 4 * KiB, 1},
        {"rank 1", DType::f32, {4096}, {512}, 8, 2 * KiB, 1},
        {"nothing", DType::f32, {64, 256}, {0, 256}, 8, 0, 0},
        {"half bytes", DType::i4, {64, 256}, {64, 256}, 64, 8 * KiB, 1},
    };
    for (const Row& row : rows) {
        INFO(row.what);
        const CopyShape copy = copy_shape(row.type, row.shape, row.extent, row.tile_rows, 128);
        CHECK(copy.bytes == row.bytes);
        CHECK(copy.runs == row.runs);
    }
}
