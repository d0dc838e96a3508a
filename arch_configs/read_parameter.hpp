#pragma once

#include "arch_configs/json_checks.hpp"
#include "arch_configs/parameters.hpp"
#include "arch_configs/read_chip.hpp"

namespace slab::arch {

/// Reads `{value, unit, status, source, range?, note?}` into the parameter's place in `spec`, whose
/// cores_per_chip is known by then, and gives what `slab chips` shows of it.
ChipParameter read_parameter(const Json& json, const Parameter& parameter, ChipSpec& spec,
                             FileCheck& check);

}  // namespace slab::arch
