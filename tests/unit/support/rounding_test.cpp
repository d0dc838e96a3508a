#include "support/rounding.hpp"

#include <cmath>
#include <limits>

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
