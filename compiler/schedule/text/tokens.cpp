#include "compiler/schedule/text/tokens.hpp"

#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "compiler/schedule/text/words.hpp"

namespace slab::schedule {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

constexpr std::string_view long_signs[] = {"+:", "..", "==", "!=", "<=", ">=", "<<", ">>"};

}  // namespace

Tokens::Tokens(std::string_view text) : text_(text) {
    current_ = read();
}

bool Tokens::at(std::string_view sign_or_word) const {
    const bool comparable =
        current_.kind == Token::Kind::word || current_.kind == Token::Kind::sign;
    return comparable && current_.text == sign_or_word;
}

bool Tokens::accept(std::string_view sign_or_word) {
    if (!at(sign_or_word)) return false;
    take();
    return true;
}

void Tokens::expect(std::string_view sign_or_word) {
    if (!accept(sign_or_word)) expected(fmt::format("`{}`", sign_or_word));
}

Token Tokens::take() {
    const Token taken = current_;
    current_ = read();
    return taken;
}

void Tokens::expected(std::string_view what) const {
    const std::string found = current_.kind == Token::Kind::end
                                  ? "the text ends"
                                  : fmt::format("there is `{}`", current_.text);
    fail(current_.span, fmt::format("expected {}, {}", what, found));
}

void Tokens::fail(Span span, std::string sentence) {
    throw SyntaxError{span, std::move(sentence)};
}

Token Tokens::spelling(std::string_view what) {
    if (current_.kind != Token::Kind::word && current_.kind != Token::Kind::quoted) expected(what);
    return take();
}

std::string Tokens::name(std::string_view what) {
    const Token token = spelling(what);
    if (token.kind == Token::Kind::word)
        return std::string(token.text.substr(0, token.text.find('#')));
    std::string name;
    for (std::size_t i = 1; token.text[i] != '"'; ++i) {
        const bool escaped = token.text[i] == '\\';
        if (escaped) ++i;
        name += escaped && token.text[i] == 'n' ? '\n' : token.text[i];
    }
    return name;
}

std::int64_t Tokens::integer(std::string_view what) {
    const bool negative = accept("-");
    if (current_.kind != Token::Kind::integer) expected(what);
    const Token token = take();
    std::uint64_t magnitude = 0;
    const auto [end, error] = std::from_chars(token.text.begin(), token.text.end(), magnitude);
    const auto most = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (error != std::errc{} || magnitude > most + (negative ? 1 : 0))
        fail(token.span, fmt::format("{} does not fit in 64 bits", token.text));
    return static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
}

double Tokens::real(std::string_view what) {
    const double sign = accept("-") ? -1 : 1;
    if (accept("inf")) return sign * std::numeric_limits<double>::infinity();
    if (accept("nan")) return std::numeric_limits<double>::quiet_NaN();
    if (current_.kind != Token::Kind::integer && current_.kind != Token::Kind::real) expected(what);
    const Token token = take();
    double value = 0;
    if (std::from_chars(token.text.begin(), token.text.end(), value).ec != std::errc{})
        fail(token.span, fmt::format("{} is out of range", token.text));
    return sign * value;
}

std::int32_t Tokens::numbered(char before, std::string_view what) {
    std::int32_t number = 0;
    const std::string_view text = current_.text;
    if (text.size() < 2 || text[0] != before) expected(what);
    const auto [end, error] = std::from_chars(text.begin() + 1, text.end(), number);
    if (error != std::errc{} || end != text.end()) expected(what);
    take();
    return number;
}

Token Tokens::token(Token::Kind kind, std::size_t begin, std::size_t end) {
    at_ = end;
    const Span span{static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    return {kind, text_.substr(begin, end - begin), span};
}

Token Tokens::read() {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (text_.substr(at_, 2) == "//")
            at_ = std::min(text_.find('\n', at_), text_.size());
        else if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
            ++at_;
        else
            break;
    }
    const std::size_t begin = at_;
    if (begin == text_.size()) return token(Token::Kind::end, begin, begin);
    const char c = text_[begin];
    std::size_t end = begin + 1;
    if (starts_word(c)) {
        while (end < text_.size() && continues_word(text_[end])) ++end;
        return token(Token::Kind::word, begin, after_index(end));
    }
    if (is_digit(c)) return read_number(begin);
    if (c == '"') return read_quoted(begin);
    if (c == '%' && end < text_.size() && is_digit(text_[end])) {
        while (end < text_.size() && is_digit(text_[end])) ++end;
        return token(Token::Kind::value, begin, end);
    }
    for (std::string_view sign : long_signs)
        if (text_.substr(begin, sign.size()) == sign)
            return token(Token::Kind::sign, begin, begin + sign.size());
    return token(Token::Kind::sign, begin, end);
}

Token Tokens::read_number(std::size_t begin) {
    std::size_t end = begin;
    const auto digits = [&] {
        while (end < text_.size() && is_digit(text_[end])) ++end;
    };
    const auto digit_at = [&](std::size_t i) { return i < text_.size() && is_digit(text_[i]); };
    digits();
    Token::Kind kind = Token::Kind::integer;
    if (text_.substr(end, 1) == "." && digit_at(end + 1)) {
        kind = Token::Kind::real;
        ++end;
        digits();
    }
    if (text_.substr(end, 1) == "e") {
        const bool is_signed = text_.substr(end + 1, 1) == "+" || text_.substr(end + 1, 1) == "-";
        const std::size_t first = end + (is_signed ? 2 : 1);
        if (digit_at(first)) {
            kind = Token::Kind::real;
            end = first;
            digits();
        }
    }
    return token(kind, begin, end);
}

Token Tokens::read_quoted(std::size_t begin) {
    std::size_t end = begin + 1;
    while (end < text_.size() && text_[end] != '"' && text_[end] != '\n')
        end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size() || text_[end] != '"')
        fail({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(begin + 1)},
             "expected a closing quote on the same line");
    return token(Token::Kind::quoted, begin, after_index(end + 1));
}

/// Past the `#12` that tells names apart, if it is there.
std::size_t Tokens::after_index(std::size_t at) const {
    std::size_t end = at;
    if (text_.substr(end, 1) != "#") return at;
    ++end;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    return end;
}

}  // namespace slab::schedule
