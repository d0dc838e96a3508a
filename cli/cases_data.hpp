#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/cases_check.hpp"

namespace slab::cli {

/// The entries of `data`, each with its JSON text: a number, a nested list, {"file": …},
/// {"expr": …} or {"gen": …} with what the generator takes.
std::vector<std::pair<std::string, std::string>> read_data(const Json& data,
                                                           const std::string& path,
                                                           CasesCheck& check);

}  // namespace slab::cli
