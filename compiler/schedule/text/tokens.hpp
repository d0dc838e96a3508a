#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "support/source.hpp"

namespace slab::schedule {

struct Token {
    enum class Kind { word, quoted, integer, real, value, sign, end };
    Kind kind = Kind::end;
    std::string_view text;  ///< as it stands there; a name with its `#index`, a value with its `%`
    Span span;
};

/// What is wrong with a text, and where. Thrown inside the readers, never out of this folder.
struct SyntaxError {
    Span span;
    std::string sentence;
};

/// The text as tokens, one at a time. White space separates them, `//` begins a comment.
class Tokens {
public:
    explicit Tokens(std::string_view text);

    const Token& current() const { return current_; }
    bool at(std::string_view sign_or_word) const;
    bool accept(std::string_view sign_or_word);
    void expect(std::string_view sign_or_word);
    Token take();

    /// A name: a word or a quoted text, without what follows `#`.
    std::string name(std::string_view what);
    /// A name as it is spelled, for looking it up.
    Token spelling(std::string_view what);
    std::int64_t integer(std::string_view what);
    double real(std::string_view what);
    /// The number behind `%`, or behind a letter as in `r12`.
    std::int32_t numbered(char before, std::string_view what);

    [[noreturn]] void expected(std::string_view what) const;
    [[noreturn]] static void fail(Span span, std::string sentence);

private:
    Token read();
    Token read_number(std::size_t begin);
    Token read_quoted(std::size_t begin);
    std::size_t after_index(std::size_t at) const;
    Token token(Token::Kind kind, std::size_t begin, std::size_t end);

    std::string_view text_;
    std::size_t at_ = 0;
    Token current_;
};

}  // namespace slab::schedule
