#include "sim/advice.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/sim/kernels.hpp"

using namespace slab;
using namespace slab::test;

namespace {

/// The codes of the warnings about a kernel, and the last headline.
struct Advice {
    std::string codes;
    std::string headline;
    Span span;
};

Advice advice(const schedule::Program& program, const std::vector<timing::RegionTime>& regions,
              const arch::ChipSpec& chip = round_chip()) {
    const result::Result result = sim::simulate(program, {}, chip, {}, regions);
    Diagnostics diags;
    sim::advise(program, regions, chip, result, diags);
    Advice advice;
    for (const Diagnostic& message : diags.messages()) {
        advice.codes += std::string(advice.codes.empty() ? "" : " ");
        advice.codes += message.info().code();
        advice.headline = message.headline();
        advice.span = message.span();
        CHECK(message.info().kind == DiagKind::warning);
        CHECK_FALSE(message.why().empty());
        CHECK_FALSE(message.fixes().empty());
    }
    return advice;
}

/// With a register file.
arch::ChipSpec with_registers() {
    arch::ChipSpec chip = round_chip();
    chip.vpu.lanes = 128;
    chip.vpu.sublanes = 8;
    chip.vpu.registers = 64;
    chip.vpu.store_slots = 1;
    chip.vpu.slot_efficiency = 1;
    return chip;
}

schedule::Region lane_sums() {
    schedule::Region region;
    schedule::Op op;
    op.name = std::string("rowsum");
    op.cls = schedule::OpClass::reduce_lanes;
    op.work.xlu = 300;
    op.place.span = {7, 12};
    region.ops.push_back(op);
    return region;
}

}  // namespace

TEST_CASE("a kernel that keeps its units busy gets no advice") {
    CHECK(advice(Kernel(50).in("a", 5000).out("c", 5000).region(20000).program(),
                 {{20000, {19000, 0, 0, 0, 0, 0}, 0}})
              .codes.empty());
    // nor one that HBM alone limits
    CHECK(advice(Kernel(50).in("a", 9000).region(100).program(), {{100, {}, 0}}).codes.empty());
}

TEST_CASE("W02: a step that costs more than it does") {
    const Advice found = advice(Kernel(50).in("a", 4200).region(20).program(), {{20, {}, 0}}, [] {
        arch::ChipSpec chip = round_chip();
        chip.dma.latency_us = 20;
        return chip;
    }());
    CHECK(found.codes == "W02");
    CHECK_THAT(found.headline, Catch::StartsWith("a step works for 0.02 us and costs "));
    // few steps are not worth a word
    CHECK(advice(Kernel(5).in("a", 10).region(20).program(), {{20, {}, 0}}).codes.empty());
}

TEST_CASE("W03: cross-lane work that fills the loop, at its operation") {
    const timing::RegionTime busy{400, {0, 0, 0, 300, 0, 0}, 0};
    const Advice found = advice(Kernel(50).region(busy, lane_sums()).program(), {busy});
    CHECK(found.codes == "W03");
    CHECK(found.headline ==
          "the lane reduction `rowsum` in this loop keeps the cross-lane units busy for 75 % of "
          "each round");
    CHECK(found.span == Span{7, 12});
    const timing::RegionTime rare{400, {0, 0, 0, 100, 0, 0}, 0};
    CHECK(advice(Kernel(50).region(rare, lane_sums()).program(), {rare}).codes.empty());
}

TEST_CASE("W04: many copies below 4 KiB") {
    const Advice found = advice(Kernel(80).in("a", 100).region(2000).program(), {{2000, {}, 0}});
    CHECK(found.codes == "W04");
    CHECK(found.headline == "80 of the 80 copies of `a` move less than 4 KiB");
    CHECK(advice(Kernel(80).in("a", 4096).region(5000).program(), {{5000, {}, 0}}).codes.empty());
}

TEST_CASE("W06: spills that take a good part of a region") {
    const timing::RegionTime spills{1000, {}, 300};
    const Advice found = advice(Kernel(4).region(spills).program(), {spills}, with_registers());
    CHECK(found.codes == "W06");
    CHECK(found.headline ==
          "more values live here than the 64 vector registers hold: 1.2 MiB are spilled each time");
    const timing::RegionTime few{1000, {}, 30};
    CHECK(advice(Kernel(4).region(few).program(), {few}, with_registers()).codes.empty());
}

TEST_CASE("W07: an array that has room in VMEM and is fetched again and again") {
    schedule::Program program = Kernel(60).in("a", 5000).region(100).program();
    // the window goes back and forth between two rows
    schedule::ScalarExpr parity;
    parity.op = schedule::ScalarOp::mod;
    program.exprs.push_back({});
    program.exprs.back().integer = 2;
    parity.args = {program.streams[0].dims[0].start,
                   static_cast<schedule::ExprId>(program.exprs.size() - 1)};
    program.exprs.push_back(parity);
    program.streams[0].dims[0].start = static_cast<schedule::ExprId>(program.exprs.size() - 1);
    program.operands[0].shape = {2, 5000};
    program.vmem_bytes = 10000;
    program.vmem_limit_bytes = 1 << 20;
    const Advice found = advice(program, {{100, {}, 0}});
    CHECK(found.codes == "W07");
    CHECK_THAT(found.headline, Catch::StartsWith("`a` is fetched 30.0 times over, "));
    program.vmem_limit_bytes = 15000;
    CHECK(advice(program, {{100, {}, 0}}).codes.empty());
}

TEST_CASE("W08: a fetch that two buffers cannot hide") {
    arch::ChipSpec chip = round_chip();
    chip.dma.latency_us = 8;
    const Advice found =
        advice(Kernel(50).in("a", 4200).region(5000).program(), {{5000, {}, 0}}, chip);
    CHECK(found.codes == "W08");
    CHECK(found.headline ==
          "two buffers cannot hide the fetch of `a`: it takes 12.2 us, the work of a step 5 us");
    const Advice deeper =
        advice(Kernel(50).in("a", 4200, 3).region(5000).program(), {{5000, {}, 0}}, chip);
    CHECK(deeper.codes.empty());
}

TEST_CASE("nothing is said about a run that stopped early") {
    Kernel kernel(50);
    const auto quotient = kernel.binary(schedule::ScalarOp::div, kernel.constant(1), kernel.axis());
    const timing::RegionTime busy{400, {0, 0, 0, 300, 0, 0}, 0};
    kernel.region(busy, lane_sums()).body({schedule::SetSlot{1, quotient}});
    schedule::Program program = kernel.program();
    program.slots.push_back({std::string("x"), schedule::ScalarType::i32, 0, 0});
    CHECK(advice(program, {busy}).codes.empty());
}
