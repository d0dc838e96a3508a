#include "dsl/grammar/habits.hpp"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

namespace slab::dsl::grammar {

namespace {

using Edit = Diagnostic::Edit;

bool is_any(const Token& token, std::initializer_list<std::string_view> texts) {
    return std::ranges::any_of(texts, [&](std::string_view text) { return token.is(text); });
}

/// The text from one token to another, both included.
std::string_view text_of(const Token* first, const Token* last) {
    return {first->text.data(), static_cast<std::size_t>(last->span.end - first->span.begin)};
}

bool touch(const Token& left, const Token& right) {
    return left.span.end == right.span.begin;
}

/// The word that a statement or item starts with, in another language.
std::optional<Advice> foreign_word(const Token* construct) {
    const Token& word = construct[0];
    if (word.kind != TokenKind::name || construct[1].kind == TokenKind::mark) return std::nullopt;
    const auto spelled = [&](std::string_view ours, std::string sentence) {
        return Advice{std::move(sentence), word.span, "", Edit{word.span, std::string(ours)}, ""};
    };
    if (is_any(word, {"def", "func", "function", "fun", "proc", "define"}))
        return spelled("fn", "a function is declared with `fn`");
    if (is_any(word, {"elif", "elsif", "elseif"}))
        return spelled("else if", fmt::format("`{}` is spelled `else if`", word.text));
    if (is_any(word, {"auto", "val", "float", "double", "local", "mut"}))
        return spelled("let", "a value is declared with `let`, a variable with `var`");
    if (is_any(word, {"import", "include", "from", "use", "using"}))
        return Advice{"a file stands alone: there is nothing to import", word.span, "", {}, ""};
    return std::nullopt;
}

/// `if x = 3`, `const a == 3`, `x /= 2`
std::optional<Advice> wrong_equals(const Token* construct, const Token* where,
                                   const std::string& expected) {
    if (where->is("=") && is_any(*construct, {"if", "while", "assert", "kernel", "grid"}) &&
        where != construct + 1 && expected != "a name")
        return Advice{"`=` assigns, `==` compares", where->span, "", Edit{where->span, "=="}, ""};
    if (where->is("==") && expected.find("`=`") != std::string::npos)
        return Advice{"`==` compares, `=` gives a value", where->span, "", Edit{where->span, "="},
                      ""};
    const bool operates = is_any(*where, {"/", "%", "&", "|", "^", "<<", ">>"});
    if (operates && where[1].is("=") && touch(where[0], where[1]) && where != construct)
        return Advice{fmt::format("there is no `{}=`; `+=`, `-=` and `*=` exist", where->text),
                      {where[0].span.begin, where[1].span.end},
                      "",
                      Edit{{where[0].span.begin, where[1].span.end},
                           fmt::format("= {} {}", text_of(construct, where - 1), where->text)},
                      ""};
    if (where->is(":") && where[1].is("=") && touch(where[0], where[1]))
        return Advice{"`:=` is spelled `=`",
                      {where[0].span.begin, where[1].span.end},
                      "",
                      Edit{{where[0].span.begin, where[1].span.end}, "="},
                      ""};
    return std::nullopt;
}

/// `- -x`, `+x`, `x ** 2`, `c ? a : b`
std::optional<Advice> foreign_operator(const Token* construct, const Token* where,
                                       const std::string& expected) {
    if (where->is("?"))
        return Advice{"there is no operator `?`", where->span, "", {}, "select(condition, a, b)"};
    if (where == construct) return std::nullopt;
    const bool wants_value = expected == "an expression";
    const Token& before = where[-1];
    const Span both{before.span.begin, where->span.end};
    if (wants_value && where->is("-") && where[1].is("-")) {
        const Span signs{where->span.begin, where[1].span.end};
        return Advice{"one `-` stands before a value, not two", signs, "", Edit{signs, ""}, ""};
    }
    if (wants_value && where->is("+"))
        return Advice{"a value has no `+` before it", where->span, "", Edit{where->span, ""}, ""};
    if (wants_value && where->is("*") && before.is("*"))
        return Advice{"there is no operator `**`", both, "", {}, "pow(x, y)"};
    return std::nullopt;
}

/// `for i in range(n) {`, `for i in n {`
std::optional<Advice> range_of_loop(const Token* construct, const Token* where,
                                    const std::string& expected) {
    if (!construct->is("for") || expected != "`..`" || where < construct + 4) return std::nullopt;
    const Token* first = construct + 3;
    const Token* last = where - 1;
    Advice advice;
    if (first->is("range") && first[1].is("(") && last->is(")") && first + 2 < last) {
        const bool several = std::any_of(first, last, [](const Token& t) { return t.is(","); });
        if (several) {
            advice.fix = "lo..hi, or lo..hi step n";
            return advice;
        }
        first += 2;
        --last;
    }
    advice.edit = Edit{{construct[3].span.begin, where[-1].span.end},
                       fmt::format("0..{}", text_of(first, last))};
    return advice;
}

/// `if x:`, `let mut x`, `let x: f32 = 0`, `return` without a value
std::optional<Advice> shape_of_statement(const Token* construct, const Token* where,
                                         const std::string& expected) {
    if (where->is(":") && expected == "`{`" && where[1].starts_line)
        return Advice{"a block stands in `{` and `}`", where->span, "", {}, ""};
    if (construct->is("let") && where == construct + 2 && where[-1].is("mut")) {
        const Span words{construct->span.begin, where[-1].span.end};
        return Advice{"a value that changes is a `var`", words, "", Edit{words, "var"}, ""};
    }
    if (construct->is("let") && where == construct + 2 && where->is(":"))
        return Advice{"", {}, "a `let` has the type of its value; a `var` may name one", {}, ""};
    if (construct->is("return") && where == construct + 1 && where->is("}"))
        return Advice{
            "", {}, "`return` gives the value of a function; one without ends by itself", {}, ""};
    return std::nullopt;
}

}  // namespace

std::optional<Advice> advice_on_habit(const Token* construct, const Token* where,
                                      const std::string& expected) {
    if (auto advice = foreign_word(construct)) return advice;
    if (auto advice = wrong_equals(construct, where, expected)) return advice;
    if (auto advice = foreign_operator(construct, where, expected)) return advice;
    if (auto advice = range_of_loop(construct, where, expected)) return advice;
    return shape_of_statement(construct, where, expected);
}

}  // namespace slab::dsl::grammar
