#pragma once

#include <string_view>
#include <vector>

namespace slab::arch {

/// A chip file as it stands in this folder; CMake puts the texts into the library.
struct ShippedChip {
    std::string_view name;
    std::string_view text;
};

const std::vector<ShippedChip>& shipped_texts();

}  // namespace slab::arch
