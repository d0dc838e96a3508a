#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/diagnostics.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace slab::cli {

// Flags as every command has them: of a flag given twice the later wins, a list is given one by
// one, and a value that looks like a flag is a flag whose value is missing.
CLI::Option* text_flag(CLI::App& app, const char* name, std::string& value, const char* kind,
                       const std::string& description);
CLI::Option* list_flag(CLI::App& app, const char* name, std::vector<std::string>& values,
                       const char* kind, const std::string& description);
CLI::Option* truth_flag(CLI::App& app, const char* name, bool& value,
                        const std::string& description);

/// --json, which prints a schema of docs/json.md instead of text.
CLI::Option* json_flag(CLI::App& app, bool& value, const char* schema);

/// Which kernel, of which file, on which chip, with which sizes.
struct KernelFlags {
    std::string file;
    std::string kernel;
    std::string chip = "v6e";
    std::string case_name;
    std::vector<std::string> set_chip;
    std::vector<std::string> set;
    std::vector<std::string> with;
    std::vector<std::string> data;
};
void declare_kernel_flags(CLI::App& app, KernelFlags& flags);

/// --hbm, which model of HBM.
CLI::Option* hbm_flag(CLI::App& app, std::string& value);

/// The position of `text` among the words a flag may be given, or nothing after reporting it.
std::optional<std::size_t> one_of(const char* flag, const std::string& text,
                                  const std::vector<std::string>& words, Diagnostics& diags);

/// A whole number of at least 1, or nothing after reporting it.
std::optional<std::int64_t> positive_number(const char* flag, const std::string& text,
                                            Diagnostics& diags);

}  // namespace slab::cli
