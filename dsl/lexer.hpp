#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostics.hpp"
#include "support/source.hpp"

namespace slab::dsl {

/// Collects syntax errors (E0001) and falls silent after twenty: what follows is mostly an echo.
class SyntaxErrors {
public:
    explicit SyntaxErrors(Diagnostics& diags) : diags_(diags) {}

    /// The message to decorate. A message past the limit goes to nobody.
    Diagnostic& add(Span span, const std::string& sentence);

private:
    static constexpr int limit = 20;

    Diagnostics& diags_;
    Diagnostic unheard_{Diag::E0001, {}, {}};
    int count_ = 0;
};

enum class TokenKind {
    name,
    word,    ///< reserved by the language
    number,  ///< as spelled
    text,    ///< with its quotes
    mark,    ///< an operator or a bracket, the longest that fits
    bad,     ///< reported already
    end
};

/// What a reserved word may begin or stand for.
enum WordUse : std::uint8_t {
    element_type = 1,  ///< `f32`, `any`
    value = 2,         ///< `inf`, `me`
    statement = 4,     ///< `let`, `copy`
    item = 8           ///< `kernel`, `const`
};

struct Token {
    TokenKind kind = TokenKind::end;
    std::uint8_t uses = 0;  ///< of WordUse, for words
    bool starts_line = false;
    bool in_first_column = false;
    Span span;
    std::string_view text;

    bool is(std::string_view spelling) const { return text == spelling; }
};

struct Lexed {
    std::vector<Token> tokens;  ///< the last one is the end
    std::vector<Span> comments;
};

/// Cuts a text into tokens and reports what belongs to no token: bytes that are not UTF-8 or,
/// outside comments and strings, not ASCII; numbers that run into letters; strings without an end.
/// Brackets nested deeper than 256 are reported too, and then there are no tokens at all, so that
/// nothing which recurses over them overflows the stack.
Lexed lex(const SourceFile& source, SyntaxErrors& errors);

}  // namespace slab::dsl
