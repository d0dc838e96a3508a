#include "cli/cases_data.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "cli/words.hpp"

namespace slab::cli {

namespace {

struct Generator {
    std::string name;
    std::vector<std::string> needs;
    std::vector<std::string> takes = {};
};

const std::vector<Generator> generators = {
    {"normal", {}, {"mean", "std"}},
    {"uniform", {"lo", "hi"}},
    {"ramp", {}, {"start", "step"}},
    {"permutation", {}},
    {"zipf", {"s", "hi"}},
    {"one_hot", {"index"}},
    {"ties", {}},
    {"tiny", {}},
    {"huge", {}},
    {"constant_rows", {}},
};

constexpr const char* forms = "a number, a list, or an object with `file`, `expr` or `gen`";

std::vector<std::string> generator_names() {
    std::vector<std::string> names;
    for (const Generator& generator : generators) names.push_back(generator.name);
    return names;
}

/// The first element that is neither a number, a boolean nor a list of such, or null.
const Json* stranger(const Json& list) {
    for (const Json& item : list) {
        if (item.is_array()) {
            if (const Json* found = stranger(item)) return found;
        } else if (!item.is_number() && !item.is_boolean()) {
            return &item;
        }
    }
    return nullptr;
}

void check_generator(const Json& object, const std::string& path, CasesCheck& check) {
    const std::string name = check.text(path + ".gen", object["gen"]);
    if (name.empty()) return;
    const auto found = std::find_if(generators.begin(), generators.end(),
                                    [&](const Generator& each) { return each.name == name; });
    if (found == generators.end()) {
        check.wrong_kind(path + ".gen", object["gen"], "one of " + quoted_list(generator_names()));
        return;
    }
    std::vector<std::string> known = {"gen"};
    known.insert(known.end(), found->needs.begin(), found->needs.end());
    known.insert(known.end(), found->takes.begin(), found->takes.end());
    check.known_keys(path, object, known);
    check.required_keys(path, object, found->needs);
    for (const auto& [key, value] : object.items())
        if (key != "gen" && !value.is_number() && !value.is_string())
            check.wrong_kind(path + "." + key, value, "a number or an expression");
}

void check_object(const Json& object, const std::string& path, CasesCheck& check) {
    if (object.contains("gen")) return check_generator(object, path, check);
    for (const char* key : {"file", "expr"}) {
        if (!object.contains(key)) continue;
        check.known_keys(path, object, {key});
        check.text(path + "." + key, object[key]);
        return;
    }
    check.wrong_kind(path, object, forms);
}

}  // namespace

void check_data_entry(const Json& value, const std::string& path, CasesCheck& check) {
    if (value.is_object())
        check_object(value, path, check);
    else if (!value.is_array() && !value.is_number())
        check.wrong_kind(path, value, forms);
    else if (const Json* wrong = value.is_array() ? stranger(value) : nullptr)
        check.wrong_kind(path, *wrong, "a list of numbers, booleans and lists of them");
}

std::vector<std::pair<std::string, std::string>> read_data(const Json& data,
                                                           const std::string& path,
                                                           CasesCheck& check) {
    std::vector<std::pair<std::string, std::string>> entries;
    if (!check.is_object(path, data)) return entries;
    for (const auto& [name, value] : data.items()) {
        check_data_entry(value, path + "." + name, check);
        entries.emplace_back(name, value.dump(-1, ' ', false, Json::error_handler_t::replace));
    }
    return entries;
}

}  // namespace slab::cli
