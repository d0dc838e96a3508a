#include "sim/result/result.hpp"

#include <algorithm>

namespace slab::result {

namespace {

template <typename Entry>
const Entry* find(const std::vector<Entry>& entries, std::string Entry::*key,
                  std::string_view name) {
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const Entry& entry) { return entry.*key == name; });
    return found == entries.end() ? nullptr : &*found;
}

}  // namespace

const UnitUse* find_unit(const CoreResult& core, std::string_view name) {
    return find(core.units, &UnitUse::name, name);
}

const Wait* find_wait(const CoreResult& core, std::string_view cause) {
    return find(core.waits, &Wait::cause, cause);
}

const Traffic* find_traffic(const CoreResult& core, std::string_view operand) {
    return find(core.traffic, &Traffic::operand, operand);
}

const RooflineTerm* find_term(const Roofline& roofline, std::string_view name) {
    return find(roofline.terms, &RooflineTerm::name, name);
}

}  // namespace slab::result
