#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "compiler/schedule/program.hpp"
#include "compiler/schedule/walker.hpp"
#include "support/diagnostics.hpp"

namespace slab::schedule {

/// The text of a program (`--emit=program`), readable and complete but for spans.
std::string print(const Program& program);
/// Reads what print() wrote; anything else is reported with its line.
std::optional<Program> parse_program(const SourceFile& text, Diagnostics& diags);

/// One line of `--emit=schedule`, with the names of the program.
std::string print(const Event& event, const Program& program);
/// Reads a line back.
std::optional<Event> parse_event(std::string_view line, const Program& program);

}  // namespace slab::schedule
