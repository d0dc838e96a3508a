#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reference/array.hpp"
#include "support/diagnostics.hpp"

namespace slab::reference {

/// Reads an array as numpy saves it: format 1 or 2, little-endian, C or Fortran order, of f4 f8
/// i1 i2 i4 i8 u1 u2 u4 or bool. What else it finds is one sentence, in which `name` is the file.
std::optional<Array> read_npy(std::string_view bytes, const std::string& name, Diagnostics& diags);

/// The same from a file.
std::optional<Array> read_npy_file(const std::string& path, Diagnostics& diags);

}  // namespace slab::reference
