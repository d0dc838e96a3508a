#include <algorithm>
#include <functional>
#include <map>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "arch_configs/read_chip.hpp"
#include "compiler/compile.hpp"
#include "compiler/ops/op.hpp"
#include "dsl/check.hpp"
#include "dsl/parse.hpp"
#include "sim/simulate.hpp"
#include "sim/timing/jobs.hpp"
#include "timed_kernels.hpp"

// Time goes the way physics says: kernels made by chance, on chips that are better in one number.
//
// "On a fixed schedule" means: the program stays, and its regions take as long as before, or less.
// Where a better chip would be scheduled anew, a region keeps its old schedule if the new one is
// longer, since the better chip can run that as well; what a new schedule can lose is bounded
// apart. Simulations count femtoseconds, so times may differ by rounding: a millionth is allowed
// for it.

using namespace slab;
using namespace slab::test;
using arch::ChipSpec;
using sim::HbmModel;
using sim::timing::RegionTime;

namespace {

constexpr double rounding = 1e-6;
constexpr HbmModel models[] = {HbmModel::fluid, HbmModel::banked};

/// A number of a chip made better.
struct Change {
    const char* name;
    void (*make)(ChipSpec& chip);
};

ChipSpec changed(ChipSpec chip, const Change& change) {
    change.make(chip);
    return chip;
}

constexpr Change hbm_changes[] = {
    {"HBM x1.25", [](ChipSpec& chip) { chip.hbm.bandwidth_gb_per_s *= 1.25; }},
    {"HBM x2", [](ChipSpec& chip) { chip.hbm.bandwidth_gb_per_s *= 2; }},
    {"streams", [](ChipSpec& chip) { chip.hbm.stream_efficiency = 1; }}};

constexpr Change core_changes[] = {
    {"latency / 1.25", [](ChipSpec& chip) { chip.dma.latency_us /= 1.25; }},
    {"latency / 2", [](ChipSpec& chip) { chip.dma.latency_us /= 2; }},
    {"no latency", [](ChipSpec& chip) { chip.dma.latency_us = 0; }},
    {"write latency", [](ChipSpec& chip) { chip.dma.write_latency_fraction /= 2; }},
    {"issue", [](ChipSpec& chip) { chip.dma.pipeline_issue_us /= 2; }},
    {"issue by hand", [](ChipSpec& chip) { chip.dma.manual_issue_us /= 2; }},
    {"steps", [](ChipSpec& chip) { chip.scalar.step_us /= 2; }},
    {"branches", [](ChipSpec& chip) { chip.scalar.branch_us /= 2; }},
    {"iterations", [](ChipSpec& chip) { chip.scalar.loop_iteration_us /= 2; }},
    {"launch", [](ChipSpec& chip) { chip.launch.kernel_us /= 2; }},
    {"ports", [](ChipSpec& chip) { chip.vmem.dma_bytes_per_cycle *= 2; }},
    {"clock x1.25", [](ChipSpec& chip) { chip.clock.nominal_ghz *= 1.25; }},
    {"clock x2", [](ChipSpec& chip) { chip.clock.nominal_ghz *= 2; }}};

constexpr Change latency_changes[] = {
    {"results", [](ChipSpec& chip) { chip.mxu.result_latency_cycles /= 2; }},
    {"weights",
     [](ChipSpec& chip) {
         chip.mxu.weight_load_cycles /= 2;
         chip.mxu.weight_load_transposed_cycles /= 2;
     }},
    {"ALU", [](ChipSpec& chip) { chip.vpu.valu_latency_cycles /= 2; }},
    {"EUP", [](ChipSpec& chip) { chip.vpu.eup_latency_cycles /= 2; }},
    {"XLU", [](ChipSpec& chip) { chip.xlu.latency_cycles /= 2; }},
    {"loads", [](ChipSpec& chip) { chip.vmem.load_latency_cycles /= 2; }}};

constexpr Change unit_changes[] = {{"MXU x2", [](ChipSpec& chip) { chip.mxu.count *= 2; }},
                                   {"MXU x4", [](ChipSpec& chip) { chip.mxu.count *= 4; }}};

compiler::Compiled compiled(const TimedKernel& kernel, const ChipSpec& chip, std::int64_t steps) {
    Diagnostics diags;
    const SourceFile source("timed.slab", kernel.text);
    const dsl::ast::File file = dsl::parse(source, diags);
    dsl::check(file, compiler::op_names(), diags);
    compiler::Settings settings;
    settings.set = {{"O", std::to_string(steps)}};
    std::optional<compiler::Compiled> result;
    if (!diags.has_errors())
        result = compiler::compile(file, boost::get<dsl::ast::Kernel>(file.items.front().get()),
                                   source, settings, chip, diags);
    INFO(render(diags, &source));
    REQUIRE(result);
    return std::move(*result);
}

/// A kernel on a chip, its regions scheduled.
struct Timed {
    TimedKernel kernel;
    ChipSpec chip;
    compiler::Compiled compiled;
    std::vector<RegionTime> regions;

