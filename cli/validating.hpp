#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "arch_configs/chip_spec.hpp"
#include "cli/points.hpp"
#include "cli/statistics.hpp"
#include "cli/workload_compiler.hpp"
#include "sim/simulate.hpp"
#include "support/diagnostics.hpp"

namespace slab::cli {

/// A point and what the simulator says of it.
struct Validated {
    Point point;
    double measured_us = 0;   ///< rates turned into times
    double simulated_us = 0;  ///< with the overhead of a wall clock, if that measured
    double error = 0;         ///< simulated / measured - 1
    bool in_band = false;     ///< the simulated time lies where repeated measurements did
    bool failed = false;      ///< it does not compile or run; why is in the messages
};

/// A point that is compiled, to be simulated as often as somebody changes numbers of its chip that
/// the compiler does not look at.
struct CompiledPoint {
    Point point;
    arch::ChipSpec chip;
    sim::HbmModel hbm = sim::HbmModel::fluid;
    std::vector<Launched> kernels;  ///< none where something is wrong
};

/// What does not compile is reported once per point.
std::vector<CompiledPoint> compile_points(const std::vector<Point>& points,
                                          const std::vector<std::string>& set_chip,
                                          Diagnostics& diags);

/// Simulates a point on its chip or a variant of it; what stops it is reported.
Validated validate(const CompiledPoint& point, const arch::ChipSpec& chip, Diagnostics& diags);

/// Every point on its own chip, or on a variant of it.
using Variant = std::function<arch::ChipSpec(const arch::ChipSpec&)>;
std::vector<Validated> validate(const std::vector<CompiledPoint>& points, Diagnostics& diags,
                                const Variant& variant = {});

struct Sweep {
    std::string name;
    RankSummary ranking;
    std::size_t configurations = 0;
};
struct Ladder {
    std::string name;
    LadderSummary ladder;
};

/// What the errors come to. Trusted points are those of trust `high`; among them every group counts
/// once, however many points it has.
struct Validation {
    ErrorSummary trusted;
    ErrorSummary all;
    std::map<std::string, ErrorSummary> groups;  ///< of trusted points, by group
    std::map<std::string, ErrorSummary> others;  ///< of the other points, by group
    std::vector<Sweep> sweeps;
    std::vector<Ladder> ladders;
    RankSummary rankings;  ///< all sweeps; tau and regret are the means
    LadderSummary steps;   ///< all ladders
};
Validation summarise(const std::vector<Validated>& points);

inline constexpr double sweep_threshold = 0.05, ladder_threshold = 0.03;

}  // namespace slab::cli
