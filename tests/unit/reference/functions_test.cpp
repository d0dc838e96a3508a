#include <catch2/catch.hpp>

#include "evaluating.hpp"

using namespace slab::reference;

TEST_CASE("elementary functions are those of f64") {
    CHECK(value_of("exp(0)") == "real 1");
    CHECK(value_of("rsqrt(4)") == "real 0.5");
    CHECK(value_of("sigmoid(0.0)") == "real 0.5");
    CHECK(value_of("round([0.5, 1.5, -2.5])") == "real [3] 0 2 -2");
    CHECK(value_of("floor(-1.5)") == "real -2");
    CHECK(value_of("abs([-3, 2])") == "integer [2] 3 2");
    CHECK(value_of("pow(2.0, 10)") == "real 1024");
    CHECK(value_of("recip_approx(3.0)") == "real 0.333984375");
    CHECK(value_of("max(1, [0, 4], 2)") == "integer [2] 2 4");
    CHECK(value_of("min(inf, 3)") == "real 3");
    CHECK(value_of("clamp([-5, 5, 1], -1, 2)") == "integer [3] -1 2 1");
    CHECK(value_of("select([1, 2, 3] > 1, [10, 20, 30], -inf)") == "real [3] -inf 20 30");
    CHECK(value_of("cdiv([7, -7], 2)") == "integer [2] 4 -3");
    CHECK(value_of("aligned(32, 16)") == "integer 32");
    CHECK(value_of("aligned(33, 16)") == "E0404: 33 is not a multiple of 16");
}

TEST_CASE("rows, columns and folds reduce") {
    const std::string a = "[[1, 5, 3], [4, 2, 6]]";
    CHECK(value_of("rowmax(" + a + ")") == "integer [2, 1] 5 6");
    CHECK(value_of("rowsum(" + a + ")") == "integer [2, 1] 9 12");
    CHECK(value_of("rowmin(" + a + ")") == "integer [2, 1] 1 2");
    CHECK(value_of("colsum(" + a + ")") == "integer [1, 3] 5 7 9");
    CHECK(value_of("colmax(" + a + ")") == "integer [1, 3] 4 5 6");
    CHECK(value_of("fold(mul, " + a + ", 1)") == "integer [2] 15 48");
    CHECK(value_of("fold(max, " + a + ", 0)") == "integer [3] 4 5 6");
    CHECK(value_of("sum(" + a + ", 0)") == "integer [3] 5 7 9");
    CHECK(value_of("argmax([[1, 9, 9], [0, -1, -2]])") == "integer [2, 1] 1 0");
    CHECK(value_of("fold(avg, [1], 0)") ==
          "E0004: the operation of `fold` must be `add`, `mul`, `max` or `min`, this is `avg`");
    CHECK(value_of("sum([1], 1)") == "E0004: the axis of `sum` must be 0 to 0, this is 1");
}

TEST_CASE("cumsum, sort, top_k and gather take an axis or rows") {
    CHECK(value_of("cumsum([3, 1, 2], 0)") == "integer [3] 3 4 6");
    CHECK(value_of("concat([0], cumsum([3, 1, 2], 0), 0)") == "integer [4] 0 3 4 6");
    CHECK(value_of("cumsum([[1, 2], [3, 4]], 0)") == "integer [2, 2] 1 2 4 6");
    CHECK(value_of("sort([[3, 1], [2, 5]], 0)") == "integer [2, 2] 2 1 3 5");
    CHECK(value_of("sort([3, 1, 2], 0)") == "integer [3] 1 2 3");
    CHECK(value_of("top_k([[1, 7, 7, 3]], 3)") == "integer [1, 3] 1 2 3");
    CHECK(value_of("gather([[1, 2], [3, 4], [5, 6]], [2, 0], 0)") == "integer [2, 2] 5 6 1 2");
    CHECK(value_of("gather([[1, 2], [3, 4]], [[1]], 1)") == "integer [2, 1, 1] 2 4");
    CHECK(value_of("gather([1, 2], [2], 0)") ==
          "E0401: index 2 of `gather` is not inside 2 elements");
}