    const schedule::Program& program() const { return compiled.program; }
    std::vector<RegionTime> scheduled_on(const ChipSpec& other) const {
        return sim::schedule_regions(program(), other);
    }
    /// Those of another chip, where they are not longer.
    std::vector<RegionTime> shorter_of(std::vector<RegionTime> others) const {
        for (std::size_t i = 0; i < others.size(); ++i)
            if (others[i].cycles > regions[i].cycles) others[i] = regions[i];
        return others;
    }
    result::Result run(const ChipSpec& on, HbmModel hbm,
                       const std::vector<RegionTime>& times) const {
        sim::Options options;
        options.hbm = hbm;
        return sim::simulate(program(), compiled.data, on, options, times);
    }
    double time_us(const ChipSpec& on, HbmModel hbm) const { return run(on, hbm, regions).time_us; }
};

constexpr std::uint64_t kernel_count = 48;
constexpr std::int64_t steps = 12;

const ChipSpec& chip_named(const std::string& name) {
    static std::map<std::string, ChipSpec> known;
    const auto found = known.find(name);
    if (found != known.end()) return found->second;
    Diagnostics diags;
    const auto file = arch::read_chip(name, {}, diags);
    REQUIRE(file);
    return known.emplace(name, file->spec).first->second;
}

void for_each_kernel(std::uint64_t count, const std::function<void(const Timed&)>& check) {
    for (std::uint64_t seed = 0; seed < count; ++seed) {
        const TimedKernel kernel = timed_kernel(seed);
        for (const char* name : {"v6e", "ironwood"}) {
            INFO("seed " << seed << " on " << name << "\n" << kernel.text);
            const ChipSpec& chip = chip_named(name);
            Timed timed{kernel, chip, compiled(kernel, chip, steps), {}};
            timed.regions = timed.scheduled_on(chip);
            check(timed);
        }
    }
}

/// A chip on which no copy waits for another one's bytes.
ChipSpec without_queue(ChipSpec chip) {
    chip.hbm.bandwidth_gb_per_s *= 1e6;
    return chip;
}

/// How much longer changes make kernels.
struct Losses {
    int cases = 0;
    int visible = 0;  ///< longer by more than a thousandth
    double worst = 0;

    void add(double loss) {
        ++cases;
        visible += loss > 0.001 ? 1 : 0;
        worst = std::max(worst, loss);
    }
};

}  // namespace

TEST_CASE("more bandwidth of HBM makes no kernel slower") {
    for_each_kernel(kernel_count, [](const Timed& timed) {
        for (const HbmModel hbm : models) {
            const double before = timed.time_us(timed.chip, hbm);
            for (const Change& change : hbm_changes) {
                CAPTURE(change.name, hbm == HbmModel::banked);
                CHECK(timed.time_us(changed(timed.chip, change), hbm) <= before * (1 + rounding));
            }
        }
    });
}

