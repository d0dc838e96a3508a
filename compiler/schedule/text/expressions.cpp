#include "compiler/schedule/text/expressions.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

namespace slab::schedule {

namespace {

constexpr Infix infixes[] = {
    {ScalarOp::lor, "or", Binding::disjunction}, {ScalarOp::land, "and", Binding::conjunction},
    {ScalarOp::eq, "==", Binding::relation},     {ScalarOp::ne, "!=", Binding::relation},
    {ScalarOp::le, "<=", Binding::relation},     {ScalarOp::ge, ">=", Binding::relation},
    {ScalarOp::lt, "<", Binding::relation},      {ScalarOp::gt, ">", Binding::relation},
    {ScalarOp::band, "&", Binding::bit},         {ScalarOp::bor, "|", Binding::bit},
    {ScalarOp::bxor, "^", Binding::bit},         {ScalarOp::shl, "<<", Binding::shift},
    {ScalarOp::shr, ">>", Binding::shift},       {ScalarOp::add, "+", Binding::sum},
    {ScalarOp::sub, "-", Binding::sum},          {ScalarOp::mul, "*", Binding::term},
    {ScalarOp::div, "/", Binding::term},         {ScalarOp::mod, "%", Binding::term},
};

constexpr Function functions[] = {
    {ScalarOp::min, "min"},       {ScalarOp::max, "max"},         {ScalarOp::abs, "abs"},
    {ScalarOp::select, "select"}, {ScalarOp::aligned, "aligned"},
};

template <typename Row, std::size_t n, typename Test>
std::optional<Row> find_row(const Row (&table)[n], Test test) {
    const auto row = std::find_if(std::begin(table), std::end(table), test);
    if (row == std::end(table)) return std::nullopt;
    return *row;
}

/// Writes one expression. Unsound programs are printed too: an id out of range as `?id`, and what
/// goes deeper than the number of expressions, and so in a circle, as `?`.
class Writer {
public:
    Writer(const Program& program, const ProgramNames& names) : program_(program), names_(names) {}

    std::string write(ExprId id, Binding around) {
        if (id < 0 || id >= static_cast<ExprId>(program_.exprs.size()))
            return fmt::format("?{}", id);
        if (depth_ > program_.exprs.size()) return "?";
        ++depth_;
        Binding binding = Binding::unary;
        std::string text = bare(program_.exprs[static_cast<std::size_t>(id)], binding);
        --depth_;
        return binding < around ? '(' + text + ')' : text;
    }

private:
    static Binding tighter(Binding binding) {
        return static_cast<Binding>(static_cast<int>(binding) + 1);
    }

    std::string bare(const ScalarExpr& expr, Binding& binding) {
        if (expr.op == ScalarOp::constant) return constant(expr);
        if (expr.op == ScalarOp::slot) return names_.slots[expr.slot];
        if (expr.op == ScalarOp::element) return element(expr);
        if (expr.args.size() == 2) {
            if (const auto sign = infix(expr.op)) {
                binding = sign->binding;
                // Relations do not chain; all others group to the left.
                const bool chains = binding != Binding::relation;
                const std::string left = write(expr.args[0], chains ? binding : tighter(binding));
                const std::string right = write(expr.args[1], tighter(binding));
                if (expr.op == ScalarOp::mul) return left + '*' + right;
                return fmt::format("{} {} {}", left, sign->sign, right);
            }
        }
        if (expr.args.size() == 1 && expr.op == ScalarOp::lnot) {
            binding = Binding::negation;
            return "not " + write(expr.args[0], Binding::relation);
        }
        if (expr.args.size() == 1 && expr.op == ScalarOp::neg) return negated(expr.args[0]);
        return call(expr);
    }

    std::string constant(const ScalarExpr& expr) const {
        if (expr.type == ScalarType::f32) return spelled(expr.real);
        if (expr.type == ScalarType::pred) return expr.integer != 0 ? "true" : "false";
        return std::to_string(expr.integer);
    }

    /// `-(5)` is a negation, `-5` a number.
    std::string negated(ExprId arg) {
        const std::string text = write(arg, Binding::unary);
        const bool number = text[0] == '-' || text[0] == '.' ||
                            (text[0] >= '0' && text[0] <= '9') || text == "inf" || text == "nan";
        return number ? "-(" + text + ')' : '-' + text;
    }

    std::string list(const std::vector<ExprId>& exprs) {
        std::string text;
        for (ExprId expr : exprs)
            text += (text.empty() ? "" : ", ") + write(expr, Binding::disjunction);
        return text;
    }

    /// `table{copy}[i, j]`
    std::string element(const ScalarExpr& expr) {
        const std::string copy =
            expr.copy == none ? "" : '{' + write(expr.copy, Binding::disjunction) + '}';
        return fmt::format("{}{}[{}]", names_.buffers[expr.buffer], copy, list(expr.args));
    }

    std::string call(const ScalarExpr& expr) {
        const auto known = function(expr.op);
        const std::string_view name = expr.op == ScalarOp::cast ? name_of(expr.type)
                                      : known                   ? known->name
                                                                : "?";
        return fmt::format("{}({})", name, list(expr.args));
    }

    const Program& program_;
    const ProgramNames& names_;
    std::size_t depth_ = 0;
};

}  // namespace

std::optional<Infix> infix(std::string_view sign) {
    return find_row(infixes, [&](const Infix& row) { return row.sign == sign; });
}
std::optional<Infix> infix(ScalarOp op) {
    return find_row(infixes, [&](const Infix& row) { return row.op == op; });
}
std::optional<Function> function(std::string_view name) {
    return find_row(functions, [&](const Function& row) { return row.name == name; });
}
std::optional<Function> function(ScalarOp op) {
    return find_row(functions, [&](const Function& row) { return row.op == op; });
}

std::string print(ExprId id, const Program& program, const ProgramNames& names) {
    return Writer(program, names).write(id, Binding::disjunction);
}

}  // namespace slab::schedule
