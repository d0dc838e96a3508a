#pragma once

#include <string>
#include <utility>
#include <vector>

#include "support/diagnostics.hpp"

namespace slab::cli {

using NamedValues = std::vector<std::pair<std::string, std::string>>;

/// The texts of --set as names and values. A text is split at commas outside brackets and quotes,
/// and quotes around a whole value are taken off: `M=8192,bk="64*2",T=f(1, 2)` has three.
NamedValues split_settings(const std::vector<std::string>& texts, Diagnostics& diags);

/// The names of --with, split at commas.
std::vector<std::string> split_names(const std::vector<std::string>& texts);

}  // namespace slab::cli
