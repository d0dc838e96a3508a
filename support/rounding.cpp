#include "support/rounding.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace slab {

namespace {

/// A binary floating-point format narrower than f64.
struct Format {
    int digits;        ///< of the significand, the leading one included
    int min_exponent;  ///< of the smallest normal number
    double largest;
    bool has_infinity;
};

Format format_of(DType type) {
    switch (type) {
        case DType::bf16:
            return {8, -126, 0x1.FEp127, true};
        case DType::f8e4m3:
            return {4, -6, 448, false};
        case DType::f8e5m2:
            return {3, -14, 57344, true};
        default:
            return {24, -126, std::numeric_limits<float>::max(), true};
    }
}

double overflowed(const Format& format, double value) {
    if (!format.has_infinity) return std::numeric_limits<double>::quiet_NaN();
    return std::copysign(std::numeric_limits<double>::infinity(), value);
}

double round_to(const Format& format, double value) {
    if (value == 0 || std::isnan(value)) return value;
    if (std::isinf(value)) return overflowed(format, value);
    // below the smallest normal number the spacing stays what it is there
    const int exponent = std::max(std::ilogb(value), format.min_exponent);
    const int last_digit = exponent - format.digits + 1;
    const double result = std::ldexp(std::nearbyint(std::ldexp(value, -last_digit)), last_digit);
    return std::fabs(result) > format.largest ? overflowed(format, value) : result;
}

bool is_signed(DType type) {
    return type == DType::i32 || type == DType::i16 || type == DType::i8 || type == DType::i4;
}

}  // namespace

double lowest(DType type) {
    if (is_float(type)) return -format_of(type).largest;
    return is_integer(type) && is_signed(type) ? -std::ldexp(1, bits(type) - 1) : 0;
}

double highest(DType type) {
    if (is_float(type)) return format_of(type).largest;
    if (type == DType::pred) return 1;
    return std::ldexp(1, bits(type) - (is_signed(type) ? 1 : 0)) - 1;
}

double smallest_normal(DType type) {
    return is_float(type) ? std::ldexp(1, format_of(type).min_exponent) : 1;
}

double rounded(DType type, double value) {
    if (is_float(type)) return round_to(format_of(type), value);
    if (type == DType::pred) return value != 0;
    if (std::isnan(value)) return 0;
    if (value <= lowest(type)) return lowest(type);
    if (value >= highest(type)) return highest(type);
    return std::trunc(value) + 0.0;  // -0.5 becomes 0, not -0
}

double rounded_integer(DType type, std::int64_t value) {
    if (type == DType::pred) return value != 0;
    if (!is_integer(type)) return rounded(type, static_cast<double>(value));
    const auto modulus = std::int64_t{1} << bits(type);
    const std::int64_t low = value & (modulus - 1);
    return static_cast<double>(is_signed(type) && low >= modulus / 2 ? low - modulus : low);
}

std::uint32_t encoded(DType type, double value) {
    const std::uint32_t mask = bits(type) == 32 ? ~0U : (1U << bits(type)) - 1;
    if (!is_float(type)) return static_cast<std::uint32_t>(static_cast<std::int64_t>(value)) & mask;
    const Format format = format_of(type);
    const int fraction_bits = format.digits - 1;
    const std::uint32_t exponents = (mask >> 1) >> fraction_bits;  // all ones
    const std::uint32_t sign = std::signbit(value) ? (mask >> 1) + 1 : 0;
    if (std::isnan(value)) {
        const std::uint32_t quiet = 1U << (fraction_bits - 1);
        return format.has_infinity ? exponents << fraction_bits | quiet : mask >> 1;
    }
    if (std::isinf(value)) return sign | exponents << fraction_bits;
    if (value == 0) return sign;
    const int exponent = std::max(std::ilogb(value), format.min_exponent);
    const auto digits =
        static_cast<std::uint32_t>(std::ldexp(std::fabs(value), fraction_bits - exponent));
    const auto biased = static_cast<std::uint32_t>(exponent - format.min_exponent);
    return sign | ((biased << fraction_bits) + digits);  // the leading 1 adds one to the exponent
}

double decoded(DType type, std::uint32_t code) {
    if (type == DType::pred) return code & 1;
    const std::uint32_t mask = bits(type) == 32 ? ~0U : (1U << bits(type)) - 1;
    code &= mask;
    if (!is_float(type)) return rounded_integer(type, static_cast<std::int64_t>(code));
    const Format format = format_of(type);
    const int fraction_bits = format.digits - 1;
    const std::uint32_t magnitude = code & (mask >> 1);
    const std::uint32_t exponents = (mask >> 1) >> fraction_bits;
    const std::uint32_t biased = magnitude >> fraction_bits;
    const std::uint32_t fraction = magnitude & ((1U << fraction_bits) - 1);
    const double sign = code == magnitude ? 1.0 : -1.0;
    if (format.has_infinity ? biased == exponents : magnitude == mask >> 1)
        return format.has_infinity && fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                                                    : std::numeric_limits<double>::quiet_NaN();
    const std::uint32_t digits = biased == 0 ? fraction : fraction | 1U << fraction_bits;
    const int exponent = format.min_exponent + std::max(static_cast<int>(biased) - 1, 0);
    return sign * std::ldexp(static_cast<double>(digits), exponent - fraction_bits);
}

float rounded_to_bf16(float value) {
    const auto code = std::bit_cast<std::uint32_t>(value);
    if (std::isnan(value)) return std::numeric_limits<float>::quiet_NaN();
    // half a step, less one where the step below is even; a carry moves the exponent
    return std::bit_cast<float>((code + 0x7FFF + (code >> 16 & 1)) & 0xFFFF0000U);
}

}  // namespace slab
