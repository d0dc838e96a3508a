#pragma once

#include <string>
#include <vector>

#include "compiler/unit.hpp"
#include "dsl/ast.hpp"

namespace slab::compiler {

/// Every name an expression mentions, in order, but for words and built-in functions.
std::vector<dsl::ast::Name> names_in(const dsl::ast::Expr& expr);

/// `M = 1000, bm = 512`: the sizes an expression mentions, with their values.
std::string sizes_used_in(const dsl::ast::Expr& expr, const Unit& unit);

/// Names in operand types and mesh extents that nothing else declares: the kernel's shape names, in
/// order.
std::vector<dsl::ast::Name> shape_names(const dsl::ast::File& file, const dsl::ast::Kernel& kernel);

/// A size, or an integer, that is out of range: a mistake in what was asked if `is_given`, else in
/// the text.
void report_size(Span span, const std::string& what, std::int64_t value, bool is_given,
                 Diagnostics& diags);

}  // namespace slab::compiler
