#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "compiler/schedule/print.hpp"
#include "programs.hpp"

using namespace slab::schedule;
using namespace slab::schedule::testing;

namespace {

/// What becomes of `t = text`, or of `if text`, when it is read and printed again.
std::string reprinted(const std::string& text, bool condition = false) {
    const Program program =
        toy(condition ? fmt::format("if {} {{ region r0 }}", text) : "set t = " + text);
    const std::string printed = print(program);
    const std::string before = condition ? "\n    if " : "\n    set t = ";
    const std::size_t begin = printed.rfind(before) + before.size();
    return printed.substr(begin, printed.find(condition ? " {" : "\n", begin) - begin);
}

}  // namespace

TEST_CASE("expressions are printed with the parentheses they need and no others") {
    for (const char* text : {"i + j*2 - k",
                             "i - (j - k)",
                             "i + (j + k)",
                             "(i + j)*k",
                             "i / (j / k) % n",
                             "i*(j % k)",
                             "-i + j",
                             "-(i + j)",
                             "-(-i)",
                             "i - -j",
                             "i - -5",
                             "-5",
                             "-(5)",
                             "-5*i",
                             "i << j + 1 >> 2",
                             "(i << j) + 1",
                             "i & j | k ^ n",
                             "i & (j | k)",
                             "min(i, max(j, -k))",
                             "abs(i - j)",
                             "select(i < j, k, n + 1)",
                             "i32(f32(i) / 3.0)",
                             "-2147483648"})
        CHECK(reprinted(text) == text);
    CHECK(reprinted("((i)) + (j * (2))") == "i + j*2");
}

TEST_CASE("conditions: `or` binds loosest, then `and`, `not`, relations") {
    for (const char* text :
         {"i < j and j <= k or n == 2", "i < j and (j <= k or n == 2)", "not i == j",
          "not (i == j or i == k)", "not (not i != j)", "(i < j) == (k < n)", "true", "false",
          "not true and false", "pred(i)", "f32(i) > -inf", "f32(i) < 1e-30", "f32(i) != -0.0"})
        CHECK(reprinted(text, true) == text);
}

TEST_CASE("reals are printed as short as reads back the same") {
    for (const char* text : {"0.1", "1.0", "1e+20", "3.4028234663852886e+38", "inf", "-inf", "nan"})
        CHECK(reprinted(fmt::format("f32(i) == {}", text), true) ==
              fmt::format("f32(i) == {}", text));
}
