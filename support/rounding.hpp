#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "support/dtype.hpp"

namespace slab {

/// The nearest value of a type, exactly as a cast of the language gives it. To a float: ties to
/// even, overflow to infinity, or to NaN where the type has none (f8e4m3). To an integer:
/// truncated and saturated, NaN to 0. To pred: 1 where the value is not 0.
double rounded(DType type, double value);

/// An integer cast to a type: to a narrower integer its low bits, to a float as above.
double rounded_integer(DType type, std::int64_t value);

/// Smallest and largest value of an integer type, or the largest finite ones of a float type.
double lowest(DType type);
double highest(DType type);
/// The smallest normal number of a float type; 1 for any other.
double smallest_normal(DType type);

/// The bits of a value that the type holds exactly, in the lowest bits(type) bits. Integers are in
/// two's complement, a condition is 0 or 1, NaN is the quiet positive one.
std::uint32_t encoded(DType type, double value);
/// The value those bits mean; higher ones are ignored.
double decoded(DType type, std::uint32_t code);

/// rounded(DType::bf16, value), fast.
float rounded_to_bf16(float value);

/// In how many bf16 parts, each what the ones before leave, a dot with that `prec` takes each f32
/// operand; it multiplies part i with part j where i + j is less than that. Nothing for other
/// words.
constexpr std::optional<int> bf16_parts(std::string_view precision) {
    if (precision == "bf16") return 1;
    if (precision == "bf16x3") return 2;
    if (precision == "f32") return 3;
    return std::nullopt;
}
inline constexpr auto* dot_precisions = R"("bf16", "bf16x3" or "f32")";

}  // namespace slab
