#pragma once

#include <string>
#include <vector>

#include "arch_configs/chip_json.hpp"

namespace slab::arch {

/// What a JSON value is, in a sentence: `a text`, `a list`.
std::string kind_of(const Json& json);

/// The value as JSON, cut where it would not fit into a sentence.
std::string quoted(const Json& json);

/// `` , did you mean `key` ``, or nothing where no key is near.
std::string did_you_mean(const std::string& key, const std::vector<std::string>& known);

bool contains(const std::vector<std::string>& list, const std::string& text);

/// Reports on one chip file.
class FileCheck {
public:
    FileCheck(const std::string& file, Diagnostics& diags) : file_(file), diags_(diags) {}

    template <Diag id, typename... Args>
    void report(Args&&... args) {
        diags_.add<id>({}, file_, std::forward<Args>(args)...);
    }

    void wrong_type(const std::string& path, const Json& got, const std::string& needed);
    /// The text under `key` of the object at `prefix`; empty where it is reported as wrong.
    std::string text(const Json& object, const std::string& prefix, const std::string& key);
    bool clean() const { return diags_.empty(); }

private:
    const std::string& file_;
    Diagnostics& diags_;
};

}  // namespace slab::arch
