#include "cli/cases_check.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "cli/words.hpp"

namespace slab::cli {

namespace {

constexpr std::size_t longest_quote = 40;

/// A value as it stands in the file, cut where it would not fit into a sentence.
std::string quoted(const Json& json) {
    std::string text = json.dump(-1, ' ', true, Json::error_handler_t::replace);
    return text.size() > longest_quote ? text.substr(0, longest_quote) + "…" : text;
}

std::string joined(const std::string& path, const std::string& key) {
    return path.empty() ? key : path + "." + key;
}

bool contains(const std::vector<std::string>& list, const std::string& text) {
    return std::find(list.begin(), list.end(), text) != list.end();
}

}  // namespace

std::string element(const std::string& path, std::size_t index) {
    return fmt::format("{}[{}]", path, index);
}

/// The key that was meant, or all there are.
std::string or_one_of(const std::string& key, const std::vector<std::string>& known) {
    const std::string near = did_you_mean(key, known);
    return near.empty() ? "; known keys: " + quoted_list(known) : near;
}

void CasesCheck::wrong_kind(const std::string& path, const Json& got, const std::string& needed) {
    report<Diag::cases_wrong_kind>(path.empty() ? "the file" : "`" + path + "`", quoted(got),
                                   needed);
}

bool CasesCheck::is_object(const std::string& path, const Json& json) {
    if (!json.is_object()) wrong_kind(path, json, "an object");
    return json.is_object();
}

void CasesCheck::known_keys(const std::string& path, const Json& object,
                            const std::vector<std::string>& known) {
    for (const auto& item : object.items())
        if (!contains(known, item.key()))
            report<Diag::cases_unknown_key>(joined(path, item.key()), or_one_of(item.key(), known));
}

void CasesCheck::required_keys(const std::string& path, const Json& object,
                               const std::vector<std::string>& keys) {
    for (const std::string& key : keys)
        if (!object.contains(key)) report<Diag::cases_missing_key>(joined(path, key));
}

void CasesCheck::known_chip(const std::string& path, const std::string& chip,
                            const std::vector<std::string>& shipped) {
    if (chip.empty() || contains(shipped, chip)) return;
    report<Diag::cases_unknown_chip>(path, chip, did_you_mean(chip, shipped));
}

const Json* CasesCheck::list_of(const Json& file, const std::string& schema,
                                const std::string& key) {
    if (!is_object("", file)) return nullptr;
    known_keys("", file, {"schema", key});
    required_keys("", file, {"schema", key});
    if (file.contains("schema") && file["schema"] != schema)
        wrong_kind("schema", file["schema"], fmt::format("\"{}\"", schema));
    if (!file.contains(key)) return nullptr;
    if (file[key].is_array()) return &file[key];
    wrong_kind(key, file[key], "a list");
    return nullptr;
}

NamedValues CasesCheck::settings(const std::string& path, const Json& json) {
    NamedValues values;
    if (!is_object(path, json)) return values;
    for (const auto& [name, value] : json.items()) {
        const std::string below = path + "." + name;
        if (value.is_string())
            values.emplace_back(name, text(below, value));
        else if (value.is_number() || value.is_boolean())
            values.emplace_back(name, value.dump());
        else
            wrong_kind(below, value, "a number, a boolean or a text");
    }
    return values;
}

std::string CasesCheck::text(const std::string& path, const Json& json) {
    if (json.is_string() && !json.get_ref<const std::string&>().empty())
        return json.get<std::string>();
    wrong_kind(path, json, "a text");
    return {};
}

}  // namespace slab::cli
