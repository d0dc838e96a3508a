#pragma once

#include <string>

namespace slab::compiler::test {

/// What is said of the last program of the text, with all that it launches; `set` as "M=64,N=8".
std::string compile_program_text(const std::string& text, const std::string& set,
                                 const std::string& chip);

}  // namespace slab::compiler::test
