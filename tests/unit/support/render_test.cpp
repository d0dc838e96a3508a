#include <catch2/catch.hpp>

#include "support/diagnostics.hpp"

using slab::Diag;
using slab::Diagnostics;
using slab::edited_line;
using slab::SourceFile;
using slab::Span;

namespace {

Span find(const SourceFile& file, std::string_view text, std::size_t nth = 0) {
    std::size_t at = file.text().find(text);
    while (nth-- > 0) at = file.text().find(text, at + 1);
    REQUIRE(at != std::string_view::npos);
    return {static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + text.size())};
}

std::string rendered(const SourceFile& file, Span span, const std::string& label = "") {
    Diagnostics diags;
    diags.add<Diag::E0001>(span, "wrong").label(label);
    return render(diags, &file);
}

}  // namespace

TEST_CASE("a message names the place, marks the lines in order, and ends with rule and fix") {
    const SourceFile file("rowsum.slab",
                          "kernel rowsum(x: hbm f32[M, N])\n"
                          "grid (r in 8 seq, i in M/256 par)\n"
                          "  in x = a[i@256, :]\n"
                          "  out o = y[i@256, j@256]\n");
    Diagnostics diags;
    diags.add<Diag::E0001>(find(file, "r in"), "output block is left and visited again")
        .label("`y` does not depend on `r`")
        .note(find(file, "y[i@256, j@256]"), "comes back to the same block")
        .because("an output block stays in VMEM only while consecutive steps name it")
        .fix("make `r` the innermost axis")
        .fix("write `revisit`");
    CHECK(render(diags, &file) ==
          "error[E0001]: output block is left and visited again\n"
          "  --> rowsum.slab:2:7\n"
          " 2 | grid (r in 8 seq, i in M/256 par)\n"
          "   |       ^^^^ `y` does not depend on `r`\n"
          " 4 |   out o = y[i@256, j@256]\n"
          "   |           --------------- comes back to the same block\n"
          " why: an output block stays in VMEM only while consecutive steps name it\n"
          " fix: make `r` the innermost axis\n"
          "      or write `revisit`\n");
}

TEST_CASE("a second place above the first is printed first, and one line holds several marks") {
    const SourceFile file("f.slab", "let a = b\nlet c = a + a\n");
    Diagnostics diags;
    diags.add<Diag::E0001>(find(file, "a", 2), "wrong")
        .label("here")
        .note(find(file, "a", 1), "and here")
        .note(find(file, "b"), "because of this");
    CHECK(render(diags, &file) ==
          "error[E0001]: wrong\n"
          "  --> f.slab:2:13\n"
          " 1 | let a = b\n"
          "   |         - because of this\n"
          " 2 | let c = a + a\n"
          "   |         - and here\n"
          "   |             ^ here\n");
}

TEST_CASE("a table stands between the source and the rule") {
    const SourceFile file("f.slab", "x");
    Diagnostics diags;
    diags.add<Diag::E0001>({0, 1}, "too large")
        .because("rule")
        .table({"budget:  s 16.0", "         t 1.0"});
    CHECK(render(diags, &file) ==
          "error[E0001]: too large\n"
          "  --> f.slab:1:1\n"
          " 1 | x\n"
          "   | ^\n"
          " budget:  s 16.0\n"
          "          t 1.0\n"
          " why: rule\n");
}

TEST_CASE("line numbers are aligned to the widest") {
    const SourceFile file("f.slab", "a\n" + std::string(98, '\n') + "b\n");
    Diagnostics diags;
    diags.add<Diag::E0001>(find(file, "a"), "wrong").note(find(file, "b"), "there");
    CHECK(render(diags, &file) ==
          "error[E0001]: wrong\n"
          "  --> f.slab:1:1\n"
          "  1 | a\n"
          "    | ^\n"
          "100 | b\n"
          "    | - there\n");
}

TEST_CASE("messages come in order of place with an empty line between") {
    const SourceFile file("f.slab", "a\nb\n");
    Diagnostics diags;
    diags.add<Diag::E0001>({2, 3}, "second");
    diags.add<Diag::E0001>({0, 1}, "first");
    CHECK(render(diags, &file) ==
          "error[E0001]: first\n  --> f.slab:1:1\n 1 | a\n   | ^\n"
          "\n"
          "error[E0001]: second\n  --> f.slab:2:1\n 2 | b\n   | ^\n");
}

TEST_CASE("a message about the command line has no code and no place") {
    Diagnostics diags;
    diags.add<Diag::no_such_file>({}, "mm.slab");
    CHECK(render(diags, nullptr) == "error: no file `mm.slab`\n");
    const SourceFile file("f.slab", "x");
    CHECK(render(diags, &file) == "error: no file `mm.slab`\n");
}

TEST_CASE("a span over several lines is marked to the end of its first") {
    const SourceFile file("f.slab", "let a = f(x,  \n  y)\n");
    CHECK(rendered(file, {8, 19}, "here") ==
          "error[E0001]: wrong\n"
          "  --> f.slab:1:9\n"
          " 1 | let a = f(x,  \n"
          "   |         ^^^^ here\n");
}

TEST_CASE("tabs take four columns, and the mark follows them") {
    const SourceFile file("f.slab", "\tab\tc\n");
    CHECK(rendered(file, find(file, "c")) ==
          "error[E0001]: wrong\n"
          "  --> f.slab:1:5\n"
          " 1 |     ab  c\n"
          "   |         ^\n");
}

