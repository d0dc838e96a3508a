#include "arch_configs/json_checks.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace slab::arch {

std::string kind_of(const Json& json) {
    if (json.is_string()) return "a text";
    if (json.is_boolean()) return json.get<bool>() ? "true" : "false";
    if (json.is_number()) return "a number";
    if (json.is_array()) return json.empty() ? "an empty list" : "a list";
    if (json.is_object()) return "an object";
    return "null";
}

std::string quoted(const Json& json) {
    constexpr std::size_t longest = 60;
    std::string text = json.dump(-1, ' ', true);
    if (text.size() > longest) text = text.substr(0, longest) + "…";
    return text;
}

std::string did_you_mean(const std::string& key, const std::vector<std::string>& known) {
    constexpr std::size_t longest = 100;
    const std::string near = key.size() > longest ? "" : nearest(key, known);
    return near.empty() ? "" : ", did you mean " + near;
}

bool contains(const std::vector<std::string>& list, const std::string& text) {
    return std::find(list.begin(), list.end(), text) != list.end();
}

void FileCheck::wrong_type(const std::string& path, const Json& got, const std::string& needed) {
    report<Diag::chip_wrong_type>(path, kind_of(got), needed);
}

std::string FileCheck::text(const Json& object, const std::string& prefix, const std::string& key) {
    const std::string path = prefix.empty() ? key : prefix + "." + key;
    if (!object.contains(key)) {
        report<Diag::chip_missing_key>(path, "a text");
    } else if (!object[key].is_string()) {
        wrong_type(path, object[key], "a text");
    } else if (object[key].get_ref<const std::string&>().empty()) {
        report<Diag::chip_empty_text>(path);
    } else {
        return object[key].get<std::string>();
    }
    return "";
}

}  // namespace slab::arch
