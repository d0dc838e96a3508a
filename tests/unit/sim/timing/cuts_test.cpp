#include "sim/timing/cuts.hpp"

#include <catch2/catch.hpp>

#include "kernels.hpp"
#include "sim/timing/region.hpp"

using namespace slab;
using namespace slab::sim::timing;
using namespace slab::sim::timing::test;

namespace {

/// The ops of a region as words with their results: `load 64x128`.
std::vector<std::string> ops_of(const RegionBuilder& b) {
    const schedule::Region region = cut_values(b.region(), v6e().mxu);
    std::vector<std::string> words;
    for (const Op& op : region.ops) {
        std::string word = op.name;
        if (op.result != schedule::none) {
            std::string size;
            for (const std::int64_t extent : region.values[op.result].shape)
                size += (size.empty() ? " " : "x") + std::to_string(extent);
            word += size;
        }
        words.push_back(word);
    }
    return words;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("what only disjoint slices use is made slice by slice") {
    RegionBuilder b(v6e());
    const BufferId x = b.buffer(DType::f32, {64, 256});
    const BufferId y = b.buffer(DType::f32, {32, 256});
    const ValueId e = b.map("exp", {b.load(x)}, 1, 1);
    b.store(y, b.slice(e, {0, 0}, {32, 256}));
    b.store(y, b.slice(e, {32, 0}, {32, 256}));
    CHECK(ops_of(b) ==
          Words{"load 32x256", "load 32x256", "exp 32x256", "exp 32x256", "store", "store"});
    const schedule::Region cut = cut_values(b.region(), v6e().mxu);
    CHECK(cut.ops[2].work == schedule::Work{8, 8, 0});
}

TEST_CASE("a value that something else uses stays whole, and so does one whose slices overlap") {
    for (const bool overlapping : {false, true}) {
        RegionBuilder b(v6e());
        const BufferId x = b.buffer(DType::f32, {64, 256});
        const BufferId y = b.buffer(DType::f32, {32, 256});
        const ValueId e = b.map("exp", {b.load(x)}, 1, 1);
        b.store(y, b.slice(e, {0, 0}, {32, 256}));
        if (overlapping)
            b.store(y, b.slice(e, {16, 0}, {32, 256}));
        else
            b.store(x, e);
        CHECK(ops_of(b)[0] == "load 64x256");
        CHECK(ops_of(b)[1] == "exp 64x256");
        CHECK(ops_of(b).size() == b.region().ops.size());
    }
}

TEST_CASE("of a load each slice loads its own part, whoever else uses it") {
    RegionBuilder b(v6e());
    const BufferId x = b.buffer(DType::f32, {64, 256});
    const ValueId v = b.load(x);
    b.store(x, b.map("neg", {b.slice(v, {8, 128}, {8, 128})}, 1), 0, 8);
    b.store(x, v);
    CHECK(ops_of(b) == Words{"load 8x128", "load 64x256", "neg 8x128", "store", "store"});
}

TEST_CASE("arguments that are spread over a value are cut where they have its size") {
    RegionBuilder b(v6e());
    const BufferId x = b.buffer(DType::f32, {64, 256});
    const BufferId r = b.buffer(DType::f32, {64, 1});
    const BufferId y = b.buffer(DType::f32, {32, 256});
    const ValueId sum = b.map("add", {b.load(x), b.load(r)}, 1);
    b.store(y, b.slice(sum, {0, 0}, {32, 256}));
    b.store(y, b.slice(sum, {32, 0}, {32, 256}));
    CHECK(ops_of(b) == Words{"load 32x256", "load 32x256", "load 32x1", "load 32x1", "add 32x256",
                             "add 32x256", "store", "store"});
}

TEST_CASE("a dot is cut into rows, if each part has as many as go through at a time") {
    const std::int64_t block = v6e().mxu.row_block;
    for (const std::int64_t rows : {block, block / 2}) {
        RegionBuilder b(v6e());
        const BufferId q = b.buffer(DType::bf16, {2 * rows, 128});
        const BufferId k = b.buffer(DType::bf16, {128, 512});
        const BufferId y = b.buffer(DType::f32, {rows, 512});
        const ValueId s = b.dot(b.load(q), b.load(k));
        b.store(y, b.slice(s, {0, 0}, {rows, 512}));
        b.store(y, b.slice(s, {rows, 0}, {rows, 512}));
        const Words ops = ops_of(b);
        CHECK(std::count(ops.begin(), ops.end(), "dot " + std::to_string(rows) + "x512") ==
              (rows == block ? 2 : 0));
        CHECK(ops.size() == 7);
    }
}

TEST_CASE("slices of a value cost nothing over the parts written one by one") {
    const auto kernel = [](bool sliced) {
        RegionBuilder b(v6e());
        const std::int64_t rows = v6e().mxu.row_block;
        const BufferId q = b.buffer(DType::bf16, {2 * rows, 128});
        const BufferId k = b.buffer(DType::bf16, {128, 512});
        const BufferId y = b.buffer(DType::bf16, {2 * rows, 512});
        ValueId whole = schedule::none;
        if (sliced) whole = b.map("mul", {b.dot(b.load(q), b.load(k))}, 1);
        for (int i = 0; i < 2; ++i) {
            const ValueId s = sliced
                                  ? b.slice(whole, {i * rows, 0}, {rows, 512})
                                  : b.map("mul", {b.dot(b.load(q, i * rows, rows), b.load(k))}, 1);
            b.store(y, b.cast(DType::bf16, b.exp(s)), i * rows, rows);
        }
        return schedule_region(b.region(), b.program(), v6e());
    };
    CHECK(kernel(true).cycles <= kernel(false).cycles * 1.02);
    CHECK(kernel(true).busy.store == kernel(false).busy.store);
}

TEST_CASE("a part of what stays whole is loaded alone") {
    const auto loads = [](bool sliced) {
        RegionBuilder b(v6e());
        const BufferId x = b.buffer(DType::f32, {256, 512});
        const BufferId y = b.buffer(DType::f32, {16, 512});
        const ValueId whole = b.map("exp", {b.load(x)}, 1, 1);
        b.store(x, whole);
        if (sliced) b.store(y, b.slice(whole, {32, 0}, {16, 512}));
        return schedule_region(b.region(), b.program(), v6e()).busy.load;
    };
    CHECK(loads(true) - loads(false) == Approx(16 / 8 * 4 / 2.0));
}
