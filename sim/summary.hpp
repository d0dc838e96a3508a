#pragma once

#include "sim/chip.hpp"
#include "sim/core_totals.hpp"
#include "sim/result/result.hpp"

namespace slab::sim {

/// What one core did, in the words of the reports.
result::CoreResult summary(const TensorCore& core, const CoreTotals& totals, const Job& job);

}  // namespace slab::sim
