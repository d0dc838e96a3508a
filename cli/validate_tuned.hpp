#pragma once

#include <string>
#include <vector>

#include "cli/tuned_ranking.hpp"

namespace slab::cli {

/// What `slab validate --tuned` prints of the rows: every one, the groups, all.
std::string ranked_text(const std::vector<RankedRow>& rows, bool markdown);
std::string ranked_json(const std::vector<RankedRow>& rows);

}  // namespace slab::cli
