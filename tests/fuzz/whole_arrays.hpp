#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/unit.hpp"
#include "dsl/ast.hpp"
#include "support/diagnostics.hpp"

namespace slab::fuzz {

/// Runs the reference of a kernel or program, if there is one, on generated arrays, unless they are
/// large. `head` is the kernel, or what stands above the program; `present` names its optional
/// operands that are passed.
void take_reference(const dsl::ast::File& file, const dsl::ast::Kernel& head,
                    const std::vector<compiler::Bound>& sizes,
                    const std::vector<std::string>& present, std::uint64_t choice,
                    Diagnostics& diags);

}  // namespace slab::fuzz
