#include "dsl/lexer.hpp"

#include <catch2/catch.hpp>

using namespace slab;
using namespace slab::dsl;

namespace {

std::vector<std::string> tokens(const std::string& text) {
    const SourceFile source("t.slab", text);
    Diagnostics diags;
    SyntaxErrors errors(diags);
    std::vector<std::string> spellings;
    for (const Token& token : lex(source, errors).tokens)
        if (token.kind != TokenKind::end) spellings.emplace_back(token.text);
    INFO(render(diags, &source));
    CHECK(diags.empty());
    return spellings;
}

std::string complaint(const std::string& text) {
    const SourceFile source("t.slab", text);
    Diagnostics diags;
    SyntaxErrors errors(diags);
    lex(source, errors);
    REQUIRE(diags.size() == 1);
    return diags.messages()[0].headline();
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a number ends before a range") {
    CHECK(tokens("0..n") == Texts{"0", "..", "n"});
    CHECK(tokens("a..b") == Texts{"a", "..", "b"});
    CHECK(tokens("1.5..2") == Texts{"1.5", "..", "2"});
    CHECK(tokens("0 .. 0x1F") == Texts{"0", "..", "0x1F"});
}

TEST_CASE("numbers keep their spelling") {
    CHECK(tokens("0x1F 1e5 1E-5 2.50 0.0e+10 007") ==
          Texts{"0x1F", "1e5", "1E-5", "2.50", "0.0e+10", "007"});
}

TEST_CASE("a number does not run into letters") {
    CHECK(complaint("3x") == "`3x` is neither a number nor a name");
    CHECK(complaint("1e") == "`1e` is neither a number nor a name");
    CHECK(complaint("0x") == "`0x` is neither a number nor a name");
    CHECK(complaint("0x1G") == "`0x1G` is neither a number nor a name");
    CHECK(complaint("1_000") == "`1_000` is neither a number nor a name");
    CHECK(complaint("1.5f") == "`1.5f` is neither a number nor a name");
    CHECK(complaint("1.") == "`1.` needs a digit after its point");
}

TEST_CASE("the longest mark is taken") {
    CHECK(tokens("a+:b+=c+d") == Texts{"a", "+:", "b", "+=", "c", "+", "d"});
    CHECK(tokens("a->b-=c-d") == Texts{"a", "->", "b", "-=", "c", "-", "d"});
    CHECK(tokens("a<<b<=c<d") == Texts{"a", "<<", "b", "<=", "c", "<", "d"});
    CHECK(tokens("a==b=c!=d") == Texts{"a", "==", "b", "=", "c", "!=", "d"});
}

TEST_CASE("a word ends where letters, digits and underscores end") {
    const SourceFile source("t.slab", "inner info first_row f8e4m3fn in1 _in in inf first f8e4m3");
    Diagnostics diags;
    SyntaxErrors errors(diags);
    const Lexed lexed = lex(source, errors);
    for (std::size_t i = 0; i < 10; ++i)
        CHECK(lexed.tokens[i].kind == (i < 6 ? TokenKind::name : TokenKind::word));
}

TEST_CASE("comments are no tokens and end with their line") {
    const SourceFile source("t.slab", "a // \xC3\xA9 \"x\"  \r\nb//");
    Diagnostics diags;
    SyntaxErrors errors(diags);
    const Lexed lexed = lex(source, errors);
    CHECK(diags.empty());
    REQUIRE(lexed.tokens.size() == 3);
    REQUIRE(lexed.comments.size() == 2);
    CHECK(source.text(lexed.comments[0]) == "// \xC3\xA9 \"x\"");
    CHECK(source.text(lexed.comments[1]) == "//");
}

TEST_CASE("a string holds any text of one line") {
    CHECK(tokens("\"\" \"a // b\" \"\xE2\x80\xA6\"") ==
          Texts{"\"\"", "\"a // b\"", "\"\xE2\x80\xA6\""});
    CHECK(complaint("\"abc\nd") == "this string does not end on its line");
    CHECK(complaint("\"abc") == "this string does not end on its line");
}

TEST_CASE("bytes that are no text are refused wherever they stand") {
    using namespace std::string_literals;
    CHECK(complaint("a\0b"s) == "byte 0x00 does not belong in a text");
    CHECK(complaint("// \0 x"s) == "byte 0x00 does not belong in a text");
    CHECK(complaint("\"\0\""s) == "byte 0x00 does not belong in a text");
    CHECK(complaint("// \xFF") == "byte 0xFF is not UTF-8");
    CHECK(complaint("// \xC3") == "byte 0xC3 is not UTF-8");
    CHECK(complaint("\"\xED\xA0\x80\"") == "byte 0xED is not UTF-8");     // a surrogate
    CHECK(complaint("// \xC0\x80") == "byte 0xC0 is not UTF-8");          // longer than needed
    CHECK(complaint("// \xF5\x80\x80\x80") == "byte 0xF5 is not UTF-8");  // past U+10FFFF
    CHECK(complaint("\x80") == "byte 0x80 is not UTF-8");
}

TEST_CASE("outside comments and strings the language is ASCII") {
    CHECK(complaint("a \xC3\x97 b") == "`\xC3\x97` (U+00D7) outside a comment or a string");
    CHECK(complaint("a $ b") == "no word or sign of the language starts with `$`");
    CHECK(complaint("a !b") == "`!` is spelled `not`");
    CHECK(complaint("a \x1B") == "byte 0x1B does not belong in a text");
}

TEST_CASE("brackets may nest 256 deep and no deeper") {
    const std::string open(256, '(');
    CHECK(tokens(open).size() == 256);
    CHECK(complaint(open + "[") == "brackets are nested deeper than 256");
    CHECK(tokens(std::string(300, ')') + std::string(256, '{')).size() == 556);
}

TEST_CASE("a mark of the encoding at the beginning is no part of the text") {
    const slab::SourceFile source("t.slab", "\xEF\xBB\xBFkernel k");
    slab::Diagnostics diags;
    SyntaxErrors errors(diags);
    const Lexed lexed = lex(source, errors);
    CHECK(diags.empty());
    CHECK(lexed.tokens.front().is("kernel"));
    CHECK(lexed.tokens.front().in_first_column);
}
