#pragma once

#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "cli/settings.hpp"
#include "support/diagnostics.hpp"

namespace slab::cli {

using Json = nlohmann::ordered_json;

/// `cases[2]`
std::string element(const std::string& path, std::size_t index);

/// Reports on one cases.json, or another file of ours, each time with the path of what is wrong.
class CasesCheck {
public:
    CasesCheck(const std::string& file, Diagnostics& diags) : file_(file), diags_(diags) {}

    template <Diag id, typename... Args>
    void report(Args&&... args) {
        diags_.add<id>({}, file_, std::forward<Args>(args)...);
    }

    void wrong_kind(const std::string& path, const Json& got, const std::string& needed);
    bool is_object(const std::string& path, const Json& json);
    void known_keys(const std::string& path, const Json& object,
                    const std::vector<std::string>& known);
    void required_keys(const std::string& path, const Json& object,
                       const std::vector<std::string>& keys);
    void known_chip(const std::string& path, const std::string& chip,
                    const std::vector<std::string>& shipped);
    /// The list below `key` of a file that has this schema and no other keys; null where that is
    /// reported.
    const Json* list_of(const Json& file, const std::string& schema, const std::string& key);
    /// Values of sizes as --set takes them: numbers and booleans are spelled as the language does.
    NamedValues settings(const std::string& path, const Json& json);
    /// A text that is not empty; empty where it is reported.
    std::string text(const std::string& path, const Json& json);

private:
    const std::string& file_;
    Diagnostics& diags_;
};

}  // namespace slab::cli
