#include "compiler/schedule/walk/scalar_plan.hpp"

#include <algorithm>

namespace slab::schedule {

using Form = PreparedExpr::Form;

std::optional<std::int64_t> PreparedExpr::slope(SlotId in) const {
    if (form != Form::affine) return std::nullopt;
    for (std::int32_t i = 0; i < term_count; ++i)
        if (terms[static_cast<std::size_t>(i)].slot == in)
            return terms[static_cast<std::size_t>(i)].factor;
    return 0;
}

ScalarPlan::ScalarPlan(const Program& program)
    : exprs_(program.exprs.size()), prepared_(program.exprs.size()) {
    for (std::size_t id = 0; id < program.exprs.size(); ++id)
        prepare(program, static_cast<ExprId>(id));
}

void ScalarPlan::prepare(const Program& program, ExprId id) {
    const auto index = static_cast<std::size_t>(id);
    if (prepared_[index]) return;
    prepared_[index] = true;
    const ScalarExpr& source = program.exprs[index];
    for (ExprId arg : source.args) prepare(program, arg);
    if (source.copy != none) prepare(program, source.copy);

    PreparedExpr expr;
    expr.type = source.type;
    if (source.op == ScalarOp::element) {
        prepare_element(program, source, expr);
    } else if (!prepare_affine(program, source, expr) && !prepare_equality(source, expr)) {
        expr = PreparedExpr{};
        prepare_other(program, source, expr);
    }
    expr.id = id;
    exprs_[index] = expr;
}

/// Coefficients are kept modulo 2^32.
bool ScalarPlan::add(const PreparedExpr& from, std::int64_t factor, PreparedExpr& to) {
    to.constant = wrap_i32(to.constant + from.constant * factor);
    for (std::int32_t i = 0; i < from.term_count; ++i) {
        const PreparedExpr::Term& term = from.terms[static_cast<std::size_t>(i)];
        const auto end = to.terms.begin() + to.term_count;
        const auto same = std::find_if(to.terms.begin(), end, [&](const PreparedExpr::Term& other) {
            return other.slot == term.slot;
        });
        if (same == to.terms.end()) return false;
        const std::int64_t before = same == end ? 0 : same->factor;
        *same = {term.slot, static_cast<std::int32_t>(wrap_i32(before + term.factor * factor))};
        if (same == end) ++to.term_count;
    }
    return true;
}

bool ScalarPlan::is_affine(ExprId id) const {
    return (*this)[id].form == Form::affine && (*this)[id].type == ScalarType::i32;
}

/// Sums, differences and multiples of affine forms are affine.
bool ScalarPlan::prepare_affine(const Program& program, const ScalarExpr& source,
                                PreparedExpr& expr) const {
    if (source.type == ScalarType::f32) return false;
    if (source.op == ScalarOp::constant) {
        expr.constant = constant_word(source);
        return true;
    }
    if (source.type != ScalarType::i32) return false;
    if (source.op == ScalarOp::slot) {
        expr.terms[0] = {source.slot, 1};
        expr.term_count = 1;
        return program.slots[static_cast<std::size_t>(source.slot)].type == ScalarType::i32;
    }
    for (ExprId arg : source.args)
        if (!is_affine(arg)) return false;
    const auto arg = [&](std::size_t i) -> const PreparedExpr& { return (*this)[source.args[i]]; };
    switch (source.op) {
        case ScalarOp::add:
            return add(arg(0), 1, expr) && add(arg(1), 1, expr);
        case ScalarOp::sub:
            return add(arg(0), 1, expr) && add(arg(1), -1, expr);
        case ScalarOp::neg:
            return add(arg(0), -1, expr);
        case ScalarOp::mul:
            if (arg(1).term_count == 0) return add(arg(0), arg(1).constant, expr);
            return arg(0).term_count == 0 && add(arg(1), arg(0).constant, expr);
        default:
            return false;
    }
}

/// Two integers are equal if their difference wraps to 0. This does not hold for `<`.
bool ScalarPlan::prepare_equality(const ScalarExpr& source, PreparedExpr& expr) const {
    if (source.op != ScalarOp::eq && source.op != ScalarOp::ne) return false;
    if (!is_affine(source.args[0]) || !is_affine(source.args[1])) return false;
    expr = PreparedExpr{};
    expr.type = source.type;
    expr.form = source.op == ScalarOp::eq ? Form::is_zero : Form::not_zero;
    return add((*this)[source.args[0]], 1, expr) && add((*this)[source.args[1]], -1, expr);
}

void ScalarPlan::prepare_other(const Program& program, const ScalarExpr& source,
                               PreparedExpr& expr) const {
    expr.op = source.op;
    expr.type = source.type;
    expr.slot = source.slot;
    std::copy(source.args.begin(), source.args.end(), expr.args.begin());
    if (source.op == ScalarOp::constant) {
        expr.form = Form::real;
        expr.constant = constant_word(source);
    } else if (source.op == ScalarOp::slot) {
        expr.form = Form::slot;
    } else {
        expr.arg_type = program.exprs[static_cast<std::size_t>(source.args.back())].type;
        const bool compares = source.op >= ScalarOp::eq && source.op <= ScalarOp::ge;
        expr.form =
            compares && expr.arg_type != ScalarType::f32 ? Form::comparison : Form::operation;
    }
}

void ScalarPlan::prepare_element(const Program& program, const ScalarExpr& source,
                                 PreparedExpr& expr) {
    expr.form = Form::element;
    expr.op = source.op;
    expr.slot = static_cast<std::int32_t>(elements_.size());
    const Buffer& buffer = program.buffers[static_cast<std::size_t>(source.buffer)];
    elements_.push_back({source.buffer, source.copy, buffer.copies, source.args, buffer.shape});
}

Word ScalarPlan::general(const PreparedExpr& expr, const Word* slots,
                         ScalarContext& context) const {
    switch (expr.form) {
        case Form::affine:
            return affine(expr, slots);
        case Form::is_zero:
            return affine(expr, slots) == 0;
        case Form::not_zero:
            return affine(expr, slots) != 0;
        case Form::real:
            return expr.constant;
        case Form::slot:
            return slots[expr.slot];
        case Form::comparison:
            return compare(expr, slots, context);
        case Form::element:
            return element(expr, slots, context);
        case Form::operation:
            break;
    }
    Word values[3] = {0, 0, 0};
    for (std::size_t i = 0; i < 3 && expr.args[i] != none; ++i)
        values[i] = evaluate(expr.args[i], slots, context);
    bool divided_by_zero = false;
    const Word result =
        apply(expr.op, expr.type, expr.arg_type, values[0], values[1], values[2], divided_by_zero);
    if (divided_by_zero) context.fault.add({Fault::Kind::division, expr.id});
    if (expr.op == ScalarOp::aligned && (values[1] == 0 || values[0] % values[1] != 0))
        context.fault.add({Fault::Kind::broken_promise, expr.id, values[0]});
    return result;
}

Word ScalarPlan::compare(const PreparedExpr& expr, const Word* slots,
                         ScalarContext& context) const {
    const Word a = evaluate(expr.args[0], slots, context);
    const Word b = evaluate(expr.args[1], slots, context);
    switch (expr.op) {
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
        default:
            return a >= b;
    }
}

Word ScalarPlan::element(const PreparedExpr& expr, const Word* slots,
                         ScalarContext& context) const {
    const ElementPlan& plan = elements_[static_cast<std::size_t>(expr.slot)];
    const Word copy = plan.copy == none ? 0 : evaluate(plan.copy, slots, context);
    if (copy < 0 || copy >= plan.copies) {
        context.fault.add({Fault::Kind::element_copy, expr.id, copy});
        return 0;
    }
    std::int64_t at = copy;
    for (std::size_t d = 0; d < plan.index.size(); ++d) {
        const Word index = evaluate(plan.index[d], slots, context);
        if (index < 0 || index >= plan.shape[d]) {
            context.fault.add(
                {Fault::Kind::element_index, expr.id, index, static_cast<std::int32_t>(d)});
            return 0;
        }
        at = at * plan.shape[d] + index;
    }
    Word word = 0;
    if (!context.smem.read(plan.buffer, at, word))
        context.fault.add({Fault::Kind::element_unset, expr.id});
    return word;
}

}  // namespace slab::schedule
