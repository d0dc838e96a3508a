#include "dsl/grammar/expression_def.hpp"

namespace slab::dsl::grammar {

BOOST_SPIRIT_INSTANTIATE(expression_type, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(region_type, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(path_type, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(expressions_type, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(dims_type, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(arguments_type, Iterator, Context)

}  // namespace slab::dsl::grammar
