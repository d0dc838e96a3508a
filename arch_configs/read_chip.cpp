#include "arch_configs/read_chip.hpp"

#include <set>

#include <nlohmann/json.hpp>

#include "arch_configs/overrides.hpp"
#include "arch_configs/read_parameter.hpp"
#include "arch_configs/shipped_chips.hpp"
#include "support/check.hpp"

namespace slab::arch {

namespace {

constexpr std::string_view schema = "slab.chip/1";
const std::vector<std::string> head_keys = {"schema",  "name",       "title",
                                            "aliases", "generation", "cores_per_chip"};

// --- the head ------------------------------------------------------------------------------------

int head_integer(const Json& chip, const std::string& key, int least, int most, FileCheck& check) {
    if (!chip.contains(key)) {
        check.report<Diag::chip_missing_key>(key, "a whole number");
    } else if (!chip[key].is_number_integer()) {
        check.wrong_type(key, chip[key], "a whole number");
    } else if (chip[key].get<double>() < least || chip[key].get<double>() > most) {
        check.report<Diag::chip_out_of_bounds>(key, chip[key].get<double>(),
                                               fmt::format("between {} and {}", least, most));
    } else {
        return chip[key].get<int>();
    }
    return least;
}

std::vector<std::string> head_aliases(const Json& chip, FileCheck& check) {
    std::vector<std::string> aliases;
    if (!chip.contains("aliases")) {
        check.report<Diag::chip_missing_key>("aliases", "a list of texts");
    } else if (!chip["aliases"].is_array()) {
        check.wrong_type("aliases", chip["aliases"], "a list of texts");
    } else {
        for (const Json& alias : chip["aliases"])
            if (alias.is_string())
                aliases.push_back(alias.get<std::string>());
            else
                check.report<Diag::chip_wrong_element>("aliases", quoted(alias), "texts");
    }
    return aliases;
}

void read_head(const Json& chip, ChipSpec& spec, FileCheck& check) {
    const std::string got = check.text(chip, "", "schema");
    if (!got.empty() && got != schema) check.report<Diag::chip_schema>(got, schema);
    spec.name = check.text(chip, "", "name");
    spec.title = check.text(chip, "", "title");
    spec.aliases = head_aliases(chip, check);
    spec.generation = head_integer(chip, "generation", 0, 100, check);
    spec.cores_per_chip = head_integer(chip, "cores_per_chip", 1, 64, check);
}

// --- the groups ----------------------------------------------------------------------------------

void read_group(const Json& group, const std::string& prefix, ChipFile& out, FileCheck& check) {
    std::vector<std::string> known = keys_below(prefix);
    if (prefix.empty()) known.insert(known.begin(), head_keys.begin(), head_keys.end());
    for (const auto& [key, json] : group.items()) {
        const std::string path = prefix.empty() ? key : prefix + "." + key;
        if (!contains(known, key)) {
            check.report<Diag::chip_unknown_key>(path, did_you_mean(key, known));
        } else if (const Parameter* parameter = find_parameter(path)) {
            out.parameters.push_back(read_parameter(json, *parameter, out.spec, check));
        } else if (prefix.empty() && contains(head_keys, key)) {
            continue;
        } else if (json.is_object()) {
            read_group(json, path, out, check);
        } else {
            check.wrong_type(path, json, "an object");
        }
    }
}

/// A group that is missing is one message, not one for each of its parameters.
void report_missing(const Json& chip, const ChipFile& read, FileCheck& check) {
    for (const std::string& group : keys_below(""))
        if (!chip.contains(group)) check.report<Diag::chip_missing_key>(group, "an object");
    std::set<std::string> seen;
    for (const ChipParameter& each : read.parameters) seen.insert(each.path);
    for (const Parameter& each : parameters()) {
        const std::string group = each.path.substr(0, each.path.find('.'));
        if (each.optional || seen.contains(each.path)) continue;
        if (!chip.contains(group) || !chip[group].is_object()) continue;
        check.report<Diag::chip_missing_key>(
            each.path,
            fmt::format("an object of value, unit (`{}`), status and source", each.unit));
    }
}

// --- the whole -----------------------------------------------------------------------------------

/// A native pair streams at the rate of its wider type, so that type needs one.
void check_rates(const MxuSpec& mxu, FileCheck& check) {
    std::set<DType> missing;
    for (const auto& [lhs, rhs] : mxu.native_pairs) {
        const DType wider = bits(rhs) > bits(lhs) ? rhs : lhs;
        if (!mxu.rows_per_cycle.contains(wider)) missing.insert(wider);
    }
    for (DType type : missing) check.report<Diag::chip_no_rate>(name(type), name(type));
}

/// Bursts lie in a piece of one channel, pieces in a row, and refresh leaves time for them.
void check_dram(const DramSpec& dram, FileCheck& check) {
    if (dram.channels < 1)
        check.report<Diag::chip_out_of_bounds>("dram.channels", double(dram.channels),
                                               "at least one per core");
    if (dram.burst_bytes > dram.interleave_bytes)
        check.report<Diag::chip_exceeds>("dram.burst_bytes", dram.burst_bytes,
                                         "dram.interleave_bytes", dram.interleave_bytes);
    if (dram.interleave_bytes > dram.row_bytes)
        check.report<Diag::chip_exceeds>("dram.interleave_bytes", dram.interleave_bytes,
                                         "dram.row_bytes", dram.row_bytes);
    if (dram.bank_groups > dram.banks)
        check.report<Diag::chip_exceeds>("dram.bank_groups", double(dram.bank_groups), "dram.banks",
                                         double(dram.banks));
    if (dram.trfc_ns >= dram.trefi_ns)
        check.report<Diag::chip_out_of_bounds>(
            "dram.trfc_ns", dram.trfc_ns,
            fmt::format("less than `dram.trefi_ns`, which is {}", dram.trefi_ns));
}

void check_whole(const ChipSpec& spec, FileCheck& check) {
    if (spec.clock.sustained_ghz > spec.clock.nominal_ghz)
        check.report<Diag::chip_exceeds>("clock.sustained_ghz", spec.clock.sustained_ghz,
                                         "clock.nominal_ghz", spec.clock.nominal_ghz);
    if (spec.vmem.scoped_limit_bytes > spec.vmem.bytes)
        check.report<Diag::chip_exceeds>("vmem.scoped_limit_bytes",
                                         double(spec.vmem.scoped_limit_bytes), "vmem.bytes",
                                         double(spec.vmem.bytes));
    if (spec.mxu.accumulate_in_place && spec.mxu.accumulator_rows < 1)
        check.report<Diag::chip_no_accumulators>();
    check_rates(spec.mxu, check);
    check_dram(spec.dram, check);
}

ChipFile read_json(const Json& chip, FileCheck& check) {
    ChipFile out;
    if (!chip.is_object()) {
        check.report<Diag::chip_not_an_object>(kind_of(chip));
        return out;
    }
    read_head(chip, out.spec, check);
    read_group(chip, "", out, check);
    report_missing(chip, out, check);
    if (check.clean()) check_whole(out.spec, check);
    return out;
}

// --- which file ----------------------------------------------------------------------------------

std::vector<std::string> names_of(const ShippedChip& chip) {
    std::vector<std::string> names = {std::string(chip.name)};
    const Json json = Json::parse(chip.text, nullptr, false);
    SLAB_CHECK(json.is_object() && json.contains("aliases"), "{}.json has no aliases", chip.name);
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
    diags.add<Diag::chip_unknown>({}, name, did_you_mean(name, all),
                                  fmt::join(shipped_chips(), ", "));
    return nullptr;
}

std::optional<ChipFile> read_text_as_chip(const std::string& file, const std::string& text,
                                          const std::vector<std::string>& overrides,
                                          Diagnostics& diags) {
    Diagnostics found;
    ChipFile chip;
    if (std::optional<Json> json = parse_json(file, text, found)) {
        FileCheck check(file, found);
        apply_overrides(overrides, *json, found);
        chip = read_json(*json, check);
    }
    diags.append(found);
    if (found.has_errors()) return std::nullopt;
    return chip;
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

ChipSpec before_fit(const ChipFile& file) {
    ChipSpec chip = file.spec;
    for (const ChipParameter& parameter : file.parameters)
        if (parameter.before_fit) find_parameter(parameter.path)->put(chip, *parameter.before_fit);
    return chip;
}

}  // namespace slab::arch
