#pragma once

#include <optional>
#include <string>

#include "dsl/lexer.hpp"

namespace slab::dsl::grammar {

/// What to tell somebody who wrote a thing as another language has it.
struct Advice {
    std::string sentence;  ///< in place of what was expected; empty keeps that
    Span span;             ///< what the sentence speaks of
    std::string why;
    std::optional<Diagnostic::Edit> edit;
    std::string fix;
};

/// The advice for a text that fails at `where` while the construct that starts at `construct` is
/// read, such as `if x = 3 {` or `for i in range(n) {`; nothing where no habit is recognised.
std::optional<Advice> advice_on_habit(const Token* construct, const Token* where,
                                      const std::string& expected);

}  // namespace slab::dsl::grammar
