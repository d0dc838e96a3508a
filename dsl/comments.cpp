#include "dsl/comments.hpp"

#include <algorithm>

#include "dsl/lexer.hpp"
#include "support/diagnostics.hpp"

namespace slab::dsl {

Comments::Comments(const SourceFile* source) : source_(source) {
    if (!source) return;
    Diagnostics unheard;
    SyntaxErrors errors(unheard);
    comments_ = lex(*source, errors).comments;
}

std::optional<Span> Comments::take_before(std::uint32_t end) {
    if (!any_before(end)) return std::nullopt;
    return comments_[next_++];
}

std::optional<std::string_view> Comments::take_behind(std::uint32_t end) {
    if (!follows(end)) return std::nullopt;
    return text(comments_[next_++]);
}

bool Comments::follows(std::uint32_t end) const {
    if (next_ == comments_.size() || comments_[next_].begin < end) return false;
    const std::string_view between = source_->text({end, comments_[next_].begin});
    return between.find_first_not_of(" \t,)]") == std::string_view::npos;
}

bool Comments::any_before(std::uint32_t end) const {
    return next_ < comments_.size() && comments_[next_].begin < end;
}

bool Comments::any_in(std::uint32_t begin, std::uint32_t end) const {
    const auto from = comments_.begin() + static_cast<std::ptrdiff_t>(next_);
    const auto found = std::ranges::lower_bound(from, comments_.end(), begin, {}, &Span::begin);
    return found != comments_.end() && found->begin < end;
}

bool Comments::blank_line_before(std::uint32_t begin) const {
    if (!source_) return false;
    const std::string_view before = source_->text({0, begin});
    const std::size_t last = before.find_last_not_of(" \t\r\n");
    const std::string_view gap = before.substr(last == std::string_view::npos ? 0 : last + 1);
    return std::ranges::count(gap, '\n') > 1;
}

}  // namespace slab::dsl
