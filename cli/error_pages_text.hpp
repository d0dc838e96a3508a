#pragma once

#include <string>

#include "cli/error_pages.hpp"

namespace slab::cli {

/// A page as a terminal shows it.
std::string page_on_screen(const ErrorPage& page);

/// Every code with its headline, one a line.
std::string list_of_pages();

/// docs/errors.md.
std::string pages_as_markdown();

}  // namespace slab::cli
