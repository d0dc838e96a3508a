#pragma once

#include "arch_configs/chip_spec.hpp"
#include "compiler/schedule/program.hpp"
#include "sim/result/result.hpp"

namespace slab::sim {

enum class Clock { nominal, sustained };

struct Options {
    Clock clock = Clock::nominal;
};

/// Runs the program on one core of the chip and says how long it took and why. Deterministic: the
/// same program, chip and options give the same bytes. One simulation at a time per process, any
/// number one after another.
result::Result simulate(const schedule::Program& program, const arch::ChipSpec& chip,
                        const Options& options = {});

}  // namespace slab::sim
