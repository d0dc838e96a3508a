#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "support/diagnostics.hpp"

namespace slab {

namespace {

constexpr std::size_t longest_line = 160;
constexpr std::size_t shown_before_mark = 40;
constexpr std::size_t tab_width = 4;
constexpr std::string_view unreadable = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view cut = "\xE2\x80\xA6";         // …

/// The bytes of the character at the front of a text; 0 if they are not UTF-8 or not printable.
std::size_t printable_length(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text.front());
    if (lead < 0x80) return lead < 0x20 || lead == 0x7F ? 0 : 1;
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
    if (length == 0 || length > text.size()) return 0;
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
    if (!std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(length),
                     continues))
        return 0;
    // U+0080 to U+009F steer a terminal like the bytes below 0x20.
    const bool control = lead == 0xC2 && static_cast<unsigned char>(text[1]) < 0xA0;
    return control ? 0 : length;
}

bool in_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// The word or number at the front of a text, its middle left out where it is too long.
std::string short_word(std::string_view text) {
    constexpr std::size_t longest = 80, begin = 40, end = 10;
    const auto behind = std::find_if_not(text.begin(), text.end(), in_word);
    const std::string_view word = text.substr(0, static_cast<std::size_t>(behind - text.begin()));
    if (word.size() <= longest) return std::string(word);
    return fmt::format("{}{}{}", word.substr(0, begin), cut, word.substr(word.size() - end));
}

/// A source line as columns of a terminal: what each shows, and where each byte is to be found.
class Columns {
public:
    explicit Columns(std::string_view line) {
        while (!line.empty()) {
            const std::size_t length = std::max<std::size_t>(printable_length(line), 1);
            of_byte_.insert(of_byte_.end(), length, shown_.size());
            if (line.front() == '\t')
                shown_.resize((shown_.size() / tab_width + 1) * tab_width, " ");
            else
                shown_.push_back(printable_length(line) ? line.substr(0, length) : unreadable);
            line.remove_prefix(length);
        }
        of_byte_.push_back(shown_.size());
    }

    std::size_t size() const { return shown_.size(); }
    std::size_t of_byte(std::size_t byte) const {
        return of_byte_[std::min(byte, of_byte_.size() - 1)];
    }
    std::string text(std::size_t begin, std::size_t end) const {
        std::string result;
        for (std::size_t i = begin; i < end; ++i) result += shown_[i];
        return result;
    }

private:
    std::vector<std::string_view> shown_;
    std::vector<std::size_t> of_byte_;
};

struct Mark {
    std::uint32_t line;
    std::size_t begin;  ///< columns of the line
    std::size_t end;
    std::string_view text;
    bool primary;
};

/// A span's part of its first line, at least one column.
Mark mark(const SourceFile& file, Span span, std::string_view text, bool primary) {
    const std::uint32_t line = file.place(span.begin).line;
    std::string_view shown = file.line(line);
    const Columns columns(shown);
    const std::uint32_t line_begin = file.line_begin(line);
    if (span.end > line_begin + shown.size())
        while (!shown.empty() && (shown.back() == ' ' || shown.back() == '\t'))
            shown.remove_suffix(1);
    const std::size_t begin = columns.of_byte(span.begin - line_begin);
    const std::size_t end = columns.of_byte(
        std::min<std::size_t>(std::max(span.end, span.begin) - line_begin, shown.size()));
    return {line, begin, std::max(end, begin + 1), text, primary};
}

class Renderer {
public:
    Renderer(const SourceFile* file, bool colour) : file_(file), colour_(colour) {}

    std::string message(const Diagnostic& message) {
        out_.clear();
        headline(message);
        if (file_ && message.span() != Span{}) place(message);
        for (const std::string& line : message.table()) out_ += ' ' + line + '\n';
        if (!message.why().empty()) out_ += paint(bold, " why:") + ' ' + message.why() + '\n';
        fixes(message);
        return std::move(out_);
    }

private:
    static constexpr std::string_view bold = "\033[1m";
    static constexpr std::string_view red = "\033[1;31m";
    static constexpr std::string_view yellow = "\033[1;33m";
    static constexpr std::string_view blue = "\033[1;34m";

    std::string paint(std::string_view code, std::string_view text) const {
        return colour_ ? fmt::format("{}{}\033[0m", code, text) : std::string(text);
    }

    void headline(const Diagnostic& message) {
        const DiagInfo info = message.info();
        const bool warning = info.kind == DiagKind::warning;
        severity_ = warning ? yellow : red;
        std::string kind = warning ? "warning" : "error";
        if (!info.code().empty()) kind += fmt::format("[{}]", info.code());
        out_ += paint(severity_, kind) + paint(bold, ": " + message.headline()) + '\n';
    }

