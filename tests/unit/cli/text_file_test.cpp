#include "cli/text_file.hpp"

#include <catch2/catch.hpp>

#include "folder.hpp"

using namespace slab;
using namespace slab::cli;

namespace {

std::string complaint(const std::string& path) {
    Diagnostics diags;
    CHECK_FALSE(read_text_file(path, diags).has_value());
    CHECK(diags.exit_code() == 2);
    return render(diags, nullptr);
}

}  // namespace

TEST_CASE("a text is read as it is") {
    const Folder folder("text");
    const std::string text = "// naïve — 日本 🎉\r\nkernel";
    Diagnostics diags;
    const auto file = read_text_file(folder.write("a.slab", text), diags);
    REQUIRE(file.has_value());
    CHECK(file->text() == text);
    CHECK(file->name() == folder.path("a.slab"));
    CHECK(read_text_file(folder.write("empty.slab", ""), diags)->text().empty());
}

TEST_CASE("what cannot be read as a text is one sentence") {
    const Folder folder("text");
    CHECK(complaint(folder.path("gone.slab")) ==
          "error: no file `" + folder.path("gone.slab") + "`\n");
    CHECK(complaint("") == "error: no file ``\n");
    CHECK(complaint(folder.path("")) ==
          "error: `" + folder.path("") + "` is a directory, a .slab file is needed\n");
    const std::string nul = folder.write("nul.slab", std::string_view("ab\0c", 4));
    CHECK(complaint(nul) == "error: `" + nul + "` is not a text: byte 2 is NUL\n");
    const std::string large = folder.write("large.slab", std::string((16 << 20) + 1, ' '));
    CHECK(complaint(large) ==
          "error: `" + large + "` is larger than 16 MiB, which no kernel needs\n");
    CHECK(complaint("/dev/zero") ==
          "error: `/dev/zero` is larger than 16 MiB, which no kernel needs\n");
}

TEST_CASE("what is not UTF-8 is told by its first wrong byte") {
    const Folder folder("text");
    const auto said = [&](std::string_view text) {
        const std::string all = complaint(folder.write("a.slab", text));
        return all.substr(all.find("byte"));
    };
    CHECK(said("ab\xff") == "byte 2 is 0xff, which is not UTF-8\n");
    CHECK(said("\x80") == "byte 0 is 0x80, which is not UTF-8\n");
    CHECK(said("a\xc3") == "byte 1 is 0xc3, which is not UTF-8\n");
    CHECK(said("\xc0\xaf") == "byte 0 is 0xc0, which is not UTF-8\n");
    CHECK(said("\xe0\x80\xaf") == "byte 0 is 0xe0, which is not UTF-8\n");
    CHECK(said("\xed\xa0\x80") == "byte 0 is 0xed, which is not UTF-8\n");
    CHECK(said("\xf4\x90\x80\x80") == "byte 0 is 0xf4, which is not UTF-8\n");
}
