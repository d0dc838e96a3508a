#include "report/json_number.hpp"

#include <charconv>
#include <cmath>
#include <string>

#include <fmt/format.h>

namespace slab::report {

nlohmann::ordered_json json_number(double value) {
    if (!std::isfinite(value)) return nullptr;
    const std::string digits = fmt::format("{:.9g}", value);
    double rounded = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), rounded);
    return rounded == 0 ? 0.0 : rounded;
}

}  // namespace slab::report
