#include "support/source.hpp"

#include <algorithm>

namespace slab {

SourceFile::SourceFile(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)) {
    for (std::uint32_t i = 0; i < text_.size(); ++i)
        if (text_[i] == '\n') line_begins_.push_back(i + 1);
}

std::string_view SourceFile::text(Span span) const {
    const std::size_t begin = std::min<std::size_t>(span.begin, text_.size());
    const std::size_t end = std::clamp<std::size_t>(span.end, begin, text_.size());
    return std::string_view(text_).substr(begin, end - begin);
}

SourceFile::Place SourceFile::place(std::uint32_t offset) const {
    const auto after = std::upper_bound(line_begins_.begin(), line_begins_.end(), offset);
    const auto line = static_cast<std::uint32_t>(after - line_begins_.begin());
    const std::uint32_t begin = line_begins_[line - 1];
    std::uint32_t column = 1;
    for (std::uint32_t i = begin; i < offset && i < text_.size(); ++i)
        if ((static_cast<unsigned char>(text_[i]) & 0xC0) != 0x80) ++column;
    return {line, column};
}

std::string_view SourceFile::line(std::uint32_t number) const {
    const std::uint32_t begin = line_begin(number);
    std::string_view rest = std::string_view(text_).substr(begin);
    rest = rest.substr(0, rest.find('\n'));
    if (!rest.empty() && rest.back() == '\r') rest.remove_suffix(1);
    return rest;
}

std::uint32_t SourceFile::line_begin(std::uint32_t number) const {
    return line_begins_.at(number - 1);
}

}  // namespace slab
