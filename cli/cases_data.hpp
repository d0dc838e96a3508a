#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/cases_check.hpp"

namespace slab::cli {

/// Checks what one operand holds: a number, a nested list, {"file": …}, {"expr": …} or {"gen": …}
/// with what the generator takes.
void check_data_entry(const Json& value, const std::string& path, CasesCheck& check);

/// The entries of `data`, each with its JSON text.
std::vector<std::pair<std::string, std::string>> read_data(const Json& data,
                                                           const std::string& path,
                                                           CasesCheck& check);

}  // namespace slab::cli
