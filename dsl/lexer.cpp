#include "dsl/lexer.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

namespace slab::dsl {

Diagnostic& SyntaxErrors::add(Span span, const std::string& sentence) {
    return ++count_ > limit ? unheard_ : diags_.add<Diag::E0001>(span, sentence);
}

namespace {

constexpr std::uint32_t deepest_nesting = 256;

struct Word {
    std::string_view text;
    int uses;
};
constexpr Word words[] = {
#define SLAB_WORD(text, uses) {text, uses},
#include "dsl/words.def"
#undef SLAB_WORD
};
static_assert(std::ranges::is_sorted(words, {}, &Word::text));

// Longer marks stand before their beginnings.
constexpr std::string_view marks[] = {
    "..", "->", "+:", "+=", "-=", "*=", "==", "!=", "<=", ">=", "<<", ">>",
    "(",  ")",  "[",  "]",  "{",  "}",  ":",  ",",  ".",  "@",  "=",  "<",
    ">",  "+",  "-",  "*",  "/",  "%",  "&",  "|",  "^",  "?"};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_hex_digit(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// The code point that starts at `at`, and its length; a length of 0 if the bytes are not UTF-8.
struct CodePoint {
    std::uint32_t value = 0;
    std::uint32_t length = 0;
};
CodePoint decode(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) -> std::uint32_t {
        return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0;
    };
    const std::uint32_t lead = byte(0);
    if (lead < 0x80) return {lead, 1};
    const std::uint32_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    constexpr std::uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    std::uint32_t value = lead & (0xFFu >> (length + 1));
    for (std::uint32_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80) return {};
        value = value << 6 | (byte(i) & 0x3F);
    }
    const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    if (lead < 0xC2 || lead > 0xF4 || value < smallest[length] || value > 0x10FFFF || surrogate)
        return {};
    return {value, length};
}

class Lexer {
public:
    Lexer(std::string_view text, SyntaxErrors& errors) : text_(text), errors_(errors) {}

    Lexed run() {
        // some editors begin every file with a mark of its encoding
        if (starts_with("\xEF\xBB\xBF")) at_ = line_begin_ = 3;
        while (!too_deep_ && skip_blanks()) token();
        if (too_deep_) lexed_.tokens.clear();
        const auto size = static_cast<std::uint32_t>(text_.size());
        at_ = size;
        push(TokenKind::end, size);
        return std::move(lexed_);
    }

private:
    char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
    }
    bool starts_with(std::string_view prefix) const {
        return text_.substr(at_).starts_with(prefix);
    }

    /// Moves to the next token; false at the end of the text.
    bool skip_blanks() {
        for (; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (c == '\n') {
                line_begin_ = at_ + 1;
                line_is_blank_ = true;
            } else if (starts_with("//")) {
                comment();
                if (at_ == text_.size()) return false;
                --at_;  // the line break is a blank of its own
            } else if (c != ' ' && c != '\t' && c != '\r') {
                return true;
            }
        }
        return false;
    }

    void comment() {
        const std::uint32_t begin = at_;
        std::uint32_t end = line_end();
        check_utf8(begin, end);
        at_ = end;
        while (end > begin && (text_[end - 1] == '\r' || text_[end - 1] == ' ')) --end;
        lexed_.comments.push_back({begin, end});
    }

    std::uint32_t line_end() const {
        return static_cast<std::uint32_t>(std::min(text_.find('\n', at_), text_.size()));
    }

