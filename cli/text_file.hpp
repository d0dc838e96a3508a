#pragma once

#include <optional>
#include <string>

#include "support/diagnostics.hpp"
#include "support/source.hpp"

namespace slab::cli {

/// Reads a text somebody names on the command line. Reported: no such file, a directory, what the
/// system refuses, more than 16 MiB, a NUL byte, what is no UTF-8.
std::optional<SourceFile> read_text_file(const std::string& path, Diagnostics& diags);

}  // namespace slab::cli
