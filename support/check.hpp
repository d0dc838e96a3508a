#pragma once

#include <string>

#include <fmt/format.h>

namespace slab {

/// Prints `a bug in slab` with the place and the sentence to stderr and exits with code 3. It does
/// not abort, so a broken promise of ours never looks like a crash to the user.
[[noreturn]] void report_bug(const char* file, int line, const std::string& sentence);

}  // namespace slab

/// States what must hold if slab itself is right; the user's mistakes are diagnostics instead.
#define SLAB_CHECK(condition, ...) \
    ((condition) ? (void)0 : ::slab::report_bug(__FILE__, __LINE__, ::fmt::format(__VA_ARGS__)))
