#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace slab::cli {

/// A folder of its own for one test, gone with it.
class Folder {
public:
    explicit Folder(const std::string& name);
    ~Folder();
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    /// Writes a file and returns its path.
    std::string write(const std::string& name, std::string_view text) const;
    std::string read(const std::string& name) const;
    std::string path(const std::string& name) const { return (root_ / name).string(); }

private:
    std::filesystem::path base_;
    std::filesystem::path root_;
};

}  // namespace slab::cli
