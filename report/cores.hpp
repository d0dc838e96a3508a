#pragma once

#include <cstdint>
#include <vector>

#include "sim/result/result.hpp"

/// One answer for all cores, where a report has room for one only.
namespace slab::report {

/// Place of the core that took longest: its units and waits explain the time. 0 without cores.
std::size_t slowest_core(const result::Result& result);

/// That core, or an idle one where the result has no cores.
result::CoreResult slowest(const result::Result& result);

std::int64_t dead_steps(const result::Result& result);

/// The bytes of every operand, summed over the cores, in the order of first appearance.
std::vector<result::Traffic> total_traffic(const result::Result& result);

}  // namespace slab::report
