#pragma once

#include <optional>
#include <string>

namespace slab::fuzz {

/// Takes a text (one_text.hpp) in a process of its own, which may use a few seconds of CPU time and
/// 1 GiB of memory. Returns how that broke, `signal 11: what was said`, or nothing when all went
/// well. libFuzzer's limit of one second is for an optimised build; this one leaves room for
/// others.
std::optional<std::string> broken_by(const std::string& text);

/// The bytes of a file.
std::string read_bytes(const std::string& path);

}  // namespace slab::fuzz
