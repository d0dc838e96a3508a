#include "reading.hpp"

using namespace slab::dsl;

namespace {

const char* const reserved[] = {
#define SLAB_WORD(text, uses) text,
#include "dsl/words.def"
#undef SLAB_WORD
};

/// The only message about a statement in a kernel.
std::string complaint(const std::string& statement) {
    const Reading reading(in_kernel(statement));
    INFO(reading.errors());
    REQUIRE(reading.diags.size() == 1);
    return reading.headlines()[0];
}

}  // namespace

TEST_CASE("a message says what was expected, what was found and what was being read") {
    const Reading reading(
        "kernel k(a: hbm f32[M])\n"
        "grid (i in M/8 par)\n"
        "  out x = a[i@8, :] deep 3\n"
        "{ }\n");
    CHECK(reading.errors() ==
          "error[E0001]: expected `{`, found `deep`\n"
          "  --> t.slab:3:21\n"
          " 3 |   out x = a[i@8, :] deep 3\n"
          "   |                     ^^^^ while reading an `out`\n");
}

TEST_CASE("an unclosed bracket is shown where it opens") {
    CHECK(Reading(in_kernel("let a = dot(x, y\nlet b = 1")).errors() ==
          "error[E0001]: expected `,` or `)`, found `let`\n"
          "  --> t.slab:4:1\n"
          " 3 | let a = dot(x, y\n"
          "   |            - this `(` is still open\n"
          " 4 | let b = 1\n"
          "   | ^^^ while reading a `let`\n");
    CHECK(Reading("kernel k()\n{\n  if x {\n    a = 1\n").errors() ==
          "error[E0001]: expected `}`, found the end of the text\n"
          "  --> t.slab:5:1\n"
          " 3 |   if x {\n"
          "   |        - this `{` is still open\n"
          " 5 |\n"
          "   | ^ while reading an `if`\n");
}

TEST_CASE("a bracket that does not fit is reported with the one that is open") {
    CHECK(Reading(in_kernel("let a = x[(1 + 2]")).errors() ==
          "error[E0001]: expected `)`, found `]`\n"
          "  --> t.slab:3:17\n"
          " 3 | let a = x[(1 + 2]\n"
          "   |           - this `(` is still open\n"
          "   |                 ^ while reading a `let`\n");
}

TEST_CASE("each reserved word is refused as a name") {
    for (const char* word : reserved) {
        INFO(word);
        const std::string sentence = '`' + std::string(word) + "` is a word of the language";
        CHECK(complaint(std::string("let ") + word + " = 1") == sentence);
        CHECK(complaint(std::string("for ") + word + " in 0..2 { }") == sentence);
        CHECK(complaint(std::string("a.") + word + " = 1") == sentence);
        CHECK(Reading(std::string("const ") + word + " = 1").headlines().at(0) == sentence);
        CHECK(Reading(std::string("kernel k(") + word + ": i32)\n{ }").headlines().at(0) ==
              sentence);
    }
}

TEST_CASE("a reserved word is refused as a variable") {
    CHECK(complaint("step = 3") == "`step` is a word of the language");
    CHECK(complaint("last = x") == "`last` is a word of the language");
    CHECK(complaint("let a = x + step") == "`step` is a word of the language");
    CHECK(complaint("a = depth * 2") == "`depth` is a word of the language");
}

TEST_CASE("what is missing is named") {
    CHECK(complaint("let = 3") == "expected a name, found `=`");
    CHECK(complaint("let x 3") == "expected `=`, found `3`");
    CHECK(complaint("let x =") == "expected an expression, found `}`");
    CHECK(complaint("x") == "expected `=`, `+=`, `-=`, `*=` or `(`, found `}`");
    CHECK(complaint("f(a b)") == "expected `,` or `)`, found `b`");
    CHECK(complaint("f(a, )") == "expected an argument, found `)`");
    CHECK(complaint("let a = (b c)") == "expected `)`, found `c`");
    CHECK(complaint("let a = b < c < d") == "expected one comparison, not a chain, found `<`");
    CHECK(complaint("copy a b") == "expected `->`, found `b`");
    CHECK(complaint("for i in n { }") == "expected `..`, found `{`");
    CHECK(complaint("while x { }") == "expected `atmost`, found `{`");
    CHECK(complaint("scratch a: f32[8]") == "expected `hbm`, `vmem`, `smem` or `sem`, found `f32`");
    CHECK(complaint("scratch a: vmem f32") == "expected `[`, found `}`");
    CHECK(complaint("scratch a: sem vmem") == "expected `dma` or `count`, found `vmem`");
    CHECK(complaint("grid (i M) { }") == "expected `in`, found `M`");
    CHECK(complaint("grid (i in M) in x { }") == "expected `=` or `:`, found `{`");
    CHECK(complaint("grid (i in M) in x: vmem f32[8] depth 2 { }") ==
          "expected `fetch` or `flush`, found `depth`");
    CHECK(complaint("barrier") == "expected `all` or `(`, found `}`");
    CHECK(complaint("scope bias { }") == "expected a string, found `bias`");
    CHECK(complaint("print x") == "expected a string, found `x`");
    CHECK(complaint("fn f(x) x") == "expected `=` or `{`, found `x`");
    CHECK(complaint("3 = x") == "expected a statement, found `3`");
    CHECK(complaint("else { }") == "expected a statement, found `else`");
}

TEST_CASE("outside of items only items may start") {
    CHECK(Reading("let x = 1").headlines().at(0) ==
          "expected `kernel`, `program`, `reference`, `fn` or `const`, found `let`");
    CHECK(Reading("kernel k\n{ }").headlines().at(0) == "expected `(`, found `{`");
    CHECK(Reading("kernel k() x").headlines().at(0) == "expected `grid` or `{`, found `x`");
    CHECK(Reading("kernel k(a: )\n{ }").headlines().at(0) == "expected an element type, found `)`");
    CHECK(Reading("program p() grid (i in n) { }").headlines().at(0) ==
          "expected `{`, found `grid`");
    CHECK(Reading("reference r(x: f32[M]) { }").headlines().at(0) ==
          "expected `,` or `)`, found `[`");
}
