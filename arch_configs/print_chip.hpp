#pragma once

#include <string>
#include <vector>

#include "arch_configs/read_chip.hpp"

namespace slab::arch {

/// The screen of `slab chips NAME`: what the chip is, then every number with its status and source.
std::string describe(const ChipFile& chip);

/// One row per parameter, one column per chip: the table of docs/chips.md.
std::string markdown_table(const std::vector<ChipFile>& chips);

}  // namespace slab::arch
