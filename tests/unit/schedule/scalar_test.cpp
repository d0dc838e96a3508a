#include "compiler/schedule/scalar.hpp"

#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "compiler/schedule/walker.hpp"
#include "programs.hpp"

using namespace slab::schedule;
using namespace slab::schedule::testing;

namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int32_t>::max();

std::int64_t integer(ScalarOp op, std::int64_t a, std::int64_t b = 0) {
    bool divided = false;
    return apply(op, ScalarType::i32, ScalarType::i32, a, b, 0, divided);
}
double real(ScalarOp op, double a, double b = 0) {
    bool divided = false;
    return real_of(apply(op, ScalarType::f32, ScalarType::f32, word_of(a), word_of(b), 0, divided));
}
std::int64_t truncated(double value) {
    bool divided = false;
    return apply(ScalarOp::cast, ScalarType::i32, ScalarType::f32, word_of(value), 0, 0, divided);
}

}  // namespace

TEST_CASE("integers wrap at 32 bits") {
    CHECK(integer(ScalarOp::add, highest, 1) == lowest);
    CHECK(integer(ScalarOp::sub, lowest, 1) == highest);
    CHECK(integer(ScalarOp::mul, 65536, 65536) == 0);
    CHECK(integer(ScalarOp::neg, lowest) == lowest);
    CHECK(integer(ScalarOp::abs, lowest) == lowest);
    CHECK(integer(ScalarOp::shl, 1, 31) == lowest);
    CHECK(integer(ScalarOp::div, lowest, -1) == lowest);
}

TEST_CASE("division floors and the remainder has the sign of the divisor") {
    CHECK(integer(ScalarOp::div, -7, 2) == -4);
    CHECK(integer(ScalarOp::div, 7, -2) == -4);
    CHECK(integer(ScalarOp::div, -8, 2) == -4);
    CHECK(integer(ScalarOp::mod, -7, 2) == 1);
    CHECK(integer(ScalarOp::mod, 7, -2) == -1);
    CHECK(integer(ScalarOp::mod, -8, 2) == 0);
    CHECK(integer(ScalarOp::mod, lowest, -1) == 0);
}

TEST_CASE("shifts past the width move every bit out") {
    CHECK(integer(ScalarOp::shl, 5, 32) == 0);
    CHECK(integer(ScalarOp::shr, 5, 40) == 0);
    CHECK(integer(ScalarOp::shr, -5, 40) == -1);
    CHECK(integer(ScalarOp::shr, -5, 1) == -3);
    CHECK(integer(ScalarOp::shl, 5, -1) == 0);
}

TEST_CASE("reals are rounded to f32 after each operation") {
    CHECK(real(ScalarOp::div, 1, 3) == static_cast<double>(1.0F / 3.0F));
    CHECK(std::isinf(real(ScalarOp::div, 1, 0)));
    CHECK(std::isinf(real(ScalarOp::mul, 3e38, 10)));
    CHECK(real(ScalarOp::mod, -7, 2) == 1);
    CHECK(std::isnan(real(ScalarOp::max, std::nan(""), 1)));
}

TEST_CASE("a cast to an integer truncates and saturates, and nothing is 0") {
    CHECK(truncated(-2.9) == -2);
    CHECK(truncated(1e20) == highest);
    CHECK(truncated(-1e20) == lowest);
    CHECK(truncated(std::nan("")) == 0);
}

TEST_CASE("prepared expressions wrap like their single steps") {
    const Program program = toy(R"(
        set n = 2147483647
        set m = (n + 1)*3 - n*2 + -(n)
        set m = n*n*n + 1 - n*n
        if n + 1 == -2147483648 { }
        if n + 1 < n { }
        if n*2 != -2 { })");
    CHECK(walk(program) == lines("n=2147483647 m=3 m=2147483647 if if else"));
}

TEST_CASE("expressions with more slots than a prepared form holds are computed all the same") {
    CHECK(walk(R"(
        set i = 1
        set j = 10
        set k = 100
        set t = 1000
        set m = 10000
        set m = i + j*2 + k*3 + t*4 + m*5 + n*6
        set m = i + j - (k + t + n) - m)") ==
          lines("i=1 j=10 k=100 t=1000 m=10000 m=54333 m=-55424"));
}

TEST_CASE("select, min, max and casts") {
    CHECK(walk(R"(
        set t = select(n == 2, max(7, n), 0)
        set t = min(i32(f32(n) / 4.0), i32(n > 1))
        set t = i32(3.9*f32(n)))") == lines("t=7 t=0 t=7"));
}

TEST_CASE("a walker evaluates any expression of its program at its position") {
    const Program program = toy(R"(
        grid g (i in 0 .. 3) {
            set n = i*i
        })");
    Walker walker(program);
    Event event;
    REQUIRE(walker.next(event));
    REQUIRE(walker.next(event));
    REQUIRE(walker.next(event));
    CHECK(walker.integer(0) == 1);
    for (std::size_t id = 0; id < program.exprs.size(); ++id)
        if (program.exprs[id].op == ScalarOp::mul)
            CHECK(walker.integer_of(static_cast<ExprId>(id)) == 1);
}
