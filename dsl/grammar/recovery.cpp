#include <algorithm>
#include <initializer_list>

#include "dsl/grammar/context.hpp"

namespace slab::dsl::grammar {

namespace {

bool is_any(const Token& token, std::initializer_list<std::string_view> texts) {
    return std::ranges::any_of(texts, [&](std::string_view text) { return token.is(text); });
}

bool closes_every_block(const Token& token) {
    const bool item_word = (token.uses & item) != 0 && token.in_first_column;
    const bool starts_item = token.starts_line && is_any(token, {"kernel", "program", "reference"});
    return token.kind == TokenKind::end || item_word || starts_item;
}

/// How deep the brackets are after a token.
int bracket_step(const Token& token) {
    return is_any(token, {"(", "["}) ? 1 : is_any(token, {")", "]"}) ? -1 : 0;
}
int brace_step(const Token& token) {
    return token.is("{") ? 1 : token.is("}") ? -1 : 0;
}

int brace_depth(const Token* from, const Token* to) {
    int depth = 0;
    for (; from != to; ++from) depth += brace_step(*from);
    return depth;
}

/// Whether a statement that starts so has a block.
bool heads_block(const Token& word) {
    return is_any(word, {"if", "else", "elif", "for", "while", "first", "last", "fill", "take",
                         "put", "scope", "grid"});
}

bool starts_with_word(const Token& token) {
    return token.starts_line && (token.uses & statement) != 0;
}

/// Behind one of these an expression goes on in the next line.
bool expects_more(const Token& token) {
    return is_any(token, {"=", "+=", "-=", "*=", "+",  "-", "*",  "/",   "%",  "&",  "|",
                          "^", "<<", ">>", "==", "!=", "<", ">",  "<=",  ">=", ",",  "(",
                          "[", "->", "@",  "+:", ":",  ".", "..", "and", "or", "not"});
}

bool assigns(const Token* at) {
    if (at->kind != TokenKind::name) return false;
    for (++at;;) {
        if (at->is(".") && at[1].kind == TokenKind::name) {
            at += 2;
        } else if (at->is("[")) {
            int depth = 0;
            do {
                depth += bracket_step(*at);
                if (at->kind == TokenKind::end || brace_step(*at) != 0) return false;
                ++at;
            } while (depth > 0);
        } else {
            return is_any(*at, {"=", "+=", "-=", "*="});
        }
    }
}

bool calls(const Token* at) {
    return at->kind == TokenKind::name && is_any(at[1], {"(", "["});
}

/// The bracket that closes the ones open before `at`, or the place where a statement shows that
/// none does.
const Token* end_of_brackets(const Token* at) {
    int depth = 0;
    for (;; ++at) {
        if (closes_every_block(*at) || starts_with_word(*at) || brace_step(*at) != 0) return at;
        depth += bracket_step(*at);
        if (depth < 0) return at;
    }
}

/// The brace that closes a block of which `inside` is a token; null if there is none.
const Token* closer_of(const Token* inside) {
    for (int depth = 0; !closes_every_block(*inside); ++inside) {
        depth += brace_step(*inside);
        if (depth < 0) return inside;
    }
    return nullptr;
}

std::size_t column(const Token& token) {
    const std::string_view before(token.text.data() - token.span.begin, token.span.begin);
    return before.size() - (before.rfind('\n') + 1);
}

bool is_head(const Token& word) {
    return is_any(word, {"kernel", "program", "reference", "fn", "grid"});
}

bool opens_body(const Token* brace) {
    return brace->is("{") && !is_any(brace[-1], {"fetch", "flush"});
}

bool starts_part(const Token& token, Part part) {
    return part == Part::clause ? is_any(token, {"mesh", "require", "const", "limit", "grid"})
                                : is_any(token, {"in", "out", "inout", "scratch"});
}

}  // namespace

const Token* ParseContext::after(Part part, const Token* first, const Token* where) {
    if (part == Part::statement) return after_statement(first, where);
    if (part == Part::list) return after_list(first, where);
    return part == Part::element ? after_element(first, where) : after_part(part, first, where);
}

const Token* ParseContext::enter(const Token* brace) {
    if (const Token* closer = closer_of(brace + 1)) orphans_.insert(closer);
    return brace + 1;
}

const Token* ParseContext::swallowed_line(const Token* first, const Token* where) {
    if (first != where || !is_any(*where, {"=", "+=", "-=", "*="})) return nullptr;
    const Token* line = where;
    while (!line->starts_line) --line;
    return assigns(line) && expects_more(line[-1]) ? line : nullptr;
}

const Token* ParseContext::head_of(const Token* part) {
    while (!is_head(*part)) --part;
    return part;
}

const Token* ParseContext::after_statement(const Token* first, const Token* where) {
    if (const Token* line = swallowed_line(first, where)) return line;
    int braces = brace_depth(first, where);
    int brackets = 0;
    for (const Token* token = first; token != where; ++token)
        brackets = std::max(0, brackets + bracket_step(*token));
    const Token* brackets_end = nullptr;
    for (const Token* token = where;; ++token) {
        if (closes_every_block(*token)) return closed_ = token;
        if (token->is("{") && braces == 0 && heads_block(*first)) return enter(token);
        if (token->is("}") && braces == 0) return token;
        if (braces == 0 && token->starts_line && token != first) {
            const bool likely = assigns(token) || (calls(token) && !expects_more(token[-1]));
            if (likely && brackets > 0 && (brackets_end == nullptr || brackets_end < token))
                brackets_end = end_of_brackets(token);
            const bool inside = brackets > 0 && likely && bracket_step(*brackets_end) < 0;
            const bool resumes = starts_with_word(*token) || (likely && !inside);
            // A block without its opening brace ends where a brace stands below its head.
            const Token* closer = resumes && heads_block(*first) ? closer_of(token) : nullptr;
            if (closer != nullptr && closer->starts_line && column(*closer) == column(*first))
                orphans_.insert(closer);
            if (resumes) return token;
        }
        braces += brace_step(*token);
        brackets = std::max(0, brackets + bracket_step(*token));
    }
}

const Token* ParseContext::after_part(Part part, const Token* first, const Token* where) {
    int depth = 0;
    for (const Token* token = where;; ++token) {
        const bool starts = token->starts_line && depth == 0 && token != first;
        if (starts && starts_part(*token, part)) return token;
        if (closes_every_block(*token)) return closed_ = token;
        if (depth == 0 && opens_body(token)) return token;
        depth += brace_step(*token);
        if (depth < 0) return reported_ = token;
    }
}

const Token* ParseContext::after_element(const Token* first, const Token* where) {
    const Token* open = first - 1;
    for (int depth = 0; depth > 0 || bracket_step(*open) <= 0; --open) {
        if (is_head(*open)) return reported_ = where, nullptr;
        depth -= bracket_step(*open);
    }
    const std::string_view close = open->is("[") ? "]" : ")";
    int depth = 0;
    for (const Token* token = first;; ++token) {
        const bool ends = closes_every_block(*token) || brace_step(*token) != 0 ||
                          (token->starts_line && starts_part(*token, Part::clause));
        if (ends) return reported_ = where, nullptr;
        if (depth == 0 && token >= where && (token->is(",") || token->is(close))) return token;
        depth = std::max(0, depth + bracket_step(*token));
    }
}

const Token* ParseContext::after_list(const Token* bracket, const Token* where) {
    const Token* end = after_element(bracket + 1, where);
    while (end != nullptr && end->is(",")) end = after_element(end + 1, std::max(end + 1, where));
    return end == nullptr ? nullptr : end + 1;
}

const Token* ParseContext::skip_orphans(const Token* at) {
    while (orphans_.contains(at)) {
        ++at;
        if (at->is("else")) at = after_statement(at, at + 1);
    }
    return at;
}

bool ParseContext::before_body(const Token* at) const {
    return !opens_body(at) && !closes_every_block(*at) && at != reported_;
}

const Token* ParseContext::body_after(const Token* item, const Token* where) const {
    if (!is_any(*item, {"kernel", "program", "reference", "fn"})) return nullptr;
    for (const Token* token = item + 1;; ++token) {
        if (token->kind == TokenKind::end ||
            (token->starts_line && is_any(*token, {"kernel", "program", "reference"})))
            return nullptr;
        if (opens_body(token)) return token < where ? nullptr : token;
    }
}

const Token* ParseContext::after_item(const Token* item_start, const Token* where) const {
    // A constant below the head of a kernel belongs to the kernel, up to its body.
    bool head = is_any(*item_start, {"kernel", "program"});
    int depth = 0;
    for (const Token* token = item_start;; ++token) {
        if (token->kind == TokenKind::end) return token;
        if (token->is("{")) ++depth, head = false;
        if (token->is("}")) --depth, head = false;
        if (token < where || token == item_start || (token->uses & item) == 0) continue;
        const bool outside = token->starts_line && depth <= 0;
        if ((token->in_first_column || outside) && !(head && token->is("const"))) return token;
    }
}

}  // namespace slab::dsl::grammar
