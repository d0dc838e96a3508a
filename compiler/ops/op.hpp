#pragma once

#include <string_view>
#include <vector>

#include "compiler/lower/lowering.hpp"

namespace slab::compiler {

/// A built-in function: how many arguments it takes and how it becomes operations of a region. One
/// object per name, listed in all.def; docs/adding.md tells how to add one.
struct OpDef {
    std::string_view name;
    int min_args = 1;
    int max_args = 1;
    Value (*lower)(Lowering&, Call&) = nullptr;
    std::vector<std::string_view> named = {};  ///< arguments that may be given by name
};

/// The built-in of that name, or null.
const OpDef* find_op(std::string_view name);
std::vector<std::string> op_names();
/// How a built-in is called: `clamp(x, lo, hi)`.
std::string_view op_signature(std::string_view name);

/// Element-by-element arithmetic of blocks, also behind the operators (`spelling` is what the user
/// wrote).
Value lower_elementwise(Lowering& lowering, Call& call, std::string_view spelling);

}  // namespace slab::compiler
