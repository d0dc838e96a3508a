#pragma once

#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "support/diagnostics.hpp"

namespace slab::arch {

using Json = nlohmann::ordered_json;

/// The text of a chip file somebody names on the command line.
std::optional<std::string> read_text(const std::string& path, Diagnostics& diags);

/// JSON in which no key stands twice. `file` is what messages call the text.
std::optional<Json> parse_json(const std::string& file, const std::string& text,
                               Diagnostics& diags);

}  // namespace slab::arch
