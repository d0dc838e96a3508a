#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "dsl/lexer.hpp"
#include "reading.hpp"

using namespace slab::dsl;

namespace {

std::vector<std::filesystem::path> examples() {
    std::vector<std::filesystem::path> all;
    for (const auto& entry :
         std::filesystem::directory_iterator(SLAB_SOURCE_DIR "/tests/unit/dsl/examples"))
        all.push_back(entry.path());
    std::ranges::sort(all);
    REQUIRE(all.size() >= 8);
    return all;
}

std::string text_of(const std::filesystem::path& path) {
    std::ifstream stream(path);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
}

std::vector<std::string> spellings(const slab::SourceFile& source, bool comments) {
    slab::Diagnostics diags;
    SyntaxErrors errors(diags);
    const Lexed lexed = lex(source, errors);
    std::vector<std::string> all;
    if (comments)
        for (slab::Span comment : lexed.comments) all.emplace_back(source.text(comment));
    else
        for (const Token& token : lexed.tokens) all.emplace_back(token.text);
    return all;
}

}  // namespace

TEST_CASE("the examples of the language parse, print and read back as the same tree") {
    for (const auto& path : examples()) {
        INFO(path);
        const Reading reading(text_of(path));
        INFO(reading.errors());
        REQUIRE(reading.diags.empty());
        CHECK_FALSE(reading.file.items.empty());
        CHECK(Reading(reading.printed()).file == reading.file);
        CHECK(Reading(print(reading.file)).file == reading.file);
    }
}

TEST_CASE("printing keeps every token and every comment") {
    for (const auto& path : examples()) {
        INFO(path);
        const Reading reading(text_of(path));
        const slab::SourceFile printed("printed", reading.printed());
        CHECK(spellings(printed, false) == spellings(reading.source, false));
        CHECK(spellings(printed, true) == spellings(reading.source, true));
    }
}

TEST_CASE("printing what was printed changes nothing") {
    for (const auto& path : examples()) {
        INFO(path);
        const std::string once = Reading(text_of(path)).printed();
        CHECK(Reading(once).printed() == once);
        const std::string bare = print(Reading(once).file);
        CHECK(print(Reading(bare).file) == bare);
    }
}
