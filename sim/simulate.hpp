#pragma once

#include <cstdint>
#include <vector>

#include "arch_configs/chip_spec.hpp"
#include "compiler/schedule/walker.hpp"
#include "sim/result/result.hpp"
#include "sim/timing/region.hpp"

namespace slab::sim {

enum class Clock { nominal, sustained };

/// What the matrix operands hold; it decides the power they need. Acts at the sustained clock only.
enum class Activity { zeros, random };

/// How HBM is modelled: as one bandwidth with an efficiency, or by its channels and banks.
enum class HbmModel { fluid, banked };

struct Options {
    Clock clock = Clock::nominal;
    Activity activity = Activity::random;
    std::int64_t max_steps = 1'000'000'000;  ///< of grids and loops, per core
    HbmModel hbm = HbmModel::fluid;
};

/// Runs the program, on what `data` holds where control flow reads arrays, and says how long it
/// took and why. Deterministic: the
/// same program, chip and options give the same bytes. One simulation at a time per process, any
/// number one after another. A program of a mesh runs on all of its members. Where the program
/// faults, or its cores wait for ever, the result is that of the time before.
result::Result simulate(const schedule::Program& program, const schedule::Data& data,
                        const arch::ChipSpec& chip, const Options& options = {});

/// The time of each region of a program, one by one.
std::vector<timing::RegionTime> schedule_regions(const schedule::Program& program,
                                                 const arch::ChipSpec& chip);

/// The same with region times of the caller's, one per region of the program, instead of those that
/// timing::schedule_region finds.
result::Result simulate(const schedule::Program& program, const schedule::Data& data,
                        const arch::ChipSpec& chip, const Options& options,
                        const std::vector<timing::RegionTime>& regions);

}  // namespace slab::sim
