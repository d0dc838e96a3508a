#include "arch_configs/chip_json.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <vector>

#include <nlohmann/json.hpp>

#include "support/source.hpp"

namespace slab::arch {

namespace {

constexpr std::uintmax_t largest_file = 1 << 20;
/// Chip files are 6 deep. Printing a value recurses, so a file of brackets must not get further.
constexpr int deepest = 32;

/// Watches a parse and remembers the paths of keys that stand twice in one object.
class Watch {
public:
    /// False where what is parsed is too deep to keep.
    bool see(int depth, Json::parse_event_t event, const Json& parsed) {
        too_deep_ = too_deep_ || depth > deepest;
        if (too_deep_) return false;
        if (event == Json::parse_event_t::object_start) {
            objects_.emplace_back();
        } else if (event == Json::parse_event_t::object_end) {
            objects_.pop_back();
        } else if (event == Json::parse_event_t::key) {
            objects_.back().current = parsed.get<std::string>();
            if (!objects_.back().keys.insert(objects_.back().current).second)
                duplicates_.push_back(path());
        }
        return true;
    }
    bool too_deep() const { return too_deep_; }
    const std::vector<std::string>& duplicates() const { return duplicates_; }

private:
    struct Object {
        std::set<std::string> keys;
        std::string current;
    };

    std::string path() const {
        std::string joined;
        for (const Object& each : objects_) joined += (joined.empty() ? "" : ".") + each.current;
        return joined;
    }

    std::vector<Object> objects_;
    std::vector<std::string> duplicates_;
    bool too_deep_ = false;
};

/// What json says was wrong, without its own place and without quoting the text, which may be long.
std::string reason(const std::string& what) {
    const std::size_t colon = what.find(": ");
    std::string text = colon == std::string::npos ? what : what.substr(colon + 2);
    const std::size_t quote = text.find("; last read: '");
    if (quote == std::string::npos) return text;
    const std::size_t expected = text.rfind("; expected");
    return text.substr(0, quote) +
           (expected != std::string::npos && expected > quote ? text.substr(expected) : "");
}

void report_syntax(const std::string& file, const std::string& text, std::size_t byte,
                   const std::string& what, Diagnostics& diags) {
    const std::size_t offset = std::min(byte == 0 ? 0 : byte - 1, text.size());
    const auto place = SourceFile(file, text).place(static_cast<std::uint32_t>(offset));
    diags.add<Diag::chip_not_json>({}, file, place.line, place.column, reason(what));
}

/// `what` ends in the number between quotes: json gives no place for one that is too large.
void report_huge_number(const std::string& file, const std::string& text, const std::string& what,
                        Diagnostics& diags) {
    const std::size_t open = what.find('\'');
    const std::size_t close = what.rfind('\'');
    const std::string number = open < close ? what.substr(open + 1, close - open - 1) : "";
    const std::size_t offset = std::min(text.find(number), text.size());
    const auto place = SourceFile(file, text).place(static_cast<std::uint32_t>(offset));
    diags.add<Diag::chip_huge_number>({}, file, place.line, place.column,
                                      number.size() > 40 ? number.substr(0, 40) + "…" : number);
}

}  // namespace

std::optional<std::string> read_text(const std::string& path, Diagnostics& diags) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) {
        diags.add<Diag::no_such_file>({}, path);
        return std::nullopt;
    }
    if (fs::is_directory(status)) {
        diags.add<Diag::chip_file_is_directory>({}, path);
        return std::nullopt;
    }
    if (!fs::is_regular_file(status)) {
        diags.add<Diag::unreadable_file>({}, path, "it is not a regular file");
        return std::nullopt;
    }
    const std::uintmax_t size = fs::file_size(path, error);
    if (!error && size > largest_file) {
        diags.add<Diag::chip_file_too_large>({}, path, size, largest_file);
        return std::nullopt;
    }
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    if (in && size > 0) text << in.rdbuf();
    if (!in || !text) {
        diags.add<Diag::unreadable_file>({}, path, std::strerror(errno ? errno : EIO));
        return std::nullopt;
    }
    if (text.str().empty()) {
        diags.add<Diag::chip_file_empty>({}, path);
        return std::nullopt;
    }
    return text.str();
}

std::optional<Json> parse_json(const std::string& file, const std::string& text,
                               Diagnostics& diags) {
    if (const std::size_t nul = text.find('\0'); nul != std::string::npos) {
        diags.add<Diag::binary_file>({}, file, nul, "NUL");
        return std::nullopt;
    }
    Watch watch;
    Json json;
    try {
        json = Json::parse(text, [&](int depth, Json::parse_event_t event, Json& parsed) {
            return watch.see(depth, event, parsed);
        });
    } catch (const Json::parse_error& error) {
        report_syntax(file, text, error.byte, error.what(), diags);
        return std::nullopt;
    } catch (const Json::out_of_range& error) {
        report_huge_number(file, text, error.what(), diags);
        return std::nullopt;
    }
    if (watch.too_deep()) {
        diags.add<Diag::chip_too_deep>({}, file, deepest);
        return std::nullopt;
    }
    for (const std::string& path : watch.duplicates())
        diags.add<Diag::chip_duplicate_key>({}, file, path);
    return json;
}

}  // namespace slab::arch
