#include "reference/data.hpp"

#include <algorithm>
#include <set>

#include <catch2/catch.hpp>

#include "compiler/schedule/scalar.hpp"
#include "dsl/visit.hpp"
#include "evaluating.hpp"
#include "reference/generators.hpp"

using namespace slab;
using namespace slab::reference;

namespace {

const char* const text =
    "fn twice(x) = x * 2\n"
    "kernel k(lens: smem i32[R], cu: smem i32[R + 1], small: smem i8[R], w: hbm bf16[R, 4]) { }\n";

/// The value of an operand of the kernel above, with R = 3.
std::string value(const std::string& name, DType type, const Shape& shape,
                  const std::vector<std::pair<std::string, std::string>>& entries,
                  std::uint64_t seed = 0) {
    const Text read = reference::read(text);
    const auto& kernel = *dsl::ast::get_if<dsl::ast::Kernel>(read.file.items[1]);
    std::vector<Entry> all;
    for (const auto& [entry, json] : entries)
        all.push_back({entry, json, "`--data " + entry + "`", "."});
    const ArrayData data(read.file, kernel.params, kernel.clauses, all, seed);
    Diagnostics diags;
    const auto array = data.array(name, type, shape, {size("R", 3)}, diags);
    return array ? show(*array) : render(diags, nullptr);
}

std::string lens(const std::string& json) {
    return value("lens", DType::i32, {3}, {{"lens", json}});
}

Array generated(const std::string& generator, DType type, Shape shape,
                std::map<std::string, Array> given = {}) {
    return generate(generator, {type, std::move(shape), std::move(given)}, Random(7, "a"));
}

}  // namespace

TEST_CASE("numbers fill, lists have the shape of the operand") {
    CHECK(lens("4") == "integer [3] 4 4 4");
    CHECK(lens("[9, 1, 8]") == "integer [3] 9 1 8");
    CHECK(lens("[9, 1]") == "error: `--data lens` has the shape [2], `lens` has [3]\n");
    CHECK(lens("[[1], 2, 3]") == "error: `--data lens` is a list whose parts differ in shape\n");
    CHECK(lens("[1, 2.5, 3]") == "error: `--data lens` holds 2.5, which does not fit i32\n");
    CHECK(value("small", DType::i8, {3}, {{"small", "[1, 200, 3]"}}) ==
          "error: `--data small` holds 200, which does not fit i8\n");
    CHECK(value("w", DType::bf16, {1}, {{"w", "[1.001]"}}) == "real [1] 1");
}

TEST_CASE("expressions use sizes, functions of the file and other entries") {
    CHECK(value("cu", DType::i32, {4},
                {{"cu", R"~({"expr": "concat([0], cumsum(twice(q), 0), 0)"})~"},
                 {"q", "[3, 1, 2]"}}) == "integer [4] 0 6 8 12");
    CHECK(value("cu", DType::i32, {4},
                {{"cu", R"~({"expr": "concat([0], lens, 0)"})~"},
                 {"lens", R"({"gen": "ramp", "start": "R", "step": 2})"}}) ==
          "integer [4] 0 3 5 7");
    CHECK(lens(R"({"expr": "lens + 1"})") == "error: `--data lens` depends on itself\n");
    CHECK(lens(R"({"expr": "nothing"})") == "error: `--data lens`: no value named `nothing`\n");
    CHECK(lens(R"({"expr": "1 +"})").find("error: `--data lens`: expected") == 0);
    CHECK(lens(R"({"expr": "[1, 2]"})") ==
          "error: `--data lens` has the shape [2], `lens` has [3]\n");
    CHECK(lens(R"({"expr": "small"})") ==
          "error: `--data lens`: operand `small` without a value\n");
    CHECK(
        value("lens", DType::i32, {3}, {{"lens", R"({"expr": "h"})"}, {"h", R"({"expr": "lens"})"}})
            .find("depends on itself") != std::string::npos);
}

TEST_CASE("an operand without an entry is normal if it is a float, else an error") {
    CHECK(value("lens", DType::i32, {3}, {}) ==
          "error[E0006]: operand `lens` without a value\n fix: --data lens='[…]'\n");
    const std::string first = value("w", DType::bf16, {3, 4}, {});
    CHECK(first.starts_with("real [3, 4]"));
    CHECK(value("w", DType::bf16, {3, 4}, {}) == first);
    CHECK(value("w", DType::bf16, {3, 4}, {}, 1) != first);
}

