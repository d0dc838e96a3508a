#include "compiler/scalars.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "compiler/schedule/scalar.hpp"

namespace slab::compiler {

using schedule::ExprId;
using schedule::Program;
using schedule::ScalarExpr;
using schedule::ScalarOp;
using schedule::ScalarType;
using schedule::SlotId;
using Int = std::int64_t;

ExprId Scalars::intern(ScalarExpr expr) {
    std::string key =
        fmt::format("{} {} {} {} {} {} {}", static_cast<int>(expr.op), static_cast<int>(expr.type),
                    expr.integer, expr.real, expr.slot, expr.buffer, expr.copy);
    for (ExprId arg : expr.args) key += fmt::format(" {}", arg);
    const auto [entry, inserted] =
        interned_.try_emplace(key, static_cast<ExprId>(program_.exprs.size()));
    if (inserted) {
        int depth = 0;
        for (const ExprId arg : expr.args) depth = std::max(depth, depths_[arg] + 1);
        if (expr.copy != schedule::none) depth = std::max(depth, depths_[expr.copy] + 1);
        depths_.push_back(depth);
        program_.exprs.push_back(std::move(expr));
    }
    return entry->second;
}

ExprId Scalars::constant(Int value) {
    ScalarExpr expr;
    expr.integer = schedule::wrap_i32(value);
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

std::optional<ExprId> Scalars::folded(ScalarOp op, ScalarType type,
                                      const std::vector<ExprId>& args) {
    schedule::Word words[3] = {};
    for (std::size_t i = 0; i < args.size(); ++i) {
        if (at(args[i]).op != ScalarOp::constant) return std::nullopt;
        words[i] = schedule::constant_word(at(args[i]));
    }
    bool divided_by_zero = false;
    const schedule::Word result = schedule::apply(op, type, at(args.back()).type, words[0],
                                                  words[1], words[2], divided_by_zero);
    if (divided_by_zero) return std::nullopt;
    return type == ScalarType::f32    ? real(schedule::real_of(result))
           : type == ScalarType::pred ? truth(result != 0)
                                      : constant(result);
}

ExprId Scalars::element(ScalarExpr expr) {
    return intern(std::move(expr));
}

ExprId Scalars::make(ScalarOp op, ScalarType type, std::vector<ExprId> args) {
    if (const auto value = folded(op, type, args)) return *value;
    const auto a = known(args[0]);
    const auto b = known(args.size() == 2 ? args[1] : args[0]);
    if (op == ScalarOp::select && a) return *a ? args[1] : args[2];
    if (args.size() != 2) return add(op, type, std::move(args));
    if (op == ScalarOp::add && a == 0) return args[1];
    if ((op == ScalarOp::add || op == ScalarOp::sub) && b == 0) return args[0];
    if (op == ScalarOp::mul && (a == 0 || b == 0)) return constant(0);
    if (op == ScalarOp::mul && a == 1) return args[1];
    if ((op == ScalarOp::mul || op == ScalarOp::div) && b == 1) return args[0];
    if (op == ScalarOp::mod && b == 1) return constant(0);
    if (op == ScalarOp::land && (a == 1 || b == 1)) return a == 1 ? args[1] : args[0];
    if (op == ScalarOp::land && (a == 0 || b == 0)) return truth(false);
    if (op == ScalarOp::lor && (a == 0 || b == 0)) return a == 0 ? args[1] : args[0];
    if (op == ScalarOp::lor && (a == 1 || b == 1)) return truth(true);
    return add(op, type, std::move(args));
}

ExprId Scalars::add(ScalarOp op, ScalarType type, std::vector<ExprId> args) {
    ScalarExpr expr;
    expr.op = op;
    expr.type = type;
    expr.args = std::move(args);
    return intern(expr);
}

// Expressions share their parts, so each question is answered once per expression.
namespace {

class AffineForms {
public:
    explicit AffineForms(const Program& program) : program_(program) {}

    const std::optional<Affine>& of(ExprId id) {
        if (const auto found = known_.find(id); found != known_.end()) return found->second;
        std::optional<Affine> form = compute(program_.exprs[id]);
        return known_[id] = std::move(form);
    }

private:
    /// left + factor x right
    static bool add(Affine& left, const Affine& right, Int factor) {
        const auto accumulate = [factor](Int& sum, Int value) {
            Int product = 0;
            return !__builtin_mul_overflow(value, factor, &product) &&
                   !__builtin_add_overflow(sum, product, &sum);
        };
        if (!accumulate(left.constant, right.constant)) return false;
        for (const auto& [slot, coefficient] : right.terms)
            if (!accumulate(left.terms[slot], coefficient)) return false;
        std::erase_if(left.terms, [](const auto& term) { return term.second == 0; });
        return true;
    }

    std::optional<Affine> compute(const ScalarExpr& expr) {
        if (expr.type != ScalarType::i32) return std::nullopt;
        if (expr.op == ScalarOp::constant) return Affine{expr.integer, {}};
        if (expr.op == ScalarOp::slot) return Affine{0, {{expr.slot, 1}}};
        if (expr.op == ScalarOp::aligned) return of(expr.args[0]);
        if (expr.op != ScalarOp::add && expr.op != ScalarOp::sub && expr.op != ScalarOp::mul)
            return std::nullopt;
        const std::optional<Affine> left = of(expr.args[0]), right = of(expr.args[1]);
        if (!left || !right) return std::nullopt;
        Affine result;
        if (expr.op != ScalarOp::mul) {
            result = *left;
            if (!add(result, *right, expr.op == ScalarOp::add ? 1 : -1)) return std::nullopt;
            return result;
        }
        if (!left->terms.empty() && !right->terms.empty()) return std::nullopt;
        const bool left_is_factor = left->terms.empty();
        if (!add(result, left_is_factor ? *right : *left,
                 left_is_factor ? left->constant : right->constant))
            return std::nullopt;
        return result;
    }

    const Program& program_;
    std::unordered_map<ExprId, std::optional<Affine>> known_;
};

class Ranges {
public:
    explicit Ranges(const Unit& unit) : unit_(unit), forms_(unit.program) {}

    Range of(ExprId id) {
        if (const auto found = known_.find(id); found != known_.end()) return found->second;
        const auto& form = forms_.of(id);
        const Range range = form ? of_form(*form) : compute(unit_.program.exprs[id]);
        return known_[id] = range;
    }

private:
    Range of_form(const Affine& form) const {
        Range sum{form.constant, form.constant, true};
        for (const auto& [slot, coefficient] : form.terms) {
            const Range& range = unit_.ranges[slot];
            Int least = 0, most = 0;
            if (!range.known ||
                __builtin_mul_overflow(coefficient, coefficient > 0 ? range.lo : range.hi,
                                       &least) ||
                __builtin_mul_overflow(coefficient, coefficient > 0 ? range.hi : range.lo, &most) ||
                __builtin_add_overflow(sum.lo, least, &sum.lo) ||
                __builtin_add_overflow(sum.hi, most, &sum.hi))
                return {};
        }
        return sum;
    }

    Range compute(const ScalarExpr& expr) {
        if (expr.type == ScalarType::f32 || expr.args.size() != 2) return {};
        const Range a = of(expr.args[0]), b = of(expr.args[1]);
        if (!a.known || !b.known) return {};
        Int lo = 0, hi = 0;
        switch (expr.op) {
            case ScalarOp::add:
                if (__builtin_add_overflow(a.lo, b.lo, &lo) ||
                    __builtin_add_overflow(a.hi, b.hi, &hi))
                    return {};
                return {lo, hi, true};
            case ScalarOp::sub:
                if (__builtin_sub_overflow(a.lo, b.hi, &lo) ||
                    __builtin_sub_overflow(a.hi, b.lo, &hi))
                    return {};
                return {lo, hi, true};
            case ScalarOp::min:
                return {std::min(a.lo, b.lo), std::min(a.hi, b.hi), true};
            case ScalarOp::max:
                return {std::max(a.lo, b.lo), std::max(a.hi, b.hi), true};
            case ScalarOp::mul: {
                Int corners[4];
                if (__builtin_mul_overflow(a.lo, b.lo, &corners[0]) ||
                    __builtin_mul_overflow(a.lo, b.hi, &corners[1]) ||
                    __builtin_mul_overflow(a.hi, b.lo, &corners[2]) ||
                    __builtin_mul_overflow(a.hi, b.hi, &corners[3]))
                    return {};
                const auto [least, most] = std::minmax_element(corners, corners + 4);
                return {*least, *most, true};
            }
            case ScalarOp::aligned:
                return a;
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

    const Unit& unit_;
    AffineForms forms_;
    std::unordered_map<ExprId, Range> known_;
};

class Multiples {
public:
    explicit Multiples(const Unit& unit) : unit_(unit) {}

    Int of(ExprId id) {
        if (const auto found = known_.find(id); found != known_.end()) return found->second;
        Int multiple = compute(unit_.program.exprs[id]);
        if (const auto promised = unit_.aligned.find(id); promised != unit_.aligned.end())
            multiple = joined(multiple, promised->second);
        return known_[id] = multiple;
    }

private:
    /// Least common multiple, or one of the two where it would not fit.
    static Int joined(Int a, Int b) {
        Int product = 0;
        if (a == 0 || b == 0) return 0;
        return __builtin_mul_overflow(a / std::gcd(a, b), b, &product) ? std::max(a, b) : product;
    }

    Int compute(const ScalarExpr& expr) {
        if (expr.type != ScalarType::i32) return 1;
        switch (expr.op) {
            case ScalarOp::constant:
                return expr.integer < 0 ? -expr.integer : expr.integer;
            case ScalarOp::add:
            case ScalarOp::sub:
            case ScalarOp::min:
            case ScalarOp::max:
                return std::gcd(of(expr.args[0]), of(expr.args[1]));
            case ScalarOp::select:
                return std::gcd(of(expr.args[1]), of(expr.args[2]));
            case ScalarOp::aligned:
                return joined(of(expr.args[0]), of(expr.args[1]));
            case ScalarOp::mul: {
                const Int a = of(expr.args[0]), b = of(expr.args[1]);
                Int product = 0;
                return __builtin_mul_overflow(a, b, &product) ? std::max(a, b) : product;
            }
            default:
                return 1;
        }
    }

    const Unit& unit_;
    std::unordered_map<ExprId, Int> known_;
};

}  // namespace

std::optional<Affine> affine(const Program& program, ExprId id) {
    return AffineForms(program).of(id);
}

Range range_of(const Unit& unit, ExprId id) {
    return Ranges(unit).of(id);
}

Int multiple_of(const Unit& unit, ExprId id) {
    return Multiples(unit).of(id);
}

}  // namespace slab::compiler
