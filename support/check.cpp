#include "support/check.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace slab {

void report_bug(const char* file, int line, const std::string& sentence) {
    std::string_view path = file;
    if (auto slash = path.rfind('/'); slash != std::string_view::npos)
        path.remove_prefix(slash + 1);
    std::fflush(stdout);
    fmt::print(stderr, "a bug in slab ({}:{}): {}\n", path, line, sentence);
    std::exit(3);
}

}  // namespace slab
