#pragma once

#include <string>

#include "compiler/schedule/program.hpp"
#include "compiler/schedule/text/words.hpp"

namespace slab::schedule {

/// One operation as a line of a region:
/// `%3 = dot %1, %2 transposed passes 3: f32[512, 256]`.
std::string print(const Op& op, const Region& region, const Program& program,
                  const ProgramNames& names);

}  // namespace slab::schedule
