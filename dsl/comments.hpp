#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "support/source.hpp"

namespace slab::dsl {

/// The comments of a text, handed out in order while its nodes are printed.
class Comments {
public:
    /// Without a source there are none.
    explicit Comments(const SourceFile* source);

    std::string_view text(Span comment) const { return source_->text(comment); }

    /// The next comment if it begins before `end`.
    std::optional<Span> take_before(std::uint32_t end);
    /// The next comment if only blanks, commas and closing brackets stand between it and `end`.
    std::optional<std::string_view> take_behind(std::uint32_t end);

    bool follows(std::uint32_t end) const;
    bool any_before(std::uint32_t end) const;
    bool any_in(std::uint32_t begin, std::uint32_t end) const;
    /// Whether the author left a blank line above what begins here.
    bool blank_line_before(std::uint32_t begin) const;

private:
    const SourceFile* source_;
    std::vector<Span> comments_;
    std::size_t next_ = 0;
};

}  // namespace slab::dsl
