#include "cli/library.hpp"

#include <algorithm>
#include <filesystem>

namespace slab::cli {

namespace fs = std::filesystem;

std::string library_folder() {
    std::error_code error;
    if (fs::is_directory(SLAB_KERNELS, error)) return SLAB_KERNELS;
    return (fs::read_symlink("/proc/self/exe", error).parent_path() / "kernels").string();
}

std::vector<std::string> library_files(const std::string& folder) {
    std::vector<std::string> files;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const fs::path file = entry.path() / (entry.path().filename().string() + ".slab");
        if (fs::is_regular_file(file, error)) files.push_back(file.string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace slab::cli
