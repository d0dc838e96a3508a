#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/error_pages_text.hpp"
#include "cli/flags.hpp"
#include "cli/output.hpp"
#include "cli/words.hpp"

namespace slab::cli {

namespace {

struct ExplainFlags {
    std::string code;
    bool markdown = false;
};

std::string in_capitals(std::string text) {
    for (char& c : text)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return text;
}

std::vector<std::string> codes() {
    std::vector<std::string> names;
    for (const ErrorPage& page : error_pages()) names.emplace_back(page.code);
    return names;
}

int explain_code(const std::string& code) {
    const auto& pages = error_pages();
    const auto page = std::find_if(pages.begin(), pages.end(), [&](const ErrorPage& one) {
        return one.code == in_capitals(code);
    });
    if (page != pages.end()) {
        write(page_on_screen(*page));
        return 0;
    }
    Diagnostics diags;
    diags.add<Diag::code_unknown>({}, code, did_you_mean(in_capitals(code), codes()));
    show(diags);
    return diags.exit_code();
}

int run(const ExplainFlags& flags) {
    if (flags.markdown && !flags.code.empty()) {
        Diagnostics diags;
        diags.add<Diag::flags_exclude>({}, "--markdown", flags.code);
        show(diags);
        return diags.exit_code();
    }
    if (flags.markdown || flags.code.empty()) {
        write(flags.markdown ? pages_as_markdown() : list_of_pages());
        return 0;
    }
    return explain_code(flags.code);
}

}  // namespace

Action declare_explain(CLI::App& app) {
    const auto flags = std::make_shared<ExplainFlags>();
    app.add_option("CODE", flags->code, "as messages carry it: E0501, W01; without, all codes")
        ->type_name("");
    truth_flag(app, "--markdown", flags->markdown, "print the pages of all codes: docs/errors.md");
    return [flags] { return run(*flags); };
}

}  // namespace slab::cli
