#include "compiler/constant.hpp"

#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

using namespace slab;
using compiler::Constant;
using compiler::describe;
using compiler::floor_div;
using compiler::floor_mod;
using compiler::to_string;
using Int = std::int64_t;

namespace {

constexpr Int most = std::numeric_limits<Int>::max();
constexpr Int least = std::numeric_limits<Int>::min();

/// The value as text, or the headline of what is wrong.
std::string fold(const std::string& op, const Constant& a, const Constant& b) {
    Diagnostics diags;
    const auto value = compiler::fold(op, a, b, {}, diags);
    CHECK(value.has_value() == diags.empty());
    return value ? to_string(*value) : diags.messages()[0].headline();
}

std::string call(const std::string& name, const std::vector<Constant>& args) {
    Diagnostics diags;
    const auto value = compiler::fold_call(name, args, {}, diags);
    return value ? to_string(*value) : diags.empty() ? "none" : diags.messages()[0].headline();
}

Constant i(Int value) {
    return {value};
}
Constant r(double value) {
    return {value};
}

}  // namespace

TEST_CASE("integer division floors and the remainder has the sign of the divisor") {
    struct Row {
        Int a, b, quotient, remainder;
    };
    for (const Row& row :
         {Row{7, 2, 3, 1}, Row{-7, 2, -4, 1}, Row{7, -2, -4, -1}, Row{-7, -2, 3, -1},
          Row{6, 3, 2, 0}, Row{-6, 3, -2, 0}, Row{0, -5, 0, 0}}) {
        CHECK(floor_div(row.a, row.b) == row.quotient);
        CHECK(floor_mod(row.a, row.b) == row.remainder);
        CHECK(fold("/", i(row.a), i(row.b)) == std::to_string(row.quotient));
        CHECK(fold("%", i(row.a), i(row.b)) == std::to_string(row.remainder));
    }
}

TEST_CASE("integers that leave 64 bits are named, and so is the operation") {
    CHECK(fold("+", i(most), i(1)) == "9223372036854775807 + 1 does not fit a 64-bit integer");
    CHECK(fold("+", i(most), i(0)) == "9223372036854775807");
    CHECK(fold("-", i(least), i(1)) == "-9223372036854775808 - 1 does not fit a 64-bit integer");
    CHECK(fold("*", i(most), i(2)) == "9223372036854775807 * 2 does not fit a 64-bit integer");
    CHECK(fold("/", i(least), i(-1)) == "-9223372036854775808 * -1 does not fit a 64-bit integer");
    CHECK(fold("%", i(least), i(-1)) == "0");
    CHECK(call("abs", {i(least)}) == "0 - -9223372036854775808 does not fit a 64-bit integer");
}

TEST_CASE("integers have no value divided by zero, reals have") {
    CHECK(fold("/", i(1), i(0)) == "`1 / 0` divides by 0");
    CHECK(fold("%", i(-3), i(0)) == "`-3 % 0` divides by 0");
    CHECK(fold("/", r(1), i(0)) == "inf");
    CHECK(fold("/", i(1), r(-0.0)) == "-inf");
    CHECK(call("cdiv", {i(4), i(0)}) == "`cdiv(4, 0)` divides by 0");
}

TEST_CASE("a shift is by 0 to 62, and what it moves out is an overflow") {
    CHECK(fold("<<", i(1), i(62)) == "4611686018427387904");
    CHECK(fold("<<", i(1), i(63)) == "a shift by 63 is not between 0 and 62");
    CHECK(fold("<<", i(1), i(-1)) == "a shift by -1 is not between 0 and 62");
    CHECK(fold("<<", i(4), i(62)) == "4 * 4611686018427387904 does not fit a 64-bit integer");
    CHECK(fold("<<", i(-1), i(3)) == "-8");
    CHECK(fold(">>", i(-9), i(1)) == "-5");
    CHECK(fold(">>", i(9), i(62)) == "0");
}

TEST_CASE("a real on either side makes the result real") {
    CHECK(fold("+", i(1), r(0.5)) == "1.5");
    CHECK(fold("*", r(2), i(3)) == "6.0");
    CHECK(fold("/", i(1), i(3)) == "0");
    CHECK(fold("/", r(1), i(4)) == "0.25");
    CHECK(fold("%", r(-5.5), i(2)) == "0.5");
    CHECK(fold("<", i(1), r(1.5)) == "true");
    CHECK(fold("==", i(2), r(2)) == "true");
}

