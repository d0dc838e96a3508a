#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/result/result.hpp"

namespace slab::result {

/// The launches that one statement of a program makes of a kernel with the same sizes.
struct LaunchRow {
    std::string kernel;
    std::string sizes;                   ///< `M=8192, bm=1024`
    std::vector<std::string> arguments;  ///< as the statement spells them
    std::int64_t count = 0;
    double time_us = 0;      ///< of all `count`
    double fraction = 0;     ///< of the time of the program
    double launch_us = 0;    ///< of `time_us`, the fixed cost of the launches
    double roofline_us = 0;  ///< the least time that the chip allows for all
    std::string bound;       ///< the term that limits
    std::int64_t flops = 0;
    std::int64_t hbm_bytes = 0;
    std::int64_t steps = 0;
    bool operator==(const LaunchRow&) const = default;
};

/// What the launches of a program took, one after another.
struct ProgramResult {
    std::string program;
    std::string chip;
    std::string clock;
    double clock_ghz = 0;
    std::string hbm_model;  ///< of the launches
    double time_us = 0;
    double launch_us = 0;
    double roofline_us = 0;
    std::int64_t launches = 0;
    std::int64_t steps = 0;
    std::int64_t flops = 0;
    std::int64_t hbm_bytes = 0;
    double tflops = 0;
    double hbm_gb_per_s = 0;
    std::int64_t operand_bytes = 0;    ///< of HBM, for the whole program
    std::int64_t peak_hbm_bytes = 0;   ///< operands and buffers that live at one launch
    std::int64_t hbm_limit_bytes = 0;  ///< of a core
    std::string peak_kernel;           ///< launched at that time
    std::string fault;                 ///< what ended a launch early; those after it have not run
    std::vector<std::string> prints;
    std::vector<LaunchRow> rows;  ///< in order of the first launch
    bool operator==(const ProgramResult&) const = default;
};

/// A launch: the statement that makes it and what it took. Launches of the same statement with the
/// same result become one row.
struct TimedLaunch {
    std::size_t statement = 0;  ///< any number that tells statements apart
    std::string sizes;
    std::vector<std::string> arguments;
    const Result* result = nullptr;
};

/// Adds the launches up; none overlaps another. Stops after one that has a fault.
void add_launches(ProgramResult& program, const std::vector<TimedLaunch>& launches);

}  // namespace slab::result
