#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "support/diagnostics.hpp"

namespace slab::cli {

/// Messages as `slab.diagnostics/1` (docs/json.md), in the order they are rendered.
std::string diagnostics_json(const Diagnostics& diags, const SourceFile* file);

/// Its list of messages alone.
nlohmann::ordered_json messages_json(const Diagnostics& diags, const SourceFile* file);

/// The text of a JSON document, with a line break at its end. What is no UTF-8 is replaced.
std::string document(const nlohmann::ordered_json& json);

}  // namespace slab::cli
