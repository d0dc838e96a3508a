#include "sim/timing/passes.hpp"

#include <catch2/catch.hpp>

#include "kernels.hpp"

using namespace slab;
using namespace slab::sim::timing;
using namespace slab::sim::timing::test;

namespace {

/// One word per stage: the names of its ops.
std::vector<std::string> stages_of(const RegionBuilder& b) {
    const Dataflow flow = dataflow(b.region(), b.program(), v6e().mxu);
    std::vector<std::string> words;
    for (const Stage& stage : fuse(flow, v6e().vpu).stages) {
        std::string word;
        for (int op : stage.ops) word += (word.empty() ? "" : " ") + flow.region.ops[op].name;
        words.push_back(word);
    }
    return words;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("a chain of element-wise operations is one pass, from load to store") {
    RegionBuilder b(v6e());
    const BufferId x = b.buffer(DType::f32, {64, 512});
    b.store(x, b.map("mul", {b.map("add", {b.load(x), b.load(x)}, 1)}, 1));
    CHECK(stages_of(b) == Words{"add mul store"});
}

TEST_CASE("what a reduction needs and what needs its result are two passes") {
    RegionBuilder b(v6e());
    const BufferId x = b.buffer(DType::f32, {64, 512});
    const BufferId y = b.buffer(DType::f32, {64, 512});
    const ValueId s = b.map("mul", {b.load(x)}, 1);
    b.store(y, b.exp(b.map("sub", {s, b.reduce_lanes(s)}, 1)));
    CHECK(stages_of(b) == Words{"mul rowmax", "sub exp store"});
}

TEST_CASE("a row of one register is complete at once, so its reduction can be used in the pass") {
    RegionBuilder b(v6e());
    const BufferId x = b.buffer(DType::f32, {64, 128});
    const ValueId s = b.load(x);
    b.store(x, b.exp(b.map("sub", {s, b.reduce_lanes(s)}, 1)));
    CHECK(stages_of(b) == Words{"rowmax sub exp store"});
}

TEST_CASE("a reduction over sublanes is complete only at the end of its pass") {
    RegionBuilder b(v6e());
    const BufferId x = b.buffer(DType::f32, {64, 128});
    const ValueId s = b.load(x);
    b.store(x, b.map("sub", {s, b.reduce_sublanes(s)}, 1));
    CHECK(stages_of(b) == Words{"colsum", "sub store"});
}

TEST_CASE("statistics ride with the pass over their rows, and the result of a dot with its user") {
    Attention a;
    a.keys = a.sub_block;
    CHECK(stages_of(splash_attention(v6e(), a)) == Words{"dot", "rowmax max sub exp2 store",
                                                         "sub exp2 mul rowmax add store cast",
                                                         "dot", "mul add store"});
}

TEST_CASE("independent sub-blocks stay apart") {
    Attention a;
    a.sub_block = 512;
    CHECK(stages_of(splash_attention(v6e(), a)).size() == 4 * 5);
    CHECK(stages_of(jax_attention(v6e(), a)).size() == 4 * 5);
}

TEST_CASE("a pass takes the result of one dot: another one goes through memory") {
    RegionBuilder b(v6e());
    const BufferId x = b.buffer(DType::bf16, {256, 256});
    const BufferId w = b.buffer(DType::bf16, {256, 512});
    const BufferId z = b.buffer(DType::f32, {256, 512});
    const ValueId gate = b.dot(b.load(x), b.load(w));
    const ValueId up = b.dot(b.load(x), b.load(w));
    b.store(z, b.map("mul", {b.map("silu", {gate}, 4, 2), up}, 1));
    CHECK(stages_of(b) == Words{"dot", "dot", "silu", "mul store"});
}

TEST_CASE("a dot whose first user cannot take it from the arrays goes through memory for all") {
    RegionBuilder b(v6e());
    const BufferId x = b.buffer(DType::bf16, {256, 256});
    const BufferId y = b.buffer(DType::f32, {256, 256});
    const BufferId z = b.buffer(DType::f32, {256, 256});
    const ValueId product = b.dot(b.load(x), b.load(x));
    b.store(y, b.transpose(product));
    b.store(z, b.map("add", {product, b.load(y)}, 1));
    const Dataflow flow = dataflow(b.region(), b.program(), v6e().mxu);
    for (const Stage& stage : fuse(flow, v6e().vpu).stages) CHECK(stage.pops == schedule::none);
}

TEST_CASE("a load of what was just stored is the stored value") {
    CHECK(stages_of(matmul_step(v6e(), 256, 256, 256)) == Words{"dot", "add store cast store"});
}

TEST_CASE("a store to memory that an earlier operation reads comes after it") {
    RegionBuilder b(v6e());
    const BufferId x = b.buffer(DType::f32, {64, 512});
    const BufferId y = b.buffer(DType::f32, {64, 512});
    b.store(y, b.map("neg", {b.load(x)}, 1));
    b.store(x, b.map("abs", {b.load(y, 0, 32)}, 1), 0, 32);
    const Dataflow flow = dataflow(b.region(), b.program(), v6e().mxu);
    const Stages stages = fuse(flow, v6e().vpu);
    REQUIRE(stages.stages.size() == 2);
    CHECK(stages.stages[0].follows.empty());
    REQUIRE(stages.stages[1].follows.size() >= 1);
    CHECK(stages.stages[1].follows[0].stage == 0);
    CHECK(stages.stages[1].follows[0].relation == Relation::whole);
}
