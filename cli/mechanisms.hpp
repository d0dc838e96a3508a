#pragma once

#include <string>
#include <vector>

#include "arch_configs/chip_spec.hpp"

namespace slab::cli {

/// A mechanism of the timing model, and how a chip without it looks.
struct Mechanism {
    const char* name;
    const char* description;
    void (*remove)(arch::ChipSpec& chip);
};

/// All of them; docs/timing_model.md tells what each does.
const std::vector<Mechanism>& mechanisms();
std::vector<std::string> mechanism_names();

/// The chip without the mechanism of that name, which must be one.
arch::ChipSpec without(const std::string& name, arch::ChipSpec chip);

}  // namespace slab::cli
