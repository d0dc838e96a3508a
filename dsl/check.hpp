#pragma once

#include <string>
#include <vector>

#include "dsl/ast.hpp"
#include "support/diagnostics.hpp"

namespace slab::dsl {

/// What is wrong in a file whatever its sizes and the chip are: names declared twice (E0003) or
/// nowhere (E0002), calls of the file's functions with another number of arguments (E0004),
/// functions that reach themselves (E0901), `first` and `last` of an axis that is not there
/// (E0304), and constructs where they cannot stand (E0004). An arm of an `if` that sizes alone may
/// switch off is not looked into. `functions` are the names of the built-in ones.
void check(const ast::File& file, const std::vector<std::string>& functions, Diagnostics& diags);

}  // namespace slab::dsl
