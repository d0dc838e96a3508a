#include "reference/value.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace slab::reference {

std::string describe(const Value& value) {
    if (const Array* array = value.array()) {
        static constexpr const char* ones[] = {"a real", "an integer", "a condition"};
        static constexpr const char* many[] = {"reals", "integers", "conditions"};
        const auto kind = static_cast<std::size_t>(array->kind);
        if (array->is_scalar()) return ones[kind];
        return fmt::format("{} of shape {}", many[kind], to_string(array->shape));
    }
    if (value.dtype()) return "an element type";
    if (value.text()) return "a string";
    return value.list() ? "a list" : "an operand that is not passed";
}

std::optional<Array> joined(const Value::List& list) {
    std::optional<Array> result;
    for (const Value& item : list) {
        std::optional<Array> nested;
        if (item.list() && !(nested = joined(*item.list()))) return std::nullopt;
        const Array* part = nested ? &*nested : item.array();
        if (!part) return std::nullopt;
        if (!result) {
            result = Array{part->kind, part->shape, {}};
            result->shape.insert(result->shape.begin(), static_cast<Int>(list.size()));
        }
        if (!std::equal(part->shape.begin(), part->shape.end(), result->shape.begin() + 1,
                        result->shape.end()))
            return std::nullopt;
        if (part->kind != result->kind) {
            if (part->kind == Kind::truth || result->kind == Kind::truth) return std::nullopt;
            result->kind = Kind::real;
        }
        result->values.insert(result->values.end(), part->values.begin(), part->values.end());
    }
    return result;
}

}  // namespace slab::reference