// Without a queue at HBM a kernel is a net of sums and maxima of its durations.
TEST_CASE("where copies do not compete for HBM nothing that is faster makes a kernel slower") {
    for_each_kernel(kernel_count, [](const Timed& timed) {
        const ChipSpec free = without_queue(timed.chip);
        const double before = timed.time_us(free, HbmModel::fluid);
        const double limit = before * (1 + rounding);
        for (const Change& change : core_changes) {
            CAPTURE(change.name);
            CHECK(timed.time_us(changed(free, change), HbmModel::fluid) <= limit);
        }
        const auto check_regions = [&](const Change& change) {
            CAPTURE(change.name);
            const ChipSpec better = changed(free, change);
            const auto shorter = timed.shorter_of(timed.scheduled_on(better));
            CHECK(timed.run(better, HbmModel::fluid, shorter).time_us <= limit);
        };
        for (const Change& change : latency_changes) check_regions(change);
        for (const Change& change : unit_changes) check_regions(change);
    });
}

// approximation: equal directions. Reads and writes share HBM, and the next block is fetched while
// the core waits for the last one to be written. What lets the fetch begin earlier takes bandwidth
// from the write: with `out z = y[o, i@256, :] depth 1`, a softmax that is bound by its writes
// takes 4 % longer with a latency of 0.52 us instead of 0.65. Banks add turns between directions,
// which depend on what meets. A memory may do the same, so it is bounded here and not forbidden.
TEST_CASE("where copies compete for HBM what is faster costs a tenth at most, and hardly ever") {
    for (const HbmModel hbm : models) {
        Losses losses;
        for_each_kernel(kernel_count / 2, [&](const Timed& timed) {
            const double before = timed.time_us(timed.chip, hbm);
            for (const Change& change : core_changes)
                losses.add(timed.time_us(changed(timed.chip, change), hbm) / before - 1);
            const auto add_anew = [&](const Change& change) {
                const ChipSpec better = changed(timed.chip, change);
                const auto regions = timed.scheduled_on(better);
                losses.add(timed.run(better, hbm, regions).time_us / before - 1);
            };
            for (const Change& change : latency_changes) add_anew(change);
            for (const Change& change : unit_changes) add_anew(change);
        });
        CAPTURE(hbm == HbmModel::banked, losses.cases, losses.visible, losses.worst);
        CHECK(losses.worst < 0.1);
        CHECK(losses.visible * 50 < losses.cases);
    }
}

// A schedule that keeps the order of its pieces gets no longer if no dependence takes longer and no
// piece needs more of a unit.
TEST_CASE("shorter latencies lengthen nothing that a region's schedule is made of") {
    using namespace sim::timing;
    const auto jobs = [](const schedule::Region& region, const schedule::Program& program,
                         const ChipSpec& chip) {
        const Dataflow flow = dataflow(region, program, chip.mxu);
        const Stages stages = fuse(flow, chip.vpu);
        return make_jobs(flow, stages, region_traffic(flow, stages, program, chip), chip);
    };
    const auto check_job = [](const Job& before, const Job& now) {
        REQUIRE(now.pieces.size() == before.pieces.size());
        REQUIRE(now.needs.size() == before.needs.size());
        CHECK(now.weight_load <= before.weight_load);
        CHECK(now.operands <= before.operands);
        CHECK(now.drain <= before.drain);
        for (std::size_t i = 0; i < unit_count; ++i)
            CHECK(now.demand.cycles[i] <= before.demand.cycles[i]);
        for (std::size_t i = 0; i < before.needs.size(); ++i) {
            CHECK(now.needs[i].job == before.needs[i].job);
            CHECK(now.needs[i].relation == before.needs[i].relation);
            CHECK(now.needs[i].latency <= before.needs[i].latency);
        }
    };
    for_each_kernel(kernel_count, [&](const Timed& timed) {
        for (const schedule::Region& region : timed.program().regions) {
            const auto before = jobs(region, timed.program(), timed.chip);
            for (const Change& change : latency_changes) {
                CAPTURE(change.name);
                const auto now = jobs(region, timed.program(), changed(timed.chip, change));
                REQUIRE(now.size() == before.size());
                for (std::size_t i = 0; i < now.size(); ++i) check_job(before[i], now[i]);
            }
        }
    });
}

