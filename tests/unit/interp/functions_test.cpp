#include "interp/functions.hpp"

#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "compiler/ops/op.hpp"
#include "running.hpp"
#include "support/rounding.hpp"

using namespace slab;
using namespace slab::interp;
using test::block;
using test::Numbers;

namespace {

const double inf = std::numeric_limits<double>::infinity();
const double not_a_number = std::numeric_limits<double>::quiet_NaN();

Block apply(const std::string& name, std::vector<Block> args, schedule::BlockType type,
            std::vector<double> scalars = {}, std::vector<Int> integers = {}) {
    schedule::Op op;
    op.name = name;
    op.integers = std::move(integers);
    Block result(type);
    Application application{op, {}, std::move(scalars), 4, 2, result};
    for (const Block& arg : args) application.args.push_back(&arg);
    find_function(name)(application);
    return result;
}

Numbers of(const std::string& name, DType type, const std::vector<Numbers>& args,
           std::optional<DType> result = std::nullopt) {
    std::vector<Block> blocks;
    Int longest = 1;
    for (const Numbers& values : args) {
        blocks.push_back(block(type, {static_cast<Int>(values.size())}, values));
        longest = std::max(longest, blocks.back().count());
    }
    return test::numbers(apply(name, blocks, {result.value_or(type), {longest}}));
}

}  // namespace

TEST_CASE("every built-in that makes an operation has a function") {
    // these are gone when a kernel is compiled, or become another operation
    const std::vector<std::string> gone = {"cdiv", "aligned", "shape", "permute", "has", "fold"};
    for (const std::string& name : compiler::op_names()) {
        INFO(name);
        if (std::find(gone.begin(), gone.end(), name) == gone.end())
            CHECK(find_function(name) != nullptr);
    }
    for (const char* name :
         {"add",   "sub",       "mul",   "div",      "mod",      "neg",      "not",
          "eq",    "ne",        "lt",    "le",       "gt",       "ge",       "and",
          "or",    "band",      "bor",   "bxor",     "shl",      "shr",      "cast",
          "splat", "broadcast", "slice", "fold_add", "fold_mul", "fold_max", "fold_min"}) {
        INFO(name);
        CHECK(find_function(name) != nullptr);
    }
    CHECK(find_function("no_such_thing") == nullptr);
}

TEST_CASE("f32 arithmetic is that of the machine, bf16 results are rounded once") {
    CHECK(of("add", DType::f32, {{1}, {0x1p-24}}) == Numbers{1});
    CHECK(of("div", DType::f32, {{1}, {3}}) == Numbers{static_cast<double>(1.0F / 3)});
    CHECK(of("add", DType::bf16, {{1}, {0x1p-8}}) == Numbers{1});
    CHECK(of("mul", DType::bf16, {{1 + 0x1p-7}, {1 + 0x1p-7}}) == Numbers{1 + 0x1p-6});
    CHECK(of("exp", DType::f32, {{1}}) == Numbers{static_cast<double>(std::exp(1.0F))});
    CHECK(of("exp", DType::bf16, {{1}}) == Numbers{rounded(DType::bf16, std::exp(1.0))});
    CHECK(of("recip_approx", DType::f32, {{3}}) == Numbers{rounded(DType::bf16, 1.0 / 3)});
    CHECK(of("round", DType::f32, {{0.5, 1.5, -2.5}}) == Numbers{0, 2, -2});
    CHECK(of("mod", DType::f32, {{-7}, {3}}) == Numbers{2});
}

TEST_CASE(
    "integers wrap to their type: a quotient is floored, a remainder has the divisor's sign") {
    CHECK(of("add", DType::i32, {{0x7FFFFFFF}, {1}}) == Numbers{-0x1p31});
    CHECK(of("mul", DType::i16, {{300}, {300}}) == Numbers{90000 - 65536});
    CHECK(of("sub", DType::u32, {{0}, {1}}) == Numbers{0xFFFFFFFF});
    CHECK(of("mul", DType::u32, {{0xFFFFFFFF}, {0xFFFFFFFF}}) == Numbers{1});
    CHECK(of("div", DType::i32, {{-7, 7, -8}, {2, -2, 2}}) == Numbers{-4, -4, -4});
    CHECK(of("mod", DType::i32, {{-7, 7}, {3, -3}}) == Numbers{2, -2});
    CHECK(of("div", DType::u32, {{0xFFFFFFFE}, {2}}) == Numbers{0x7FFFFFFF});
    CHECK_THROWS_AS(of("div", DType::i32, {{1}, {0}}), NoResult);
    CHECK(of("neg", DType::i32, {{-0x1p31}}) == Numbers{-0x1p31});
}

TEST_CASE("elements are compared by what they mean, signed or not, and NaN equals nothing") {
    CHECK(of("lt", DType::i32, {{-1}, {0}}, DType::pred) == Numbers{1});
    CHECK(of("lt", DType::u32, {{0xFFFFFFFF}, {0}}, DType::pred) == Numbers{0});
    CHECK(of("eq", DType::f32, {{not_a_number, 1}, {not_a_number, 1}}, DType::pred) ==
          Numbers{0, 1});
    CHECK(of("ge", DType::f32, {{not_a_number, 1, -0.0}, {0, 1, 0}}, DType::pred) ==
          Numbers{0, 1, 1});
}

