#include "compiler/schedule/walk/scalar_plan.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace slab::schedule {

std::string describe(const Fault& fault, const Program& program) {
    const auto id = static_cast<std::size_t>(fault.id);
    switch (fault.kind) {
        case Fault::Kind::nothing:
            return "";
        case Fault::Kind::division:
            return "a division by zero";
        case Fault::Kind::live_length:
            return fmt::format(
                "a window of `{}` has {} live elements in a dimension, which is not between 0 and "
                "its size",
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
    if (!expr.args.empty())
        node.arg_type = program.exprs[static_cast<std::size_t>(expr.args.back())].type;
    if (expr.op == ScalarOp::constant && expr.type == ScalarType::f32) {
        node.form = Form::real;
        node.constant = constant_word(expr);
    } else if (!prepare_affine(program, expr, node)) {
        node.form = expr.op == ScalarOp::slot ? Form::slot : Form::operation;
        node.slot = expr.slot;
        std::copy(expr.args.begin(), expr.args.end(), node.args);
    }
    nodes_[index] = node;
}

void ScalarPlan::add_terms(const Node& from, std::int64_t factor, std::vector<Term>& terms) const {
    for (std::int32_t i = 0; i < from.term_count; ++i) {
        const Term& term = terms_[static_cast<std::size_t>(from.first_term + i)];
        const auto same = std::find_if(terms.begin(), terms.end(),
                                       [&](const Term& t) { return t.slot == term.slot; });
        const std::int64_t scaled = wrap_i32(term.factor * factor);
        if (same == terms.end())
            terms.push_back({term.slot, scaled});
        else
            same->factor = wrap_i32(same->factor + scaled);
    }
}

/// Sums, differences and multiples of affine forms are affine. Coefficients are kept modulo 2^32.
bool ScalarPlan::prepare_affine(const Program& program, const ScalarExpr& expr, Node& node) {
    if (expr.op == ScalarOp::constant) {
        node.constant = constant_word(expr);
        return true;
    }
    if (expr.type != ScalarType::i32) return false;
    std::vector<Term> terms;
    const auto arg = [&](std::size_t i) -> const Node& {
        return nodes_[static_cast<std::size_t>(expr.args[i])];
    };
    const auto is_affine = [&](std::size_t i) {
        return arg(i).form == Form::affine && arg(i).type == ScalarType::i32;
    };
    switch (expr.op) {
        case ScalarOp::slot:
            if (program.slots[static_cast<std::size_t>(expr.slot)].type != ScalarType::i32)
                return false;
            terms.push_back({expr.slot, 1});
            break;
        case ScalarOp::add:
        case ScalarOp::sub: {
            if (!is_affine(0) || !is_affine(1)) return false;
            const std::int64_t sign = expr.op == ScalarOp::add ? 1 : -1;
            node.constant = wrap_i32(arg(0).constant + sign * arg(1).constant);
            add_terms(arg(0), 1, terms);
            add_terms(arg(1), sign, terms);
            break;
        }
        case ScalarOp::neg:
            if (!is_affine(0)) return false;
            node.constant = wrap_i32(-arg(0).constant);
            add_terms(arg(0), -1, terms);
            break;
        case ScalarOp::mul: {
            if (!is_affine(0) || !is_affine(1)) return false;
            const std::size_t scaled = arg(0).term_count == 0 ? 1 : 0;
            const Node& factor = arg(1 - scaled);
            if (factor.term_count != 0) return false;
            node.constant = wrap_i32(arg(scaled).constant * factor.constant);
            add_terms(arg(scaled), factor.constant, terms);
            break;
        }
        default:
            return false;
    }
    std::erase_if(terms, [](const Term& term) { return term.factor == 0; });
    node.first_term = static_cast<std::int32_t>(terms_.size());
    node.term_count = static_cast<std::int32_t>(terms.size());
    terms_.insert(terms_.end(), terms.begin(), terms.end());
    return true;
}

Word ScalarPlan::general(ExprId id, const Word* slots, Fault& fault) const {
    const Node& node = nodes_[static_cast<std::size_t>(id)];
    if (node.form == Form::affine) return affine(node, slots);
    if (node.form == Form::real) return node.constant;
    if (node.form == Form::slot) return slots[node.slot];
    Word values[3] = {0, 0, 0};
    for (int i = 0; i < 3 && node.args[i] != none; ++i)
        values[i] = general(node.args[i], slots, fault);
    bool divided_by_zero = false;
    const Word result =
        apply(node.op, node.type, node.arg_type, values[0], values[1], values[2], divided_by_zero);
    if (divided_by_zero) fault = {Fault::Kind::division, id, 0};
    return result;
}

}  // namespace slab::schedule
