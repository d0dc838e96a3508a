#include <ctime>

#include "reading.hpp"

using namespace slab::dsl;

namespace {

std::string repeated(const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
}

}  // namespace

TEST_CASE("everything may nest 256 deep, and prints and reads back") {
    for (const std::string& text : std::vector<std::string>{
             "const a = " + repeated("(-", 256) + "1" + repeated(")", 256),
             "const a = " + repeated("f(x: a[", 128) + "1" + repeated("])", 128),
             "const a = " + repeated("[", 256) + "1" + repeated("]", 256),
             "kernel k()\n" + repeated("{ if x ", 255) + "{ }" + repeated("}", 255),
             "kernel k()\n{" + repeated("grid (i in n) {", 254) + repeated("}", 255),
         }) {
        const Reading reading(text);
        INFO(reading.errors());
        REQUIRE(reading.diags.empty());
        const Reading again(print(reading.file));
        CHECK(again.file == reading.file);
    }
}

TEST_CASE("deeper nesting is refused before anything recurses") {
    for (const char* bracket : {"(", "[", "{", "f(", "a[(", "{ if x "}) {
        const Reading reading("kernel k() { a = " + repeated(bracket, 10000));
        REQUIRE(reading.diags.size() == 1);
        CHECK(reading.headlines()[0] == "brackets are nested deeper than 256");
        CHECK(reading.file.items.empty());
    }
}

TEST_CASE("long chains are flat") {
    const Reading reading("const a = x" + repeated(" + x", 20000) + "\nconst b = x" +
                          repeated(".y[0](z)", 5000) + "\n" +
                          in_kernel("if x { }" + repeated(" else if x { }", 5000)) +
                          in_kernel(repeated("x = 1\n", 20000)));
    INFO(reading.errors());
    CHECK(reading.diags.empty());
    CHECK(reading.file.items.size() == 4);
}

TEST_CASE("long rows of signs and words are refused without recursion") {
    for (const char* sign : {"- ", "not ", "+ ", "if ", ". ", ", ", ") "}) {
        const Reading reading("const a = " + repeated(sign, 20000) + "x");
        INFO(sign);
        CHECK(reading.diags.size() == 1);
    }
}

TEST_CASE("reading takes time in proportion to the text") {
    const auto seconds = [](int lines) {
        const std::string text =
            in_kernel(repeated("let x = dot(a[i@bm, :], b.T) * scale + (i + 1)*bk // c\n", lines));
        const std::clock_t start = std::clock();  // of this process, whatever else runs
        const Reading reading(text);
        CHECK(reading.diags.empty());
        return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    };
    seconds(100);
    // Quadratic reading would take 100 times as long.
    CHECK(seconds(4000) < 40 * seconds(400));
}
