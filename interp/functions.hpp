#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "interp/block.hpp"
#include "support/diagnostics.hpp"

namespace slab::interp {

/// Thrown by a function whose arguments have no result, such as an index outside of a block; it
/// never leaves this folder.
struct NoResult {
    Diag id;
    std::string headline;
    std::string why = {};
};

/// Thrown where an undefined element says which other one is meant.
struct UndefinedAddress {
    Trace trace = 0;
};

/// An operation on its way: what it is given, and the block of the result's type that it fills.
struct Application {
    const schedule::Op& op;
    std::vector<const Block*> args;
    std::vector<double> scalars;
    Int lanes = 128;  ///< of a vector register
    Int sublanes = 8;
    Block& result;
};
using Function = void (*)(Application&);

/// What computes the operation of that name (`exp`, `rowmax`, `dot` …), or null. Loads and stores
/// are not here.
Function find_function(std::string_view name);

/// A table of functions by name; there is one per source file.
struct NamedFunction {
    std::string_view name;
    Function function;
};
const std::vector<NamedFunction>& elementwise_functions();
const std::vector<NamedFunction>& reduction_functions();
const std::vector<NamedFunction>& move_functions();

/// The block stretched over a shape, right-aligned; dimensions that are 1 or missing repeat.
Block stretched(const Block& block, const Shape& shape);

}  // namespace slab::interp
