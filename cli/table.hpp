#pragma once

#include <string>
#include <vector>

#include "report/table.hpp"

namespace slab::cli {

using Rows = std::vector<std::vector<std::string>>;

/// A table on the screen, or in Markdown.
std::string table(const std::vector<report::Column>& columns, const Rows& rows, bool markdown);

}  // namespace slab::cli
