#include "support/source.hpp"

#include <catch2/catch.hpp>

using slab::SourceFile;

TEST_CASE("a place is a line and a column, both counted from one") {
    const SourceFile file("f", "ab\ncd\n");
    CHECK(file.place(0).line == 1);
    CHECK(file.place(0).column == 1);
    CHECK(file.place(4).line == 2);
    CHECK(file.place(4).column == 2);
    CHECK(file.place(6).line == 3);
    CHECK(file.line_count() == 3);
}

TEST_CASE("columns count code points, not bytes") {
    const SourceFile file("f", "// \xC3\xA9 x");
    CHECK(file.place(6).column == 6);
}

TEST_CASE("a line comes without its line break, LF or CRLF") {
    const SourceFile file("f", "ab\r\ncd\n");
    CHECK(file.line(1) == "ab");
    CHECK(file.line(2) == "cd");
    CHECK(file.line(3).empty());
}

TEST_CASE("a file without text has one empty line") {
    CHECK(SourceFile("f", "").line(1).empty());
    CHECK(SourceFile().line_count() == 1);
    CHECK(SourceFile().place(0).line == 1);
}
