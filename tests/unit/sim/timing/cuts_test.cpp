#include "sim/timing/cuts.hpp"

#include <catch2/catch.hpp>

#include "kernels.hpp"
#include "sim/timing/region.hpp"

using namespace slab;
using namespace slab::sim::timing;
using namespace slab::sim::timing::test;

namespace {

schedule::Region cut(const RegionBuilder& b) {
    schedule::Region region = b.region();
    cut_values(region, b.program(), v6e().mxu);
    return region;
}

/// The ops of a region as words with their results: `load 64x128`.
std::vector<std::string> ops_of(const RegionBuilder& b) {
    const schedule::Region region = cut(b);
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
    CHECK(cut(b).ops[2].work == schedule::Work{8, 8, 0});
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
    CHECK(ops_of(b) == Words{"load 64x256", "load 8x128", "neg 8x128", "store", "store"});
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

TEST_CASE("constants are made for each slice, and registers are counted, not elements") {
    RegionBuilder b(v6e());
    const BufferId y = b.buffer(DType::f32, {1, 256});
    const ValueId index = b.source(DType::i32, {64, 256}, 1);
    for (const std::int64_t row : {0, 8}) b.store(y, b.slice(index, {row, 0}, {1, 256}));
    CHECK(ops_of(b) == Words{"iota 1x256", "iota 1x256", "store", "store"});
    CHECK(cut(b).ops[0].work.valu == 2);
}

TEST_CASE("equal slices are one, and a slice of a slice is one of the value") {
    RegionBuilder b(v6e());
    const BufferId x = b.buffer(DType::f32, {64, 256});
    const BufferId y = b.buffer(DType::f32, {16, 256});
    const ValueId e = b.map("exp", {b.load(x)}, 1, 1);
    const auto mul = [&](ValueId u, ValueId v) { return b.map("mul", {u, v}, 1); };
    const auto part = [&](ValueId of, std::int64_t at) { return b.slice(of, {at, 0}, {16, 256}); };
    const ValueId half = b.slice(e, {32, 0}, {32, 256});
    b.store(y, mul(part(e, 0), part(e, 0)));
    b.store(y, mul(part(half, 16), part(half, 0)));
    Words ops = ops_of(b);
    CHECK(std::count(ops.begin(), ops.end(), "load 16x256") == 3);
    CHECK(std::count(ops.begin(), ops.end(), "exp 16x256") == 3);
    CHECK(ops.size() == 10);
}

TEST_CASE("the first of equal slices stays, also where a slice of a slice is one of them") {
    RegionBuilder b(v6e());
    const BufferId x = b.buffer(DType::f32, {64, 256});
    const ValueId e = b.map("exp", {b.load(x)}, 1, 1);
    const auto all = [&](ValueId of) { return b.slice(of, {0, 0}, {64, 256}); };
    const ValueId first = all(e);
    const ValueId second = all(first);
    b.store(x, b.map("neg", {first}, 1));
    b.store(x, b.map("neg", {second}, 1));
    b.store(x, e);
    CHECK(ops_of(b) == Words{"load 64x256", "exp 64x256", "slice 64x256", "neg 64x256", "store",
                             "neg 64x256", "store", "store"});
    CHECK(schedule_region(b.region(), b.program(), v6e()).cycles > 0);
}

TEST_CASE("a slice that rotates loads its own part") {
    RegionBuilder b(v6e());
    const BufferId x = b.buffer(DType::f32, {64, 256});
    const BufferId y = b.buffer(DType::f32, {8, 256});
    b.store(y, b.slice(b.load(x), {4, 0}, {8, 256}, 2));
    CHECK(ops_of(b) == Words{"load 8x256", "slice 8x256", "store"});
    CHECK(cut(b).ops[1].work.xlu == 2);
}

TEST_CASE("a dot is cut into slices that make up all of it and hide the loads of weights") {
    struct Case {
        Shape size;
        int slices;
        bool is_cut;
    };
    // 64 cycles for weights are 128 rows
    for (const Case& c :
         {Case{{128, 512}, 4, true}, Case{{64, 512}, 8, false}, Case{{512, 256}, 2, true},
          Case{{512, 128}, 4, false}, Case{{128, 512}, 3, false}}) {
        RegionBuilder b(v6e());
        const BufferId q = b.buffer(DType::bf16, {512, 128});
        const BufferId k = b.buffer(DType::bf16, {128, 512});
        const BufferId y = b.buffer(DType::f32, c.size);
        const ValueId s = b.dot(b.load(q), b.load(k));
        const bool rows = c.size[1] == 512;
        for (int i = 0; i < c.slices; ++i)
            b.store(y, b.slice(s, {rows ? i * c.size[0] : 0, rows ? 0 : i * c.size[1]}, c.size));
        const Words ops = ops_of(b);
        CAPTURE(c.size, c.slices);
        CHECK(std::count_if(ops.begin(), ops.end(), [](const std::string& op) {
                  return op.starts_with("dot");
              }) == (c.is_cut ? c.slices : 1));
    }
}

TEST_CASE("a batch of products is cut into its products") {
    RegionBuilder b(v6e());
    const BufferId q = b.buffer(DType::bf16, {2, 64, 128});
    const BufferId k = b.buffer(DType::bf16, {2, 512, 128});
    const BufferId y = b.buffer(DType::f32, {1, 64, 512});
    const ValueId s = b.dot(b.load(q), b.load(k), true);
    for (const std::int64_t head : {0, 1}) b.store(y, b.slice(s, {head, 0, 0}, {1, 64, 512}));
    const Words ops = ops_of(b);
    for (const char* op : {"load 1x512x128", "load 1x64x128", "dot 1x64x512"})
        CHECK(std::count(ops.begin(), ops.end(), op) == 2);
}

TEST_CASE("a value that was stored before is cut as if nothing had been loaded") {
    const auto kernel = [](bool sliced) {
        RegionBuilder b(v6e());
        const BufferId x = b.buffer(DType::f32, {512, 512});
        const BufferId y = b.buffer(DType::f32, {512, 512});
        b.store(x, b.map("exp", {b.load(y)}, 1, 1));
        const ValueId whole = b.load(x);
        for (std::int64_t at = 0; at < 512; at += 8) {
            const ValueId part = sliced ? b.slice(whole, {at, 0}, {8, 512}) : b.load(x, at, 8);
            b.store(y, b.map("mul", {part}, 1), at, 8);
        }
        return schedule_region(b.region(), b.program(), v6e()).cycles;
    };
    CHECK(kernel(true) < kernel(false) * 1.1);
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

TEST_CASE("slices that one pass takes of what stays whole are loaded all, and held rows once") {
    const auto loads = [](int slices) {
        RegionBuilder b(v6e());
        const BufferId y = b.buffer(DType::f32, {512, 1});
        const BufferId z = b.buffer(DType::f32, {512, 2048});
        const ValueId whole = b.map("exp", {b.source(DType::f32, {512, 8192})}, 1, 1);
        b.store(y, b.reduce_lanes(whole));
        ValueId sum = b.slice(whole, {0, 0}, {512, 2048});
        for (int i = 1; i < slices; ++i)
            sum = b.map("add", {sum, b.slice(whole, {0, 2048 * i}, {512, 2048})}, 1);
        b.store(z, sum);
        return schedule_region(b.region(), b.program(), v6e()).busy.load;
    };
    CHECK(loads(1) >= 0);
    CHECK(loads(4) > loads(1));
}
