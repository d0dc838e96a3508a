#include "dsl/grammar/declaration_def.hpp"

namespace slab::dsl::grammar {

BOOST_SPIRIT_INSTANTIATE(mem_type_type, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(value_type_type, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(constant_type, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(function_type, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(scratch_type, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(device_type, Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(item_type, Iterator, Context)

}  // namespace slab::dsl::grammar