TEST_CASE("each operator takes some kinds, and the message names both it was given") {
    CHECK(fold("&", i(6), i(3)) == "2");
    CHECK(fold("|", i(6), i(3)) == "7");
    CHECK(fold("^", i(6), i(3)) == "5");
    CHECK(fold("&", r(6), i(3)) == "`&` does not join a real and an integer");
    CHECK(fold("and", {true}, {false}) == "false");
    CHECK(fold("or", {true}, {false}) == "true");
    CHECK(fold("and", {true}, i(1)) == "`and` does not join a truth value and an integer");
    CHECK(fold("<", {true}, {false}) == "`<` does not join a truth value and a truth value");
    CHECK(fold("==", {DType::f32}, {DType::bf16}) == "false");
    CHECK(fold("<", {DType::f32}, {DType::bf16}) ==
          "`<` does not join an element type and an element type");
    CHECK(fold("==", {std::string("a")}, {std::string("a")}) == "true");
    CHECK(fold("+", {std::string("a")}, i(1)) == "`+` does not join a string and an integer");
}

TEST_CASE("functions of constants: integers stay exact, elementary functions are real") {
    CHECK(call("min", {i(3), i(2), i(5)}) == "2");
    CHECK(call("max", {i(3), r(3.5)}) == "3.5");
    CHECK(call("clamp", {i(9), i(0), i(4)}) == "4");
    CHECK(call("cdiv", {i(7), i(2)}) == "4");
    CHECK(call("cdiv", {i(-7), i(2)}) == "-3");
    CHECK(call("abs", {i(-3)}) == "3");
    CHECK(call("abs", {r(-3.5)}) == "3.5");
    CHECK(call("sqrt", {i(16)}) == "4.0");
    CHECK(call("rsqrt", {r(4)}) == "0.5");
    CHECK(call("recip", {i(4)}) == "0.25");
    CHECK(call("exp", {i(0)}) == "1.0");
    CHECK(call("exp2", {i(5)}) == "32.0");
    CHECK(call("log", {i(1)}) == "0.0");
    CHECK(call("pow", {i(2), r(0.5)}) == to_string(r(std::sqrt(2.0))));
    CHECK(call("tanh", {i(0)}) == "0.0");
    CHECK(call("sigmoid", {i(0)}) == "0.5");
    CHECK(call("erf", {i(0)}) == "0.0");
    CHECK(call("floor", {r(-1.5)}) == "-2.0");
    CHECK(call("ceil", {r(-1.5)}) == "-1.0");
    CHECK(call("dot", {i(1), i(2)}) == "none");
    CHECK(call("min", {{true}, i(1)}) == "none");
}

TEST_CASE("round goes to the nearest even number, recip_approx to the nearest bf16") {
    CHECK(call("round", {r(0.5)}) == "0.0");
    CHECK(call("round", {r(1.5)}) == "2.0");
    CHECK(call("round", {r(2.5)}) == "2.0");
    CHECK(call("recip_approx", {i(4)}) == "0.25");
    CHECK(call("recip_approx", {i(3)}) == "0.333984375");
}

TEST_CASE("values print as the language spells them, and are described with their kind") {
    CHECK(to_string(i(-3)) == "-3");
    CHECK(to_string(r(1)) == "1.0");
    CHECK(to_string(r(1e30)) == "1e+30");
    CHECK(to_string(r(std::numeric_limits<double>::infinity())) == "inf");
    CHECK(to_string({true}) == "true");
    CHECK(to_string({DType::f8e4m3}) == "f8e4m3");
    CHECK(to_string({std::string("x")}) == "\"x\"");
    CHECK(to_string({Constant::List{i(1), r(2)}}) == "[1, 2.0]");
    CHECK(describe(i(3)) == "the integer 3");
    CHECK(describe({DType::i8}) == "the element type i8");
    CHECK(describe({true}) == "the truth value true");
    CHECK(describe({Constant::List{}}) == "the list []");
}