TEST_CASE("a carriage return is neither shown nor marked") {
    const SourceFile file("f.slab", "ab\r\ncd\r\n");
    CHECK(rendered(file, {1, 8}) == "error[E0001]: wrong\n  --> f.slab:1:2\n 1 | ab\n   |  ^\n");
}

TEST_CASE("a mark behind UTF-8 stands under its character") {
    const SourceFile file("f.slab", "\"\xC3\xA9\xE2\x80\xA6\" x\n");
    CHECK(rendered(file, find(file, "x")) ==
          "error[E0001]: wrong\n"
          "  --> f.slab:1:6\n"
          " 1 | \"\xC3\xA9\xE2\x80\xA6\" x\n"
          "   |      ^\n");
}

TEST_CASE("bytes that cannot be shown are replaced") {
    const SourceFile file("f.slab", std::string("a\0\x1B\xFF"
                                                "b",
                                                5));
    CHECK(rendered(file, {4, 5}) ==
          "error[E0001]: wrong\n"
          "  --> f.slab:1:5\n"
          " 1 | a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"
          "b\n"
          "   |     ^\n");
}

TEST_CASE("the end of a file can be marked, on its last line or on the empty one after it") {
    const SourceFile open("f.slab", "let a =");
    CHECK(rendered(open, {7, 7}, "more") ==
          "error[E0001]: wrong\n  --> f.slab:1:8\n 1 | let a =\n   |        ^ more\n");
    const SourceFile closed("f.slab", "let a =\n");
    CHECK(rendered(closed, {8, 8}) == "error[E0001]: wrong\n  --> f.slab:2:1\n 2 |\n   | ^\n");
    const SourceFile beyond("f.slab", "x");
    CHECK(rendered(beyond, {5, 9}) == "error[E0001]: wrong\n  --> f.slab:1:2\n 1 | x\n   |  ^\n");
}

TEST_CASE("a message about a file without text shows no line") {
    const SourceFile file("f.slab", "");
    CHECK(rendered(file, {}) == "error[E0001]: wrong\n");
}

TEST_CASE("a long line is cut around the mark") {
    const SourceFile file("f.slab", std::string(300, 'a') + "X" + std::string(300, 'b'));
    CHECK(rendered(file, {300, 301}, "here") ==
          "error[E0001]: wrong\n"
          "  --> f.slab:1:301\n"
          " 1 | \xE2\x80\xA6" +
              std::string(40, 'a') + "X" + std::string(119, 'b') + "\xE2\x80\xA6\n" + "   | " +
              std::string(41, ' ') + "^ here\n");
}

TEST_CASE("a mark longer than the line is cut with it") {
    const SourceFile file("f.slab", std::string(500, 'a'));
    CHECK(rendered(file, {0, 500}) ==
          "error[E0001]: wrong\n"
          "  --> f.slab:1:1\n"
          " 1 | " +
              std::string(160, 'a') + "\xE2\x80\xA6\n" + "   | " + std::string(160, '^') + "\n");
}

TEST_CASE("with colour the words stay the same") {
    const SourceFile file("f.slab", "a b\n");
    Diagnostics diags;
    diags.add<Diag::E0001>({0, 1}, "wrong")
        .label("here")
        .note({2, 3}, "there")
        .because("so")
        .fix("b");
    std::string coloured = render(diags, &file, true);
    CHECK(coloured.find("\033[1;31merror[E0001]\033[0m") == 0);
    std::string plain;
    for (std::size_t i = 0; i < coloured.size(); ++i) {
        if (coloured[i] == '\033')
            i = coloured.find('m', i);
        else
            plain += coloured[i];
    }
    CHECK(plain == render(diags, &file));
}

TEST_CASE("an edit is shown as the line it leads to, before the fixes in words") {
    const SourceFile file("f.slab", "let a = b\n  let c = scal * 2\n");
    Diagnostics diags;
    diags.add<Diag::E0001>(find(file, "scal"), "wrong")
        .replace(find(file, "scal"), "scale")
        .replace(find(file, "let c = scal * 2"), "")
        .fix("or so");
    const std::string text = render(diags, &file);
    CHECK(text.substr(text.find(" fix:")) ==
          " fix: let c = scale * 2\n      or leave it out\n      or or so\n");
}

TEST_CASE("of an edit in a long line only the new text is shown") {
    const SourceFile file("f.slab", std::string(200, ' ') + "let c = scal");
    CHECK(edited_line({find(file, "scal"), "scale"}, file) == "scale");
}

TEST_CASE("an edit over several lines joins their rests") {
    const SourceFile file("f.slab", "a = (1\n  + 2) // c\n");
    CHECK(edited_line({{4, 13}, "3"}, file) == "a = 3 // c");
}

TEST_CASE("what a message quotes is made legible") {
    using slab::legible;
    CHECK(legible("a\x1b[31m\n\x7f\xff") == "a\uFFFD[31m\uFFFD\uFFFD\uFFFD");
    CHECK(legible("\xc2\x9b"
                  "b") == "\uFFFD\uFFFDb");
    CHECK(legible("\xc3\xa4 \xe2\x80\xa6") == "\xc3\xa4 \xe2\x80\xa6");
    CHECK(legible("x = " + std::string(100000, '9') + " y") ==
          "x = " + std::string(40, '9') + "\u2026" + std::string(10, '9') + " y");
    CHECK(legible(std::string(80, 'a')) == std::string(80, 'a'));
    Diagnostics diags;
    diags.add<Diag::no_such_file>({}, "a\x1b.slab");
    CHECK(render(diags, nullptr) == "error: no file `a\uFFFD.slab`\n");
}
