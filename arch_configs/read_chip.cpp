#include "arch_configs/read_chip.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <nlohmann/json.hpp>

#include "arch_configs/chip_json.hpp"
#include "arch_configs/overrides.hpp"
#include "arch_configs/parameters.hpp"
#include "arch_configs/shipped_chips.hpp"
#include "support/check.hpp"

namespace slab::arch {

namespace {

constexpr std::string_view schema = "slab.chip/1";
constexpr std::array statuses = {"documented", "measured", "inferred", "unknown", "assumed"};
const std::vector<std::string> head_keys = {"schema",  "name",       "title",
                                            "aliases", "generation", "cores_per_chip"};
const std::vector<std::string> parameter_keys = {"value",  "unit",  "status",
                                                 "source", "range", "note"};

std::string kind_of(const Json& json) {
    if (json.is_string()) return "a text";
    if (json.is_boolean()) return "true or false";
    if (json.is_number()) return "a number";
    if (json.is_array()) return "a list";
    if (json.is_object()) return "an object";
    return "null";
}

std::string did_you_mean(const std::string& near) {
    return near.empty() ? "" : ", did you mean " + near;
}

bool contains(const std::vector<std::string>& list, const std::string& text) {
    return std::find(list.begin(), list.end(), text) != list.end();
}

std::string pairs_text(const Json& value) {
    std::string text;
    for (const Json& product : value) {
        std::string sides[2];
        for (const auto& [side, key] : {std::pair(0, "lhs"), std::pair(1, "rhs")})
            for (const Json& type : product[key])
                sides[side] += (sides[side].empty() ? "" : "/") + type.get<std::string>();
        text += (text.empty() ? "" : ", ") + sides[0] + " x " + sides[1];
    }
    return text;
}

/// Reads one chip file into a ChipFile and reports all that is wrong with it.
class Reader {
public:
    Reader(std::string file, Diagnostics& diags) : file_(std::move(file)), diags_(diags) {}

    std::optional<ChipFile> read(const Json& chip);

private:
    void read_head(const Json& chip);
    std::string head_text(const Json& chip, const char* key);
    int head_integer(const Json& chip, const char* key, int least, int most);
    void read_aliases(const Json& chip);

    void read_group(const Json& group, const std::string& prefix);
    void report_missing(const Json& chip);
    void read_parameter(const Json& json, const Parameter& parameter);
    bool read_keys(const Json& json, const Parameter& parameter);
    std::string text_of(const Json& json, const std::string& path, const char* key);
    bool read_unit(const std::string& unit, const Parameter& parameter);
    void read_status(const Json& json, const Parameter& parameter, const std::string& status);
    std::string read_value(const Json& value, const Parameter& parameter, bool per_chip);
    std::string read_number(const Json& value, const Parameter& parameter, bool per_chip);
    std::string read_pairs(const Json& value, const Parameter& parameter);
    std::vector<DType> read_types(const Json& product, const std::string& path, const char* side);
    std::string read_range(const Json& json, const Parameter& parameter);

    void check_whole();
    void check_rates();
    void wrong_type(const std::string& path, const Json& got, const std::string& needed) {
        diags_.add<Diag::chip_wrong_type>({}, file_, path, kind_of(got), needed);
    }

