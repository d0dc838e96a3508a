#pragma once

#include <filesystem>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/cases_check.hpp"
#include "cli/settings.hpp"
#include "cli/text_file.hpp"
#include "support/diagnostics.hpp"
#include "support/source.hpp"

namespace slab::cli {

/// What is simulated to be compared with hardware: one entry of a file below validation/.
struct Workload {
    std::string path;  ///< where it stands in the file: `points[2]`
    std::string id;
    std::string chip;
    std::string file;  ///< the .slab file, resolved
    std::string item;  ///< kernel or program
    NamedValues set;
    std::vector<std::string> with;
    std::vector<std::pair<std::string, std::string>> data;  ///< name and JSON text
    bool sustained = false;                                 ///< the clock to simulate with
    bool zeros = false;                                     ///< what the matrix operands held
    std::string group;                                      ///< entries of one kind
    std::string source;
};

/// Reads one entry, and reports with its JSON path what is wrong with it.
class WorkloadReader {
public:
    WorkloadReader(const Json& json, std::string path, const std::filesystem::path& folder,
                   CasesCheck& check)
        : json_(json), path_(std::move(path)), folder_(folder), check_(check) {}

    /// The keys of every workload, and that there are none but those and `more`, of which the
    /// required ones must be there. False where the entry is no object.
    bool read(Workload& out, const std::vector<std::string>& more,
              const std::vector<std::string>& required);

    /// The value of a key; null where it is not there, for which null stands as well.
    const Json* find(const char* key) const;
    /// A text that is not empty; empty where it is not there.
    std::string text(const char* key);
    std::string one_of(const char* key, const std::vector<std::string>& words,
                       const std::string& otherwise);
    /// A number above 0; `json` is what stands below the key, or a part of it.
    double number(const char* key, const Json& json);
    std::string below(const std::string& key) const { return path_ + "." + key; }
    CasesCheck& check() { return check_; }

private:
    void read_item(Workload& out);
    void read_with(Workload& out);

    const Json& json_;
    std::string path_;
    const std::filesystem::path& folder_;
    CasesCheck& check_;
};

/// Gives the entries below `key` of a text with that schema to `add`, one by one. Strict, like
/// cases.json: false where anything is reported, also an id that comes twice.
bool read_workloads(const SourceFile& text, const std::string& schema, const std::string& key,
                    const std::function<const Workload&(WorkloadReader& entry)>& add,
                    Diagnostics& diags);

/// The .json files of a folder that comes with slab, by name: `validation`.
std::vector<std::string> shipped_files(const std::string& folder);

/// What `read` makes of the texts of those files, or of all in a folder that comes with slab; a
/// file that it reports something of adds nothing.
template <typename Entry>
std::vector<Entry> entries_of(const std::vector<std::string>& files, const std::string& folder,
                              std::optional<std::vector<Entry>> (*read)(const SourceFile& text,
                                                                        Diagnostics& diags),
                              Diagnostics& diags) {
    std::vector<Entry> all;
    for (const std::string& path : files.empty() ? shipped_files(folder) : files) {
        const auto text = read_text_file(path, diags);
        auto entries = text ? read(*text, diags) : std::nullopt;
        if (entries) std::move(entries->begin(), entries->end(), std::back_inserter(all));
    }
    return all;
}

}  // namespace slab::cli
