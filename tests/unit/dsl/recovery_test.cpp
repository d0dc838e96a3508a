#include "reading.hpp"

using namespace slab::dsl;

namespace {

std::vector<std::string> places(const Reading& reading) {
    std::vector<std::string> all;
    for (const slab::Diagnostic& message : reading.diags.messages()) {
        const auto place = reading.source.place(message.span().begin);
        all.push_back(std::to_string(place.line) + ":" + std::to_string(place.column));
    }
    return all;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("each wrong statement is reported at its place") {
    const Reading reading(
        "kernel k(a: hbm f32[M])\n"
        "{\n"
        "  let x = \n"
        "  let y = (3 + 4\n"
        "  let z = f(3 4)\n"
        "  if x > { a = 1 }\n"
        "  for i in 0..2 {\n"
        "    let = 3\n"
        "    copy a -> \n"
        "  }\n"
        "  var w = 3x\n"
        "}\n");
    CHECK(places(reading) == Texts{"11:11", "4:3", "5:3", "5:15", "6:10", "8:9", "10:3"});
    CHECK(reading.file.items.empty());
}

TEST_CASE("items that parsed are returned, and a wrong one does not spoil the next") {
    const Reading reading(
        "const a = 1\n"
        "kernel one(a: hbm f32[M])\n{\n  let x = }\n"
        "fn f(x) = x\n"
        "kernel two(a hbm f32[M])\nconst C = 1\n{\n  let y = 1\n}\n"
        "kernel three(a: hbm f32[M])\n{\n  let x = 1\n}\n"
        "const b = \n"
        "const c = 2\n");
    CHECK(places(reading) == Texts{"4:11", "6:14", "16:1"});
    REQUIRE(reading.file.items.size() == 4);
    CHECK(ast::get_if<ast::Kernel>(reading.file.items[2])->name.text == "three");
}

TEST_CASE("an item in the first column closes every open block, and that is one message") {
    const Reading reading(
        "kernel one()\n{\n  if x {\n    for i in 0..2 {\n      a = 1\n"
        "kernel two()\n{\n  a = 1\n}\n");
    CHECK(places(reading) == Texts{"6:1"});
    CHECK(reading.headlines()[0] == "expected `}`, found `kernel`");
    REQUIRE(reading.file.items.size() == 1);
}

TEST_CASE("an item closes blocks after a wrong statement too") {
    const Reading reading("kernel one()\n{\n  if x {\n    let a = \n\nfn f(x) = x\nconst b = 1\n");
    CHECK(places(reading) == Texts{"6:1"});
    CHECK(reading.file.items.size() == 2);
}

TEST_CASE("a wrong head of a block does not make its statements run into the ones outside") {
    const Reading reading(
        in_kernel("for i 0..2 {\n  let a = 1\n  let b = 2\n}\nlet c = \nlet d = 1"));
    CHECK(places(reading) == Texts{"3:7", "8:1"});
}

TEST_CASE("a bad token is reported once") {
    CHECK(Reading(in_kernel("let a = \xC3\x97 1")).diags.size() == 1);
    CHECK(Reading(in_kernel("let a = \"abc")).diags.size() == 1);
    CHECK(Reading(in_kernel("let a = 1.")).diags.size() == 1);
    CHECK(Reading("$").diags.size() == 1);
}

TEST_CASE("a brace too many is reported") {
    CHECK(places(Reading("kernel k()\n{\n}\n}\nconst a = 1\n")) == Texts{"4:1"});
}

TEST_CASE("at most twenty errors are reported") {
    std::string text;
    for (int i = 0; i < 100; ++i) text += "let x = \n";
    CHECK(Reading(in_kernel(text)).diags.size() == 20);
    CHECK(Reading(std::string(100, '$')).diags.size() == 20);
}

TEST_CASE("any beginning of a text is read without a crash, and is complete or reported") {
    const std::string text =
        "kernel k[a = 1](x: hbm f32[M]?, out y: hbm f32[M])\nrequire a > 0\n"
        "grid (i in M/8 par) where i < 2\n  in w = x[i@8, s +: n upto m] pad 0\n"
        "{ first i { f(x: 1, \"a\") } if a { b = [1.5, -2] } else { send a -> b at (r: 1) "
        "done s arrive t } }\n";
    for (std::size_t length = 0; length <= text.size(); ++length) {
        const Reading reading(text.substr(0, length));
        CHECK_FALSE((reading.file.items.empty() && reading.diags.empty() && length > 0));
        reading.errors();
        reading.printed();
    }
}

TEST_CASE("a text with any one byte gone is read without a crash") {
    const std::string text =
        "kernel k(x: hbm f32[M])\ngrid (i in M/8 par)\n  in w = x[i@8]\n{\n"
        "  first i { acc = 0 }\n  if a { b = dot(c, d.T) } else { copy e -> f }\n}\n"
        "fn f(x) = x\n";
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::string less = text;
        less.erase(i, 1);
        const Reading reading(less);
        reading.errors();
        reading.printed();
    }
}
