#pragma once

#include <set>
#include <string>

#include "dsl/lexer.hpp"

namespace slab::dsl::grammar {

/// A part of the text that can be given up alone.
enum class Part { statement, pipe_item, clause, list, element };

/// What survives a syntax error: how to say it, where to read on, and which braces belong to
/// blocks whose head could not be read.
class ParseContext {
public:
    explicit ParseContext(SyntaxErrors& errors) : errors_(errors) {}

    /// Says what was expected at `where` and what stands there, while the construct that starts at
    /// `construct` was being read.
    void report(const Token* construct, const Token* where, const std::string& expected);

    /// The token at which reading goes on after the part that starts at `first` failed at `where`.
    /// For a statement: the next line that starts like one, the inside of its block if only its
    /// head is wrong, the brace that closes the block around it, or the next item. For what stands
    /// between a head and a body: the next line that starts with such a part, or the body. For a
    /// list in brackets: what follows it; for one of its elements: the comma behind it or the end
    /// of the list; null if there is none.
    const Token* after(Part part, const Token* first, const Token* where);
    /// The word at the head of what a pipe item, a clause or an element is part of.
    static const Token* head_of(const Token* part);
    /// The body of an item whose head failed at `where`; null if there is none.
    const Token* body_after(const Token* item, const Token* where) const;
    /// The next item, after one failed outside of its body.
    const Token* after_item(const Token* item, const Token* where) const;

    /// Skips the closing braces of blocks whose heads could not be read.
    const Token* skip_orphans(const Token* at);
    /// Whether another part may stand before the body.
    bool before_body(const Token* at) const;
    /// Whether an item or the end of the text, found while recovering, closed every block.
    bool closes_blocks(const Token* at) const { return at == closed_; }
    bool failed() const { return failed_; }
    void start_item() { failed_ = false; }

private:
    /// The assignment that a value missing at the end of the line before it took for a value.
    static const Token* swallowed_line(const Token* first, const Token* where);
    const Token* after_statement(const Token* first, const Token* where);
    const Token* after_part(Part part, const Token* first, const Token* where);
    const Token* after_element(const Token* first, const Token* where);
    const Token* after_list(const Token* bracket, const Token* where);
    const Token* enter(const Token* brace);

    SyntaxErrors& errors_;
    const Token* closed_ = nullptr;
    const Token* reported_ = nullptr;
    std::set<const Token*> orphans_;
    bool failed_ = false;
};

}  // namespace slab::dsl::grammar
