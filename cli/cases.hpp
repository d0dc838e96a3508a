#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/settings.hpp"
#include "support/diagnostics.hpp"

namespace slab::cli {

/// `check` is small enough to be interpreted, `full` is of real size.
enum class CaseKind { check, full };

/// One set of sizes for a kernel: an entry of cases.json.
struct Case {
    std::string path;  ///< where it stands in the file: `cases[2]`
    std::string name;
    CaseKind kind = CaseKind::check;
    std::string kernel;
    std::vector<std::string> chips;  ///< names of shipped chips
    NamedValues set;                 ///< values spelled as --set takes them
    std::vector<std::string> with;
    std::vector<std::pair<std::string, std::string>> data;  ///< name and JSON text
    std::int64_t seeds = 5;
    std::optional<double> tolerance;  ///< of the largest value of an output
    /// Code of the error it must end in, by chip, with "" for every other; empty where it passes.
    std::map<std::string, std::string> expect;
    std::string note;

    bool is_for(const std::string& chip) const;
    /// The code of the error it must end in on this chip, or empty where it must pass.
    std::string expected(const std::string& chip) const;
};

/// Reads a text of the schema `slab.cases/1`. Strict: unknown keys, missing keys and values of the
/// wrong kind are all reported, each with its JSON path, and nothing is returned if there are any.
/// `folder` is the kernel of a case that names none.
std::optional<std::vector<Case>> read_cases(const SourceFile& text, const std::string& folder,
                                            Diagnostics& diags);

/// The same from the file cases.json beside a .slab file. Without such a file the list is empty.
std::optional<std::vector<Case>> read_cases_beside(const std::string& slab_file,
                                                   Diagnostics& diags);

/// Its path as messages spell it.
std::string cases_path(const std::string& slab_file);

}  // namespace slab::cli
