#include "cli/settings.hpp"

#include <string_view>

namespace slab::cli {

namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// Brackets and quotes that are never closed reach to the end; the compiler says what is wrong.
std::vector<std::string_view> split_at_commas(std::string_view text) {
    std::vector<std::string_view> parts;
    std::size_t begin = 0;
    int depth = 0;
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"') quoted = !quoted;
        if (quoted) continue;
        if (c == '(' || c == '[' || c == '{') ++depth;
        if (c == ')' || c == ']' || c == '}') --depth;
        if (c != ',' || depth > 0) continue;
        parts.push_back(trimmed(text.substr(begin, i - begin)));
        begin = i + 1;
    }
    parts.push_back(trimmed(text.substr(begin)));
    return parts;
}

std::string_view without_quotes(std::string_view value) {
    const bool quoted = value.size() >= 2 && value.front() == '"' && value.back() == '"' &&
                        value.find('"', 1) == value.size() - 1;
    return quoted ? trimmed(value.substr(1, value.size() - 2)) : value;
}

void add_setting(std::string_view part, NamedValues& settings, Diagnostics& diags) {
    const std::size_t equals = part.find('=');
    const std::string_view name = trimmed(part.substr(0, equals));
    const std::string_view value = equals == std::string_view::npos
                                       ? std::string_view{}
                                       : without_quotes(trimmed(part.substr(equals + 1)));
    if (part.empty())
        diags.add<Diag::set_empty>({});
    else if (equals == std::string_view::npos)
        diags.add<Diag::set_no_equals>({}, part);
    else if (name.empty())
        diags.add<Diag::set_no_name>({}, part);
    else if (value.empty())
        diags.add<Diag::set_no_value>({}, part);
    else
        settings.emplace_back(name, value);
}

}  // namespace

NamedValues split_settings(const std::vector<std::string>& texts, Diagnostics& diags) {
    NamedValues settings;
    for (const std::string& text : texts)
        for (const std::string_view part : split_at_commas(text))
            add_setting(part, settings, diags);
    return settings;
}

std::vector<std::string> split_names(const std::vector<std::string>& texts) {
    std::vector<std::string> names;
    for (const std::string& text : texts)
        for (const std::string_view part : split_at_commas(text)) names.emplace_back(part);
    return names;
}

}  // namespace slab::cli
