#pragma once

#include <string_view>
#include <vector>

namespace slab::cli {

/// A kernel that gives an error, what slab says to it, and the same kernel mended.
struct ErrorExample {
    std::string_view name;  ///< of its file in tests/golden/errors
    std::string_view before;
    std::string_view said;  ///< empty while slab does not check the rule yet
    std::string_view after;
};

/// The page of a code: tests/golden/errors/<code>.md and the examples beside it, which are tests;
/// CMake puts them into the library.
struct ErrorPage {
    std::string_view code;
    std::string_view text;  ///< a first line `# headline`, an empty line, the rule
    std::vector<ErrorExample> examples;

    std::string_view headline() const;
    std::string_view rule() const;
};

/// In the order of their codes.
const std::vector<ErrorPage>& error_pages();

}  // namespace slab::cli
