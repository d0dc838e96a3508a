#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/workload.hpp"
#include "support/diagnostics.hpp"
#include "support/source.hpp"

namespace slab::cli {

enum class Metric { time, flop_rate, byte_rate };

/// Something that was measured on hardware: an entry of a file of the schema `slab.points/1`.
struct Point : Workload {
    Metric metric = Metric::time;
    double value = 0;                               ///< us, TFLOP/s or GB/s
    std::optional<std::pair<double, double>> band;  ///< in the same unit
    bool wall = false;                              ///< host time, which holds a fixed overhead
    std::string sweep;                              ///< configurations of one problem, or empty
    std::string ladder;                             ///< rewrites of one kernel, or empty
    std::int64_t step = 0;                          ///< along the ladder
    std::string trust;                              ///< high medium low
    std::string trust_why;
};

/// Host time that a measurement by wall clock holds besides the device's, us.
inline constexpr double wall_overhead_us = 135;

/// Reads a text of the schema. Strict, like cases.json: unknown and missing keys, values of the
/// wrong kind and ids that come twice are reported with their JSON path, and nothing is returned. A
/// `file` is looked for beside the text, then in the source tree.
std::optional<std::vector<Point>> read_points(const SourceFile& text, Diagnostics& diags);

/// The points of those files, or of all that come with slab.
std::vector<Point> points_of(const std::vector<std::string>& files, Diagnostics& diags);

}  // namespace slab::cli