    void place(const Diagnostic& message) {
        const SourceFile::Place at = file_->place(message.span().begin);
        out_ += fmt::format("{} {}:{}:{}\n", paint(blue, "  -->"), legible(file_->name()), at.line,
                            at.column);

        std::vector<Mark> marks{mark(*file_, message.span(), message.label(), true)};
        for (const Diagnostic::Label& note : message.notes())
            marks.push_back(mark(*file_, note.span, note.text, false));
        std::stable_sort(marks.begin(), marks.end(), [](const Mark& a, const Mark& b) {
            return std::tie(a.line, a.begin) < std::tie(b.line, b.begin);
        });
        gutter_ = std::max<std::size_t>(2, std::to_string(marks.back().line).size());
        const Mark* above = nullptr;
        for (const Mark& each : marks) {
            lines(each, above);
            above = &each;
        }
    }

    void fixes(const Diagnostic& message) {
        const char* lead = " fix:";
        const auto add = [&](const std::string& fix) {
            out_ += paint(bold, lead) + ' ' + fix + '\n';
            lead = "      or";
        };
        if (file_)
            for (const Diagnostic::Edit& edit : message.edits()) add(edited_line(edit, *file_));
        for (const std::string& fix : message.fixes()) add(fix);
    }

    /// The source line, unless it stands above already, and the line with the mark. A long line is
    /// shown again for each of its marks, as a stretch around it.
    void lines(const Mark& mark, const Mark* above) {
        const Columns columns(file_->line(mark.line));
        std::size_t begin = 0;
        std::size_t end = columns.size();
        if (end > longest_line) {
            begin = mark.begin > shown_before_mark ? mark.begin - shown_before_mark : 0;
            end = std::min(end, begin + longest_line);
        }
        const std::string before(begin > 0 ? cut : "");
        const std::string behind(end < columns.size() ? cut : "");
        const bool whole = end - begin == columns.size();
        if (!above || above->line != mark.line || !whole)
            row(std::to_string(mark.line), before + columns.text(begin, end) + behind);

        const std::size_t indent = mark.begin - begin + (before.empty() ? 0 : 1);
        const std::size_t length = std::max<std::size_t>(
            1, std::min(mark.end, std::max(end, mark.begin + 1)) - mark.begin);
        std::string marked(length, mark.primary ? '^' : '-');
        if (!mark.text.empty()) marked += fmt::format(" {}", mark.text);
        row("", std::string(indent, ' ') + paint(mark.primary ? severity_ : blue, marked));
    }

    void row(std::string_view number, const std::string& text) {
        out_ += paint(blue, fmt::format("{:>{}} |", number, gutter_));
        if (!text.empty()) out_ += ' ' + text;
        out_ += '\n';
    }

    const SourceFile* file_;
    bool colour_;
    std::string_view severity_ = red;
    std::size_t gutter_ = 2;
    std::string out_;
};

}  // namespace

std::string legible(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t length = printable_length(text);
        if (in_word(text.front())) {
            out += short_word(text);
            text.remove_prefix(static_cast<std::size_t>(
                std::find_if_not(text.begin(), text.end(), in_word) - text.begin()));
            continue;
        }
        out += length > 0 ? text.substr(0, length) : unreadable;
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return out;
}

std::string edited_line(const Diagnostic::Edit& edit, const SourceFile& file) {
    const std::uint32_t first = file.place(edit.span.begin).line;
    const std::uint32_t last = file.place(edit.span.end).line;
    const std::string_view before =
        file.line(first).substr(0, edit.span.begin - file.line_begin(first));
    const std::string_view behind = file.line(last).substr(
        std::min<std::size_t>(edit.span.end - file.line_begin(last), file.line(last).size()));
    const std::string whole = fmt::format("{}{}{}", before, edit.text, behind);
    const std::string& line = whole.size() > longest_line ? edit.text : whole;
    const std::size_t begin = line.find_first_not_of(" \t\n");
    const std::size_t end = line.find_last_not_of(" \t\r\n");
    return begin == std::string::npos ? std::string("leave it out")
                                      : legible(line.substr(begin, end - begin + 1));
}

std::string render(const Diagnostics& diags, const SourceFile* file, bool colour) {
    std::vector<const Diagnostic*> messages;
    for (const Diagnostic& message : diags.messages()) messages.push_back(&message);
    std::stable_sort(
        messages.begin(), messages.end(),
        [](const Diagnostic* a, const Diagnostic* b) { return a->span().begin < b->span().begin; });
    std::string out;
    Renderer renderer(file, colour);
    for (const Diagnostic* message : messages) {
        if (!out.empty()) out += '\n';
        out += renderer.message(*message);
    }
    return out;
}

}  // namespace slab
