#pragma once

#include <vector>

#include "dsl/ast.hpp"

namespace slab::dsl {

/// Every name an expression mentions, in order, those of functions and types among them; not the
/// names of arguments and members.
std::vector<ast::Name> names_in(const ast::Expr& expr);

}  // namespace slab::dsl
