#pragma once

#include <nlohmann/json.hpp>

namespace slab::report {

/// Nine digits, so that the last bits of a sum never show. What is not finite becomes null.
nlohmann::ordered_json json_number(double value);

}  // namespace slab::report
