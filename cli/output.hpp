#pragma once

#include <cstdio>
#include <string_view>

#include "support/diagnostics.hpp"

/// The two places a command writes to. Nothing else in slab prints.
namespace slab::cli {

/// Puts text on stdout, through a large buffer; false once it cannot be written.
bool write(std::string_view text);

/// Puts messages on stderr, behind all that was written so far. `file` may be null.
void show(const Diagnostics& diags, const SourceFile* file = nullptr);
/// The same; with `json`, errors become one JSON object on stdout instead.
void show(const Diagnostics& diags, const SourceFile* file, bool json);

/// A line on stderr that is not part of the result, behind all that was written so far.
void remark(std::string_view line);

/// Flushes stdout and returns the exit code: `code`, or 2 with a sentence where stdout cannot be
/// written.
int finish(int code);

enum class Colour { automatic, always, never };

/// What `--color` chose, for the rest of the run.
void choose_colour(Colour choice);

/// Whether a stream gets colour: by default a terminal does, unless NO_COLOR is set.
bool colour(std::FILE* stream);

}  // namespace slab::cli
