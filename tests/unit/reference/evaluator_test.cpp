#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "evaluating.hpp"

using namespace slab::reference;

TEST_CASE("integers stay integers, and a real makes a result real") {
    CHECK(value_of("7 / 2") == "integer 3");
    CHECK(value_of("-7 / 2") == "integer -4");
    CHECK(value_of("-7 % 3") == "integer 2");
    CHECK(value_of("7 % -3") == "integer -2");
    CHECK(value_of("1 / 4") == "integer 0");
    CHECK(value_of("1.0 / 4") == "real 0.25");
    CHECK(value_of("2 + 3 * 4 - 1") == "integer 13");
    CHECK(value_of("0x10 << 2") == "integer 64");
    CHECK(value_of("-9 >> 1") == "integer -5");
    CHECK(value_of("6 & 3 | 8 ^ 1") == "integer 11");
    CHECK(value_of("64*KiB") == "integer 65536");
    CHECK(value_of("5.5 % 2") == "real 1.5");
    CHECK(value_of("1e3") == "real 1000");
}

TEST_CASE("integers are exact or refused") {
    CHECK(value_of("(1 << 53) - 1") ==
          "E0009: 9007199254740992 does not fit an integer of a reference, at most 2^53");
    CHECK(value_of("(1 << 52) * 3") ==
          "E0009: 13510798882111488 does not fit an integer of a reference, at most 2^53");
    CHECK(value_of("cumsum([9007199254740991, 1], 0)") ==
          "E0009: 9007199254740992 does not fit an integer of a reference, at most 2^53");
    CHECK(value_of("1 / 0") == "E0009: `1 / 0` divides by 0");
    CHECK(value_of("1 << 99") == "E0009: a shift by 99 is not between 0 and 62");
    CHECK(value_of("i32(3000000000)") == "integer -1294967296");
}

TEST_CASE("comparisons give conditions, which `and`, `or` and `not` join") {
    CHECK(value_of("iota([4], 0) < 2") == "truth [4] 1 1 0 0");
    CHECK(value_of("iota([4], 0) >= 1 and iota([4], 0) != 2") == "truth [4] 0 1 0 1");
    CHECK(value_of("not (2 == 2.0) or false") == "truth 0");
    CHECK(value_of("bf16 == bf16") == "truth 1");
    CHECK(value_of("(1 < 2) + 1") == "E0102: `+` does not join a condition and an integer");
    CHECK(value_of("1 and true") == "E0102: `and` does not join an integer and a condition");
    CHECK(value_of("-true") == "E0004: the operand of `-` must be a number, this is a condition");
}

TEST_CASE("shapes are stretched from the right") {
    CHECK(value_of("reshape(iota([4], 0), [2, 2]) * [10, 100]") == "integer [2, 2] 0 100 20 300");
    CHECK(value_of("[[1], [2]] + [[10, 20, 30]]") == "integer [2, 3] 11 21 31 12 22 32");
    CHECK(value_of("[1, 2] + [1, 2, 3]") == "E0101: `+` cannot join [2] and [3]");
}

TEST_CASE("slices take elements, blocks and ranges") {
    const std::string a = "reshape(iota([12], 0), [3, 4])";
    CHECK(value_of(a + "[1]") == "integer [4] 4 5 6 7");
    CHECK(value_of(a + "[:, 2]") == "integer [3] 2 6 10");
    CHECK(value_of(a + "[2, 1@2]") == "integer [2] 10 11");
    CHECK(value_of(a + "[1 +: 2, 0 +: 2]") == "integer [2, 2] 4 5 8 9");
    CHECK(value_of(a + "[0, 0 +: 2 step 3]") == "integer [2] 0 3");
    CHECK(value_of(a + ".T[3]") == "integer [3] 3 7 11");
    CHECK(value_of("iota([4], 0)[2 +: 0]") == "integer [0]");
    CHECK(value_of("iota([4], 0)[4]") == "E0401: index 4 of `iota` is not inside its 4 elements");
}

TEST_CASE("functions of the file see its constants, not their callers") {
    CHECK(value_of("twice(3) + N", "const N = 2*4\nfn twice(x) = x * 2 + N\n") == "integer 22");
    CHECK(value_of("f(3)", "fn f(n) { var s = 0  for i in 0..n { s += i*i }  return s }\n") ==
          "integer 5");
    CHECK(value_of("f(1)", "fn f(n) = f(n)\n") == "E0901: `f` calls itself");
    CHECK(value_of("f(1, 2)", "fn f(n) = n\n") == "E0004: `f` takes 1 argument, 2 given");
    CHECK(value_of("f(1)", "fn g(x) = y\nfn f(y) = g(y)\n") == "E0002: no value named `y`");
    CHECK(value_of("f(1)", "fn f(x) { let y = x }\n") ==
          "E0004: `f` gives no value, it has no `return`");
}

