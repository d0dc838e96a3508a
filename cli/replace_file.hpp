#pragma once

#include <string>

#include "support/diagnostics.hpp"

namespace slab::cli {

/// Gives a file a new text, all of it or none: the text is written beside it and then takes its
/// name. Links are followed and permissions kept; a file that is not there is made.
void replace_file(const std::string& path, const std::string& text, Diagnostics& diags);

}  // namespace slab::cli
