// Catch2 3 under the header and the words of Catch2 2, which the tests are written with.
#pragma once

#include <string>

#include <catch2/catch_all.hpp>

using Catch::Approx;

namespace Catch {
inline auto Contains(const std::string& text) {
    return Matchers::ContainsSubstring(text);
}
}  // namespace Catch
