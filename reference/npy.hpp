#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reference/array.hpp"
#include "support/diagnostics.hpp"
#include "support/dtype.hpp"

namespace slab::reference {

/// Reads an array as numpy saves it: format 1 or 2, little-endian, C or Fortran order, of f4 f8
/// i1 i2 i4 i8 u1 u2 u4 or bool. What else it finds is one sentence, in which `name` is the file.
std::optional<Array> read_npy(std::string_view bytes, const std::string& name, Diagnostics& diags);

/// The same from a file.
std::optional<Array> read_npy_file(const std::string& path, Diagnostics& diags);

/// An array as numpy saves it, in the type that holds its elements: f4 for floats, i1 i2 i4 u1 u2
/// u4 for integers, bool.
std::string npy_text(const Array& array, DType type);

}  // namespace slab::reference
