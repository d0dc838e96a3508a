#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include <CLI/CLI.hpp>
#include <catch2/catch.hpp>

#include "arch_configs/read_chip.hpp"
#include "cli/checks.hpp"
#include "cli/kernel_file.hpp"
#include "folder.hpp"

using namespace slab;
using namespace slab::cli;

namespace {

std::string content(const std::filesystem::path& path) {
    std::ifstream stream(path);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

/// The flags of `slab check` or `slab run` in the first line of a golden case.
KernelFlags flags_of(const std::string& text, const std::string& path) {
    std::istringstream line(text.substr(0, text.find('\n')));
    std::vector<std::string> words;
    for (std::string word; line >> word;) words.push_back(word == "@" ? path : word);
    KernelFlags flags;
    CLI::App app;
    app.allow_extras();
    declare_kernel_flags(app, flags);
    std::vector<std::string> arguments(words.rbegin(), words.rend() - 3);  // `// run: check`
    app.parse(arguments);
    flags.file = path;
    return flags;
}

/// All that slab says about a file with these flags.
std::vector<Diagnostic> messages(const KernelFlags& flags) {
    Diagnostics diags;
    const KernelFile file = read_checked_file(flags.file, diags);
    std::vector<Diagnostic> all;
    if (diags.has_errors()) {
        add_errors_of_kernels(file, flags, diags);
    } else if (const auto chip = arch::read_chip(flags.chip, flags.set_chip, diags)) {
        for (const KernelOutcomes& kernel : check_file(file, flags, chip->spec, diags))
            for (const Outcome& outcome : kernel.outcomes)
                all.insert(all.end(), outcome.messages.messages().begin(),
                           outcome.messages.messages().end());
    }
    all.insert(all.end(), diags.messages().begin(), diags.messages().end());
    return all;
}

std::size_t count(const std::vector<Diagnostic>& all, std::string_view code) {
    return static_cast<std::size_t>(
        std::count_if(all.begin(), all.end(),
                      [&](const Diagnostic& message) { return message.info().code() == code; }));
}

}  // namespace

TEST_CASE("every edit that a golden message offers mends its mistake") {
    const Folder folder("edits");
    std::map<std::string, int> edits;
    std::vector<std::filesystem::path> cases;
    const std::string root = SLAB_SOURCE_DIR "/tests/golden/errors";
    for (const auto& entry : std::filesystem::directory_iterator(root))
        if (entry.path().extension() == ".slab") cases.push_back(entry.path());
    std::sort(cases.begin(), cases.end());
    for (const auto& path : cases) {
        const std::string text = content(path);
        if (path.filename().string().rfind("usage_", 0) == 0) continue;  // about flags, not texts
        KernelFlags flags = flags_of(text, path.string());
        const std::vector<Diagnostic> before = messages(flags);
        for (const Diagnostic& message : before)
            for (const Diagnostic::Edit& edit : message.edits()) {
                std::string mended = text;
                REQUIRE(edit.span.end <= text.size());
                mended.replace(edit.span.begin, edit.span.end - edit.span.begin, edit.text);
                flags.file = folder.write("mended.slab", mended);
                const std::vector<Diagnostic> after = messages(flags);
                const std::string code(message.info().code());
                INFO(path.filename().string() << ": " << message.headline() << "\n" << mended);
                for (const Diagnostic& left : after) UNSCOPED_INFO(left.headline());
                CHECK(count(after, code) < count(before, code));
                CHECK((code == "E0001" || count(after, "E0001") == 0));
                ++edits[code];
            }
    }
    for (const char* code : {"E0001", "E0002", "E0102", "E0202", "E0402"}) {
        INFO(code);
        CHECK(edits[code] > 0);
    }
}
