#pragma once

#include <string>

#include "dsl/ast.hpp"
#include "support/source.hpp"

namespace slab::dsl {

/// The canonical text of a file: one statement a line, minimal parentheses, literals as spelled;
/// parsing it gives an equal AST. Comments are taken from `source` when given: own-line comments
/// stay before the next statement or item, trailing ones on their line.
std::string print(const ast::File& file, const SourceFile* source = nullptr);
std::string print(const ast::Expr& expr);

}  // namespace slab::dsl
