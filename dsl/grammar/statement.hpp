#pragma once

#include "dsl/grammar/handlers.hpp"
#include "dsl/grammar/lexical.hpp"

namespace slab::dsl::grammar {

using block_type = node_rule<ast::Block>;
using pipe_type = node_rule<ast::Pipe>;
BOOST_SPIRIT_DECLARE(block_type, pipe_type)

inline const block_type block = "`{`";
/// A grid, with which a kernel may begin and which may stand as a statement.
inline const pipe_type pipe = "`grid`";

}  // namespace slab::dsl::grammar
