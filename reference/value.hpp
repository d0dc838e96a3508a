#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "reference/array.hpp"
#include "support/dtype.hpp"

namespace slab::reference {

/// An optional operand that is not passed.
struct Absent {};

/// What an expression gives. Arrays are shared and never changed while somebody else holds them.
struct Value {
    using List = std::vector<Value>;
    std::variant<std::shared_ptr<Array>, DType, std::string, List, Absent> held;

    Value() : held(Absent{}) {}
    Value(Array array) : held(std::make_shared<Array>(std::move(array))) {}
    Value(DType type) : held(type) {}
    Value(std::string text) : held(std::move(text)) {}
    Value(List list) : held(std::move(list)) {}

    const Array* array() const {
        const auto* shared = std::get_if<std::shared_ptr<Array>>(&held);
        return shared ? shared->get() : nullptr;
    }
    const DType* dtype() const { return std::get_if<DType>(&held); }
    const std::string* text() const { return std::get_if<std::string>(&held); }
    const List* list() const { return std::get_if<List>(&held); }
    bool is_absent() const { return std::holds_alternative<Absent>(held); }
};

/// "an integer", "reals of shape [3, 4]", "a string"
std::string describe(const Value& value);

/// A list of scalars, arrays or such lists as one array with a new first dimension; nothing where
/// they differ in shape.
std::optional<Array> joined(const Value::List& list);

}  // namespace slab::reference
