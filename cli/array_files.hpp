#pragma once

#include <string>

#include "cli/kernel_file.hpp"
#include "cli/sizes.hpp"
#include "interp/block.hpp"
#include "support/diagnostics.hpp"

namespace slab::cli {

/// Adds `NAME.npy` of a folder to the data, for every operand that has such a file. An empty folder
/// name means none; one that is missing, or holds no array of an operand, is reported.
void add_input_files(const std::string& folder, const Item& item, Asked& asked, Diagnostics& diags);

/// Makes the folder for outputs. Files of theirs that are there already need `force`.
void prepare_output_files(const std::string& folder, const Item& item, bool force,
                          Diagnostics& diags);

/// Writes an output as `NAME.npy`.
void write_array_file(const std::string& folder, const std::string& name,
                      const interp::Elements& elements, const interp::Shape& shape,
                      Diagnostics& diags);

}  // namespace slab::cli
