#pragma once

#include <map>
#include <string>
#include <vector>

#include "../compiler/kernels.hpp"
#include "interp/run.hpp"

namespace slab::interp::test {

using Numbers = std::vector<double>;

/// What came of a kernel: its arrays by name, those of several members one after the other, or the
/// messages.
struct Ran {
    std::map<std::string, Numbers> arrays;
    Diagnostics diags;
    SourceFile source;

    /// `E0701: …` of the only message, all headlines when there are several, "fine" without any.
    std::string error() const;
    std::string rendered() const;
};

/// Compiles the first kernel of a text for `toy` and runs it. `set` and `data` are those of
/// compile_text; inputs that are not given are 0, 1, 2, …; those of a mesh are for all members, one
/// after the other.
Ran run_text(const std::string& text, const std::string& set = "",
             const std::map<std::string, Numbers>& inputs = {}, const std::string& data = "",
             const Options& options = {});

/// The values of a block.
Numbers numbers(const Block& block);
Block block(DType type, Shape shape, const Numbers& values);

}  // namespace slab::interp::test
