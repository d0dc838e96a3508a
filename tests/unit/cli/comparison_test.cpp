#include "cli/comparison.hpp"

#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

using namespace slab;
using namespace slab::cli;

namespace {

const double not_a_number = std::numeric_limits<double>::quiet_NaN();
const double inf = std::numeric_limits<double>::infinity();

reference::Array reals(std::vector<double> values) {
    return {reference::Kind::real, {static_cast<reference::Int>(values.size())}, std::move(values)};
}

interp::Elements elements(DType type, const std::vector<double>& values) {
    interp::Elements made(type, static_cast<interp::Int>(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i)
        made.set(static_cast<interp::Int>(i), values[i]);
    return made;
}

bool passes(DType type, const std::vector<double>& got, const std::vector<double>& exact,
            std::optional<double> rel = std::nullopt) {
    const reference::Array expected = reals(exact);
    return compare(elements(type, got), expected, tolerance_of(type, expected, expected, rel))
        .passes;
}

}  // namespace

TEST_CASE("differences are parts of the largest value of the output") {
    CHECK(passes(DType::f32, {100, 0.0005}, {100, 0}));
    CHECK_FALSE(passes(DType::f32, {100, 0.05}, {100, 0}));
    CHECK(passes(DType::bf16, {1, 0.5}, {1, 0.503}));
    CHECK_FALSE(passes(DType::bf16, {1, 0.5}, {1, 0.6}));
    CHECK(passes(DType::f32, {2, 1.01}, {2, 1}, 0.01));
    CHECK_FALSE(passes(DType::f32, {2, 1.03}, {2, 1}, 0.01));
}

TEST_CASE("NaN and an infinity that is not expected are wrong, whatever the tolerance") {
    CHECK_FALSE(passes(DType::f32, {not_a_number, 1}, {1, 1}, 1e9));
    CHECK_FALSE(passes(DType::f32, {inf, 1}, {1, 1}, 1e9));
    CHECK(passes(DType::bf16, {inf, 1}, {1e39, 1}));  // the type holds no more
}

TEST_CASE("an output of zeros is right only if that is expected") {
    CHECK_FALSE(passes(DType::f32, {0, 0}, {1, 2}));
    CHECK(passes(DType::f32, {0, 0}, {0, 0}));
    CHECK(passes(DType::f32, {0, 0}, {1e-60, -1e-70}));  // below every normal number
}

TEST_CASE("integers are exact") {
    CHECK(passes(DType::i32, {5, -7}, {5, -7}));
    CHECK_FALSE(passes(DType::i32, {5, -6}, {5, -7}));
    CHECK_FALSE(passes(DType::i32, {1'000'001, 1'000'000}, {1'000'000, 1'000'000}));
    CHECK(passes(DType::i8, {-126}, {130}));  // in the bits they have
}

TEST_CASE("the limit is twice the error of a straightforward evaluation in the type") {
    const auto exact = reals({1, 0.5}), rough = reals({1, 0.52});
    const Tolerance tolerance = tolerance_of(DType::bf16, exact, rough, std::nullopt);
    CHECK(tolerance.limit == Approx(0.04).margin(0.005));
    CHECK(tolerance.worst == Approx(10 * tolerance.limit));
    CHECK(tolerance_of(DType::bf16, exact, exact, std::nullopt).limit == 0x1p-8);
}

TEST_CASE("one element in a thousand may miss the limit, none by ten times") {
    std::vector<double> exact(2000, 1), got = exact;
    got[7] = 1.00005;
    got[9] = 1.00005;
    CHECK(passes(DType::f32, got, exact));
    got[11] = 1.00005;
    CHECK_FALSE(passes(DType::f32, got, exact));
    got = exact;
    got[7] = 1.001;
    CHECK_FALSE(passes(DType::f32, got, exact));
}

TEST_CASE("the worst elements are shown, the largest difference first") {
    const auto exact = reals({1, 1, 1, 1, 1, 1});
    const Comparison comparison = compare(elements(DType::f32, {1, 3, 2, 9, 1, 1.5}), exact,
                                          tolerance_of(DType::f32, exact, exact, std::nullopt));
    REQUIRE(comparison.worst.size() == most_shown);
    CHECK(comparison.worst[0].element == 3);
    CHECK(comparison.worst[1].element == 1);
    CHECK(comparison.outside == 4);
    CHECK(comparison.error == 8);
}
