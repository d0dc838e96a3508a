#pragma once

#include "dsl/grammar/handlers.hpp"
#include "dsl/grammar/lexical.hpp"

namespace slab::dsl::grammar {

using expression_type = choice_rule<ast::Expr>;
using region_type = x3::rule<struct region_tag, ast::Expr>;
using path_type = x3::rule<struct path_tag, ast::Expr>;
using expressions_type = list_rule<ast::Expr>;
using dims_type = x3::rule<struct dims_tag, std::vector<ast::Expr>>;
using arguments_type = node_rule<ast::Arguments>;
BOOST_SPIRIT_DECLARE(expression_type, region_type, path_type, expressions_type, dims_type,
                     arguments_type)

inline const expression_type expression = "an expression";
/// Where data is named: an operand, a buffer, a part of one.
inline const region_type region = "a region";
/// What can be assigned to.
inline const path_type path = "a name";
inline const expressions_type expressions = "an expression";
/// `[a, b]` after an element type.
inline const dims_type dims = "`[`";
inline const arguments_type arguments = "`(`";

}  // namespace slab::dsl::grammar
