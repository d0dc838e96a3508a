#include "dsl/grammar/context.hpp"

#include <algorithm>
#include <initializer_list>
#include <vector>

#include <fmt/format.h>

#include "dsl/grammar/habits.hpp"

namespace slab::dsl::grammar {

namespace {

bool is_any(const Token& token, std::initializer_list<std::string_view> texts) {
    return std::ranges::any_of(texts, [&](std::string_view text) { return token.is(text); });
}

bool opens(const Token& token) {
    return token.kind == TokenKind::mark && is_any(token, {"(", "[", "{"});
}

bool closes(const Token& token) {
    return token.kind == TokenKind::mark && is_any(token, {")", "]", "}"});
}

std::string_view closer_of(const Token& open) {
    return open.is("(") ? ")" : open.is("[") ? "]" : "}";
}

/// What is half read at a place: the innermost construct that has a word, and the brackets still
/// open, outermost first.
struct Unfinished {
    const Token* construct;
    std::vector<const Token*> brackets;
};

void close_bracket(std::vector<const Token*>& brackets, const Token& closer) {
    const auto fits = [&](const Token* open) { return closer_of(*open) == closer.text; };
    const auto found = std::find_if(brackets.rbegin(), brackets.rend(), fits);
    if (found != brackets.rend()) brackets.erase(found.base() - 1, brackets.end());
}

Unfinished unfinished(const Token* construct, const Token* where) {
    Unfinished result{construct, {}};
    bool in_grid = false;
    for (const Token* token = construct; token != where; ++token) {
        if (opens(*token)) {
            result.brackets.push_back(token);
        } else if (closes(*token)) {
            close_bracket(result.brackets, *token);
        } else if (result.brackets.empty()) {
            in_grid = in_grid || token->is("grid");
            const bool part_of_grid =
                is_any(*token, {"in", "out", "inout", "where", "fetch", "flush"});
            if ((in_grid && part_of_grid) || is_any(*token, {"grid", "mesh", "require", "limit"}))
                result.construct = token;
        }
    }
    return result;
}

std::string found(const Token& token) {
    constexpr std::size_t longest = 40;
    if (token.kind == TokenKind::end) return "the end of the text";
    if (token.text.size() <= longest) return fmt::format("`{}`", token.text);
    return token.kind == TokenKind::text ? "a string" : "a long name";
}

/// A statement or a part of one as the words under the marked place say it.
std::string construct_name(const Token* first) {
    if (first->kind == TokenKind::word) {
        const bool vowel = is_any(*first, {"if", "in", "out", "inout", "assert"});
        return fmt::format("{} `{}`", vowel ? "an" : "a", first->text);
    }
    const bool binds = first[1].is("[") && first[2].kind == TokenKind::name && first[3].is("=");
    return first[1].is("(") || binds ? "a call" : "an assignment";
}

bool wants_name(const std::string& expected) {
    return expected == "a name" || expected == "an element type" || expected == "a parameter" ||
           expected == "an axis" || expected == "a mesh axis" || expected == "a type";
}

bool wants_more(const std::string& expected) {
    return expected == "an expression" || expected == "a statement" || expected == "a slice" ||
           expected == "an argument" || expected == "a region";
}

/// Words that are followed by a name and `=`, so that a `=` right after them is a missing name.
bool declares(const Token& word) {
    return is_any(word, {"let", "var", "const", "ref", "fn"});
}

/// The reserved word that was taken for a name: at the place of the error, or right before it.
const Token* word_for_name(const Token* construct, const Token* where,
                           const std::string& expected) {
    const bool wants_list = expected.starts_with("`") && where != construct && opens(where[-1]);
    if (where->kind == TokenKind::word) {
        const bool used = is_any(where[1], {"=", "+=", "-=", "*=", ".", "[", ":"}) ||
                          (where[1].is("(") && !where->starts_line);
        if (wants_name(expected)) return where;
        if ((wants_more(expected) || wants_list) && (used || !where->starts_line)) return where;
    }
    if (where == construct || where[-1].kind != TokenKind::word || declares(where[-1]))
        return nullptr;
    const bool head = where == construct + 1 && is_any(*where, {"=", "+=", "-=", "*=", "."});
    return head || (wants_name(expected) && is_any(*where, {"=", ":"})) ? where - 1 : nullptr;
}

bool on_other_line(const Token* from, const Token* to) {
    return std::any_of(from + 1, to + 1, [](const Token& token) { return token.starts_line; });
}

/// Between the brackets of a list a comma would do as well.
bool holds_list(const Token* open, const Token* first) {
    if (open->is("[") || open == first) return open->is("[");
    const Token& before = open[-1];
    return before.kind == TokenKind::name || is_any(before, {"]", ")", "grid", "mesh", "at"});
}

std::string closer_or_comma(const std::string& expected, const Unfinished& state,
                            const Token* first, const Token* where) {
    if (state.brackets.empty()) return expected;
    const Token* open = state.brackets.back();
    const bool closer = expected == fmt::format("`{}`", closer_of(*open));
    if (!closer || open->is("{") || open + 1 == where || !holds_list(open, first)) return expected;
    return "`,` or " + expected;
}

/// `z = a b`: what follows a statement on its line starts none.
bool goes_on(const Token* construct, const Token* where) {
    if (construct->starts_line || closes(*construct) || is_any(construct[-1], {"{", "}"}))
        return false;
    const bool name = where == construct + 1 && construct->kind == TokenKind::name;
    return where == construct || (name && !opens(*where));
}

void decorate(Diagnostic& message, const Advice& advice) {
    message.because(advice.why);
    if (advice.edit) message.replace(advice.edit->span, advice.edit->text);
    if (!advice.fix.empty()) message.fix(advice.fix);
}

}  // namespace

void ParseContext::report(const Token* construct, const Token* where, const std::string& expected) {
    failed_ = true;
    if (where->kind == TokenKind::bad || where == closed_ || where == reported_) return;

    if (const Token* word = word_for_name(construct, where, expected)) {
        errors_.add(word->span, fmt::format("`{}` is a word of the language", word->text))
            .label(word == where && wants_name(expected) ? fmt::format("expected {}", expected)
                                                         : "cannot be a name");
        return;
    }

    if (const Token* line = swallowed_line(construct, where)) {
        const Token& last = line[-1];
        errors_.add(last.span, fmt::format("expected an expression after `{}`", last.text))
            .label("the next line is a statement");
        return;
    }

    const std::optional<Advice> advice = advice_on_habit(construct, where, expected);
    if (advice && !advice->sentence.empty()) {
        decorate(errors_.add(advice->span, advice->sentence), *advice);
        return;
    }

    if (!advice && goes_on(construct, where)) {
        errors_.add(construct->span,
                    fmt::format("expected an operator or a new line, found {}", found(*construct)));
        return;
    }

    const Unfinished state = unfinished(construct, where);
    Diagnostic& message =
        errors_.add(where->span,
                    fmt::format("expected {}, found {}",
                                closer_or_comma(expected, state, construct, where), found(*where)));
    if (where != construct) message.label("while reading " + construct_name(state.construct));
    if (advice) decorate(message, *advice);
    if (state.brackets.empty()) return;
    const Token* open = state.brackets.back();
    if (on_other_line(open, where) || where->kind == TokenKind::end || closes(*where))
        message.note(open->span, fmt::format("this `{}` is still open", open->text));
}

}  // namespace slab::dsl::grammar
