#pragma once

#include <optional>
#include <string>

namespace slab::fuzz {

/// What a process of its own may use for one text.
struct Limits {
    int cpu_seconds = 4;  ///< of a debug build; a sanitized one gets one second by libFuzzer
    std::size_t memory_bytes = std::size_t{1} << 30;  ///< 0: no limit, as the sanitizers need it
};

/// Takes a text (one_text.hpp) in a process of its own. Returns how that broke, `signal 11: what
/// was said`, or nothing when all went well.
std::optional<std::string> broken_by(const std::string& text, const Limits& limits);

/// The bytes of a file.
std::string read_bytes(const std::string& path);

}  // namespace slab::fuzz
