#pragma once

#include <nlohmann/json_fwd.hpp>

#include "report/sections.hpp"
#include "sim/result/sensitivity.hpp"

namespace slab::report {

/// The band of a time and what it comes from, for the screen; influences of nothing are left out.
Lines sensitivity_section(const result::Sensitivity& sensitivity, double time_us);

nlohmann::ordered_json sensitivity_json(const result::Sensitivity& sensitivity);

}  // namespace slab::report
