#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace slab {

/// A range of bytes [begin, end) of the one source text a diagnostic speaks of.
struct Span {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    bool empty() const { return begin == end; }
    friend bool operator==(const Span&, const Span&) = default;
};

/// The part of a span that the word takes which it begins or ends with.
inline Span first_word(Span span, std::string_view word) {
    return {span.begin, span.begin + static_cast<std::uint32_t>(word.size())};
}
inline Span last_word(Span span, std::string_view word) {
    return {span.end - static_cast<std::uint32_t>(word.size()), span.end};
}

/// A text with its name, and the way from byte offsets to lines and columns.
class SourceFile {
public:
    struct Place {
        std::uint32_t line = 1;    ///< counted from 1
        std::uint32_t column = 1;  ///< counted from 1, in code points
    };

    SourceFile() = default;
    SourceFile(std::string name, std::string text);

    const std::string& name() const { return name_; }
    std::string_view text() const { return text_; }
    std::string_view text(Span span) const;

    Place place(std::uint32_t offset) const;
    /// The text of a line (counted from 1) without its line break.
    std::string_view line(std::uint32_t number) const;
    std::uint32_t line_begin(std::uint32_t number) const;
    std::uint32_t line_count() const { return static_cast<std::uint32_t>(line_begins_.size()); }

private:
    std::string name_;
    std::string text_;
    std::vector<std::uint32_t> line_begins_{0};
};

}  // namespace slab