    std::string file_;
    Diagnostics& diags_;
    ChipFile out_;
    std::set<std::string> seen_;
};

// --- the head ------------------------------------------------------------------------------------

std::string Reader::head_text(const Json& chip, const char* key) {
    if (!chip.contains(key)) {
        diags_.add<Diag::chip_missing_key>({}, file_, key, "a text");
    } else if (!chip[key].is_string()) {
        wrong_type(key, chip[key], "a text");
    } else if (chip[key].get_ref<const std::string&>().empty()) {
        diags_.add<Diag::chip_empty_text>({}, file_, key);
    } else {
        return chip[key].get<std::string>();
    }
    return "";
}

int Reader::head_integer(const Json& chip, const char* key, int least, int most) {
    if (!chip.contains(key)) {
        diags_.add<Diag::chip_missing_key>({}, file_, key, "a whole number");
    } else if (!chip[key].is_number_integer()) {
        wrong_type(key, chip[key], "a whole number");
    } else if (chip[key].get<double>() < least || chip[key].get<double>() > most) {
        diags_.add<Diag::chip_out_of_bounds>({}, file_, key, chip[key].get<double>(), double(least),
                                             double(most), "");
    } else {
        return chip[key].get<int>();
    }
    return least;
}

void Reader::read_aliases(const Json& chip) {
    const std::string needed = "a list of texts";
    if (!chip.contains("aliases")) {
        diags_.add<Diag::chip_missing_key>({}, file_, "aliases", needed);
    } else if (!chip["aliases"].is_array()) {
        wrong_type("aliases", chip["aliases"], needed);
    } else {
        for (const Json& alias : chip["aliases"])
            if (alias.is_string())
                out_.spec.aliases.push_back(alias.get<std::string>());
            else
                diags_.add<Diag::chip_wrong_element>({}, file_, "aliases", kind_of(alias), "texts");
    }
}

void Reader::read_head(const Json& chip) {
    const std::string got = head_text(chip, "schema");
    if (!got.empty() && got != schema) diags_.add<Diag::chip_schema>({}, file_, got, schema);
    out_.spec.name = head_text(chip, "name");
    out_.spec.title = head_text(chip, "title");
    read_aliases(chip);
    out_.spec.generation = head_integer(chip, "generation", 0, 100);
    out_.spec.cores_per_chip = head_integer(chip, "cores_per_chip", 1, 64);
}

// --- groups --------------------------------------------------------------------------------------

void Reader::read_group(const Json& group, const std::string& prefix) {
    std::vector<std::string> known = keys_below(prefix);
    if (prefix.empty()) known.insert(known.begin(), head_keys.begin(), head_keys.end());
    for (const auto& [key, json] : group.items()) {
        const std::string path = prefix.empty() ? key : prefix + "." + key;
        if (!contains(known, key)) {
            diags_.add<Diag::chip_unknown_key>({}, file_, path, did_you_mean(nearest(key, known)));
        } else if (const Parameter* parameter = find_parameter(path)) {
            seen_.insert(path);
            read_parameter(json, *parameter);
        } else if (!prefix.empty() || !contains(head_keys, key)) {
            if (json.is_object())
                read_group(json, path);
            else
                wrong_type(path, json, "an object");
        }
    }
}

/// A group that is missing is one message, not one for each of its parameters.
void Reader::report_missing(const Json& chip) {
    std::set<std::string> absent;
    for (const std::string& group : keys_below(""))
        if (!chip.contains(group)) {
            absent.insert(group);
            diags_.add<Diag::chip_missing_key>({}, file_, group, "an object");
        }
    for (const Parameter& each : parameters()) {
        const std::string group = each.path.substr(0, each.path.find('.'));
        if (each.optional || seen_.contains(each.path) || absent.contains(group)) continue;
        if (!chip[group].is_object()) continue;
        diags_.add<Diag::chip_missing_key>(
            {}, file_, each.path,
            fmt::format("an object of value, unit (`{}`), status and source", each.unit));
    }
}

// --- one parameter -------------------------------------------------------------------------------

void Reader::read_parameter(const Json& json, const Parameter& parameter) {
    if (!json.is_object()) {
        wrong_type(parameter.path, json, "an object of value, unit, status and source");
        return;
    }
    const bool has_value = read_keys(json, parameter);
    ChipParameter shown;
    shown.path = parameter.path;
    shown.unit = text_of(json, parameter.path, "unit");
    shown.status = text_of(json, parameter.path, "status");
    shown.source = text_of(json, parameter.path, "source");
    if (json.contains("note")) shown.note = text_of(json, parameter.path, "note");
    const bool per_chip = read_unit(shown.unit, parameter);
    read_status(json, parameter, shown.status);
    if (has_value) shown.value = read_value(json["value"], parameter, per_chip);
    if (json.contains("range")) shown.range = read_range(json, parameter);
    out_.parameters.push_back(std::move(shown));
}

bool Reader::read_keys(const Json& json, const Parameter& parameter) {
    for (const auto& item : json.items())
        if (!contains(parameter_keys, item.key()))
            diags_.add<Diag::chip_unknown_key>({}, file_, parameter.path + "." + item.key(),
                                               did_you_mean(nearest(item.key(), parameter_keys)));
    if (json.contains("value")) return true;
    diags_.add<Diag::chip_missing_key>({}, file_, parameter.path + ".value",
                                       fmt::format("in `{}`", parameter.unit));
    return false;
}

std::string Reader::text_of(const Json& json, const std::string& path, const char* key) {
    const std::string whole = path + "." + key;
    if (!json.contains(key)) {
        diags_.add<Diag::chip_missing_key>({}, file_, whole, "a text");
    } else if (!json[key].is_string()) {
        wrong_type(whole, json[key], "a text");
    } else if (json[key].get_ref<const std::string&>().empty()) {
        diags_.add<Diag::chip_empty_text>({}, file_, whole);
    } else {
        return json[key].get<std::string>();
    }
    return "";
}

/// True if the value counts for the whole chip.
bool Reader::read_unit(const std::string& unit, const Parameter& parameter) {
    const std::string per_chip = fmt::format("{} per chip", parameter.unit);
    if (unit.empty() || unit == parameter.unit) return false;
    if (parameter.per_chip_allowed && unit == per_chip) return true;
    diags_.add<Diag::chip_wrong_unit>(
        {}, file_, parameter.path, unit, parameter.unit,
        parameter.per_chip_allowed ? fmt::format(" or `{}`", per_chip) : "");
    return false;
}

void Reader::read_status(const Json& json, const Parameter& parameter, const std::string& status) {
    if (status.empty()) return;
    if (std::find(statuses.begin(), statuses.end(), status) == statuses.end())
        diags_.add<Diag::chip_unknown_status>({}, file_, parameter.path, status,
                                              fmt::join(statuses, ", "));
    if (status == "unknown" && !json.contains("range"))
        diags_.add<Diag::chip_no_range>({}, file_, parameter.path);
}

std::string Reader::read_value(const Json& value, const Parameter& parameter, bool per_chip) {
    if (parameter.is_pairs()) return read_pairs(value, parameter);
    if (parameter.is_number()) return read_number(value, parameter, per_chip);
    if (!value.is_boolean()) {
        wrong_type(parameter.path + ".value", value, "true or false");
        return "";
    }
    *std::get<bool*>(parameter.of(out_.spec)) = value.get<bool>();
    return value.get<bool>() ? "true" : "false";
}

std::string Reader::read_number(const Json& value, const Parameter& parameter, bool per_chip) {
    const std::string path = parameter.path + ".value";
    if (!value.is_number()) {
        wrong_type(path, value, parameter.is_integer() ? "a whole number" : "a number");
        return "";
    }
    const double number = value.get<double>();
    if (!parameter.admits(number)) {
        diags_.add<Diag::chip_out_of_bounds>({}, file_, path, number, parameter.least,
                                             parameter.most, fmt::format(" {}", parameter.unit));
        return "";
    }
    if (parameter.is_integer() && std::floor(number) != number) {
        diags_.add<Diag::chip_not_whole>({}, file_, path, number);
        return "";
    }
    const int cores = per_chip ? out_.spec.cores_per_chip : 1;
    const Member member = parameter.of(out_.spec);
    if (double* const* at = std::get_if<double*>(&member)) **at = number / cores;
    if (int* const* at = std::get_if<int*>(&member)) **at = static_cast<int>(number) / cores;
    if (std::int64_t* const* at = std::get_if<std::int64_t*>(&member))
        **at = static_cast<std::int64_t>(number) / cores;
    return fmt::format("{}", number);
}

std::string Reader::read_pairs(const Json& value, const Parameter& parameter) {
    const std::string path = parameter.path + ".value";
    const std::string needed = R"(a list of {"lhs": [types], "rhs": [types]})";
    if (!value.is_array() || value.empty()) {
        diags_.add<Diag::chip_wrong_type>(
            {}, file_, path, value.is_array() ? "an empty list" : kind_of(value), needed);
        return "";
    }
    const std::size_t before = diags_.size();
    NativePairs& pairs = *std::get<NativePairs*>(parameter.of(out_.spec));
    for (const Json& product : value) {
        const bool fits = product.is_object() && product.size() == 2 && product.contains("lhs") &&
                          product.contains("rhs");
        if (!fits) {
            diags_.add<Diag::chip_wrong_element>({}, file_, path, product.dump(), needed);
            continue;
        }
        for (DType lhs : read_types(product, path, "lhs"))
            for (DType rhs : read_types(product, path, "rhs"))
                if (!out_.spec.multiplies(lhs, rhs)) pairs.emplace_back(lhs, rhs);
    }
    return diags_.size() == before ? pairs_text(value) : "";
}

std::vector<DType> Reader::read_types(const Json& product, const std::string& path,
                                      const char* side) {
    std::vector<DType> types;
    if (!product[side].is_array() || product[side].empty()) {
        diags_.add<Diag::chip_wrong_element>({}, file_, path, product.dump(),
                                             "element types on both sides");
        return types;
    }
    for (const Json& json : product[side]) {
        const auto type =
            json.is_string() ? dtype_from_name(json.get_ref<const std::string&>()) : std::nullopt;
        if (type && *type != DType::pred)
            types.push_back(*type);
        else
            diags_.add<Diag::chip_unknown_dtype>(
                {}, file_, path, json.is_string() ? json.get<std::string>() : json.dump(),
                fmt::join(dtype_names.begin(), dtype_names.end() - 1, " "));
    }
    return types;
}

std::string Reader::read_range(const Json& json, const Parameter& parameter) {
    const Json& range = json["range"];
    const bool fits = range.is_array() && range.size() == 2 && range[0].is_number() &&
                      range[1].is_number() && range[0].get<double>() <= range[1].get<double>();
    if (!fits || !parameter.is_number()) {
        diags_.add<Diag::chip_wrong_range>({}, file_, parameter.path, range.dump(),
                                           parameter.is_number() ? "[lowest, highest]" : "none");
        return "";
    }
    const double low = range[0].get<double>();
    const double high = range[1].get<double>();
    if (!parameter.admits(low) || !parameter.admits(high))
        diags_.add<Diag::chip_range_out_of_bounds>({}, file_, parameter.path, low, high,
                                                   parameter.least, parameter.most, parameter.unit);
    if (json.contains("value") && json["value"].is_number()) {
        const double value = json["value"].get<double>();
        if (value < low || value > high)
            diags_.add<Diag::chip_outside_range>({}, file_, parameter.path, value, low, high);
    }
    return fmt::format("{} to {}", low, high);
}

// --- the whole -----------------------------------------------------------------------------------

void Reader::check_whole() {
    const ChipSpec& spec = out_.spec;
    if (spec.clock.sustained_ghz > spec.clock.nominal_ghz)
        diags_.add<Diag::chip_exceeds>({}, file_, "clock.sustained_ghz", spec.clock.sustained_ghz,
                                       "clock.nominal_ghz", spec.clock.nominal_ghz);
    if (spec.vmem.scoped_limit_bytes > spec.vmem.bytes)
        diags_.add<Diag::chip_exceeds>({}, file_, "vmem.scoped_limit_bytes",
                                       double(spec.vmem.scoped_limit_bytes), "vmem.bytes",
                                       double(spec.vmem.bytes));
    if (spec.mxu.accumulate_in_place && spec.mxu.accumulator_rows < 1)
        diags_.add<Diag::chip_no_accumulators>({}, file_);
    check_rates();
}

/// A native pair streams at the rate of its wider type, so that type needs one.
void Reader::check_rates() {
    std::set<DType> missing;
    for (const auto& [lhs, rhs] : out_.spec.mxu.native_pairs) {
        const DType wider = bits(rhs) > bits(lhs) ? rhs : lhs;
        if (!out_.spec.mxu.rows_per_cycle.contains(wider)) missing.insert(wider);
    }
    for (DType type : missing) diags_.add<Diag::chip_no_rate>({}, file_, name(type), name(type));
}

std::optional<ChipFile> Reader::read(const Json& chip) {
    if (!chip.is_object()) {
        diags_.add<Diag::chip_not_an_object>({}, file_, kind_of(chip));
        return std::nullopt;
    }
    const std::size_t before = diags_.size();
    read_head(chip);
    read_group(chip, "");
    report_missing(chip);
    if (diags_.size() == before) check_whole();
    if (diags_.size() != before) return std::nullopt;
    return std::move(out_);
}

// --- which file ----------------------------------------------------------------------------------

/// The names by which a shipped chip may be called.
std::vector<std::string> names_of(const ShippedChip& chip) {
    std::vector<std::string> names = {std::string(chip.name)};
    const Json json = Json::parse(chip.text, nullptr, false);
    SLAB_CHECK(json.is_object() && json["aliases"].is_array(), "{}.json lists no aliases",
               chip.name);
    for (const Json& alias : json["aliases"]) names.push_back(alias.get<std::string>());
    return names;
}

const ShippedChip* find_shipped(const std::string& name, Diagnostics& diags) {
    for (const ShippedChip& chip : shipped_texts())
        if (chip.name == name) return &chip;
    std::vector<std::string> all;
    for (const ShippedChip& chip : shipped_texts()) {
        const std::vector<std::string> names = names_of(chip);
        if (contains(names, name)) return &chip;
        all.insert(all.end(), names.begin(), names.end());
    }
    diags.add<Diag::chip_unknown>({}, name, did_you_mean(nearest(name, all)),
                                  fmt::join(shipped_chips(), ", "));
    return nullptr;
}

std::optional<ChipFile> read_text_as_chip(const std::string& file, const std::string& text,
                                          const std::vector<std::string>& overrides,
                                          Diagnostics& diags) {
    Diagnostics found;
    std::optional<ChipFile> chip;
    if (std::optional<Json> json = parse_json(file, text, found)) {
        apply_overrides(overrides, *json, found);
        chip = Reader(file, found).read(*json);
    }
    diags.append(found);
    return found.has_errors() ? std::nullopt : std::move(chip);
}

}  // namespace

std::vector<std::string> shipped_chips() {
    std::vector<std::string> names;
    for (const ShippedChip& chip : shipped_texts()) names.emplace_back(chip.name);
    return names;
}

std::optional<ChipFile> read_chip(const std::string& name_or_path,
                                  const std::vector<std::string>& overrides, Diagnostics& diags) {
    if (name_or_path.ends_with(".json")) {
        const std::optional<std::string> text = read_text(name_or_path, diags);
        if (!text) return std::nullopt;
        return read_text_as_chip(name_or_path, *text, overrides, diags);
    }
    const ShippedChip* chip = find_shipped(name_or_path, diags);
    if (!chip) return std::nullopt;
    return read_text_as_chip(std::string(chip->name) + ".json", std::string(chip->text), overrides,
                             diags);
}

}  // namespace slab::arch
