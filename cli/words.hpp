#pragma once

#include <string>
#include <vector>

namespace slab::cli {

/// A comma and the question whether `run` was meant; nothing where no candidate is near.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates);

/// `` `a`, `b` ``
std::string quoted_list(const std::vector<std::string>& names);

/// `1 case`, `3 cases`
std::string counted(std::size_t count, const std::string& noun);

}  // namespace slab::cli
