#include "arch_configs/overrides.hpp"

#include <charconv>
#include <cmath>
#include <optional>

#include <nlohmann/json.hpp>

#include "arch_configs/json_checks.hpp"
#include "arch_configs/parameters.hpp"

namespace slab::arch {

namespace {

/// The nearest path, or the one path that ends in the key somebody gave without its group, or that
/// begins with something like it: `hbm.bandwith` for `hbm.bandwidth_gb_per_s`.
std::string suggestion(const std::string& name) {
    const std::vector<std::string> paths = parameter_paths();
    std::vector<std::string> beginnings;
    for (const std::string& path : paths) {
        if (path.ends_with("." + name)) return fmt::format(", did you mean `{}`", path);
        beginnings.push_back(path.substr(0, path.find('_')));
    }
    const std::string near = did_you_mean(name, paths);
    if (!near.empty()) return near;
    const std::string* beginning = nearest_of(name, beginnings);
    if (!beginning) return ", `slab chips NAME` lists them";
    return fmt::format(", did you mean `{}`", paths[beginning - beginnings.data()]);
}

std::optional<double> number(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    if (!std::isfinite(value)) return std::nullopt;
    return value;
}

std::optional<Json> bool_value(const std::string& text, const std::string& value,
                               Diagnostics& diags) {
    if (value == "true" || value == "false") return Json(value == "true");
    diags.add<Diag::set_chip_not_a_value>({}, text, value, "true or false");
    return std::nullopt;
}

std::optional<Json> number_value(const std::string& text, const std::string& value,
                                 const Parameter& parameter, Diagnostics& diags) {
    const std::optional<double> parsed = number(value);
    if (!parsed || (parameter.is_integer() && std::floor(*parsed) != *parsed)) {
        diags.add<Diag::set_chip_not_a_value>(
            {}, text, value, parameter.is_integer() ? "a whole number" : "a number");
        return std::nullopt;
    }
    if (!parameter.admits(*parsed)) {
        diags.add<Diag::set_chip_out_of_bounds>({}, text, parameter.path, parameter.bounds());
        return std::nullopt;
    }
    return Json(*parsed);
}

std::optional<Json> value_of(const std::string& text, const std::string& value,
                             const Parameter& parameter, Diagnostics& diags) {
    if (parameter.is_bool()) return bool_value(text, value, diags);
    if (parameter.is_number()) return number_value(text, value, parameter, diags);
    diags.add<Diag::set_chip_list>({}, text, parameter.path);
    return std::nullopt;
}

/// The parameter's object, made if it is not there; null where the file has something else on the
/// way, which the reader reports.
Json* place_of(Json& chip, const std::string& path) {
    Json* at = &chip;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        if (!at->is_object()) return nullptr;
        at = &(*at)[path.substr(begin, end - begin)];
        if (at->is_null()) *at = Json::object();
        begin = end + 1;
    }
    return at->is_object() ? at : nullptr;
}

void put(Json& at, Json value, const Parameter& parameter) {
    Json fresh = Json::object();
    fresh["value"] = std::move(value);
    fresh["unit"] = at.contains("unit") ? at["unit"] : Json(parameter.unit);
    fresh["status"] = "assumed";
    fresh["source"] = "set with --set-chip";
    if (at.contains("value") && at["value"].is_primitive())
        fresh["note"] = "the file says " + at["value"].dump();
    at = std::move(fresh);
}

}  // namespace

void apply_overrides(const std::vector<std::string>& overrides, Json& chip, Diagnostics& diags) {
    for (const std::string& text : overrides) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos) {
            diags.add<Diag::set_chip_no_equals>({}, text);
            continue;
        }
        const std::string path = text.substr(0, equals);
        const Parameter* parameter = find_parameter(path);
        if (!parameter) {
            diags.add<Diag::set_chip_unknown>({}, text, path, suggestion(path));
            continue;
        }
        auto value = value_of(text, text.substr(equals + 1), *parameter, diags);
        Json* at = value ? place_of(chip, path) : nullptr;
        if (at) put(*at, std::move(*value), *parameter);
    }
}

}  // namespace slab::arch
