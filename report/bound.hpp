#pragma once

#include <string>

#include "sim/result/result.hpp"

namespace slab::report {

/// Says in one sentence what limits the kernel and what comes next:
/// `Vector arithmetic (vpu) bounds it: busy 83 % of the time; next mxu 55 %, load 40 %; hbm 3 %`.
std::string bound_sentence(const result::Result& result);

}  // namespace slab::report