TEST_CASE("elements are words, and control flow gets none that nobody gave") {
    const Text read = reference::read(text);
    const auto& kernel = *dsl::ast::get_if<dsl::ast::Kernel>(read.file.items[1]);
    const ArrayData data(read.file, kernel.params, kernel.clauses,
                         {{"lens", "[5, -1, 2]", "`lens`", ""}, {"w", "0.5", "`w`", ""}});
    schedule::Operand operand;
    operand.name = "lens";
    operand.type = DType::i32;
    operand.shape = {3};
    Diagnostics diags;
    CHECK(data.elements(operand, {size("R", 3)}, diags) == std::vector<std::int64_t>{5, -1, 2});
    operand.name = "w";
    operand.type = DType::bf16;
    operand.shape = {1};
    CHECK(data.elements(operand, {size("R", 3)}, diags) ==
          std::vector<std::int64_t>{schedule::word_of(0.5)});
    operand.name = "cu";
    CHECK(!data.elements(operand, {size("R", 3)}, diags));
    CHECK(diags.empty());
}

TEST_CASE("generators keep to what they promise") {
    const Array uniform =
        generated("uniform", DType::i32, {1000},
                  {{"lo", scalar(Kind::integer, 2)}, {"hi", scalar(Kind::integer, 5)}});
    CHECK(std::set<double>(uniform.values.begin(), uniform.values.end()) ==
          std::set<double>{2, 3, 4});
    std::vector<double> order = generated("permutation", DType::i32, {8, 8}).values;
    CHECK(!std::is_sorted(order.begin(), order.end()));
    std::sort(order.begin(), order.end());
    for (std::size_t i = 0; i < order.size(); ++i) REQUIRE(order[i] == static_cast<double>(i));
    const Array normal = generated("normal", DType::f32, {10000});
    double sum = 0, squares = 0;
    for (const double each : normal.values) {
        sum += each;
        squares += each * each;
    }
    CHECK(std::abs(sum / 10000) < 0.04);
    CHECK(std::abs(squares / 10000 - 1) < 0.05);
    const Array zipf =
        generated("zipf", DType::i32, {1000},
                  {{"s", scalar(Kind::real, 1.2)}, {"hi", scalar(Kind::integer, 50)}});
    const auto count = [&](double k) {
        return std::count(zipf.values.begin(), zipf.values.end(), k);
    };
    CHECK(count(0) > count(1));
    CHECK(count(1) > count(10));
    CHECK(*std::max_element(zipf.values.begin(), zipf.values.end()) < 50);
    CHECK(show(generated("one_hot", DType::i32, {2, 3}, {{"index", integers({2}, {2, 0})}})) ==
          "integer [2, 3] 0 0 1 1 0 0");
    for (const double each : generated("huge", DType::bf16, {100}).values)
        REQUIRE(std::abs(each) >= 0x1p126);
    for (const double each : generated("tiny", DType::f32, {100}).values)
        REQUIRE(std::abs(each) < 0x1p-124);
    const Array rows = generated("constant_rows", DType::f32, {2, 3});
    CHECK(rows.values[0] == rows.values[2]);
    CHECK(rows.values[2] != rows.values[3]);
}

TEST_CASE("a parameter that cannot be is an error") {
    CHECK(lens(R"({"gen": "uniform", "lo": 5, "hi": "R"})") ==
          "error: `--data lens`: `hi` is 3, it must be above `lo`, which is 5\n");
    CHECK(lens(R"({"gen": "one_hot", "index": 3})") ==
          "error: `--data lens`: `index` is 3, it must be a whole number from 0 to 2\n");
    CHECK(lens(R"({"gen": "zipf", "s": 1, "hi": 0.5})").find("`hi` is 0.5, it must be a whole") !=
          std::string::npos);
    CHECK(value("lens", DType::i32, {3},
                {{"lens", R"({"expr": "h"})"}, {"h", R"({"gen": "normal"})"}}) ==
          "error: `--data h` takes its shape from an operand, and `h` is none\n");
}

TEST_CASE("random numbers do not depend on the machine") {
    Random random(0, "lens");
    CHECK(random.next() != random.next());
    CHECK(Random(0, "lens").next() == Random(0, "lens").next());
    CHECK(Random(1, "lens").next() != Random(0, "lens").next());
    CHECK(Random(0, "lens").next() != Random(0, "table").next());
}
