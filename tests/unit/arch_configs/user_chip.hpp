#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <nlohmann/json.hpp>

#include "arch_configs/read_chip.hpp"

namespace slab::arch {

using Messages = std::vector<std::string>;
using Json = nlohmann::ordered_json;

/// A directory that is gone at the end of the test.
class TemporaryFolder {
public:
    TemporaryFolder() {
        std::string pattern = std::filesystem::temp_directory_path() / "slab-chip-XXXXXX";
        path_ = ::mkdtemp(pattern.data());
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

/// The headlines, with the folder taken off the name of the file.
inline Messages headlines(const Diagnostics& diags, const std::string& path = "") {
    Messages lines;
    for (const Diagnostic& each : diags.messages()) {
        std::string line = each.headline();
        const std::string folder = std::filesystem::path(path).parent_path().string() + "/";
        const std::size_t at = path.empty() ? std::string::npos : line.find(folder);
        if (at != std::string::npos) line.erase(at, folder.size());
        lines.push_back(line);
    }
    return lines;
}

/// What slab says to a user's chip file of this text. No file that draws a message is accepted.
inline Messages complaints(const std::string& text, const Messages& overrides = {}) {
    const TemporaryFolder folder;
    const std::string path = folder / "my.json";
    std::ofstream(path, std::ios::binary) << text;
    Diagnostics diags;
    const auto chip = read_chip(path, overrides, diags);
    if (chip.has_value() != diags.empty()) std::abort();
    if (!chip && diags.exit_code() != 2) std::abort();
    return headlines(diags, path);
}

inline std::string toy_text() {
    std::ifstream in(SLAB_SOURCE_DIR "/arch_configs/toy.json");
    return {std::istreambuf_iterator<char>(in), {}};
}

inline Json toy() {
    return Json::parse(toy_text());
}

}  // namespace slab::arch
