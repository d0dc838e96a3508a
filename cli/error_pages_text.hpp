#pragma once

#include <string>
#include <vector>

#include "cli/error_pages.hpp"

namespace slab::cli {

/// A page as a terminal shows it.
std::string page_on_screen(const ErrorPage& page);

/// Every code with its headline, one a line.
std::string list_of_pages();

/// A comma and the question whether the codes with these digits were meant, or else the nearest
/// one; nothing where there is none.
std::string codes_like(const std::string& code);

/// docs/errors.md.
std::string pages_as_markdown();

/// `slab.explain/1` (docs/json.md).
std::string pages_as_json(const std::vector<ErrorPage>& pages);

}  // namespace slab::cli
