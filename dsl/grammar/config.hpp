#pragma once

#include <boost/spirit/home/x3.hpp>

#include "dsl/grammar/context.hpp"
#include "dsl/lexer.hpp"

/// The types every grammar source is instantiated with. The grammar reads tokens, so it needs no
/// skipper, and what an operator or a number is has been settled before it starts.
namespace slab::dsl::grammar {

namespace x3 = boost::spirit::x3;

struct parse_context_tag;

using Iterator = const Token*;
using Context = x3::context<parse_context_tag, ParseContext>;

}  // namespace slab::dsl::grammar
