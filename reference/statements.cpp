#include "compiler/constant.hpp"
#include "dsl/places.hpp"
#include "dsl/spell.hpp"
#include "dsl/visit.hpp"
#include "reference/evaluator.hpp"

// The statements of references and functions.
namespace slab::reference {

namespace ast = dsl::ast;

namespace {
constexpr double work_of_a_statement = 1000;
}

std::optional<Value> Evaluator::run(const ast::Block& block) {
    const Inner inner(*this, scope_);
    return run_statements(block.stmts);
}

std::optional<Value> Evaluator::run_statements(const ast::Stmts& stmts) {
    const Nesting::Level level(nesting_);
    if (!stmts.empty()) check_depth(stmts.front().span());
    for (const ast::Stmt& stmt : stmts)
        if (const auto* node = ast::get_if<ast::Declaration>(stmt))
            if (const auto* fn = ast::get_if<ast::Fn>(*node))
                define(fn->name.text, {Binding::Kind::function, {}, fn->name.span, fn});
    std::optional<Value> returned;
    for (const ast::Stmt& stmt : stmts) {
        spend(work_of_a_statement, stmt.span());
        ast::visit(
            stmt, [&](const ast::Declaration& node) { declaration(node, stmt.span()); },
            [&](const ast::Control& node) { control(node, stmt.span()); },
            [&](const ast::Movement&) {
                fail<Diag::E0004_place>(stmt.span(), dsl::construct(stmt),
                                        misplaced(dsl::Place::reference, dsl::construct(stmt)));
            },
            [&](const ast::Effect& node) { returned = effect(node); });
    }
    return returned;
}

void Evaluator::declaration(const ast::Declaration& node, Span span) {
    ast::visit(
        node,
        [&](const ast::Const& n) {
            define(n.name.text, {Binding::Kind::constant, evaluate(n.value), n.name.span});
        },
        [](const ast::Fn&) {},  // known since the block began
        [&](const ast::Let& n) {
            define(n.name.text, {Binding::Kind::value, evaluate(n.value), n.name.span});
        },
        [&](const ast::Var& n) { variable(n); },
        [&](const auto&) {
            const std::string what = dsl::construct(ast::Stmt(node));
            fail<Diag::E0004_place>(span, what, misplaced(dsl::Place::reference, what));
        });
}

void Evaluator::variable(const ast::Var& variable) {
    Value value = array(evaluate(variable.value), variable.value.span(), "a variable");
    if (variable.type && variable.type->dims) {
        const Shape wanted = shape(*variable.type->dims);
        check_size(wanted, variable.name.text, variable.span);
        const auto over = stretched(value.array()->shape, wanted);
        if (!over)
            fail<Diag::E0101_store>(variable.value.span(), to_string(value.array()->shape),
                                    variable.name.text, to_string(wanted));
        value = extract(*value.array(), *over);
    }
    define(variable.name.text, {Binding::Kind::variable, std::move(value), variable.name.span});
}

void Evaluator::control(const ast::Control& node, Span span) {
    ast::visit(
        node, [&](const ast::If& n) { branch(n); }, [&](const ast::For& n) { loop(n); },
        [&](const ast::Scope& n) { run(n.body); },
        [&](const auto&) {
            const std::string what = dsl::construct(ast::Stmt(node));
            fail<Diag::E0004_place>(span, what, misplaced(dsl::Place::reference, what));
        });
}

void Evaluator::branch(const ast::If& branch) {
    if (condition(branch.condition)) {
        run(branch.then);
        return;
    }
    for (const ast::ElseIf& arm : branch.else_ifs)
        if (condition(arm.condition)) {
            run(arm.body);
            return;
        }
    if (branch.otherwise) run(*branch.otherwise);
}

void Evaluator::loop(const ast::For& loop) {
    const Int lo = integer(evaluate(loop.lo), loop.lo.span(), "the start of a loop");
    const Int hi = integer(evaluate(loop.hi), loop.hi.span(), "the end of a loop");
    const Int step =
        loop.step ? integer(evaluate(*loop.step), loop.step->span(), "the step of a loop") : 1;
    if (step < 1)
        fail<Diag::E0004_value>(loop.step->span(), "the step of a loop", "at least 1",
                                std::to_string(step));
    // all its rounds are counted before the first, so that one that is too long never starts
    if (hi > lo)
        spend(work_of_a_statement * static_cast<double>((hi - lo - 1) / step + 1), loop.span);
    for (Int i = lo; i < hi; i += step) {
        const Inner inner(*this, scope_);
        define(loop.name.text, {Binding::Kind::value, scalar(Kind::integer, static_cast<double>(i)),
                                loop.name.span});
        run(loop.body);
    }
}

std::optional<Value> Evaluator::effect(const ast::Effect& node) {
    return ast::visit(
        node,
        [&](const ast::Assert& n) -> std::optional<Value> {
            if (condition(n.condition)) return std::nullopt;
            auto& message =
                diags_.add<Diag::E0005_assert>(n.condition.span(), dsl::spell(n.condition));
            if (n.message) message.because(n.message->value);
            throw Stopped{};
        },
        [&](const ast::Print& n) -> std::optional<Value> {
            fail<Diag::E0004_place>(n.span, "`print`", misplaced(dsl::Place::reference, "`print`"));
        },
        [&](const ast::Assign& n) -> std::optional<Value> {
            assignment(n);
            return std::nullopt;
        },
        [&](const ast::Launch& n) -> std::optional<Value> {
            if (!n.bindings.empty())
                fail<Diag::E0004_place>(n.span, "a launch", "kernels are launched by a `program`");
            for (Scope* scope = scope_; scope; scope = scope->outer) {
                const auto found = scope->names.find(n.name.text);
                if (found == scope->names.end()) continue;
                const ast::Fn* fn = found->second.function;
                if (!fn)
                    fail<Diag::E0004_no_call>(n.span, n.name.text, describe(found->second.value));
                if (call_function(*fn, scope, n.arguments, n.span))
                    fail<Diag::E0004_unused>(n.span, n.name.text);
                return std::nullopt;
            }
            unknown("function", n.name);
        },
        [&](const ast::Return& n) -> std::optional<Value> { return evaluate(n.value); });
}

void Evaluator::assignment(const ast::Assign& assignment) {
    Value value = evaluate(assignment.value);
    if (assignment.op != "=")
        value =
            binary(assignment.op.substr(0, 1), evaluate(assignment.target), value, assignment.span);
    assign_to(assignment.target, array(value, assignment.value.span(), "what is assigned"),
              assignment.span);
}

void Evaluator::assign_to(const ast::Expr& place, Value value, Span span) {
    const auto* whole = ast::get_if<ast::Name>(place);
    const auto* sliced = ast::get_if<ast::Postfix>(place);
    const auto* name = whole ? whole : sliced ? ast::get_if<ast::Name>(sliced->base) : nullptr;
    const auto* slices = sliced && sliced->suffixes.size() == 1
                             ? ast::get_if<ast::Slices>(sliced->suffixes[0])
                             : nullptr;
    if (!name || (!whole && !slices)) fail<Diag::E0204_target>(place.span(), "this");
    Binding* binding = find(name->text);
    if (!binding) unknown("value", *name);
    if (binding->kind == Binding::Kind::input) fail<Diag::E0307_operand>(place.span(), name->text);
    const Array* held = binding->value.array();
    if ((binding->kind != Binding::Kind::variable && binding->kind != Binding::Kind::output) ||
        !held)
        fail<Diag::E0204_target>(place.span(), fmt::format("`{}`", name->text));
    if (whole) return assign(*binding, name->text, nullptr, std::move(value), span);
    const Part target = part(name->text, held->shape, *slices);
    assign(*binding, name->text, &target, std::move(value), span);
}

void Evaluator::set(const std::string& name, const Value& value, Span span) {
    assign(*find(name), name, nullptr, array(value, span, fmt::format("`{}`", name)), span);
}

/// Writes a value into a variable or output, or into a part of it.
void Evaluator::assign(Binding& binding, const std::string& name, const Part* part, Value value,
                       Span span) {
    auto& held = std::get<std::shared_ptr<Array>>(binding.value.held);
    const Array& source = *value.array();
    // a variable that began as a scalar, such as `var acc = 0`, takes the shape of what it is given
    if (binding.kind == Binding::Kind::variable && !part &&
        (held->is_scalar() || held->shape == source.shape)) {
        binding.value = std::move(value);
        return;
    }
    const Part target = part ? *part : all_of(held->shape);
    const auto over = stretched(source.shape, target.shape);
    if (!over)
        fail<Diag::E0101_store>(span, to_string(source.shape), name, to_string(target.shape));
    const bool untouched =
        !binding.written.empty() && binding.unwritten == static_cast<Int>(binding.written.size());
    Kind kind = source.kind;
    if (part && !untouched && held->kind != kind) {
        if (kind == Kind::truth || held->kind == Kind::truth)
            fail<Diag::E0102_variable>(span, describe(value), name, describe(binding.value));
        kind = Kind::real;
    }
    const Array spread = extract(source, *over);
    spend(static_cast<double>(spread.values.size()), span);
    if (held.use_count() > 1) {
        spend(static_cast<double>(held->values.size()), span);
        held = std::make_shared<Array>(*held);
    }
    held->kind = kind;
    std::size_t next = 0;
    for_each(target, [&](Int at) {
        held->values[at] = spread.values[next++];
        if (binding.written.empty() || binding.written[at]) return;
        binding.written[at] = true;
        --binding.unwritten;
    });
}

}  // namespace slab::reference
