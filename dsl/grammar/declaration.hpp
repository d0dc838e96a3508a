#pragma once

#include "dsl/grammar/handlers.hpp"
#include "dsl/grammar/lexical.hpp"

/// Types, and what can be declared at the top of a file or in a block.
namespace slab::dsl::grammar {

using mem_type_type = node_rule<ast::MemType>;
using value_type_type = node_rule<ast::ValueType>;
using constant_type = node_rule<ast::Const>;
using function_type = node_rule<ast::Fn>;
using scratch_type = node_rule<ast::Scratch>;
using device_type = node_rule<ast::Device>;
using item_type = choice_rule<ast::Item>;
BOOST_SPIRIT_DECLARE(mem_type_type, value_type_type, constant_type, function_type, scratch_type,
                     device_type, item_type)

inline const mem_type_type mem_type = "`hbm`, `vmem`, `smem` or `sem`";
inline const value_type_type value_type = "an element type";
inline const constant_type constant = "`const`";
inline const function_type function = "`fn`";
inline const scratch_type scratch = "`scratch`";
inline const device_type device = "`(`";
inline const item_type item = "`kernel`, `program`, `reference`, `fn` or `const`";

}  // namespace slab::dsl::grammar
