#include "dsl/grammar/statement_def.hpp"

namespace slab::dsl::grammar {

BOOST_SPIRIT_INSTANTIATE(block_type, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(pipe_type, Iterator, Context)

}  // namespace slab::dsl::grammar
