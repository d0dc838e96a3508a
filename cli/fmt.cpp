#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/diagnostics_json.hpp"
#include "cli/flags.hpp"
#include "cli/kernel_file.hpp"
#include "cli/output.hpp"
#include "cli/replace_file.hpp"
#include "dsl/parse.hpp"
#include "dsl/print.hpp"
#include "support/check.hpp"

namespace slab::cli {

namespace {

struct FmtFlags {
    std::string file;
    bool check = false;
    bool write = false;
    bool json = false;
};

/// What is written over a user's text must mean the same.
std::string canonical(const KernelFile& file) {
    std::string text = dsl::print(file.ast, &file.source);
    Diagnostics diags;
    SLAB_CHECK(dsl::parse(SourceFile(file.source.name(), text), diags) == file.ast,
               "the canonical form of `{}` reads differently", file.source.name());
    return text;
}

std::string fmt_json(const std::string& file, const std::string& text, bool changed) {
    return document(
        {{"schema", "slab.fmt/1"}, {"file", file}, {"changed", changed}, {"text", text}});
}

void format(const FmtFlags& flags, const KernelFile& file, Diagnostics& diags) {
    const std::string text = canonical(file);
    const bool changed = text != file.source.text();
    if (flags.json)
        write(fmt_json(flags.file, text, changed));
    else if (!flags.check && !flags.write)
        write(text);
    if (flags.write && changed) replace_file(flags.file, text, diags);
    if (flags.check && changed) diags.add<Diag::not_canonical>({}, flags.file);
}

int run(const FmtFlags& flags) {
    Diagnostics diags;
    if (flags.check && flags.write) diags.add<Diag::flags_exclude>({}, "--check", "--write");
    const KernelFile file = diags.has_errors() ? KernelFile{} : read_kernel_file(flags.file, diags);
    const bool readable = !diags.has_errors();
    if (readable) format(flags, file, diags);
    show(diags, &file.source, flags.json && !readable);
    return diags.exit_code();
}

}  // namespace

Action declare_fmt(CLI::App& app) {
    const auto flags = std::make_shared<FmtFlags>();
    app.add_option("FILE", flags->file, "a .slab file")->type_name("")->required();
    truth_flag(app, "--check", flags->check, "print nothing; exit with 1 if the text would change");
    truth_flag(app, "--write", flags->write, "rewrite the file in place");
    json_flag(app, flags->json, "slab.fmt/1");
    return [flags] { return run(*flags); };
}

}  // namespace slab::cli
