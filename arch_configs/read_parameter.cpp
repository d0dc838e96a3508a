#include "arch_configs/read_parameter.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <nlohmann/json.hpp>

namespace slab::arch {

namespace {

const std::vector<std::string> keys = {"value", "unit",    "status", "source",
                                       "range", "default", "note"};
const std::vector<std::string> statuses = {"documented", "measured", "inferred",
                                           "unknown",    "fitted",   "assumed"};

void check_keys(const Json& json, const Parameter& parameter, FileCheck& check) {
    for (const auto& item : json.items())
        if (!contains(keys, item.key()))
            check.report<Diag::chip_unknown_key>(parameter.path + "." + item.key(),
                                                 did_you_mean(item.key(), keys));
}

/// True if the value counts for the whole chip.
bool check_unit(const std::string& unit, const Parameter& parameter, FileCheck& check) {
    const std::string per_chip = fmt::format("{} per chip", parameter.unit);
    if (unit.empty() || unit == parameter.unit) return false;
    if (parameter.per_chip_allowed && unit == per_chip) return true;
    check.report<Diag::chip_wrong_unit>(
        parameter.path, unit, parameter.unit,
        parameter.per_chip_allowed ? fmt::format(" or `{}`", per_chip) : "");
    return false;
}

void check_status(const Json& json, const std::string& status, const Parameter& parameter,
                  FileCheck& check) {
    if (status.empty()) return;
    if (!contains(statuses, status))
        check.report<Diag::chip_unknown_status>(parameter.path, status, fmt::join(statuses, ", "));
    if (status == "unknown" && !json.contains("range"))
        check.report<Diag::chip_no_range>(parameter.path);
    if (status != "fitted") return;
    if (!json.contains("range"))
        check.report<Diag::chip_missing_key>(parameter.path + ".range",
                                             "[lowest, highest] of what a fit may give");
    if (!json.contains("default"))
        check.report<Diag::chip_missing_key>(parameter.path + ".default",
                                             "the value before the fit");
}

// --- values --------------------------------------------------------------------------------------

std::string read_bool(const Json& value, const Parameter& parameter, ChipSpec& spec,
                      FileCheck& check) {
    if (!value.is_boolean()) {
        check.wrong_type(parameter.path + ".value", value, "true or false");
        return "";
    }
    *std::get<bool*>(parameter.of(spec)) = value.get<bool>();
    return value.get<bool>() ? "true" : "false";
}

std::optional<double> checked_number(const Json& value, const Parameter& parameter, const char* key,
                                     FileCheck& check) {
    const std::string path = parameter.path + "." + key;
    if (!value.is_number()) {
        check.wrong_type(path, value, parameter.is_integer() ? "a whole number" : "a number");
        return std::nullopt;
    }
    const double number = value.get<double>();
    if (!parameter.admits(number)) {
        check.report<Diag::chip_out_of_bounds>(path, number, parameter.bounds());
        return std::nullopt;
    }
    if (parameter.is_integer() && std::floor(number) != number) {
        check.report<Diag::chip_not_whole>(path, number);
        return std::nullopt;
    }
    return number;
}

std::string read_number(const Json& value, const Parameter& parameter, bool per_chip,
                        ChipSpec& spec, FileCheck& check) {
    const std::optional<double> number = checked_number(value, parameter, "value", check);
    if (!number) return "";
    parameter.put(spec, *number / (per_chip ? spec.cores_per_chip : 1));
    return fmt::format("{}", *number);
}

std::vector<DType> read_types(const Json& list, const std::string& path, FileCheck& check) {
    std::vector<DType> types;
    for (const Json& json : list) {
        const auto type =
            json.is_string() ? dtype_from_name(json.get_ref<const std::string&>()) : std::nullopt;
        if (type && *type != DType::pred)
            types.push_back(*type);
        else
            check.report<Diag::chip_unknown_dtype>(
                path, quoted(json), fmt::join(dtype_names.begin(), dtype_names.end() - 1, " "));
    }
    return types;
}

std::string join(const std::vector<DType>& types) {
    std::string text;
    for (DType type : types) text.append(text.empty() ? "" : "/").append(name(type));
    return text;
}

bool is_product(const Json& json) {
    if (!json.is_object() || json.size() != 2) return false;
    for (const char* side : {"lhs", "rhs"})
        if (!json.contains(side) || !json[side].is_array() || json[side].empty()) return false;
    return true;
}

/// Every type on the left goes with every type on the right.
std::string read_pairs(const Json& value, const Parameter& parameter, ChipSpec& spec,
                       FileCheck& check) {
    const std::string path = parameter.path + ".value";
    const std::string needed = R"({"lhs": [types], "rhs": [types]})";
    if (!value.is_array() || value.empty()) {
        check.wrong_type(path, value, "a list of " + needed);
        return "";
    }
    std::string text;
    NativePairs& pairs = *std::get<NativePairs*>(parameter.of(spec));
    for (const Json& product : value) {
        if (!is_product(product)) {
            check.report<Diag::chip_wrong_element>(path, quoted(product), needed);
            continue;
        }
        const std::vector<DType> left = read_types(product["lhs"], path, check);
        const std::vector<DType> right = read_types(product["rhs"], path, check);
        for (DType lhs : left)
            for (DType rhs : right)
                if (!spec.multiplies(lhs, rhs)) pairs.emplace_back(lhs, rhs);
        text += (text.empty() ? "" : ", ") + join(left) + " x " + join(right);
    }
    return text;
}

std::string read_value(const Json& value, const Parameter& parameter, bool per_chip, ChipSpec& spec,
                       FileCheck& check) {
    if (parameter.is_pairs()) return read_pairs(value, parameter, spec, check);
    if (parameter.is_bool()) return read_bool(value, parameter, spec, check);
    return read_number(value, parameter, per_chip, spec, check);
}

// --- range ---------------------------------------------------------------------------------------

bool is_range(const Json& json) {
    return json.is_array() && json.size() == 2 && json[0].is_number() && json[1].is_number() &&
           json[0].get<double>() <= json[1].get<double>();
}

std::optional<Range> read_range(const Json& json, const Parameter& parameter, FileCheck& check) {
    const Json& range = json["range"];
    if (!parameter.is_number()) {
        check.report<Diag::chip_no_range_here>(parameter.path);
        return std::nullopt;
    }
    if (!is_range(range)) {
        check.report<Diag::chip_wrong_range>(parameter.path, quoted(range));
        return std::nullopt;
    }
    const double low = range[0].get<double>();
    const double high = range[1].get<double>();
    if (!parameter.admits(low) || !parameter.admits(high))
        check.report<Diag::chip_range_out_of_bounds>(parameter.path, low, high, parameter.bounds());
    if (json.contains("value") && json["value"].is_number()) {
        const double value = json["value"].get<double>();
        if (value < low || value > high)
            check.report<Diag::chip_outside_range>(parameter.path, value, low, high);
    }
    return Range{low, high};
}

}  // namespace

ChipParameter read_parameter(const Json& json, const Parameter& parameter, ChipSpec& spec,
                             FileCheck& check) {
    ChipParameter shown;
    shown.path = parameter.path;
    if (!json.is_object()) {
        check.wrong_type(parameter.path, json, "an object of value, unit, status and source");
        return shown;
    }
    check_keys(json, parameter, check);
    shown.unit = check.text(json, parameter.path, "unit");
    shown.status = check.text(json, parameter.path, "status");
    shown.source = check.text(json, parameter.path, "source");
    if (json.contains("note")) shown.note = check.text(json, parameter.path, "note");
    const bool per_chip = check_unit(shown.unit, parameter, check);
    check_status(json, shown.status, parameter, check);
    if (json.contains("value"))
        shown.value = read_value(json["value"], parameter, per_chip, spec, check);
    else
        check.report<Diag::chip_missing_key>(parameter.path + ".value",
                                             fmt::format("in `{}`", parameter.unit));
    if (json.contains("range")) shown.range = read_range(json, parameter, check);
    if (json.contains("default"))
        shown.before_fit = checked_number(json["default"], parameter, "default", check);
    return shown;
}

}  // namespace slab::arch
