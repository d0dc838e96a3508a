#include "cli/words.hpp"

#include <fmt/format.h>

#include "support/diagnostics.hpp"

namespace slab::cli {

std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates) {
    const std::string near = nearest(name, candidates);
    return near.empty() ? "" : ", did you mean " + near;
}

std::string quoted_list(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names)
        text += fmt::format("{}`{}`", text.empty() ? "" : ", ", name);
    return text;
}

std::string counted(std::size_t count, const std::string& noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace slab::cli
