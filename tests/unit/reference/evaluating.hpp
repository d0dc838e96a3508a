#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dsl/ast.hpp"
#include "reference/run.hpp"

namespace slab::reference {

/// A text and what was read of it.
struct Text {
    SourceFile source;
    dsl::ast::File file;
};
/// Reads a text; a syntax error fails the test.
Text read(const std::string& text);

/// An array as text: `real [2, 3] 1 2 3 4 5 6`, `integer 5`.
std::string show(const Array& array);

/// The value of an expression, shown, or its error with the place. `items` are constants and
/// functions it may use; `rounding` is the type that every step is rounded to.
std::string value_of(const std::string& expr, const std::string& items = "",
                     std::optional<DType> rounding = std::nullopt);

/// What the reference `k` of a text computes: outputs shown, one a line, or the errors, rendered.
std::string outputs_of(const std::string& text, const Arrays& inputs,
                       const std::vector<compiler::Bound>& sizes = {});

Array reals(Shape shape, std::vector<double> values);
Array integers(Shape shape, std::vector<double> values);
compiler::Bound size(const std::string& name, std::int64_t value);

}  // namespace slab::reference
