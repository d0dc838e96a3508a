#pragma once

#include <string>

#include "arch_configs/chip_spec.hpp"

namespace slab::cli {

/// What both models of HBM say that a chip achieves by the length of contiguous runs, and what a
/// stream and a run cost by them.
std::string hbm_table(const arch::ChipSpec& chip, bool markdown);

}  // namespace slab::cli
