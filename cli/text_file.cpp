#include "cli/text_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include <fmt/format.h>

namespace slab::cli {

namespace {

constexpr std::size_t largest_file = std::size_t{16} << 20;

/// The length of the UTF-8 character at the front of a text, or 0. Overlong forms, surrogates and
/// what lies behind U+10FFFF are none.
std::size_t character_length(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return 1;
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(i) & 0xC0) != 0x80) return 0;
    const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
    const bool surrogate = lead == 0xED && byte(1) > 0x9F;
    const bool too_large = lead == 0xF4 && byte(1) > 0x8F;
    return overlong || surrogate || too_large ? 0 : length;
}

bool check_text(const std::string& path, std::string_view text, Diagnostics& diags) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = text[at] == '\0' ? 0 : character_length(text.substr(at));
        if (length == 0) {
            const auto byte = static_cast<unsigned char>(text[at]);
            diags.add<Diag::binary_file>(
                {}, path, at, byte ? fmt::format("{:#04x}, which is not UTF-8", byte) : "NUL");
            return false;
        }
        at += length;
    }
    return true;
}

bool is_there(const std::string& path, Diagnostics& diags) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found)
        diags.add<Diag::no_such_file>({}, path);
    else if (std::filesystem::is_directory(status))
        diags.add<Diag::not_a_file>({}, path);
    else
        return true;
    return false;
}

}  // namespace

std::optional<SourceFile> read_text_file(const std::string& path, Diagnostics& diags) {
    if (!is_there(path, diags)) return std::nullopt;
    errno = 0;
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(
        std::fopen(path.c_str(), "rb"), [](std::FILE* f) { return f ? std::fclose(f) : 0; });
    std::string text;
    char part[1 << 16];
    std::size_t length = 0;
    while (in && text.size() <= largest_file &&
           (length = std::fread(part, 1, sizeof part, in.get())) > 0)
        text.append(part, length);
    if (!in || std::ferror(in.get())) {
        diags.add<Diag::unreadable_file>({}, path, std::strerror(errno ? errno : EIO));
        return std::nullopt;
    }
    if (text.size() > largest_file) {
        diags.add<Diag::file_too_large>({}, path, largest_file >> 20);
        return std::nullopt;
    }
    if (!check_text(path, text, diags)) return std::nullopt;
    return SourceFile(path, std::move(text));
}

}  // namespace slab::cli