    /// Comments and strings may hold any text, but it has to be one. One message each is enough.
    bool check_utf8(std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t i = begin; i < end;) {
            const CodePoint point = decode(text_.substr(0, end), i);
            if (point.length == 0 || point.value == 0) {
                report_character(i, point);
                return false;
            }
            i += point.length;
        }
        return true;
    }

    void report_character(std::uint32_t at, CodePoint point) {
        const Span span{at, at + std::max(point.length, 1u)};
        const auto byte = static_cast<unsigned char>(text_[at]);
        if (point.length == 0)
            errors_.add(span, fmt::format("byte 0x{:02X} is not UTF-8", byte));
        else if (point.value < 0x20 || point.value == 0x7F)
            errors_.add(span, fmt::format("byte 0x{:02X} does not belong in a text", byte));
        else if (point.value == '\'')
            errors_.add(span, "a string stands between two `\"`");
        else if (point.value < 0x80)
            errors_.add(span, fmt::format("no word or sign of the language starts with `{}`",
                                          text_.substr(at, 1)));
        else
            errors_
                .add(span, fmt::format("`{}` (U+{:04X}) outside a comment or a string",
                                       text_.substr(at, point.length), point.value))
                .because("the language is written in ASCII");
    }

    /// Comments, separators and operators as other languages have them: one message each, and then
    /// what was meant is read. False for anything else.
    bool foreign_sign() {
        const Span one{at_, at_ + 1}, two{at_, at_ + 2};
        if (peek() == '#') {
            errors_.add(one, "a comment begins with `//`").replace(one, "//");
            at_ = line_end();
        } else if (starts_with("/*")) {
            foreign_comment();
        } else if (peek() == ';') {
            semicolon();
        } else if (peek() == '\\') {
            errors_.add(one, "no `\\` is needed, a line break means nothing").replace(one, "");
            ++at_;
        } else if (starts_with("&&")) {
            foreign_word(two, "and");
        } else if (starts_with("||")) {
            foreign_word(two, "or");
        } else if (starts_with("!!")) {
            errors_.add(two, "two negations are none").replace(two, "");
            at_ += 2;
        } else if (peek() == '!' && peek(1) != '=') {
            foreign_word(one, "not");
        } else {
            return counts_up();
        }
        return true;
    }

    /// Between brackets `;` is read as what it was typed for.
    void semicolon() {
        const Span one{at_, at_ + 1};
        if (open_.empty() || open_.back() == '{') {
            errors_.add(one, "no `;` is needed, a statement ends where the next one begins")
                .replace(one, "");
            ++at_;
            return;
        }
        const Token& before = lexed_.tokens.back();
        const bool slice = open_.back() == '[' && (before.is("[") || before.is(","));
        errors_
            .add(one, slice ? "all of a dimension is `:`, not `;`" : "in a list `,` stands between")
            .replace(one, slice ? ":" : ",");
        push(TokenKind::mark, at_ + 1);
        lexed_.tokens.back().text = slice ? ":" : ",";
    }

    void foreign_word(Span span, std::string_view word) {
        const auto is_blank = [&](std::size_t at) {
            return at >= text_.size() || text_[at] == ' ' || text_[at] == '\n';
        };
        errors_
            .add(span, fmt::format("`{}` is spelled `{}`", text_.substr(at_, span.end - at_), word))
            .replace(span, fmt::format("{}{}{}",
                                       at_ == 0 || is_blank(at_ - 1) || word == "not" ? "" : " ",
                                       word, is_blank(span.end) ? "" : " "));
        push(TokenKind::word, span.end);
        lexed_.tokens.back().text = word;
    }

    /// `/* … */`; one that ends its line can be a comment of ours.
    void foreign_comment() {
        const std::size_t close =
            comments_end_ ? text_.find("*/", at_ + 2) : std::string_view::npos;
        comments_end_ = close != std::string_view::npos;  // else there is none behind this one
        const std::uint32_t line = line_end();
        const auto end =
            close == std::string_view::npos ? line : static_cast<std::uint32_t>(close + 2);
        const std::uint32_t marked = std::min(end, line);
        auto& message =
            errors_.add({at_, marked}, "a comment begins with `//` and ends with its line");
        const std::string_view behind = text_.substr(marked, line - marked);
        if (close < line && behind.find_first_not_of(" \t\r") == std::string_view::npos)
            message.replace({at_, end},
                            fmt::format("//{}", text_.substr(at_ + 2, close - at_ - 2)));
        at_ = end;
        if (end <= line) return;
        line_begin_ = static_cast<std::uint32_t>(text_.rfind('\n', end - 1) + 1);
        line_is_blank_ = true;
    }

    /// `x++` and `x--` at the end of a line or block.
    bool counts_up() {
        if (!(starts_with("++") || starts_with("--")) || lexed_.tokens.empty()) return false;
        const Token& before = lexed_.tokens.back();
        const bool behind_place = before.kind == TokenKind::name || before.is("]");
        const std::size_t next = text_.find_first_not_of(" \t\r;", at_ + 2);
        const bool at_end = next >= text_.size() || text_[next] == '\n' || text_[next] == '}';
        if (!behind_place || !at_end) return false;
        const std::string_view assigns = peek() == '+' ? "+=" : "-=";
        errors_
            .add({at_, at_ + 2},
                 fmt::format("`{}` is spelled `{} 1`", text_.substr(at_, 2), assigns))
            .replace({at_, at_ + 2}, fmt::format(" {} 1", assigns));
        push(TokenKind::mark, at_ + 1);
        lexed_.tokens.back().text = assigns;
        push(TokenKind::number, at_ + 1);
        lexed_.tokens.back().text = "1";
        return true;
    }

    void token() {
        const char c = peek();
        if (foreign_sign()) return;
        if (is_letter(c))
            name();
        else if (is_digit(c))
            number();
        else if (c == '"')
            string();
        else if (const auto found = std::ranges::find_if(
                     marks, [&](std::string_view mark) { return starts_with(mark); });
                 found != std::end(marks))
            mark(*found);
        else
            unknown();
    }

    std::uint32_t word_end(std::uint32_t from) const {
        while (from < text_.size() && (is_letter(text_[from]) || is_digit(text_[from]))) ++from;
        return from;
    }

    void name() {
        const std::uint32_t end = word_end(at_);
        const std::string_view spelling = text_.substr(at_, end - at_);
        const auto* found = std::ranges::lower_bound(words, spelling, {}, &Word::text);
        if (found == std::end(words) || found->text != spelling) return push(TokenKind::name, end);
        push(TokenKind::word, end);
        lexed_.tokens.back().uses = static_cast<std::uint8_t>(found->uses);
    }

    std::uint32_t digits_end(std::uint32_t from) const {
        while (from < text_.size() && is_digit(text_[from])) ++from;
        return from;
    }

    /// The end of the number at `at_`; the fraction and the exponent count only with digits.
    std::uint32_t number_end() const {
        const auto digit_at = [&](std::uint32_t i) {
            return i < text_.size() && is_digit(text_[i]);
        };
        if (starts_with("0x")) {
            std::uint32_t end = at_ + 2;
            while (end < text_.size() && is_hex_digit(text_[end])) ++end;
            return end > at_ + 2 ? end : at_ + 1;
        }
        std::uint32_t end = digits_end(at_);
        if (end < text_.size() && text_[end] == '.' && digit_at(end + 1)) end = digits_end(end + 1);
        if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
            const bool sign =
                end + 1 < text_.size() && (text_[end + 1] == '+' || text_[end + 1] == '-');
            const std::uint32_t exponent = end + 1 + (sign ? 1 : 0);
            if (digit_at(exponent)) end = digits_end(exponent);
        }
        return end;
    }

    void number() {
        std::uint32_t end = number_end();
        const std::string_view spelling = text_.substr(at_, end - at_);
        if (const std::uint32_t letters = word_end(end); letters > end) {
            errors_.add({at_, letters}, fmt::format("`{}` is neither a number nor a name",
                                                    text_.substr(at_, letters - at_)));
            return push(TokenKind::bad, letters);
        }
        const bool point = end < text_.size() && text_[end] == '.';
        if (point && !text_.substr(end).starts_with("..")) {
            errors_
                .add({at_, end + 1}, fmt::format("`{}.` needs a digit after its point", spelling))
                .replace({end, end + 1}, ".0");
            return push(TokenKind::bad, end + 1);
        }
        push(TokenKind::number, end);
    }

    void string() {
        const std::uint32_t limit = line_end();
        const std::size_t quote = text_.substr(0, limit).find('"', at_ + 1);
        if (quote == std::string_view::npos) {
            std::uint32_t end = limit;
            if (end > at_ && text_[end - 1] == '\r') --end;
            errors_.add({at_, end}, "this string does not end on its line");
            return push(TokenKind::bad, end);
        }
        const auto end = static_cast<std::uint32_t>(quote + 1);
        push(check_utf8(at_, end) ? TokenKind::text : TokenKind::bad, end);
    }

    void mark(std::string_view spelling) {
        const Span span{at_, at_ + static_cast<std::uint32_t>(spelling.size())};
        if (std::string_view("([{").find(spelling) != std::string_view::npos) {
            open_ += spelling;
            if (open_.size() > deepest_nesting) {
                errors_.add(span,
                            fmt::format("brackets are nested deeper than {}", deepest_nesting));
                too_deep_ = true;
            }
        } else if (std::string_view(")]}").find(spelling) != std::string_view::npos &&
                   !open_.empty()) {
            open_.pop_back();
        }
        push(TokenKind::mark, span.end);
    }

    void unknown() {
        const CodePoint point = decode(text_, at_);
        report_character(at_, point);
        push(TokenKind::bad, at_ + std::max(point.length, 1u));
    }

    void push(TokenKind kind, std::uint32_t end) {
        lexed_.tokens.push_back({kind,
                                 0,
                                 line_is_blank_,
                                 line_is_blank_ && at_ == line_begin_,
                                 {at_, end},
                                 text_.substr(at_, end - at_)});
        line_is_blank_ = false;
        at_ = end;
    }

    std::string_view text_;
    SyntaxErrors& errors_;
    Lexed lexed_;
    std::uint32_t at_ = 0;
    std::uint32_t line_begin_ = 0;
    std::string open_;  ///< the brackets around the place, outermost first
    bool line_is_blank_ = true;
    bool comments_end_ = true;
    bool too_deep_ = false;
};

}  // namespace

Lexed lex(const SourceFile& source, SyntaxErrors& errors) {
    return Lexer(source.text(), errors).run();
}

}  // namespace slab::dsl
