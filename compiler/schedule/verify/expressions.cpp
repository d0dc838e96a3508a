#include <limits>

#include "compiler/schedule/print.hpp"
#include "compiler/schedule/scalar.hpp"
#include "compiler/schedule/text/words.hpp"
#include "compiler/schedule/verify/checks.hpp"

namespace slab::schedule {

bool Findings::require_type(ExprId expr, ScalarType type, const std::string& what) {
    if (!require(in_range(expr, program.exprs), "{} has no expression: id {}", what, expr))
        return false;
    const ScalarType found = item(program.exprs, expr).type;
    if (found == type) return true;
    add("{} is {} `{}`, it must be {}", what, name_of(found), print(expr, program), name_of(type));
    return false;
}

namespace {

enum class Mark : char { unseen, open, done };

/// Depth first, with a stack of its own: expressions may be deep.
bool is_acyclic(const Program& program) {
    std::vector<Mark> marks(program.exprs.size(), Mark::unseen);
    std::vector<std::pair<ExprId, std::size_t>> stack;
    for (ExprId root = 0; in_range(root, program.exprs); ++root) {
        if (marks[static_cast<std::size_t>(root)] == Mark::unseen) stack.push_back({root, 0});
        while (!stack.empty()) {
            const ExprId id = stack.back().first;
            Mark& mark = marks[static_cast<std::size_t>(id)];
            mark = Mark::open;
            const ScalarExpr& expr = item(program.exprs, id);
            const std::vector<ExprId>& args = expr.args;
            const std::size_t children = args.size() + (expr.copy != none);
            if (stack.back().second == children) {
                mark = Mark::done;
                stack.pop_back();
                continue;
            }
            const std::size_t child = stack.back().second++;
            const ExprId arg = child < args.size() ? args[child] : expr.copy;
            const Mark seen = marks[static_cast<std::size_t>(arg)];
            if (seen == Mark::open) return false;
            if (seen == Mark::unseen) stack.push_back({arg, 0});
        }
    }
    return true;
}

void check_leaf(Findings& findings, ExprId id, const ScalarExpr& expr) {
    if (expr.op == ScalarOp::slot) {
        if (findings.require(in_range(expr.slot, findings.program.slots),
                             "expression {} reads slot {}, which does not exist", id, expr.slot))
            findings.require(expr.type == item(findings.program.slots, expr.slot).type,
                             "expression {} reads slot `{}` with another type than it has", id,
                             item(findings.program.slots, expr.slot).name);
        return;
    }
    if (expr.type == ScalarType::i32)
        findings.require(expr.integer == wrap_i32(expr.integer),
                         "the constant {} does not fit in an i32", expr.integer);
    if (expr.type == ScalarType::pred)
        findings.require(expr.integer == 0 || expr.integer == 1,
                         "the pred constant {} is neither 0 nor 1", expr.integer);
}

void check_element(Findings& findings, ExprId id, const ScalarExpr& expr) {
    const Program& program = findings.program;
    verify_element(findings, expr.buffer, expr.copy, expr.args, fmt::format("expression {}", id));
    if (!in_range(expr.buffer, program.buffers)) return;
    const ScalarType type = scalar_type(item(program.buffers, expr.buffer).type);
    if (type != expr.type)
        findings.add("`{}` is called {}, it is {}", print(id, program), name_of(expr.type),
                     name_of(type));
}

ScalarType common_type(const Program& program, const ScalarExpr& expr, bool& is_common) {
    const std::size_t first = expr.op == ScalarOp::select ? 1 : 0;
    const ScalarType type = item(program.exprs, expr.args[first]).type;
    is_common = true;
    for (std::size_t i = first; i < expr.args.size(); ++i)
        is_common = is_common && item(program.exprs, expr.args[i]).type == type;
    return type;
}

/// The type an operation gives on arguments of one type, if it takes that type.
std::optional<ScalarType> result_type(ScalarOp op, ScalarType arg) {
    const bool is_pred = arg == ScalarType::pred;
    switch (op) {
        case ScalarOp::land:
        case ScalarOp::lor:
        case ScalarOp::lnot:
            return is_pred ? std::optional(ScalarType::pred) : std::nullopt;
        case ScalarOp::eq:
        case ScalarOp::ne:
            return ScalarType::pred;
        case ScalarOp::lt:
        case ScalarOp::le:
        case ScalarOp::gt:
        case ScalarOp::ge:
            return is_pred ? std::nullopt : std::optional(ScalarType::pred);
        case ScalarOp::shl:
        case ScalarOp::shr:
        case ScalarOp::aligned:
            return arg == ScalarType::i32 ? std::optional(arg) : std::nullopt;
        case ScalarOp::band:
        case ScalarOp::bor:
        case ScalarOp::bxor:
            return arg == ScalarType::f32 ? std::nullopt : std::optional(arg);
        case ScalarOp::select:
            return arg;
        default:
            return is_pred ? std::nullopt : std::optional(arg);
    }
}

void check_operation(Findings& findings, ExprId id, const ScalarExpr& expr) {
    const Program& program = findings.program;
    bool is_common = true;
    const ScalarType type = common_type(program, expr, is_common);
    if (!is_common) return findings.add("`{}` mixes types", print(id, program));
    if (expr.op == ScalarOp::cast) return;
    if (expr.op == ScalarOp::select && item(program.exprs, expr.args[0]).type != ScalarType::pred)
        findings.add("`{}` selects by something that is no pred", print(id, program));
    const auto result = result_type(expr.op, type);
    if (!result)
        findings.add("`{}` has no meaning on {}", print(id, program), name_of(type));
    else if (*result != expr.type)
        findings.add("`{}` is called {}, it is {}", print(id, program), name_of(expr.type),
                     name_of(*result));
}

}  // namespace

void verify_expressions(Findings& findings) {
    const Program& program = findings.program;
    bool whole = true;
    for (std::size_t i = 0; i < program.exprs.size(); ++i) {
        const ScalarExpr& expr = program.exprs[i];
        const bool is_element = expr.op == ScalarOp::element;
        const auto needed =
            is_element ? expr.args.size() : static_cast<std::size_t>(arity(expr.op));
        whole &= findings.require(
            expr.copy == none || (is_element && in_range(expr.copy, program.exprs)),
            "expression {} is of copy {}", i, expr.copy);
        whole &= findings.require(expr.args.size() == needed,
                                  "expression {} has {} arguments, it needs {}", i,
                                  expr.args.size(), needed);
        for (ExprId arg : expr.args)
            whole &=
                findings.require(in_range(arg, program.exprs),
                                 "expression {} uses expression {}, which does not exist", i, arg);
    }
    if (!whole || !findings.require(is_acyclic(program), "an expression contains itself")) return;
    for (ExprId id = 0; in_range(id, program.exprs); ++id) {
        const ScalarExpr& expr = item(program.exprs, id);
        if (expr.op == ScalarOp::element)
            check_element(findings, id, expr);
        else if (expr.args.empty())
            check_leaf(findings, id, expr);
        else
            check_operation(findings, id, expr);
    }
}

}  // namespace slab::schedule