TEST_CASE("bits are shifted out, and not around") {
    CHECK(of("shl", DType::i32, {{1, 1, 1}, {31, 32, -1}}) == Numbers{-0x1p31, 0, 0});
    CHECK(of("shr", DType::i32, {{-8, -8, 8}, {1, 40, 40}}) == Numbers{-4, -1, 0});
    CHECK(of("shr", DType::u32, {{0x80000000}, {31}}) == Numbers{1});
    CHECK(of("bxor", DType::i32, {{6}, {3}}) == Numbers{5});
    CHECK(of("not", DType::pred, {{0, 1}}) == Numbers{1, 0});
}

TEST_CASE("NaN wins against every number, and a bound against the value") {
    CHECK(std::isnan(of("max", DType::f32, {{not_a_number}, {1}})[0]));
    CHECK(std::isnan(of("min", DType::f32, {{1}, {not_a_number}})[0]));
    CHECK(of("max", DType::i32, {{1, 5}, {3, 2}, {2, 9}}) == Numbers{3, 9});
    CHECK(of("clamp", DType::f32, {{-3, 0.5, inf}, {0}, {1}}) == Numbers{0, 0.5, 1});
    CHECK(of("clamp", DType::u32, {{0xFFFFFFFF}, {1}, {7}}) == Numbers{7});
}

TEST_CASE("a cast rounds floats, truncates and saturates to integers, and keeps low bits") {
    CHECK(of("cast", DType::f32, {{1 + 0x1p-9, 3e38}}, DType::bf16) ==
          Numbers{1, rounded(DType::bf16, 3e38)});
    CHECK(of("cast", DType::f32, {{-2.7, 300, not_a_number}}, DType::i8) == Numbers{-2, 127, 0});
    CHECK(of("cast", DType::i32, {{300, -1}}, DType::u8) == Numbers{44, 255});
    CHECK(of("cast", DType::u32, {{0xFFFFFFFF}}, DType::f32) == Numbers{0x1p32});
    CHECK(of("cast", DType::pred, {{1, 0}}, DType::f32) == Numbers{1, 0});
    CHECK(of("cast", DType::f32, {{9, -9}}, DType::i4) == Numbers{7, -8});
}

TEST_CASE("only the branch that is taken can make the result undefined") {
    Block condition = block(DType::pred, {4}, {1, 0, 1, 0});
    Block a = block(DType::f32, {4}, {1, 2, 3, 4}), b = block(DType::f32, {4}, {5, 6, 7, 8});
    a.set_trace(1, 3);
    b.set_trace(2, 4);
    a.set_trace(0, 5);
    const Block chosen = apply("select", {condition, a, b}, {DType::f32, {4}});
    CHECK(test::numbers(chosen) == Numbers{1, 6, 3, 8});
    CHECK(chosen.traces == std::vector<Trace>{5, 0, 0, 0});
    condition.set_trace(3, 9);
    CHECK(apply("select", {condition, a, b}, {DType::f32, {4}}).trace(3) == 9);
}

TEST_CASE("dimensions of 1 and missing ones repeat") {
    const Block column = block(DType::f32, {2, 1}, {10, 20}),
                row = block(DType::f32, {3}, {1, 2, 3});
    CHECK(test::numbers(apply("add", {column, row}, {DType::f32, {2, 3}})) ==
          Numbers{11, 12, 13, 21, 22, 23});
}

TEST_CASE("a row is reduced over its registers in order, then over the lanes half by half") {
    // of registers with 4 lanes: lane 0 holds 1e8 + 1 = 1e8, lane 2 -1e8 and what lane 1 and 3 hold
    const Block x = block(DType::f32, {1, 8}, {1e8, 2, -1e8, 4, 1, 0, 0, 0});
    const float lane0 = 1e8F + 1.0F, lanes02 = lane0 + -1e8F, lanes13 = 2.0F + 4.0F;
    CHECK(apply("rowsum", {x}, {DType::f32, {1, 1}}).elements.reals[0] == lanes02 + lanes13);
    const Block odd = block(DType::f32, {1, 3}, {1, 2, 4});
    CHECK(apply("rowsum", {odd}, {DType::f32, {1, 1}}).elements.reals[0] == 7);
    CHECK(test::numbers(apply("rowmax", {block(DType::i32, {2, 2}, {-1, -2, 3, 9})},
                              {DType::i32, {2, 1}})) == Numbers{-1, 9});
    CHECK(test::numbers(apply("colsum", {block(DType::f32, {3, 2}, {1, 2, 3, 4, 5, 6})},
                              {DType::f32, {1, 2}})) == Numbers{9, 12});
}

TEST_CASE("argmax is the lowest index of the largest") {
    CHECK(test::numbers(apply(
              "argmax", {block(DType::f32, {3, 3}, {1, 5, 5, -1, -2, -3, 0, not_a_number, 9})},
              {DType::i32, {3, 1}})) == Numbers{1, 0, 1});
}

TEST_CASE("a fold goes up the leading dimension") {
    const Block x = block(DType::f32, {3, 1, 2}, {1e8, 1, 1, 2, -1e8, 3});
    CHECK(test::numbers(apply("fold_add", {x}, {DType::f32, {1, 2}}, {}, {0})) == Numbers{0, 6});
    CHECK(test::numbers(apply("fold_mul", {x}, {DType::f32, {1, 2}}, {}, {0})) ==
          Numbers{-1e16F, 6});
}

TEST_CASE("an undefined element makes what it is reduced into undefined") {
    Block x = block(DType::f32, {2, 2}, {1, 2, 3, 4});
    x.set_trace(2, 6);
    CHECK(apply("rowmax", {x}, {DType::f32, {2, 1}}).traces == std::vector<Trace>{0, 6});
    CHECK(apply("colsum", {x}, {DType::f32, {1, 2}}).traces == std::vector<Trace>{6, 0});
}
