#include "cli/replace_file.hpp"

#include <catch2/catch.hpp>

#include "folder.hpp"

using namespace slab;
using namespace slab::cli;
namespace fs = std::filesystem;

namespace {

std::size_t files_in(const Folder& folder) {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(folder.path("")), fs::directory_iterator{}));
}

}  // namespace

TEST_CASE("a file gets its new text and keeps its permissions") {
    const Folder folder("replace");
    const std::string file = folder.write("a.slab", "old");
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write | fs::perms::owner_exec);
    Diagnostics diags;
    replace_file(file, "new", diags);
    CHECK(diags.empty());
    CHECK(folder.read("a.slab") == "new");
    CHECK((fs::status(file).permissions() & fs::perms::owner_exec) != fs::perms::none);
    CHECK(files_in(folder) == 1);
}

TEST_CASE("a link is followed, not replaced") {
    const Folder folder("replace");
    fs::create_symlink(folder.write("a.slab", "old"), folder.path("link.slab"));
    Diagnostics diags;
    replace_file(folder.path("link.slab"), "new", diags);
    CHECK(diags.empty());
    CHECK(fs::is_symlink(folder.path("link.slab")));
    CHECK(folder.read("a.slab") == "new");
}

TEST_CASE("a file that is not there is made") {
    const Folder folder("new");
    Diagnostics diags;
    replace_file(folder.path("new.txt"), "text", diags);
    CHECK(diags.empty());
    CHECK(folder.read("new.txt") == "text");
    replace_file(folder.path("no_such/new.txt"), "text", diags);
    CHECK(diags.size() == 1);
}

TEST_CASE("what cannot be written stays as it is and is reported") {
    const Folder folder("replace");
    Diagnostics diags;
    replace_file(folder.path("no/gone.slab"), "new", diags);
    replace_file("/dev/null", "new", diags);
    CHECK(render(diags, nullptr) ==
          "error: cannot write `" + folder.path("no/gone.slab") +
              "`: No such file or directory\n"
              "\n"
              "error: cannot write `/dev/null`: it is not a regular file\n");
    CHECK(diags.exit_code() == 2);
    CHECK(files_in(folder) == 0);
}
