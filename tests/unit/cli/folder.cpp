#include "folder.hpp"

#include <fstream>
#include <sstream>
#include <unistd.h>

namespace slab::cli {

Folder::Folder(const std::string& name)
    : base_(std::filesystem::temp_directory_path() / ("slab-cli-" + std::to_string(getpid()))),
      root_(base_ / name) {
    std::filesystem::create_directories(root_);
}

Folder::~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(base_, ignored);
}

std::string Folder::write(const std::string& name, std::string_view text) const {
    std::ofstream(root_ / name, std::ios::binary) << text;
    return path(name);
}

std::string Folder::read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(root_ / name, std::ios::binary).rdbuf();
    return text.str();
}

}  // namespace slab::cli
