#include <catch2/catch.hpp>

#include "running.hpp"

using namespace slab;
using namespace slab::interp;
using test::Numbers;

namespace {

/// `x` is f32[4, 8] holding 0 … 31; `statements` set `z`, f32 of `shape`.
Numbers z_of(const std::string& statements, const std::string& shape = "[4, 8]",
             const std::string& more = "") {
    const auto ran = test::run_text("kernel k(x: vmem f32[4, 8]" + more + ", out z: vmem f32" +
                                    shape + ") { " + statements + " }");
    INFO(ran.rendered());
    REQUIRE(ran.error() == "fine");
    return ran.arrays.at("z");
}

Numbers range(int count, auto function) {
    Numbers values;
    for (int i = 0; i < count; ++i) values.push_back(function(i));
    return values;
}

}  // namespace

TEST_CASE("what moves elements puts each where it belongs") {
    CHECK(z_of("z = f32(iota([4, 8], 0))") == range(32, [](int i) { return i / 8; }));
    CHECK(z_of("z = f32(iota([4, 8], 1))") == range(32, [](int i) { return i % 8; }));
    CHECK(z_of("z = transpose(x)", "[8, 4]") == range(32, [](int i) { return i % 4 * 8 + i / 4; }));
    CHECK(z_of("z = roll(x, 1, 1)") == range(32, [](int i) { return i / 8 * 8 + (i + 7) % 8; }));
    CHECK(z_of("z = roll(x, 3, 0)") == range(32, [](int i) { return (i + 8) % 32; }));
    CHECK(z_of("z = concat([x, x + 100], 0)", "[8, 8]") ==
          range(64, [](int i) { return i < 32 ? i : i + 68; }));
    CHECK(z_of("z = concat([x, x + 100], 1)", "[4, 16]") ==
          range(64, [](int i) { return i / 16 * 8 + i % 8 + (i / 8 % 2) * 100; }));
    CHECK(z_of("z = stack([x, x + 100])", "[2, 4, 8]") ==
          range(64, [](int i) { return i < 32 ? i : i + 68; }));
    CHECK(z_of("z = repeat(x, 2, 0)", "[8, 8]") == range(64, [](int i) { return i % 32; }));
    CHECK(z_of("z = repeat(x, 2, 1)", "[4, 16]") ==
          range(64, [](int i) { return i / 16 * 8 + i % 8; }));
    CHECK(z_of("z = reshape(x, [2, 2, 8])", "[2, 2, 8]") == range(32, [](int i) { return i; }));
    CHECK(z_of("z = transpose(reshape(x, [2, 2, 8]), [1, 0, 2])", "[2, 2, 8]") ==
          range(32, [](int i) { return (i / 8 % 2 * 2 + i / 16) * 8 + i % 8; }));
    CHECK(z_of("z = (x * 1)[1 +: 2, 4 +: 2]", "[2, 2]") == Numbers{12, 13, 20, 21});
}

TEST_CASE("take_along picks by an index per element, which must be in range") {
    const std::string kernel =
        "kernel k(x: vmem f32[2, 4], i: vmem i32[2, 4], out z: vmem f32[2, 4]) "
        "{ z = take_along(x, i, 1) }";
    CHECK(test::run_text(kernel, "", {{"i", {3, 2, 1, 0, 0, 0, 3, 3}}}).arrays["z"] ==
          Numbers{3, 2, 1, 0, 4, 4, 7, 7});
    CHECK(test::run_text(kernel, "", {{"i", {3, 2, 1, 0, 0, 0, 4, 3}}}).error() ==
          "E0401: index 4 of `take_along` is not between 0 and 3");
}

TEST_CASE("the same bits as another type: values and views of memory agree") {
    const std::string head = "kernel k(x: vmem u32[2, 8], out z: vmem u16[4, 8]) ";
    const Numbers words = range(16, [](int i) { return 0x10000 * i + 100 + i; });
    const Numbers halves = range(32, [](int i) {
        const int word = i / 16 * 8 + i % 8;
        return i / 8 % 2 == 0 ? 100 + word : word;
    });
    CHECK(test::run_text(head + "{ z = bits(u16, x + 0) }", "", {{"x", words}}).arrays["z"] ==
          halves);
    CHECK(
        test::run_text(head + "{ ref y = bits(u16, x)  z = y }", "", {{"x", words}}).arrays["z"] ==
        halves);
    CHECK(test::run_text("kernel k(x: vmem u16[4, 8], out z: vmem u32[2, 8]) { z = bits(u32, x) }",
                         "", {{"x", halves}})
              .arrays["z"] == words);
}

TEST_CASE("views permute and reshape without moving anything") {
    const auto ran = test::run_text(
        "kernel k(x: vmem f32[2, 2, 2, 4], out z: vmem f32[4, 2, 4]) "
        "{ z = shape(permute(x, [1, 0, 2, 3]), [4, 2, 4]) }");
    INFO(ran.rendered());
    CHECK(ran.arrays.at("z") ==
          range(32, [](int i) { return (i / 8 % 2) * 16 + i / 16 * 8 + i % 8; }));
}

TEST_CASE("a store through a view writes the bits that are seen, and no others") {
    const auto ran = test::run_text(
        "kernel k(x: vmem u32[1, 8], out z: vmem u32[1, 8]) "
        "{ scratch s: vmem u32[1, 8]  s = x  ref low = bits(u16, s)  low[0 +: 1, :] = 7  z = s }",
        "", {{"x", range(8, [](int i) { return 0x10000 * i + 1; })}});
    INFO(ran.rendered());
    CHECK(ran.arrays.at("z") == range(8, [](int i) { return 0x10000 * i + 7; }));
}
