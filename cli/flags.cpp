#include "cli/flags.hpp"

#include <algorithm>
#include <charconv>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cli/words.hpp"

namespace slab::cli {

namespace {

std::string is_no_flag(std::string& value) {
    return value.starts_with("--") ? "a value is needed" : "";
}

}  // namespace

CLI::Option* text_flag(CLI::App& app, const char* name, std::string& value, const char* kind,
                       const std::string& description) {
    return app.add_option(name, value, description)
        ->type_name(kind)
        ->take_last()
        ->transform(CLI::Validator(is_no_flag, ""));
}

CLI::Option* list_flag(CLI::App& app, const char* name, std::vector<std::string>& values,
                       const char* kind, const std::string& description) {
    return app.add_option(name, values, description)
        ->type_name(kind)
        ->allow_extra_args(false)
        ->transform(CLI::Validator(is_no_flag, ""));
}

CLI::Option* truth_flag(CLI::App& app, const char* name, bool& value,
                        const std::string& description) {
    return app.add_flag(name, value, description)->disable_flag_override();
}

CLI::Option* json_flag(CLI::App& app, bool& value, const char* schema) {
    return truth_flag(app, "--json", value,
                      fmt::format("print {}, and errors as slab.diagnostics/1", schema));
}

CLI::Option* hbm_flag(CLI::App& app, std::string& value) {
    return text_flag(app, "--hbm", value, "fluid|banked",
                     "one bandwidth with a measured efficiency (default), or channels and banks\n"
                     "with the timings of the chip file");
}

void declare_kernel_flags(CLI::App& app, KernelFlags& flags) {
    app.add_option("FILE", flags.file, "a .slab file")->type_name("")->required();
    text_flag(app, "--kernel", flags.kernel, "NAME",
              "by default the only one, or the one named like the file");
    text_flag(app, "--chip", flags.chip, "CHIP",
              "a name of `slab chips`, or a file that ends in .json; by default v6e");
    list_flag(app, "--set-chip", flags.set_chip, "PATH=VALUE",
              "change the chip: hbm.bandwidth_gb_per_s=2000");
    list_flag(app, "--set", flags.set, "NAME=VALUE",
              "sizes and parameters: M=8192,bk=64*2,T=bf16; a later one wins");
    list_flag(app, "--with", flags.with, "NAME", "pass optional operands: bias,scale");
    list_flag(
        app, "--data", flags.data, "NAME=VALUE",
        "what an operand holds that decides what runs: lens=[9,1,8], table=@table.npy,\n"
        "n=3, lens={\"gen\":\"uniform\",\"lo\":1,\"hi\":9}, s={\"expr\":\"cumsum(lens, 0)\"}");
    text_flag(app, "--case", flags.case_name, "NAME",
              "take the sizes and data of a case of cases.json beside the file;\n"
              "by default, without sizes, the first `full` one for the chip");
}

std::optional<std::size_t> one_of(const char* flag, const std::string& text,
                                  const std::vector<std::string>& words, Diagnostics& diags) {
    const auto found = std::find(words.begin(), words.end(), text);
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
    diags.add<Diag::flag_choice>({}, flag, text, "one of " + quoted_list(words));
    return std::nullopt;
}

std::optional<std::int64_t> positive_number(const char* flag, const std::string& text,
                                            Diagnostics& diags) {
    std::int64_t number = 0;
    const char* end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, number);
    if (error == std::errc{} && at == end && number >= 1) return number;
    diags.add<Diag::flag_choice>({}, flag, text, "a whole number of at least 1");
    return std::nullopt;
}

}  // namespace slab::cli
