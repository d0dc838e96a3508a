#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "support/diagnostics.hpp"
#include "support/dtype.hpp"

namespace slab::compiler {

/// A value known at compile time. Integers are i64, reals f64; a real carries `inf` as it is.
struct Constant {
    using List = std::vector<Constant>;
    std::variant<std::int64_t, double, bool, DType, std::string, List> value;

    const std::int64_t* integer() const { return std::get_if<std::int64_t>(&value); }
    const bool* truth() const { return std::get_if<bool>(&value); }
    const DType* dtype() const { return std::get_if<DType>(&value); }
    const std::string* text() const { return std::get_if<std::string>(&value); }
    const List* list() const { return std::get_if<List>(&value); }
    bool is_number() const { return value.index() <= 1; }
    /// Of a number, integer or real.
    double real() const;
    bool operator==(const Constant&) const = default;
};

/// "an integer", "a real", "a truth value", "an element type", "a string", "a list"
std::string kind(const Constant& value);
/// As messages name it: "the integer 3", "the string "x"".
std::string describe(const Constant& value);
std::string to_string(const Constant& value);

/// `a op b` for the operators of the language. Integers are exact: overflow and division by zero
/// are E0009; `/` floors and `%` has the sign of the divisor. A real on either side makes the
/// result real.
std::optional<Constant> fold(const std::string& op, const Constant& a, const Constant& b, Span span,
                             Diagnostics& diags);

/// A built-in elementary function of constants (`min max abs exp … cdiv`), or nothing when `name`
/// is none.
std::optional<Constant> fold_call(const std::string& name, const std::vector<Constant>& args,
                                  Span span, Diagnostics& diags);

std::int64_t floor_div(std::int64_t a, std::int64_t b);
std::int64_t floor_mod(std::int64_t a, std::int64_t b);

}  // namespace slab::compiler