TEST_CASE("more arrays never take longer for a dot") {
    using namespace sim::timing;
    for (const char* name : {"v6e", "ironwood"})
        for (const std::int64_t m : {8, 128, 512, 4096})
            for (const std::int64_t k : {64, 256, 1024, 2560})
                for (const std::int64_t n : {64, 256, 768, 2048}) {
                    arch::MxuSpec mxu = chip_named(name).mxu;
                    CAPTURE(name, m, k, n);
                    DotShape dot;
                    dot.m = m;
                    dot.k = k;
                    dot.n = n;
                    for (double last = dot_time(dot, mxu).cycles; mxu.count < 64;) {
                        mxu.count *= 2;
                        const double cycles = dot_time(dot, mxu).cycles;
                        CHECK(cycles <= last);
                        last = cycles;
                    }
                }
}

// A list schedule can get longer when a value comes earlier and takes slots from what decides.
// With arrays enough that one dot spreads over k, there are also more partial results to be added.
TEST_CASE("a region that is scheduled anew for a better chip gets hardly ever longer") {
    Losses losses;
    for_each_kernel(kernel_count, [&](const Timed& timed) {
        const auto add = [&](const Change& change) {
            const auto anew = timed.scheduled_on(changed(timed.chip, change));
            for (std::size_t i = 0; i < anew.size(); ++i)
                losses.add(anew[i].cycles / timed.regions[i].cycles - 1);
        };
        for (const Change& change : latency_changes) add(change);
        for (const Change& change : unit_changes) add(change);
    });
    CAPTURE(losses.cases, losses.visible, losses.worst);
    CHECK(losses.worst < 0.02);
    CHECK(losses.visible * 200 < losses.cases);
}

TEST_CASE("no kernel beats its roofline, nor what its flops and bytes need at the peaks") {
    for_each_kernel(kernel_count, [](const Timed& timed) {
        for (const HbmModel hbm : models) {
            const result::Result result = timed.run(timed.chip, hbm, timed.regions);
            REQUIRE_FALSE(result.stop);
            CHECK(result.roofline.time_us > 0);
            CHECK(result.roofline.time_us <= result.time_us * (1 + rounding));
            const double peak_gb_per_s = timed.chip.hbm.bandwidth_gb_per_s;
            CHECK(static_cast<double>(result.hbm_bytes) / (peak_gb_per_s * 1e3) <=
                  result.time_us * (1 + rounding));
            // no type is multiplied faster than the narrowest
            double peak = 0;
            for (const auto& [type, rate] : timed.chip.mxu.rows_per_cycle)
                peak = std::max(peak, timed.chip.peak_flops(type));
            CHECK(static_cast<double>(result.flops) / peak * 1e6 <=
                  result.time_us * (1 + rounding));
        }
    });
}

// A step alone takes at least what the first one takes before the others overlap with it. Where
// the grid takes ten times as long, this prologue is less than a tenth.
TEST_CASE("twice as many independent steps take 1.9 to 2.1 times as long") {
    for (std::uint64_t seed = 0; seed < kernel_count / 2; ++seed) {
        const TimedKernel kernel = timed_kernel(seed);
        for (const char* name : {"v6e", "ironwood"})
            for (const HbmModel hbm : models) {
                INFO("seed " << seed << " on " << name << "\n" << kernel.text);
                const ChipSpec& chip = chip_named(name);
                sim::Options options;
                options.hbm = hbm;
                const auto time_us = [&](std::int64_t count) {
                    const compiler::Compiled of_steps = compiled(kernel, chip, count);
                    return sim::simulate(of_steps.program, of_steps.data, chip, options).time_us;
                };
                const double alone = time_us(1);
                std::int64_t count = 8;
                double once = time_us(count);
                while (once < 10 * alone) once = time_us(count *= 2);
                CAPTURE(count);
                const double ratio = time_us(2 * count) / once;
                CHECK(ratio >= 1.9);
                CHECK(ratio <= 2.1);
            }
    }
}