TEST_CASE("a procedure changes what it is given as a reference") {
    const std::string store = "fn store(ref a, i, v) { a[i] = v }\n";
    CHECK(value_of("f(3)", store + "fn f(n) { var a = [0, 0, 0]  for i in 0..n { store(a, i, i*i) }"
                                   "  return a }\n") == "integer [3] 0 1 4");
}

TEST_CASE("casts round as the machine does") {
    CHECK(value_of("bf16(1.005859375)") == "real 1.0078125");
    CHECK(value_of("f8e4m3([448, 17])") == "real [2] 448 16");
    CHECK(value_of("i8(-3.7)") == "integer -3");
    CHECK(value_of("i8(300)") == "integer 44");
    CHECK(value_of("f32(3)") == "real 3");
    CHECK(value_of("pred([0, 2])") == "truth [2] 0 1");
}

std::string repeated(const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

TEST_CASE("what takes too long is refused") {
    const std::string loop = "fn f(n) { var s = 0  for i in 0..n { s = i }  return s }\n";
    CHECK(value_of("f(1000000000000)", loop) ==
          "E0902: this touches more than 40000000000 elements in all");
    CHECK(value_of("iota([100000, 100000], 0)") ==
          "E0009: `iota` of shape [100000, 100000] does not fit an array of at most 268435456 "
          "elements");
    CHECK(value_of("repeat([1], 268435457, 0)") ==
          "E0004: the number of copies must be 0 to 268435456, this is 268435457");
    CHECK(value_of("repeat(iota([0, 268435456], 0), 268435456, 1)") ==
          "E0009: `repeat` of shape [0, 72057594037927936] does not fit an array of at most "
          "268435456 elements");
    CHECK(value_of("dot(iota([1, 1048576, 0], 0), iota([1048576, 0, 1048576], 0))") ==
          "E0009: `iota` of shape [1048576, 0, 1048576] does not fit an array of at most "
          "268435456 elements");
    CHECK(value_of("dot(iota([1, 1048576, 256], 0), iota([1048576, 256, 0], 0))") ==
          "E0009: `dot` of shape [1048576, 1048576, 0] does not fit an array of at most 268435456 "
          "elements");
    CHECK(value_of("reshape([1], [" + repeated("1, ", 32) + "1])") ==
          "E0009: `reshape` of rank 33 does not fit an array of at most 32 dimensions");
}

TEST_CASE("functions that double what they are given come to an end") {
    std::string lists = "fn g0(x) = [x, x]\n", calls = "fn g0(x) = x\n";
    for (int i = 1; i < 40; ++i) {
        lists += fmt::format("fn g{}(x) = g{}([x, x])\n", i, i - 1);
        calls += fmt::format("fn g{}(x) = g{}(x) + g{}(x)\n", i, i - 1, i - 1);
    }
    CHECK(value_of("g39(1)", lists) ==
          "E0009: this item does not fit a list of at most 65536 items in all");
    const Text text = read(calls + "reference k(out y: []) { y = g39(1) }\n");
    slab::Diagnostics diags;
    CHECK_FALSE(run(text.file, *find_reference(text.file, "k"), {}, {}, diags, {.most_work = 1e6}));
    REQUIRE(diags.size() == 1);
    CHECK(diags.messages()[0].headline() == "this touches more than 1000000 elements in all");
}

TEST_CASE("calls do not multiply how deep expressions stand in one another") {
    std::string functions = "fn g0(x) = x\n";
    for (int i = 1; i < 60; ++i)
        functions += fmt::format("fn g{}(x) = {}g{}(x){}\n", i, repeated("abs(", 40), i - 1,
                                 repeated(")", 40));
    CHECK(value_of("g10(-1)", functions) == "integer 1");
    CHECK(value_of("g59(-1)", functions) ==
          "E0901: expressions, with the calls around them, stand more than 500 deep");
}

TEST_CASE("unknown names come with the nearest one") {
    CHECK(value_of("rowsam([[1]])") == "E0002: no function named `rowsam`");
    CHECK(value_of("N + 1") == "E0002: no value named `N`");
    CHECK(value_of("[[1]].t") == "E0002: no member named `t`");
    CHECK(value_of("exp(x: 1)") == "E0004: `exp` has no argument `x`");
    CHECK(value_of("exp()") == "E0004: `exp` takes 1 argument, 0 given");
    CHECK(value_of("(1 + 2)(3)") == "E0004: `1 + 2` is an integer, it cannot be called");
}
