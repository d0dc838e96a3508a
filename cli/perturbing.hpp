#pragma once

#include <functional>
#include <optional>
#include <string>

#include "arch_configs/chip_spec.hpp"
#include "sim/result/sensitivity.hpp"
#include "support/diagnostics.hpp"

namespace slab::cli {

/// The time with the bandwidth of HBM, that of the links between chips, the rates of the matrix
/// units, that of the vector units and the latencies of copies changed by a part, one by one and
/// together. `time_of` simulates on a chip.
result::Sensitivity perturb(const arch::ChipSpec& chip, double part,
                            const std::function<double(const arch::ChipSpec&)>& time_of);

/// `10%` or `0.1` as 0.1, between 0 and 0.9; nothing after reporting anything else.
std::optional<double> read_part(const std::string& text, Diagnostics& diags);

}  // namespace slab::cli
