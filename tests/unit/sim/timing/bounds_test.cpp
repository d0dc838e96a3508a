#include <random>

#include <catch2/catch.hpp>

#include "kernels.hpp"
#include "sim/timing/region.hpp"

using namespace slab;
using namespace slab::sim::timing;
using namespace slab::sim::timing::test;

namespace {

/// Any mix of maps, reductions, casts, transposes, dots, loads and stores of square blocks and
/// their rows.
class RandomRegion {
public:
    explicit RandomRegion(unsigned seed) : random_(seed), size_(128 << pick(4)), builder_(v6e()) {
        for (int i = 0; i < 3; ++i) {
            buffers_.push_back(builder_.buffer(DType::f32, {size_, size_}));
            blocks_.push_back(builder_.load(buffers_.back()));
        }
        for (int op = 0; op < 24; ++op) add();
        for (BufferId buffer : buffers_) builder_.store(buffer, blocks_.back());
    }
    const RegionBuilder& builder() const { return builder_; }

private:
    int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
    ValueId block() { return blocks_[blocks_.size() - 1 - pick(std::min<int>(4, blocks_.size()))]; }

    void add() {
        switch (pick(10)) {
            case 0:
                blocks_.push_back(builder_.dot(builder_.cast(DType::bf16, block()),
                                               builder_.cast(DType::bf16, block()), pick(2)));
                break;
            case 1:
                rows_.push_back(builder_.reduce_lanes(block()));
                break;
            case 2:
                if (!rows_.empty())
                    blocks_.push_back(builder_.map("sub", {block(), rows_.back()}, 1));
                break;
            case 3:
                blocks_.push_back(builder_.exp(block()));
                break;
            case 4:
                blocks_.push_back(builder_.load(buffers_[pick(3)]));
                break;
            case 5:
                builder_.store(buffers_[pick(3)], block());
                break;
            case 6:
                blocks_.push_back(
                    builder_.map("sub", {block(), builder_.reduce_sublanes(block())}, 1));
                break;
            case 7:
                blocks_.push_back(builder_.transpose(block()));
                break;
            case 8:
                blocks_.push_back(builder_.dot(block(), block(), pick(2), 3));
                break;
            default:
                blocks_.push_back(builder_.map("add", {block(), block()}, 1));
        }
    }

    std::mt19937 random_;
    std::int64_t size_;
    RegionBuilder builder_;
    std::vector<BufferId> buffers_;
    std::vector<ValueId> blocks_;
    std::vector<ValueId> rows_;
};

RegionTime time_of(const RegionBuilder& b, const arch::ChipSpec& chip) {
    return schedule_region(b.region(), b.program(), chip);
}

}  // namespace

TEST_CASE("no region is faster than its busiest unit") {
    for (unsigned seed = 0; seed < 200; ++seed) {
        const RandomRegion region(seed);
        CAPTURE(seed);
        for (const arch::ChipSpec& chip : {v6e(), ironwood()}) {
            const RegionTime time = time_of(region.builder(), chip);
            CHECK(time.cycles >= time.busy.longest());
        }
    }
}

TEST_CASE("no region is slower than its units one after the other, stage by stage") {
    for (unsigned seed = 0; seed < 200; ++seed) {
        const RandomRegion region(seed);
        CAPTURE(seed);
        const RegionTime time = time_of(region.builder(), v6e());
        const UnitCycles& busy = time.busy;
        const double in_turn = busy.mxu + busy.vpu + busy.eup + busy.xlu + busy.load + busy.store;
        const double latency = 400.0 * static_cast<double>(region.builder().region().ops.size());
        CHECK(time.cycles <= in_turn / 0.89 + latency);
    }
}

using Change = void (*)(arch::ChipSpec&);
const std::vector<std::pair<const char*, Change>> improvements = {
    {"valu", [](arch::ChipSpec& chip) { chip.vpu.valu_slots *= 2; }},
    {"load", [](arch::ChipSpec& chip) { chip.vpu.load_slots *= 2; }},
    {"store", [](arch::ChipSpec& chip) { chip.vpu.store_slots *= 2; }},
    {"eup", [](arch::ChipSpec& chip) { chip.vpu.eup_per_cycle *= 2; }},
    {"xlu", [](arch::ChipSpec& chip) { chip.xlu.count *= 2; }},
    {"latency", [](arch::ChipSpec& chip) { chip.mxu.result_latency_cycles /= 2; }},
    {"registers", [](arch::ChipSpec& chip) { chip.vpu.registers *= 2; }}};

double ratio(const RegionBuilder& b, Change improve) {
    arch::ChipSpec chip = v6e();
    improve(chip);
    return time_of(b, chip).cycles / time_of(b, v6e()).cycles;
}

TEST_CASE("more of a unit does not slow a kernel down") {
    const std::vector<RegionBuilder> kernels = {matmul_step(v6e(), 1024, 2048, 1024),
                                                matmul_step(v6e(), 512, 512, 256),
                                                jax_attention(v6e(), {2048, 2048, 512, 128}),
                                                splash_attention(v6e(), {}),
                                                splash_attention(v6e(), {2048, 2048, 512, 128}),
                                                bf16_exp(v6e(), 1 << 20)};
    for (const RegionBuilder& kernel : kernels)
        for (const auto& [unit, improve] : improvements) {
            CAPTURE(unit);
            CHECK(ratio(kernel, improve) <= 1.02);
        }
}

TEST_CASE("more of a unit hardly ever slows any region down") {
    // List schedules have anomalies: a unit that is free earlier changes the order of the rest.
    int runs = 0;
    int slower = 0;
    for (unsigned seed = 0; seed < 300; ++seed) {
        const RandomRegion region(seed);
        CAPTURE(seed);
        for (const auto& [unit, improve] : improvements) {
            CAPTURE(unit);
            const double change = ratio(region.builder(), improve);
            CHECK(change < 1.2);
            ++runs;
            slower += change > 1.05;
        }
    }
    CHECK(slower <= runs / 100);
}
