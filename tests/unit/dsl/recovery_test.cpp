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

TEST_CASE("lines that assign or call are read again after a wrong statement") {
    CHECK(places(Reading(in_kernel("a = 1 1\nb = )\nf(1 2)\nc[0] = 1 +\nd.x += )\nk[b 1](x)"))) ==
          Texts{"3:7", "4:5", "5:5", "6:10", "7:8", "8:5"});
    CHECK(places(Reading(in_kernel("a = f(1 +,\n  g(2),\n  b)\nc = )"))) == Texts{"3:10", "6:5"});
    CHECK(places(Reading(in_kernel("k[\n  a = 1,\n  b 2,\n  c = 3](x)\nc = )"))) ==
          Texts{"5:5", "7:5"});
    CHECK(places(Reading(in_kernel("a = (1 + 2\nb = 3 3"))) == Texts{"4:1", "4:7"});
}

TEST_CASE("a value missing at the end of a line is reported there") {
    const Reading reading(in_kernel("let a =\nb += c *\nd = 1 1"));
    CHECK(places(reading) == Texts{"3:7", "4:8", "5:7"});
    CHECK(reading.headlines()[1] == "expected an expression after `*`");
}

TEST_CASE("the block below a wrong head is read, with what follows as `else`") {
    CHECK(places(Reading(in_kernel("for i 0..2 {\n  a = 1 1\n  if b { c = ) }\n}\nd = )"))) ==
          Texts{"3:7", "4:9", "5:14", "7:5"});
    CHECK(places(Reading(in_kernel("if a > {\n  b = )\n} else if c {\n  d = )\n}\ne = )"))) ==
          Texts{"3:8", "4:7", "6:7", "8:5"});
    CHECK(places(Reading(in_kernel("for i in 0..2\n  a = )\n}\nb = )"))) ==
          Texts{"4:3", "4:7", "6:5"});
    CHECK(places(Reading(in_kernel("let a = {1, 2}\nb = )"))) == Texts{"3:9", "4:5"});
}

TEST_CASE("a wrong head of a kernel does not hide errors behind it") {
    CHECK(places(Reading("kernel k[a 1, b = )](x hbm f32[M], y: hbm f32[M], 3)\n"
                         "require a >\n"
                         "grid (i in M par, j M)\n"
                         "  in u x\n"
                         "  out w = y[0] deep 3\n"
                         "{\n  w = )\n}\n")) ==
          Texts{"1:12", "1:24", "1:51", "3:1", "3:21", "4:8", "5:16", "7:7"});
    CHECK(places(Reading("kernel k(x: hbm f32[M])\ngrid i in M {\n  a = )\n}\nfn f(3) {\n"
                         "  a = )\n}\n")) == Texts{"2:6", "3:7", "5:6", "6:7"});
    CHECK(places(Reading("kernel k(x: hbm f32[M])\ngrid (i in M)\n  in a = x\n}\nconst a = )\n")) ==
          Texts{"4:1", "5:11"});
}

TEST_CASE("a list that is not closed ends before the clauses and the grid") {
    CHECK(places(Reading("kernel k(x: hbm f32[M, N()\nrequire M > 0\ngrid (i in M, j in N)\n"
                         "  in a = x[i]j, 0]\n{\n  a = )\n}\n")) == Texts{"2:1", "6:7"});
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
