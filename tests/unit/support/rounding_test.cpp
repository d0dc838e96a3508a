#include "support/rounding.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

using namespace slab;

namespace {
const double inf = std::numeric_limits<double>::infinity();
}

TEST_CASE("a cast to a float takes the nearest value, ties to even") {
    CHECK(rounded(DType::bf16, 1 + 0x1p-8) == 1);             // half way, even below
    CHECK(rounded(DType::bf16, 1 + 0x1.8p-7) == 1 + 0x1p-6);  // half way, even above
    CHECK(rounded(DType::bf16, 1 + 0x1.000001p-8) == 1 + 0x1p-7);
    CHECK(rounded(DType::f8e4m3, 17) == 16);
    CHECK(rounded(DType::f8e4m3, 19) == 20);
    CHECK(rounded(DType::f8e5m2, -9) == -8);
    CHECK(rounded(DType::f32, 0.1) == static_cast<double>(0.1f));
}

TEST_CASE("below the smallest normal number the spacing stays") {
    CHECK(rounded(DType::f8e4m3, 0x1p-9) == 0x1p-9);
    CHECK(rounded(DType::f8e4m3, 0x1p-10) == 0);  // half way to zero, which is even
    CHECK(rounded(DType::f8e4m3, 0x1.8p-10) == 0x1p-9);
    CHECK(rounded(DType::bf16, 0x1p-133) == 0x1p-133);
    CHECK(rounded(DType::bf16, 0x1p-135) == 0);
    CHECK(std::signbit(rounded(DType::bf16, -0x1p-140)));
    CHECK(rounded(DType::f32, 0x1p-149) == 0x1p-149);
}

TEST_CASE("overflow gives infinity, or NaN where a type has none") {
    CHECK(rounded(DType::bf16, 0x1.FEp127) == 0x1.FEp127);
    CHECK(rounded(DType::bf16, 0x1.FFp127) == inf);
    CHECK(rounded(DType::f8e5m2, -61440) == -inf);
    CHECK(rounded(DType::f8e5m2, 61439) == 57344);
    CHECK(rounded(DType::f8e4m3, 448) == 448);
    CHECK(rounded(DType::f8e4m3, 464) == 448);  // half way, even below
    CHECK(std::isnan(rounded(DType::f8e4m3, 465)));
    CHECK(std::isnan(rounded(DType::f8e4m3, inf)));
    CHECK(rounded(DType::f32, 1e39) == inf);
    CHECK(std::isnan(rounded(DType::bf16, std::nan(""))));
}

TEST_CASE("f32 rounds as the processor does") {
    for (double value = 1e-44; value < 1e38; value *= 1.37)
        REQUIRE(rounded(DType::f32, -value) == static_cast<double>(static_cast<float>(-value)));
}

TEST_CASE("a float becomes an integer by truncating and saturating") {
    CHECK(rounded(DType::i32, -2.9) == -2);
    CHECK(rounded(DType::i8, 200) == 127);
    CHECK(rounded(DType::i8, -inf) == -128);
    CHECK(rounded(DType::u4, 15.9) == 15);
    CHECK(rounded(DType::u16, -3) == 0);
    CHECK(rounded(DType::u32, 1e20) == 4294967295.0);
    CHECK(rounded(DType::i32, std::nan("")) == 0);
    CHECK(!std::signbit(rounded(DType::i32, -0.5)));
}

TEST_CASE("an integer cast to a narrower one keeps the low bits") {
    CHECK(rounded_integer(DType::i8, 255) == -1);
    CHECK(rounded_integer(DType::u8, -1) == 255);
    CHECK(rounded_integer(DType::i4, 8) == -8);
    CHECK(rounded_integer(DType::i32, (std::int64_t{1} << 31) + 5) == -2147483643.0);
    CHECK(rounded_integer(DType::pred, 7) == 1);
    CHECK(rounded_integer(DType::bf16, 257) == 256);
}

