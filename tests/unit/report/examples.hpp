#pragma once

#include "sim/result/result.hpp"

/// Results made by hand, as a simulation could have found them.
namespace slab::report::examples {

/// Flash attention on one core: vector work bounds it, then the MXU, HBM far behind.
result::Result flash_attention();

/// Two cores of different speed, `a` read by both, bound by HBM.
result::Result two_cores();

/// More rows than a screen has room for, names and numbers longer than a column.
result::Result crowded();

}  // namespace slab::report::examples
