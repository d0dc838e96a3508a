#include "report/numbers.hpp"

#include <cstdint>
#include <limits>

#include <catch2/catch.hpp>

using namespace slab::report;

namespace {
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
}  // namespace

TEST_CASE("a time is told in the unit that keeps four digits short") {
    CHECK(text(duration(0)) == "0 us");
    CHECK(text(duration(0.0004)) == "0.4000 ns");
    CHECK(text(duration(0.35)) == "350.0 ns");
    CHECK(text(duration(1)) == "1.000 us");
    CHECK(text(duration(999.94)) == "999.9 us");
    CHECK(text(duration(999.96)) == "1.000 ms");
    CHECK(text(duration(0.99996)) == "1.000 us");
    CHECK(text(duration(1.5e6)) == "1.500 s");
    CHECK(text(duration(4.5e9)) == "4,500 s");
}

TEST_CASE("bytes are told in powers of 1024") {
    CHECK(bytes(0) == "0 B");
    CHECK(bytes(1023) == "1023 B");
    CHECK(bytes(1024) == "1.0 KiB");
    CHECK(bytes((1 << 20) - 1) == "1.0 MiB");
    CHECK(bytes(std::numeric_limits<std::int64_t>::max()) == "8.0 EiB");
}

TEST_CASE("a share is never rounded down to nothing") {
    CHECK(percent(0) == "0.0 %");
    CHECK(percent(0.0004) == "<0.1 %");
    CHECK(percent(0.0005) == "0.1 %");
    CHECK(percent(0.8304) == "83.0 %");
    CHECK(percent(1) == "100.0 %");
    CHECK(percent(1234) == "123,400 %");
    CHECK(rough_percent(0.004) == "<1 %");
    CHECK(rough_percent(0.8304) == "83 %");
}

TEST_CASE("counts are grouped until the digits stop helping") {
    CHECK(grouped(0) == "0");
    CHECK(grouped(999) == "999");
    CHECK(grouped(1000) == "1,000");
    CHECK(grouped(-123456) == "-123,456");
    CHECK(grouped(1e12) == "1,000,000,000,000");
    CHECK(grouped(4e18) == "4.00e+18");
}

TEST_CASE("what was measured keeps four digits, what was given stays as written") {
    CHECK(measured(918) == "918.0");
    CHECK(measured(52.1) == "52.10");
    CHECK(measured(1640) == "1,640");
    CHECK(measured(1e-7) == "1.000e-07");
    CHECK(given(918) == "918");
    CHECK(given(1.75) == "1.75");
    CHECK(given(1640) == "1,640");
    CHECK(rounded(3.21) == "3.2");
    CHECK(rounded(15'000) == "15,000");
}

TEST_CASE("what is not finite prints as a dash") {
    CHECK(percent(not_a_number) == "-");
    CHECK(grouped(infinite) == "-");
    CHECK(measured(infinite) == "-");
    CHECK(given(not_a_number) == "-");
    CHECK(rounded(infinite) == "-");
    CHECK(duration(infinite).number == "-");
    CHECK(duration(not_a_number).number == "-");
    CHECK(ratio(1, 0) == 0);
}
