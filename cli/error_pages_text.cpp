#include "cli/error_pages_text.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/diagnostics_json.hpp"
#include "cli/words.hpp"

namespace slab::cli {

namespace {

/// The first line, and moves past it.
std::string_view take_line(std::string_view& text) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

std::string indented(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        out += line.empty() ? "\n" : fmt::format("  {}\n", line);
    }
    return out;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
}

/// An example as a user would have it: its first line is the command, as a comment that leaves the
/// numbers of the lines alone.
std::string with_command(std::string_view text, std::string_view name) {
    std::string command(take_line(text));
    replace_all(command, "// run: ", "// slab ");
    replace_all(command, "@", name);
    return fmt::format("{}\n{}", command, text);
}

std::string_view without_zeros(std::string_view digits) {
    return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

/// What slab says to an example, without the folder of the tests.
std::string said_about(const ErrorExample& example) {
    std::string text(example.said);
    if (text.empty()) return "This slab does not check the rule yet.\n";
    replace_all(text, "errors/", "");
    return text.substr(0, text.rfind("exit code: "));
}

std::string name_of_twin(const ErrorExample& example) {
    std::string name(example.name);
    replace_all(name, ".slab", ".fixed.slab");
    return name;
}

}  // namespace

std::string_view ErrorPage::headline() const {
    std::string_view rest = text;
    std::string_view line = take_line(rest);
    line.remove_prefix(std::min(line.find_first_not_of("# "), line.size()));
    return line;
}

std::string_view ErrorPage::rule() const {
    std::string_view rest = text;
    take_line(rest);
    rest.remove_prefix(std::min(rest.find_first_not_of('\n'), rest.size()));
    return rest;
}

std::string page_on_screen(const ErrorPage& page) {
    std::string out = fmt::format("{}: {}\n\n{}", page.code, page.headline(), page.rule());
    for (const ErrorExample& example : page.examples)
        out += fmt::format("\nBefore:\n\n{}\n{}\nAfter:\n\n{}",
                           indented(with_command(example.before, example.name)),
                           indented(said_about(example)),
                           indented(with_command(example.after, name_of_twin(example))));
    return out;
}

std::string list_of_pages() {
    std::string out;
    for (const ErrorPage& page : error_pages())
        out += fmt::format("{:<5}  {}\n", page.code, page.headline());
    return out + "\n`slab explain CODE` tells the rule, with a kernel before and after.\n";
}

std::string codes_like(const std::string& code) {
    std::vector<std::string> all;
    std::string with_digits;
    for (const ErrorPage& page : error_pages()) {
        all.emplace_back(page.code);
        if (without_zeros(page.code.substr(1)) == without_zeros(code))
            with_digits += fmt::format("{} `{}`", with_digits.empty() ? "" : " or", page.code);
    }
    return with_digits.empty() ? did_you_mean(code, all) : ", did you mean" + with_digits;
}

std::string pages_as_markdown() {
    std::string out =
        "# Errors and warnings\n\n"
        "What each code means and how to mend it. The examples are tests: slab prints what stands "
        "here. This page is\nmade by `slab explain --markdown`; `slab explain CODE` shows one "
        "code.\n";
    for (const ErrorPage& page : error_pages()) {
        out += fmt::format("\n## {}: {}\n\n{}", page.code, page.headline(), page.rule());
        for (const ErrorExample& example : page.examples)
            out += fmt::format("\n```slab\n{}```\n```text\n{}```\n\nMended:\n\n```slab\n{}```\n",
                               with_command(example.before, example.name), said_about(example),
                               with_command(example.after, name_of_twin(example)));
    }
    return out;
}

std::string pages_as_json(const std::vector<ErrorPage>& pages) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const ErrorPage& page : pages) {
        nlohmann::ordered_json examples = nlohmann::ordered_json::array();
        for (const ErrorExample& example : page.examples)
            examples.push_back({{"before", with_command(example.before, example.name)},
                                {"said", said_about(example)},
                                {"after", with_command(example.after, name_of_twin(example))}});
        list.push_back({{"code", page.code},
                        {"headline", page.headline()},
                        {"rule", page.rule()},
                        {"examples", std::move(examples)}});
    }
    return document({{"schema", "slab.explain/1"}, {"pages", std::move(list)}});
}

}  // namespace slab::cli
