#include "interp/dot.hpp"

#include <cmath>
#include <random>

#include <catch2/catch.hpp>

#include "running.hpp"
#include "support/rounding.hpp"

using namespace slab;
using namespace slab::interp;

namespace {

Block random_block(DType type, Shape shape, std::mt19937& random) {
    Block block(type, std::move(shape));
    for (Int i = 0; i < block.count(); ++i)
        block.elements.set(i, rounded(type, std::ldexp(static_cast<double>(random()) - 0x1p31,
                                                       -20 - static_cast<int>(random() % 12))));
    return block;
}

/// The sum of one element, k by k, each step rounded to f32.
float in_order(const Block& x, const Block& y, Int row, Int column, bool transposed) {
    const Int k = x.shape.back(), n = y.shape[transposed ? 0 : 1];
    float sum = 0;
    for (Int i = 0; i < k; ++i)
        sum += x.elements.reals[static_cast<std::size_t>(row * k + i)] *
               y.elements
                   .reals[static_cast<std::size_t>(transposed ? column * k + i : i * n + column)];
    return sum;
}

}  // namespace

TEST_CASE("every element of a product is summed along k in ascending order, whatever the shape") {
    std::mt19937 random(1);
    for (const auto& [m, k, n] :
         {std::tuple<Int, Int, Int>{1, 1, 1}, {4, 8, 8}, {5, 17, 9}, {7, 300, 3}, {64, 33, 31}})
        for (const bool transposed : {false, true}) {
            INFO(m << " x " << k << " x " << n << (transposed ? " transposed" : ""));
            const Block x = random_block(DType::bf16, {m, k}, random);
            const Block y =
                random_block(DType::bf16, transposed ? Shape{n, k} : Shape{k, n}, random);
            const Block z = dot(x, y, transposed, 1);
            REQUIRE(z.shape == Shape{m, n});
            int wrong = 0;
            for (Int i = 0; i < m; ++i)
                for (Int j = 0; j < n; ++j)
                    wrong += z.elements.reals[static_cast<std::size_t>(i * n + j)] !=
                             in_order(x, y, i, j, transposed);
            CHECK(wrong == 0);
        }
}

TEST_CASE("leading dimensions are a batch") {
    const Block x = test::block(DType::bf16, {2, 1, 2}, {1, 2, 3, 4});
    const Block y = test::block(DType::bf16, {2, 2, 1}, {5, 6, 7, 8});
    CHECK(test::numbers(dot(x, y, false, 1)) == test::Numbers{17, 53});
}

TEST_CASE("products of integers are i32 and wrap") {
    const Block x = test::block(DType::i8, {1, 2}, {-128, 127});
    const Block y = test::block(DType::i8, {2, 2}, {127, -1, 127, 2});
    CHECK(test::numbers(dot(x, y, false, 1)) == test::Numbers{-127, 382});
    const Block large = test::block(DType::i32, {1, 2}, {0x7FFFFFFF, 1});
    const Block ones = test::block(DType::i32, {2, 1}, {1, 1});
    CHECK(test::numbers(dot(large, ones, false, 1)) == test::Numbers{-0x1p31});
}

TEST_CASE("f32 operands are split in bf16 parts: more passes come closer") {
    std::mt19937 random(2);
    // few terms: adding up many in f32 loses more than the third part of an operand holds
    constexpr Int terms = 8;
    const Block x = random_block(DType::f32, {4, terms}, random);
    const Block y = random_block(DType::f32, {terms, 8}, random);
    double last = 1;
    for (const int passes : {1, 3, 6}) {
        const Block z = dot(x, y, false, passes);
        double worst = 0, largest = 0;
        for (Int i = 0; i < 4; ++i)
            for (Int j = 0; j < 8; ++j) {
                double exact = 0;
                for (Int k = 0; k < terms; ++k)
                    exact += x.elements.number(i * terms + k) * y.elements.number(k * 8 + j);
                worst = std::max(worst, std::fabs(z.elements.number(i * 8 + j) - exact));
                largest = std::max(largest, std::fabs(exact));
            }
        CHECK(worst / largest < last / 20);
        last = worst / largest;
    }
    CHECK(last < 1e-6);
}

TEST_CASE("one pass is the product of the nearest bf16, and passes are added smallest first") {
    const float a = 1.00390625F + 0x1p-18F, b = 3.0078125F - 0x1p-17F;
    const Block x = test::block(DType::f32, {1, 1}, {static_cast<double>(a)});
    const Block y = test::block(DType::f32, {1, 1}, {static_cast<double>(b)});
    const float a1 = rounded_to_bf16(a), a2 = rounded_to_bf16(a - a1), a3 = a - a1 - a2;
    const float b1 = rounded_to_bf16(b), b2 = rounded_to_bf16(b - b1), b3 = b - b1 - b2;
    CHECK(dot(x, y, false, 1).elements.reals[0] == a1 * b1);
    CHECK(dot(x, y, false, 3).elements.reals[0] == a1 * b2 + a2 * b1 + a1 * b1);
    CHECK(dot(x, y, false, 6).elements.reals[0] ==
          a1 * b3 + a3 * b1 + a2 * b2 + a1 * b2 + a2 * b1 + a1 * b1);
}

TEST_CASE("an infinity stays one through the passes") {
    const Block x = test::block(DType::f32, {1, 1}, {std::numeric_limits<double>::infinity()});
    const Block y = test::block(DType::f32, {1, 1}, {2});
    CHECK(std::isinf(dot(x, y, false, 1).elements.reals[0]));
}

TEST_CASE("an undefined element makes its row, or its column, undefined") {
    Block x = test::block(DType::bf16, {2, 2}, {1, 2, 3, 4});
    Block y = test::block(DType::bf16, {2, 3}, {1, 2, 3, 4, 5, 6});
    x.set_trace(1, 7);
    y.set_trace(5, 9);
    const Block z = dot(x, y, false, 1);
    CHECK(z.traces == std::vector<Trace>{7, 7, 7, 0, 0, 9});
    Block turned = test::block(DType::bf16, {3, 2}, {1, 4, 2, 5, 3, 6});
    turned.set_trace(5, 9);
    CHECK(dot(x, turned, true, 1).traces == z.traces);
}
