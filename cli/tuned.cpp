#include "cli/tuned.hpp"

#include <algorithm>
#include <limits>

#include <nlohmann/json.hpp>

namespace slab::cli {

namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();

std::int64_t read_size(const Json& json, const std::string& path, CasesCheck& check) {
    const std::int64_t value = json.is_number_integer() ? json.get<std::int64_t>() : 0;
    if (value < 1 || value > largest)
        check.wrong_kind(path, json, fmt::format("a whole number from 1 to {}", largest));
    return value;
}

TunedParameter read_parameter(const std::string& name, const Json& json, const std::string& path,
                              CasesCheck& check) {
    TunedParameter out;
    out.name = name;
    if (!check.is_object(path, json)) return out;
    check.known_keys(path, json, {"value", "from", "to"});
    check.required_keys(path, json, {"value", "from", "to"});
    const auto size = [&](const char* key) {
        const auto found = json.find(key);
        return found == json.end() ? 0 : read_size(*found, path + "." + key, check);
    };
    out.value = size("value");
    out.from = size("from");
    out.to = size("to");
    if (out.from > out.to)
        check.wrong_kind(path + ".from", json["from"],
                         fmt::format("at most {}, what `to` is", out.to));
    return out;
}

TunedRow read_row(WorkloadReader& entry) {
    TunedRow out;
    if (!entry.read(out, {"tuned", "origin"}, {"tuned", "origin"})) return out;
    out.origin = entry.text("origin");
    const Json* tuned = entry.find("tuned");
    const std::string path = entry.below("tuned");
    if (!tuned || !entry.check().is_object(path, *tuned)) return out;
    if (tuned->empty())
        entry.check().wrong_kind(path, *tuned, "an object with at least one parameter");
    for (const auto& [name, value] : tuned->items())
        out.tuned.push_back(read_parameter(name, value, path + "." + name, entry.check()));
    return out;
}

}  // namespace

std::vector<std::int64_t> TunedParameter::all() const {
    std::vector<std::int64_t> values = {value, to};
    for (std::int64_t power = 1; power <= to; power *= 2)
        if (power >= from) values.push_back(power);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

std::optional<std::vector<TunedRow>> read_tuned(const SourceFile& text, Diagnostics& diags) {
    std::vector<TunedRow> rows;
    const auto add = [&](WorkloadReader& entry) -> const Workload& {
        return rows.emplace_back(read_row(entry));
    };
    if (!read_workloads(text, "slab.tuned/1", "rows", add, diags)) return std::nullopt;
    return rows;
}

std::vector<TunedRow> tuned_of(const std::vector<std::string>& files, Diagnostics& diags) {
    return entries_of(files, "validation/tuned", read_tuned, diags);
}

std::vector<std::vector<std::int64_t>> combinations(const TunedRow& row) {
    std::vector<std::vector<std::int64_t>> all = {{}};
    for (const TunedParameter& parameter : row.tuned) {
        std::vector<std::vector<std::int64_t>> longer;
        for (const auto& values : all)
            for (const std::int64_t value : parameter.all()) {
                longer.push_back(values);
                longer.back().push_back(value);
            }
        all = std::move(longer);
    }
    return all;
}

std::string spelled(const TunedRow& row, const std::vector<std::int64_t>& values) {
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i)
        text += fmt::format("{}{}={}", i ? ", " : "", row.tuned[i].name, values[i]);
    return text;
}

std::vector<std::int64_t> choice(const TunedRow& row) {
    std::vector<std::int64_t> values;
    for (const TunedParameter& parameter : row.tuned) values.push_back(parameter.value);
    return values;
}

}  // namespace slab::cli
