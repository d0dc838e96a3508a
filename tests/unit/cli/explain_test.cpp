#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <catch2/catch.hpp>

#include "cli/error_pages_text.hpp"
#include "support/diagnostics.hpp"

using namespace slab;
using namespace slab::cli;

namespace {

const std::string source_dir = SLAB_SOURCE_DIR;

std::string content(const std::string& path) {
    std::ifstream stream(source_dir + "/" + path);
    std::ostringstream text;
    text << stream.rdbuf();
    INFO(path);
    REQUIRE(stream.good());
    return text.str();
}

std::set<std::string> codes_of_messages() {
    std::set<std::string> codes;
    for (const DiagInfo& info : {
#define SLAB_DIAG(name, kind, sentence) diag_info(Diag::name),
#include "support/diagnostics.def"
#undef SLAB_DIAG
         })
        if (!info.code().empty()) codes.emplace(info.code());
    return codes;
}

std::set<std::string> codes_of_pages() {
    std::set<std::string> codes;
    for (const ErrorPage& page : error_pages()) codes.emplace(page.code);
    return codes;
}

}  // namespace

TEST_CASE("every code has a page, and every code of the language") {
    const std::set<std::string> pages = codes_of_pages();
    for (const std::string& code : codes_of_messages()) {
        INFO(code);
        CHECK(pages.count(code) == 1);
    }
    for (const char* code :
         {"E0001", "E0307", "E0404", "E0503", "E0602", "E0703", "E0806", "E0902", "W01", "W08"})
        CHECK(pages.count(code) == 1);
}

TEST_CASE("a page has a headline, a rule of three to twelve sentences, and an example") {
    for (const ErrorPage& page : error_pages()) {
        INFO(page.code);
        CHECK(!page.headline().empty());
        CHECK(page.headline().find('\n') == std::string_view::npos);
        const auto sentences = std::count(page.rule().begin(), page.rule().end(), '.');
        CHECK(sentences >= 3);
        CHECK(page.rule().ends_with('\n'));
        CHECK(!page.examples.empty());
    }
}

TEST_CASE("the example before gives the code, the one after passes without it") {
    for (const ErrorPage& page : error_pages())
        for (const ErrorExample& example : page.examples) {
            INFO(example.name);
            CHECK(example.before != example.after);
            const std::string mark = "[" + std::string(page.code) + "]";
            CHECK(example.said.find(mark) != std::string_view::npos);
            const std::string file(example.name.substr(0, example.name.size() - 5));
            const std::string after =
                content("tests/golden/errors/" + file + ".fixed.slab.expected");
            CHECK(after.find(mark) == std::string::npos);
            CHECK(after.ends_with("\nexit code: 0\n"));
        }
}

TEST_CASE("docs/errors.md is what `slab explain --markdown` prints") {
    CHECK(content("docs/errors.md") == pages_as_markdown());
}

TEST_CASE("a page on the screen shows the rule, the command, the message and the mended kernel") {
    const auto& pages = error_pages();
    const auto page = std::find_if(pages.begin(), pages.end(),
                                   [](const ErrorPage& one) { return one.code == "E0002"; });
    REQUIRE(page != pages.end());
    const std::string text = page_on_screen(*page);
    CHECK(text.starts_with("E0002: a name that nothing declares\n\nThe name is neither"));
    CHECK(text.find("\n  // slab check E0002_value.slab --chip=v6e\n") != std::string::npos);
    CHECK(text.find("\n    --> E0002_value.slab:8:11\n") != std::string::npos);
    CHECK(text.find("\n  // slab check E0002_value.fixed.slab --chip=v6e\n") != std::string::npos);
    CHECK(text.find("exit code") == std::string::npos);
}

TEST_CASE("the list names every code once, on a line of its own") {
    const std::string list = "\n" + list_of_pages();
    for (const ErrorPage& page : error_pages()) {
        INFO(page.code);
        CHECK(list.find("\n" + std::string(page.code) + " ") != std::string::npos);
    }
}

TEST_CASE("no message says that something is invalid: it says what would be right") {
    const auto says_it = [](std::string text) {
        std::transform(text.begin(), text.end(), text.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
        return text.find("invalid") != std::string::npos;
    };
    CHECK(!says_it(content("support/diagnostics.def")));
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(source_dir + "/tests/golden"))
        if (entry.path().extension() == ".expected") {
            INFO(entry.path());
            CHECK(!says_it(content(std::filesystem::relative(entry.path(), source_dir).string())));
        }
}

TEST_CASE("digits alone ask for the codes that have them") {
    CHECK(codes_like("501") == ", did you mean `E0501`");
    CHECK(codes_like("0001") == ", did you mean `E0001` or `W01`");
    CHECK(codes_like("E0510") == ", did you mean `E0501`");
    CHECK(codes_like("777777") == "");
}

TEST_CASE("a page as JSON has all that stands on the screen") {
    const std::string text = pages_as_json({error_pages().front()});
    CHECK(text.find("\"schema\": \"slab.explain/1\"") != std::string::npos);
    CHECK(text.find("\"code\": \"E0001\"") != std::string::npos);
    CHECK(text.find("\"before\": \"// slab check") != std::string::npos);
}
