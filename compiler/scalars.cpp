#include "compiler/scalars.hpp"

#include <algorithm>
#include <numeric>

#include "support/check.hpp"

namespace slab::compiler {

using schedule::ExprId;
using schedule::Program;
using schedule::ScalarExpr;
using schedule::ScalarOp;
using schedule::ScalarType;
using schedule::SlotId;
using Int = std::int64_t;

namespace {

std::optional<Int> fold_integer(ScalarOp op, Int a, Int b) {
    Int result = 0;
    switch (op) {
        case ScalarOp::add:
            if (__builtin_add_overflow(a, b, &result)) return std::nullopt;
            return result;
        case ScalarOp::sub:
            if (__builtin_sub_overflow(a, b, &result)) return std::nullopt;
            return result;
        case ScalarOp::mul:
            if (__builtin_mul_overflow(a, b, &result)) return std::nullopt;
            return result;
        case ScalarOp::div:
            if (b <= 0) return std::nullopt;
            return floor_div(a, b);
        case ScalarOp::mod:
            if (b <= 0) return std::nullopt;
            return floor_mod(a, b);
        case ScalarOp::min:
            return std::min(a, b);
        case ScalarOp::max:
            return std::max(a, b);
        case ScalarOp::eq:
            return a == b;
        case ScalarOp::ne:
            return a != b;
        case ScalarOp::lt:
            return a < b;
        case ScalarOp::le:
            return a <= b;
        case ScalarOp::gt:
            return a > b;
        case ScalarOp::ge:
            return a >= b;
        case ScalarOp::land:
            return a && b;
        case ScalarOp::lor:
            return a || b;
        case ScalarOp::band:
            return a & b;
        case ScalarOp::bor:
            return a | b;
        case ScalarOp::bxor:
            return a ^ b;
        default:
            return std::nullopt;
    }
}

}  // namespace

ExprId Scalars::intern(ScalarExpr expr) {
    std::string key = fmt::format("{} {} {} {} {}", static_cast<int>(expr.op),
                                  static_cast<int>(expr.type), expr.integer, expr.real, expr.slot);
    for (ExprId arg : expr.args) key += fmt::format(" {}", arg);
    const auto [entry, inserted] =
        interned_.try_emplace(key, static_cast<ExprId>(program_.exprs.size()));
    if (inserted) program_.exprs.push_back(std::move(expr));
    return entry->second;
}

ExprId Scalars::constant(Int value) {
    ScalarExpr expr;
    expr.integer = value;
    return intern(expr);
}

ExprId Scalars::real(double value) {
    ScalarExpr expr;
    expr.type = ScalarType::f32;
    expr.real = value;
    return intern(expr);
}

ExprId Scalars::truth(bool value) {
    ScalarExpr expr;
    expr.type = ScalarType::pred;
    expr.integer = value;
    return intern(expr);
}

ExprId Scalars::slot(SlotId slot) {
    ScalarExpr expr;
    expr.op = ScalarOp::slot;
    expr.type = program_.slots[slot].type;
    expr.slot = slot;
    return intern(expr);
}

std::optional<Int> Scalars::known(ExprId id) const {
    const ScalarExpr& expr = at(id);
    if (expr.op != ScalarOp::constant || expr.type == ScalarType::f32) return std::nullopt;
    return expr.integer;
}

ExprId Scalars::make(ScalarOp op, ScalarType type, std::vector<ExprId> args) {
    const auto a = known(args[0]);
    const auto b = args.size() == 2 ? known(args[1]) : std::nullopt;
    if (a && b)
        if (const auto folded = fold_integer(op, *a, *b))
            return type == ScalarType::pred ? truth(*folded) : constant(*folded);
    if (op == ScalarOp::lnot && a) return truth(!*a);
    if (op == ScalarOp::add && a == 0) return args[1];
    if ((op == ScalarOp::add || op == ScalarOp::sub) && b == 0) return args[0];
    if (op == ScalarOp::mul && (a == 0 || b == 0) && type == ScalarType::i32) return constant(0);
    if (op == ScalarOp::mul && a == 1) return args[1];
    if ((op == ScalarOp::mul || op == ScalarOp::div) && b == 1) return args[0];
    if (op == ScalarOp::mod && b == 1) return constant(0);
    if (op == ScalarOp::land && (a == 1 || b == 1)) return a == 1 ? args[1] : args[0];
    if (op == ScalarOp::land && (a == 0 || b == 0)) return truth(false);
    if (op == ScalarOp::lor && (a == 0 || b == 0)) return a == 0 ? args[1] : args[0];
    if (op == ScalarOp::lor && (a == 1 || b == 1)) return truth(true);
    ScalarExpr expr;
    expr.op = op;
    expr.type = type;
    expr.args = std::move(args);
    return intern(expr);
}

std::optional<Affine> affine(const Program& program, ExprId id) {
    const ScalarExpr& expr = program.exprs[id];
    if (expr.type != ScalarType::i32) return std::nullopt;
    if (expr.op == ScalarOp::constant) return Affine{expr.integer, {}};
    if (expr.op == ScalarOp::slot) return Affine{0, {{expr.slot, 1}}};
    if (expr.op != ScalarOp::add && expr.op != ScalarOp::sub && expr.op != ScalarOp::mul)
        return std::nullopt;
    const auto left = affine(program, expr.args[0]);
    const auto right = affine(program, expr.args[1]);
    if (!left || !right) return std::nullopt;
    Affine result;
    if (expr.op == ScalarOp::mul) {
        if (!left->terms.empty() && !right->terms.empty()) return std::nullopt;
        const Affine& scaled = left->terms.empty() ? *right : *left;
        const Int factor = left->terms.empty() ? left->constant : right->constant;
        result.constant = scaled.constant * factor;
        for (const auto& [slot, coefficient] : scaled.terms)
            result.terms[slot] = coefficient * factor;
    } else {
        const Int sign = expr.op == ScalarOp::add ? 1 : -1;
        result = *left;
        result.constant += sign * right->constant;
        for (const auto& [slot, coefficient] : right->terms)
            result.terms[slot] += sign * coefficient;
    }
    std::erase_if(result.terms, [](const auto& term) { return term.second == 0; });
    return result;
}

void collect_slots(const Program& program, ExprId id, std::vector<bool>& slots) {
    if (id == schedule::none) return;
    const ScalarExpr& expr = program.exprs[id];
    if (expr.op == ScalarOp::slot) slots[expr.slot] = true;
    for (ExprId arg : expr.args) collect_slots(program, arg, slots);
}

Range range_of(const Unit& unit, ExprId id) {
    if (const auto form = affine(unit.program, id)) {
        Range sum{form->constant, form->constant, true};
        for (const auto& [slot, coefficient] : form->terms) {
            const Range& range = unit.ranges[slot];
            if (!range.known) return {};
            sum.lo += coefficient * (coefficient > 0 ? range.lo : range.hi);
            sum.hi += coefficient * (coefficient > 0 ? range.hi : range.lo);
        }
        return sum;
    }
    const ScalarExpr& expr = unit.program.exprs[id];
    if (expr.type == ScalarType::f32 || expr.args.size() != 2) return {};
    const Range a = range_of(unit, expr.args[0]);
    const Range b = range_of(unit, expr.args[1]);
    if (!a.known || !b.known) return {};
    switch (expr.op) {
        case ScalarOp::add:
            return {a.lo + b.lo, a.hi + b.hi, true};
        case ScalarOp::sub:
            return {a.lo - b.hi, a.hi - b.lo, true};
        case ScalarOp::min:
            return {std::min(a.lo, b.lo), std::min(a.hi, b.hi), true};
        case ScalarOp::max:
            return {std::max(a.lo, b.lo), std::max(a.hi, b.hi), true};
        case ScalarOp::mul: {
            const auto [lo, hi] = std::minmax({a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi});
            return {lo, hi, true};
        }
        case ScalarOp::div:
            if (b.lo != b.hi || b.lo <= 0) return {};
            return {floor_div(a.lo, b.lo), floor_div(a.hi, b.lo), true};
        case ScalarOp::mod:
            if (b.lo != b.hi || b.lo <= 0) return {};
            if (floor_div(a.lo, b.lo) == floor_div(a.hi, b.lo))
                return {floor_mod(a.lo, b.lo), floor_mod(a.hi, b.lo), true};
            return {0, b.lo - 1, true};
        default:
            return {};
    }
}

Int multiple_of(const Unit& unit, ExprId id) {
    const ScalarExpr& expr = unit.program.exprs[id];
    Int multiple = 1;
    if (expr.type != ScalarType::i32) return 1;
    switch (expr.op) {
        case ScalarOp::constant:
            multiple = expr.integer < 0 ? -expr.integer : expr.integer;
            break;
        case ScalarOp::add:
        case ScalarOp::sub:
        case ScalarOp::min:
        case ScalarOp::max:
            multiple = std::gcd(multiple_of(unit, expr.args[0]), multiple_of(unit, expr.args[1]));
            break;
        case ScalarOp::mul: {
            const Int a = multiple_of(unit, expr.args[0]);
            const Int b = multiple_of(unit, expr.args[1]);
            if (__builtin_mul_overflow(a, b, &multiple)) multiple = std::max(a, b);
            break;
        }
        default:
            break;
    }
    const auto promised = unit.aligned.find(id);
    return promised == unit.aligned.end() ? multiple : std::lcm(multiple, promised->second);
}

}  // namespace slab::compiler
