#pragma once

#include <string>

namespace slab {

/// A number of bytes as messages and reports print it: `512 B`, `24.0 MiB`, `6.0 TiB`.
std::string size_text(double bytes);

}  // namespace slab