namespace {

constexpr DType coded[] = {DType::bf16, DType::f8e4m3, DType::f8e5m2, DType::i16, DType::u16,
                           DType::i8,   DType::u8,     DType::i4,     DType::u4};

/// What the bits mean by the definition of the format, in another way than the code under test: a
/// sum of powers of two.
double meaning(DType type, std::uint32_t code) {
    const int width = bits(type);
    const bool negative = code >> (width - 1) & 1;
    if (!is_float(type)) {
        double value = 0;
        for (int bit = 0; bit < width; ++bit)
            if (code >> bit & 1) value += std::pow(2.0, bit);
        const bool is_signed = name(type)[0] == 'i';
        return is_signed && negative ? value - std::pow(2.0, width) : value;
    }
    const int fraction_bits = type == DType::bf16 ? 7 : type == DType::f8e4m3 ? 3 : 2;
    const int exponent_bits = width - 1 - fraction_bits;
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const int exponent = static_cast<int>(code >> fraction_bits) & ((1 << exponent_bits) - 1);
    const int fraction = static_cast<int>(code) & ((1 << fraction_bits) - 1);
    const bool is_top = exponent == (1 << exponent_bits) - 1;
    if (type == DType::f8e4m3 ? is_top && fraction == 7 : is_top && fraction != 0)
        return std::numeric_limits<double>::quiet_NaN();
    double value = type != DType::f8e4m3 && is_top ? inf
                   : exponent == 0 ? fraction * std::pow(2.0, 1 - bias - fraction_bits)
                                   : (fraction + (1 << fraction_bits)) *
                                         std::pow(2.0, exponent - bias - fraction_bits);
    return negative ? -value : value;
}

bool same(double a, double b) {
    return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}

/// The finite codes of a float type from 0 up: neighbours are neighbouring values.
std::vector<double> finite_values(DType type) {
    std::vector<double> values;
    for (std::uint32_t code = 0; code < 1U << (bits(type) - 1); ++code)
        if (std::isfinite(meaning(type, code))) values.push_back(meaning(type, code));
    return values;
}

/// Nearest by comparing distances with both neighbours; ties to the even code, which is the even
/// index.
double nearest(DType type, const std::vector<double>& values, double value) {
    if (std::isnan(value)) return value;
    const double size = std::fabs(value);
    const double step = values.back() - values[values.size() - 2];
    const bool top_is_even = values.size() % 2 == 1;
    if (size > values.back() + step / 2 || (size == values.back() + step / 2 && !top_is_even)) {
        const double over = type == DType::f8e4m3 ? std::numeric_limits<double>::quiet_NaN() : inf;
        return std::copysign(over, value);
    }
    const auto above = std::lower_bound(values.begin(), values.end(), size);
    if (above == values.end()) return std::copysign(values.back(), value);
    if (*above == size) return value;
    const auto below = above - 1;
    const double up = *above - size, down = size - *below;
    const bool below_is_even = (below - values.begin()) % 2 == 0;
    return std::copysign(up < down || (up == down && !below_is_even) ? *above : *below, value);
}

}  // namespace

TEST_CASE("every code of a narrow type means what its format says, and is found again") {
    for (const DType type : coded) {
        INFO(name(type));
        int wrong = 0;
        for (std::uint32_t code = 0; code < 1U << bits(type); ++code) {
            const double value = decoded(type, code);
            wrong += !same(value, meaning(type, code));
            wrong += !std::isnan(value) && encoded(type, value) != code;
            wrong += std::isnan(value) && !std::isnan(decoded(type, encoded(type, value)));
            wrong += !same(rounded(type, value), value);
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("floats round to the nearest code, at and beside every boundary, and anywhere between") {
    std::mt19937_64 random(7);
    for (const DType type : {DType::bf16, DType::f8e4m3, DType::f8e5m2}) {
        INFO(name(type));
        const std::vector<double> values = finite_values(type);
        int wrong = 0;
        const auto check = [&](double value) {
            for (const double x : {value, -value}) {
                wrong += !same(rounded(type, x), nearest(type, values, x));
                const auto single = static_cast<float>(x);
                if (type == DType::bf16 && static_cast<double>(single) == x)
                    wrong += !same(rounded_to_bf16(single), nearest(type, values, x));
            }
        };
        for (std::size_t i = 0; i + 1 < values.size(); ++i) {
            const double boundary = (values[i] + values[i + 1]) / 2;
            const auto single = static_cast<float>(boundary);
            check(boundary);
            check(std::nextafter(single, 0.0F));
            check(std::nextafter(single, std::numeric_limits<float>::infinity()));
        }
        for (int i = 0; i < 200'000; ++i)
            check(std::bit_cast<float>(static_cast<std::uint32_t>(random() >> 33)));
        CHECK(wrong == 0);
    }
}

TEST_CASE("narrow integers saturate from floats and keep the low bits of integers") {
    for (const DType type : {DType::i4, DType::u4, DType::i8, DType::u8}) {
        INFO(name(type));
        int wrong = 0;
        for (int value = -600; value <= 600; ++value) {
            const double limited = std::min(std::max<double>(value, lowest(type)), highest(type));
            wrong += rounded(type, value) != limited;
            wrong += rounded(type, value + 0.75) !=
                     std::min(std::max(std::trunc(value + 0.75), lowest(type)), highest(type));
            wrong += rounded_integer(type, value) !=
                     meaning(type, static_cast<std::uint32_t>(value) & ((1U << bits(type)) - 1));
        }
        CHECK(wrong == 0);
    }
}
