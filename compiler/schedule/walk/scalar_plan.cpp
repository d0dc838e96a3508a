#include "compiler/schedule/walk/scalar_plan.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/schedule/print.hpp"

namespace slab::schedule {

std::string describe(const Fault& fault, const Program& program) {
    const auto id = static_cast<std::size_t>(fault.id);
    switch (fault.kind) {
        case Fault::Kind::nothing:
            return "";
        case Fault::Kind::division:
            return fmt::format("a division by zero in `{}`", print(fault.id, program));
        case Fault::Kind::live_length:
            return fmt::format(
                "a window of `{}` has {} live elements in a dimension, they must be 0 to its size",
                program.streams[id].name, fault.value);
        case Fault::Kind::loop_step:
            return fmt::format("the step of loop `{}` is zero", program.slots[id].name);
    }
    return "";
}

ScalarPlan::ScalarPlan(const Program& program)
    : nodes_(program.exprs.size()), prepared_(program.exprs.size()) {
    for (std::size_t id = 0; id < program.exprs.size(); ++id)
        prepare(program, static_cast<ExprId>(id));
}

void ScalarPlan::prepare(const Program& program, ExprId id) {
    const auto index = static_cast<std::size_t>(id);
    if (prepared_[index]) return;
    prepared_[index] = true;
    const ScalarExpr& expr = program.exprs[index];
    for (ExprId arg : expr.args) prepare(program, arg);

    Node node;
    node.op = expr.op;
    node.type = expr.type;
    if (expr.op == ScalarOp::constant && expr.type == ScalarType::f32) {
        node.form = Form::real;
        node.constant = constant_word(expr);
    } else if (!prepare_affine(program, expr, node) && !prepare_equality(expr, node)) {
        node = Node{};
        node.op = expr.op;
        node.type = expr.type;
        node.slot = expr.slot;
        std::copy(expr.args.begin(), expr.args.end(), node.args.begin());
        if (!expr.args.empty())
            node.arg_type = program.exprs[static_cast<std::size_t>(expr.args.back())].type;
        const bool compares = expr.op >= ScalarOp::eq && expr.op <= ScalarOp::ge;
        node.form = expr.op == ScalarOp::slot                      ? Form::slot
                    : compares && node.arg_type != ScalarType::f32 ? Form::comparison
                                                                   : Form::operation;
    }
    nodes_[index] = node;
}

/// Coefficients are kept modulo 2^32.
bool ScalarPlan::add(const Node& from, std::int64_t factor, Node& to) {
    to.constant = wrap_i32(to.constant + from.constant * factor);
    for (std::int32_t i = 0; i < from.term_count; ++i) {
        const Term& term = from.terms[static_cast<std::size_t>(i)];
        const auto end = to.terms.begin() + to.term_count;
        const auto same =
            std::find_if(to.terms.begin(), end, [&](const Term& t) { return t.slot == term.slot; });
        if (same == to.terms.end()) return false;
        const std::int64_t before = same == end ? 0 : same->factor;
        *same = {term.slot, static_cast<std::int32_t>(wrap_i32(before + term.factor * factor))};
        if (same == end) ++to.term_count;
    }
    return true;
}

/// Sums, differences and multiples of affine forms are affine.
bool ScalarPlan::prepare_affine(const Program& program, const ScalarExpr& expr, Node& node) const {
    if (expr.op == ScalarOp::constant) {
        node.constant = constant_word(expr);
        return true;
    }
    if (expr.type != ScalarType::i32) return false;
    if (expr.op == ScalarOp::slot) {
        node.terms[0] = {expr.slot, 1};
        node.term_count = 1;
        return program.slots[static_cast<std::size_t>(expr.slot)].type == ScalarType::i32;
    }
    for (ExprId arg : expr.args)
        if (!is_affine(arg)) return false;
    const auto arg = [&](std::size_t i) -> const Node& {
        return nodes_[static_cast<std::size_t>(expr.args[i])];
    };
    switch (expr.op) {
        case ScalarOp::add:
            return add(arg(0), 1, node) && add(arg(1), 1, node);
        case ScalarOp::sub:
            return add(arg(0), 1, node) && add(arg(1), -1, node);
        case ScalarOp::neg:
            return add(arg(0), -1, node);
        case ScalarOp::mul:
            if (arg(1).term_count == 0) return add(arg(0), arg(1).constant, node);
            return arg(0).term_count == 0 && add(arg(1), arg(0).constant, node);
        default:
            return false;
    }
}

bool ScalarPlan::is_affine(ExprId id) const {
    const Node& node = nodes_[static_cast<std::size_t>(id)];
    return node.form == Form::affine && node.type == ScalarType::i32;
}

/// Two integers are equal if their difference wraps to 0. This does not hold for `<`.
bool ScalarPlan::prepare_equality(const ScalarExpr& expr, Node& node) const {
    if (expr.op != ScalarOp::eq && expr.op != ScalarOp::ne) return false;
    if (!is_affine(expr.args[0]) || !is_affine(expr.args[1])) return false;
    node.form = expr.op == ScalarOp::eq ? Form::is_zero : Form::not_zero;
    return add(nodes_[static_cast<std::size_t>(expr.args[0])], 1, node) &&
           add(nodes_[static_cast<std::size_t>(expr.args[1])], -1, node);
}

Word ScalarPlan::general(const Node& node, const Word* slots, Fault& fault) const {
    if (node.form == Form::is_zero) return affine(node, slots) == 0;
    if (node.form == Form::not_zero) return affine(node, slots) != 0;
    if (node.form == Form::comparison) return compare(node, slots, fault);
    if (node.form == Form::real) return node.constant;
    if (node.form == Form::slot) return slots[node.slot];
    Word values[3] = {0, 0, 0};
    for (std::size_t i = 0; i < 3 && node.args[i] != none; ++i)
        values[i] = evaluate(node.args[i], slots, fault);
    bool divided_by_zero = false;
    const Word result =
        apply(node.op, node.type, node.arg_type, values[0], values[1], values[2], divided_by_zero);
    if (divided_by_zero)
        fault = {Fault::Kind::division, static_cast<ExprId>(&node - nodes_.data()), 0};
    return result;
}

Word ScalarPlan::compare(const Node& node, const Word* slots, Fault& fault) const {
    const Word a = evaluate(node.args[0], slots, fault);
    const Word b = evaluate(node.args[1], slots, fault);
    switch (node.op) {
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

}  // namespace slab::schedule
