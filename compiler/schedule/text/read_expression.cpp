#include <fmt/format.h>

#include "compiler/schedule/scalar.hpp"
#include "compiler/schedule/text/reader.hpp"

namespace slab::schedule {

ExprId Reader::expression(Binding level) {
    const auto tighter = [](Binding than) {
        return static_cast<Binding>(static_cast<int>(than) + 1);
    };
    const bool negates = level <= Binding::negation && tokens_.accept("not");
    ExprId left = negates ? operation(ScalarOp::lnot, ScalarType::pred,
                                      {expression(tighter(Binding::negation))})
                          : unary();
    Binding loosest = Binding::unary;  // of the signs so far; those that bind tighter are taken
    while (true) {
        const auto sign = infix(tokens_.current().text);
        if (!sign || sign->binding < level || sign->binding > loosest) return left;
        if (sign->binding == Binding::relation && loosest == Binding::relation) return left;
        loosest = sign->binding;
        tokens_.take();
        const ExprId right = expression(tighter(sign->binding));
        const bool is_pred =
            sign->binding == Binding::relation || sign->binding <= Binding::conjunction;
        left = operation(sign->op, is_pred ? ScalarType::pred : exprs_[left].type, {left, right});
    }
}

ExprId Reader::unary() {
    if (!tokens_.at("-")) return primary();
    Tokens after = tokens_;
    after.take();
    if (after.current().kind == Token::Kind::integer) return integer_constant();
    if (after.current().kind == Token::Kind::real || after.at("inf") || after.at("nan"))
        return real_constant();
    if (++depth_ > most_brackets)
        Tokens::fail(tokens_.current().span, "brackets are nested too deeply");
    tokens_.take();
    const ExprId arg = unary();
    --depth_;
    return operation(ScalarOp::neg, exprs_[arg].type, {arg});
}

ExprId Reader::primary() {
    switch (tokens_.current().kind) {
        case Token::Kind::integer:
            return integer_constant();
        case Token::Kind::real:
            return real_constant();
        case Token::Kind::word:
            if (tokens_.at("inf") || tokens_.at("nan")) return real_constant();
            if (tokens_.accept("true")) return truth(true);
            if (tokens_.accept("false")) return truth(false);
            break;
        case Token::Kind::quoted:
            break;
        default: {
            if (++depth_ > most_brackets)
                Tokens::fail(tokens_.current().span, "brackets are nested too deeply");
            if (!tokens_.accept("(")) tokens_.expected("an expression");
            const ExprId inner = expression();
            tokens_.expect(")");
            --depth_;
            return inner;
        }
    }
    const Token name = tokens_.take();
    if (tokens_.at("(") && name.kind == Token::Kind::word) return call(name);
    if (tokens_.at("[") || (buffers_.has(name) && at_copy_of_element())) return element(name);
    ScalarExpr expr;
    expr.op = ScalarOp::slot;
    expr.slot = slots_.find(name);
    expr.type = program_.slots[static_cast<std::size_t>(expr.slot)].type;
    return exprs_.add(std::move(expr));
}

ExprId Reader::call(const Token& name) {
    const auto type = from_name<ScalarType>(name.text);
    const auto known = function(name.text);
    if (!type && !known) Tokens::fail(name.span, fmt::format("no function named `{}`", name.text));
    if (++depth_ > most_brackets) Tokens::fail(name.span, "brackets are nested too deeply");
    std::vector<ExprId> args;
    list("(", ")", [&] { args.push_back(expression()); });
    --depth_;
    const ScalarOp op = type ? ScalarOp::cast : known->op;
    if (static_cast<int>(args.size()) != arity(op))
        Tokens::fail(name.span, fmt::format("`{}` takes {} arguments, there are {}", name.text,
                                            arity(op), args.size()));
    const ScalarType result = type ? *type : exprs_[args.back()].type;
    return operation(op, result, std::move(args));
}

/// `{` behind a name begins the number of a copy if its bracket is followed by indices; otherwise
/// it begins the block of a statement.
bool Reader::at_copy_of_element() const {
    if (!tokens_.at("{")) return false;
    Tokens after = tokens_;
    int open = 0;
    do {
        if (after.at("{")) ++open;
        if (after.at("}")) --open;
        after.take();
    } while (open > 0 && after.current().kind != Token::Kind::end);
    return after.at("[");
}

ExprId Reader::element(const Token& name) {
    if (++depth_ > most_brackets) Tokens::fail(name.span, "brackets are nested too deeply");
    ScalarExpr expr;
    expr.op = ScalarOp::element;
    expr.buffer = buffers_.find(name);
    expr.type = scalar_type(program_.buffers[static_cast<std::size_t>(expr.buffer)].type);
    expr.copy = copy_number();
    list("[", "]", [&] { expr.args.push_back(expression()); });
    --depth_;
    return exprs_.add(std::move(expr));
}

ExprId Reader::integer_constant() {
    ScalarExpr expr;
    expr.integer = tokens_.integer("a number");
    return exprs_.add(std::move(expr));
}

ExprId Reader::real_constant() {
    ScalarExpr expr;
    expr.type = ScalarType::f32;
    expr.real = tokens_.real("a number");
    return exprs_.add(std::move(expr));
}

ExprId Reader::truth(bool value) {
    ScalarExpr expr;
    expr.type = ScalarType::pred;
    expr.integer = value;
    return exprs_.add(std::move(expr));
}

ExprId Reader::operation(ScalarOp op, ScalarType type, std::vector<ExprId> args) {
    ScalarExpr expr;
    expr.op = op;
    expr.type = type;
    expr.args = std::move(args);
    return exprs_.add(std::move(expr));
}

}  // namespace slab::schedule