TEST_CASE("dot contracts, and its batch dimensions are stretched") {
    CHECK(value_of("dot([[1, 2], [3, 4]], [[5, 6], [7, 8]])") == "integer [2, 2] 19 22 43 50");
    CHECK(value_of("dot([[1.0, 2.0]], [[3.0, 4.0]].T, prec: \"f32\")") == "real [1, 1] 11");
    CHECK(value_of("dot([[[1, 0]], [[0, 1]]], [[5], [7]])") == "integer [2, 1, 1] 5 7");
    CHECK(value_of("dot([[1, 2]], [[1, 2]])") == "E0103: `dot` contracts 2 with 1");
    CHECK(value_of("dot([1], [[1]])") ==
          "E0103: `dot` needs two blocks of rank 2 or more with equal batch dimensions, these are "
          "[1] and [1, 1]");
}

TEST_CASE("the precision of a dot counts where every step is rounded to f32") {
    // 1 + 2^-9 + 2^-18 has three parts in bf16, 1 + 2^-9 two
    const auto product = [](const std::string& arguments, std::optional<slab::DType> rounding) {
        return value_of("dot([[1.001956939697265625]], [[1.001953125]]" + arguments + ")", "",
                        rounding);
    };
    const std::string exact = "real [1, 1] 1.003913886845";
    CHECK(product(", prec: \"bf16\"", std::nullopt).starts_with(exact));
    CHECK(product("", slab::DType::f32).starts_with("real [1, 1] 1.00391387"));
    CHECK(product(", prec: \"f32\"", slab::DType::f32) == product("", slab::DType::f32));
    CHECK(product(", prec: \"bf16x3\"", slab::DType::f32) == "real [1, 1] 1.00390625");
    CHECK(product(", prec: \"bf16\"", slab::DType::f32) == "real [1, 1] 1");
    CHECK(value_of("dot([[1.0]], [[1.0]], prec: 3)") ==
          "E0004: `prec` of `dot` must be \"bf16\", \"bf16x3\" or \"f32\", this is an integer");
}

TEST_CASE("elements move") {
    CHECK(value_of("iota([2, 3], 1)") == "integer [2, 3] 0 1 2 0 1 2");
    CHECK(value_of("transpose(reshape(iota([6], 0), [1, 2, 3]), [2, 0, 1])") ==
          "integer [3, 1, 2] 0 3 1 4 2 5");
    CHECK(value_of("concat([[[1], [2]], [[3], [4]]], 1)") == "integer [2, 2] 1 3 2 4");
    CHECK(value_of("stack([[1, 2], [3, 4]])") == "integer [2, 2] 1 2 3 4");
    CHECK(value_of("repeat([[1, 2]], 2, 1)") == "integer [1, 4] 1 2 1 2");
    CHECK(value_of("roll([1, 2, 3], 1, 0)") == "integer [3] 3 1 2");
    CHECK(value_of("roll([1, 2, 3], -1, 0)") == "integer [3] 2 3 1");
    CHECK(value_of("take_along([[1, 2], [3, 4]], [[1], [0]], 1)") == "integer [2, 1] 2 3");
    CHECK(value_of("bits(i32, 1.0)") == "integer 1065353216");
    CHECK(value_of("bits(f32, 1065353216)") == "real 1");
    CHECK(value_of("bits(bf16, 1.0)") ==
          "E0007: `bits` to bf16 in a reference is not supported yet");
    CHECK(value_of("reshape([1, 2], [3])") ==
          "E0101: reshape of [2] to [3]: 2 elements do not make 3");
    CHECK(value_of("concat([[1], [[2]]], 0)") == "E0101: `concat` cannot join [1] and [1, 1]");
}
