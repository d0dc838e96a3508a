#pragma once

#include <string>
#include <vector>

#include "arch_configs/chip_json.hpp"

namespace slab::arch {

/// Puts the `path=value` texts of --set-chip into a chip file, as if it had said so: the parameter
/// keeps its unit, its status becomes `assumed`. A later text wins. Wrong texts are reported and
/// change nothing.
void apply_overrides(const std::vector<std::string>& overrides, Json& chip, Diagnostics& diags);

}  // namespace slab::arch
