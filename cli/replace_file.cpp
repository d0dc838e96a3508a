#include "cli/replace_file.hpp"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace slab::cli {

namespace fs = std::filesystem;

void replace_file(const std::string& path, const std::string& text, Diagnostics& diags) {
    std::error_code error;
    const fs::path target = fs::weakly_canonical(path, error);
    const fs::path fresh = target.string() + "." + std::to_string(getpid()) + ".tmp";
    const auto fail = [&](const std::string& why) {
        std::error_code ignored;
        fs::remove(fresh, ignored);
        diags.add<Diag::file_unwritable>({}, path, why);
    };
    if (error) return fail(error.message());
    const bool is_new = !fs::exists(target, error);
    if (!is_new && !fs::is_regular_file(target)) return fail("it is not a regular file");
    if (!is_new && access(target.c_str(), W_OK) != 0) return fail(std::strerror(errno));

    errno = 0;
    std::ofstream out(fresh, std::ios::binary | std::ios::trunc);
    out << text;
    out.close();
    if (!out) return fail(std::strerror(errno ? errno : EIO));
    if (!is_new) fs::permissions(fresh, fs::status(target, error).permissions(), error);
    if (!error) fs::rename(fresh, target, error);
    if (error) fail(error.message());
}

}  // namespace slab::cli
