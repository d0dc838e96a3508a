#pragma once

#include <string>
#include <vector>

#include "cli/validating.hpp"

namespace slab::cli {

// What was measured and simulated, as drawings in SVG. Points that did not run are left out. Points
// whose trust is high are filled; colour and shape tell the kinds of work apart.

/// Simulated against measured time, on logarithmic axes.
std::string times_plot(const std::vector<Validated>& points);

/// Errors of every group, with their median: trusted points first, as in the table.
std::string errors_plot(const std::vector<Validated>& points);

}  // namespace slab::cli
