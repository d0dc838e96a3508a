#include <memory>

#include <CLI/CLI.hpp>

#include "cli/commands.hpp"
#include "cli/error_pages_text.hpp"
#include "cli/flags.hpp"
#include "cli/output.hpp"

namespace slab::cli {

namespace {

struct ExplainFlags {
    std::string code;
    bool markdown = false;
    bool json = false;
};

std::string in_capitals(std::string text) {
    for (char& c : text)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return text;
}

std::vector<ErrorPage> chosen_pages(const std::string& code, Diagnostics& diags) {
    if (code.empty()) return error_pages();
    for (const ErrorPage& page : error_pages())
        if (page.code == code) return {page};
    diags.add<Diag::code_unknown>({}, code, codes_like(code));
    return {};
}

void print(const std::vector<ErrorPage>& pages, const ExplainFlags& flags) {
    if (flags.json)
        write(pages_as_json(pages));
    else if (flags.markdown)
        write(pages_as_markdown());
    else
        write(flags.code.empty() ? list_of_pages() : page_on_screen(pages.front()));
}

int run(const ExplainFlags& flags) {
    Diagnostics diags;
    if (flags.markdown && !flags.code.empty())
        diags.add<Diag::flags_exclude>({}, "--markdown", flags.code);
    if (flags.markdown && flags.json) diags.add<Diag::flags_exclude>({}, "--markdown", "--json");
    if (!diags.has_errors()) {
        const auto pages = chosen_pages(in_capitals(flags.code), diags);
        if (!diags.has_errors()) print(pages, flags);
    }
    show(diags, nullptr, flags.json);
    return diags.exit_code();
}

}  // namespace

Action declare_explain(CLI::App& app) {
    const auto flags = std::make_shared<ExplainFlags>();
    app.add_option("CODE", flags->code, "as messages carry it: E0501, W01; without, all codes")
        ->type_name("");
    truth_flag(app, "--markdown", flags->markdown, "print the pages of all codes: docs/errors.md");
    json_flag(app, flags->json, "slab.explain/1");
    return [flags] { return run(*flags); };
}

}  // namespace slab::cli
