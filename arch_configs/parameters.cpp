#include "arch_configs/parameters.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace slab::arch {

namespace {

std::vector<Parameter> build() {
    std::vector<Parameter> table;
#define SLAB_PARAMETER(place, unit, least, most)              \
    table.push_back({#place, unit, least, most, false, false, \
                     [](ChipSpec& spec, DType) -> Member { return &spec.place; }});
#define SLAB_PER_CHIP(place, unit, least, most)              \
    table.push_back({#place, unit, least, most, true, false, \
                     [](ChipSpec& spec, DType) -> Member { return &spec.place; }});
#define SLAB_BY_DTYPE(place, unit, least, most)                                                  \
    for (std::size_t i = 0; i < dtype_names.size(); ++i)                                         \
        if (static_cast<DType>(i) != DType::pred)                                                \
            table.push_back(                                                                     \
                {std::string(#place ".").append(dtype_names[i]), unit, least, most, false, true, \
                 [](ChipSpec& spec, DType type) -> Member { return &spec.place[type]; },         \
                 static_cast<DType>(i)});
#define SLAB_PAIRS(place, unit) SLAB_PARAMETER(place, unit, 0, 0)
#include "arch_configs/parameters.def"
#undef SLAB_PAIRS
#undef SLAB_BY_DTYPE
#undef SLAB_PER_CHIP
#undef SLAB_PARAMETER
    return table;
}

template <typename T>
bool holds(const Parameter& parameter) {
    ChipSpec spec;
    return std::holds_alternative<T*>(parameter.of(spec));
}

}  // namespace

void Parameter::put(ChipSpec& spec, double value) const {
    const Member at = of(spec);
    if (double* const* number = std::get_if<double*>(&at)) **number = value;
    if (int* const* number = std::get_if<int*>(&at)) **number = static_cast<int>(value);
    if (std::int64_t* const* number = std::get_if<std::int64_t*>(&at))
        **number = static_cast<std::int64_t>(value);
}

bool Parameter::is_number() const {
    return holds<double>(*this) || is_integer();
}
bool Parameter::is_integer() const {
    return holds<int>(*this) || holds<std::int64_t>(*this);
}
bool Parameter::is_bool() const {
    return holds<bool>(*this);
}
bool Parameter::is_pairs() const {
    return holds<NativePairs>(*this);
}

std::string Parameter::bounds() const {
    const bool bare = unit == "fraction";
    return fmt::format("between {:g} and {:g}{}{}", least, most, bare ? "" : " ", bare ? "" : unit);
}

const std::vector<Parameter>& parameters() {
    static const std::vector<Parameter> table = build();
    return table;
}

const Parameter* find_parameter(std::string_view path) {
    const auto& table = parameters();
    const auto found = std::find_if(table.begin(), table.end(),
                                    [&](const Parameter& each) { return each.path == path; });
    return found == table.end() ? nullptr : &*found;
}

std::vector<std::string> parameter_paths() {
    std::vector<std::string> paths;
    for (const Parameter& each : parameters()) paths.push_back(each.path);
    return paths;
}

std::vector<std::string> keys_below(std::string_view prefix) {
    std::vector<std::string> keys;
    const std::string start = prefix.empty() ? "" : std::string(prefix) + ".";
    for (const Parameter& each : parameters()) {
        if (!each.path.starts_with(start)) continue;
        std::string key = each.path.substr(start.size());
        key = key.substr(0, key.find('.'));
        if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    }
    return keys;
}

}  // namespace slab::arch
