#pragma once

#include <optional>

#include "dsl/ast.hpp"
#include "support/diagnostics.hpp"
#include "support/source.hpp"

namespace slab::dsl {

/// Reads a whole .slab text. Every syntax error is reported (E0001, at most 20), each with its
/// place, what was expected there and the construct being read; the items that could be read are
/// returned even then. Never throws, never overflows the stack: brackets nested deeper than 256 are
/// refused by a scan beforehand.
ast::File parse(const SourceFile& source, Diagnostics& diags);

/// Reads one expression, such as the value in `--set bk="64*2"`.
std::optional<ast::Expr> parse_expression(const SourceFile& source, Diagnostics& diags);

}  // namespace slab::dsl
