#include "support/size_text.hpp"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace slab {

std::string size_text(double bytes) {
    constexpr std::array units = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (std::abs(bytes) < 1024) return fmt::format("{:.0f} B", bytes);
    double value = bytes / 1024;
    std::size_t unit = 0;
    for (; std::abs(value) >= 1023.95 && unit + 1 < units.size(); ++unit) value /= 1024;
    return fmt::format("{:.1f} {}", value, units[unit]);
}

}  // namespace slab
