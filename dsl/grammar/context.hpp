#pragma once

#include <string>

#include "dsl/lexer.hpp"

namespace slab::dsl::grammar {

/// What survives a syntax error: how to say it, where to read on, and whether the block being read
/// ended on the way there.
class ParseContext {
public:
    explicit ParseContext(SyntaxErrors& errors) : errors_(errors) {}

    /// Says what was expected at `where` and what stands there, while the construct that starts at
    /// `construct` was being read.
    void report(const Token* construct, const Token* where, const std::string& expected);

    /// The token at which reading goes on after a statement failed at `where`: the next statement
    /// word that starts a line, the brace that closes the block, or the next item.
    const Token* after_statement(const Token* statement, const Token* where);
    /// The same after an item failed outside of its body.
    const Token* after_item(const Token* item, const Token* where) const;

    /// Whether an item or the end of the text, found while recovering, closed every block.
    bool closes_blocks(const Token* at) const { return at == closed_; }
    bool failed() const { return failed_; }
    void start_item() { failed_ = false; }

private:
    SyntaxErrors& errors_;
    const Token* closed_ = nullptr;
    bool failed_ = false;
};

}  // namespace slab::dsl::grammar
