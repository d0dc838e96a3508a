#include "dsl/parse.hpp"

#include "dsl/grammar/declaration.hpp"
#include "dsl/grammar/expression.hpp"
#include "dsl/grammar/statement.hpp"
#include "dsl/lexer.hpp"

namespace slab::dsl {

namespace {

using grammar::Iterator;

/// Runs a rule at `at` and moves past what it read; false after reporting why it could not.
template <typename Rule, typename Attribute>
bool read(const Rule& rule, Iterator& at, Iterator end, grammar::ParseContext& context,
          Attribute& attribute) {
    const Iterator begin = at;
    const grammar::Context x3_context =
        grammar::x3::make_context<grammar::parse_context_tag>(context);
    try {
        if (rule.parse(at, end, x3_context, grammar::x3::unused, attribute))
            return !context.failed();
        context.report(begin, at, grammar::x3::what(rule));
    } catch (const grammar::x3::expectation_failure<Iterator>& failure) {
        context.report(begin, failure.where(), failure.which());
        at = failure.where();
    }
    return false;
}

/// Of an item that could not be read: its name, so that uses of it are not reported too, and the
/// errors of its body if its head ended the reading.
void keep_rest(Iterator item, Iterator& at, Iterator end, grammar::ParseContext& context,
               ast::File& file) {
    if (item->kind != TokenKind::end && item[1].kind == TokenKind::name)
        file.unread.push_back({{item[1].span}, std::string(item[1].text)});
    const Iterator body = context.body_after(item, at);
    if (body == nullptr) return;
    at = body;
    ast::Block unused;
    read(grammar::block, at, end, context, unused);
}

}  // namespace

ast::File parse(const SourceFile& source, Diagnostics& diags) {
    SyntaxErrors errors(diags);
    const Lexed lexed = lex(source, errors);
    const Iterator end = &lexed.tokens.back();
    grammar::ParseContext context(errors);

    ast::File file;
    file.span = {0, end->span.end};
    for (Iterator at = lexed.tokens.data(); at != end;) {
        context.start_item();
        const Iterator begin = at;
        ast::Item item;
        if (read(grammar::item, at, end, context, item))
            file.items.push_back(std::move(item));
        else
            keep_rest(begin, at, end, context, file);
        if (context.failed() && !context.closes_blocks(at)) at = context.after_item(begin, at);
    }
    return file;
}

std::optional<ast::Expr> parse_expression(const SourceFile& source, Diagnostics& diags) {
    SyntaxErrors errors(diags);
    const Lexed lexed = lex(source, errors);
    const Iterator end = &lexed.tokens.back();
    grammar::ParseContext context(errors);

    Iterator at = lexed.tokens.data();
    ast::Expr expr;
    if (!read(grammar::expression, at, end, context, expr)) return std::nullopt;
    if (at == end) return expr;
    context.report(lexed.tokens.data(), at, "an operator");
    return std::nullopt;
}

}  // namespace slab::dsl
