#include <algorithm>
#include <utility>

#include "compiler/lower/lowering.hpp"
#include "compiler/ops/op.hpp"

// Calls: casts, built-in functions, and the file's own functions, which are inlined where they are
// called.
namespace slab::compiler {

namespace ast = dsl::ast;

namespace {

std::string count_text(int min, int max) {
    const auto plural = [](int n) { return fmt::format("{} argument{}", n, n == 1 ? "" : "s"); };
    if (min == max) return plural(min);
    if (max >= 64) return fmt::format("{} or more arguments", min);
    return fmt::format("{} to {}", min, plural(max));
}

/// The arguments as written, with the items of a list in its place where the function joins blocks.
std::vector<ast::Argument> flatten(const std::string& function, const ast::Arguments& arguments) {
    std::vector<ast::Argument> flat;
    const bool joins = function == "concat" || function == "stack";
    for (const ast::Argument& argument : arguments.items) {
        const auto* list = boost::get<ast::x3::forward_ast<ast::List>>(&argument.value.get());
        if (!joins || !list || !argument.name.empty()) {
            flat.push_back(argument);
            continue;
        }
        for (const ast::Expr& item : list->get().items) {
            ast::Argument part;
            part.span = item.span();
            part.value = item;
            flat.push_back(std::move(part));
        }
    }
    return flat;
}

/// Has it a `return`, be it misplaced?
bool returns(const ast::Block& block) {
    return std::any_of(block.stmts.begin(), block.stmts.end(), [](const ast::Stmt& stmt) {
        const auto* effect = boost::get<ast::Effect>(&stmt.get());
        return effect && boost::get<ast::Return>(&effect->get());
    });
}

}  // namespace

Value Lowering::call(const ast::Name& name, const ast::Arguments& arguments, Span span) {
    if (Entry* entry = env_->find(name.text); entry && entry->kind == Entry::Kind::function)
        return call_function(*entry->function, env_->owner(env_, name.text), arguments, span, true);
    if (name.text == "has") return eval_has(arguments, span);
    std::optional<DType> type = dtype_from_name(name.text);
    if (Entry* entry = env_->find(name.text); entry && !type) {
        const auto* constant = std::get_if<Constant>(&entry->value);
        if (constant && constant->dtype()) {
            type = *constant->dtype();
        } else {
            report_no_call(name, *entry);
            return Invalid{};
        }
    }
    if (!type) return call_builtin(name, arguments, span);
    if (arguments.items.size() != 1) {
        diags_.add<Diag::E0004_count>(span, name.text, "1 argument", arguments.items.size());
        return Invalid{};
    }
    const ast::Expr& value = arguments.items[0].value;
    return cast(eval(value), *type, value.span());
}

void Lowering::report_no_call(const ast::Name& name, const Entry& entry) {
    const std::string what = entry.kind == Entry::Kind::absent     ? "an operand that is not passed"
                             : entry.kind == Entry::Kind::variable ? "a variable"
                                                                   : describe(entry.value);
    if (entry.kind != Entry::Kind::value || !is_invalid(entry.value))
        diags_.add<Diag::E0004_no_call>(name.span, name.text, what);
}

Value Lowering::eval_has(const ast::Arguments& arguments, Span span) {
    const auto* name = arguments.items.size() == 1
                           ? boost::get<ast::Name>(&arguments.items[0].value.get())
                           : nullptr;
    if (arguments.items.size() != 1) {
        diags_.add<Diag::E0004_count>(span, "has", "1 argument", arguments.items.size());
        return Invalid{};
    }
    if (!name) {
        const Span given = arguments.items[0].value.span();
        diags_.add<Diag::E0004_kind>(given, "the argument", "has", "the name of an operand",
                                     fmt::format("`{}`", text(given)));
        return Invalid{};
    }
    const Entry* entry = env_->find(name->text);
    if (!entry) return eval_name(*name);
    return Constant{entry->kind != Entry::Kind::absent};
}

Value Lowering::call_builtin(const ast::Name& name, const ast::Arguments& arguments, Span span) {
    const OpDef* op = find_op(name.text);
    if (!op && refuse_wide_type(name)) return Invalid{};
    if (!op) {
        std::vector<std::string> known = op_names();
        for (const std::string& visible : visible_names(true)) known.push_back(visible);
        auto& message = diags_.add<Diag::E0002>(name.span, "function", name.text);
        if (const std::string* near = nearest_of(name.text, known))
            message.replace(name.span, *near);
        for (const ast::Argument& argument : arguments.items) eval(argument.value);
        return Invalid{};
    }
    Call built_in;
    built_in.name = name.text;
    built_in.span = span;
    bool invalid = false;
    for (const ast::Argument& argument : flatten(name.text, arguments)) {
        const auto* word = boost::get<ast::Name>(&argument.value.get());
        const bool names_op = name.text == "fold" && built_in.args.empty() && word;
        Value value = names_op ? Value(Constant{word->text}) : eval(argument.value);
        invalid = invalid || is_invalid(value);
        if (argument.name.empty()) {
            built_in.args.push_back(std::move(value));
            built_in.spans.push_back(argument.value.span());
        } else if (std::count(op->named.begin(), op->named.end(), argument.name) == 0) {
            auto& message = diags_.add<Diag::E0004_named>(argument.span, name.text, argument.name);
            const Span own = first_word(argument.span, argument.name);
            for (const std::string_view known : op->named) message.replace(own, std::string(known));
            invalid = true;
        } else {
            built_in.named[argument.name] = {std::move(value), argument.value.span()};
        }
    }
    const int given = static_cast<int>(built_in.args.size());
    if (given < op->min_args || given > op->max_args) {
        auto& message = diags_
                            .add<Diag::E0004_count>(span, name.text,
                                                    count_text(op->min_args, op->max_args), given)
                            .fix(std::string(op_signature(name.text)));
        const std::string_view way = std::string_view(name.text).substr(0, 3);
        if (op->max_args == 1 && (way == "row" || way == "col"))
            message.because(
                fmt::format("it reduces the {} dimension; `fold(op, x, axis)` reduces "
                            "one before the last two",
                            way == "row" ? "last" : "second-last"));
        return Invalid{};
    }
    return invalid ? Value(Invalid{}) : op->lower(*this, built_in);
}

bool Lowering::fits(const ast::FnParam& param, const Value& value, Span span) {
    if (!param.type) return true;
    std::optional<DType> element;
    if (param.type->element.text != "any") {
        element = element_type(param.type->element);
        if (!element) return false;
    }
    std::optional<std::vector<std::int64_t>> shape;
    if (param.type->dims) {
        shape = sizes(*param.type->dims, param.name);
        if (!shape) return false;
    }
    const auto type = block_type(value);
    const auto* scalar = std::get_if<Scalar>(&value);
    const auto* constant = std::get_if<Constant>(&value);
    static constexpr DType of_scalars[] = {DType::i32, DType::f32, DType::pred};
    const bool same_element =
        !element || (type     ? type->type == *element
                     : scalar ? of_scalars[static_cast<int>(scalar->type)] == *element
                     : *element == DType::pred ? constant->truth() != nullptr
                                               : constant->is_number());
    if (same_element && (!shape || (type && type->shape == *shape))) return true;
    std::string needed = element ? std::string(name(*element)) : "any";
    if (shape) needed += to_string(*shape);
    diags_.add<Diag::E0004_value>(span, fmt::format("the argument `{}`", param.name.text), needed,
                                  describe(value));
    return false;
}

std::optional<Value> Lowering::lower_function_block(const ast::Block& block) {
    const EnvPtr outer = env_;
    env_ = std::make_shared<Env>(outer);
    std::optional<Value> value;
    for (std::size_t i = 0; i < block.stmts.size(); ++i) {
        const auto* effect = boost::get<ast::Effect>(&block.stmts[i].get());
        const auto* last = effect ? boost::get<ast::Return>(&effect->get()) : nullptr;
        if (last && i + 1 == block.stmts.size())
            value = eval(last->value);
        else
            lower_statement(block.stmts[i]);
    }
    env_ = outer;
    return value;
}

Value Lowering::call_function(const ast::Fn& fn, EnvPtr scope, const ast::Arguments& arguments,
                              Span span, bool needs_value) {
    constexpr std::size_t most_nested = 64;
    if (std::count(inlining_.begin(), inlining_.end(), &fn)) {
        diags_.add<Diag::E0901_recursion>(span, fn.name.text)
            .because("functions are inlined, so a call cannot reach itself")
            .fix("a `for` loop");
        return Invalid{};
    }
    if (inlining_.size() == most_nested) {
        diags_.add<Diag::E0901_deep>(span, "calls of functions", most_nested)
            .because("functions are inlined where they are called");
        return Invalid{};
    }
    if (arguments.items.size() != fn.params.size()) {
        const int count = static_cast<int>(fn.params.size());
        diags_
            .add<Diag::E0004_count>(span, fn.name.text, count_text(count, count),
                                    arguments.items.size())
            .note(fn.name.span, "declared here");
        return Invalid{};
    }
    const EnvPtr caller = env_;
    const EnvPtr local = std::make_shared<Env>(std::move(scope));
    bool ok = true;
    for (std::size_t i = 0; i < fn.params.size(); ++i) {
        const ast::FnParam& param = fn.params[i];
        const ast::Expr& argument = arguments.items[i].value;
        Entry entry;
        entry.declared = param.name.span;
        if (!arguments.items[i].name.empty() && arguments.items[i].name != param.name.text) {
            diags_.add<Diag::E0004_named>(arguments.items[i].span, fn.name.text,
                                          arguments.items[i].name);
            ok = false;
            continue;
        }
        if (param.is_ref) {
            const auto memory = reference(argument);
            entry.value = memory ? Value(*memory) : Value(Invalid{});
        } else {
            entry.value = eval(argument);
        }
        if (!is_invalid(entry.value) && fn.body)
            entry.value = frozen(std::move(entry.value), param.name.text);
        env_ = local;  // types of parameters see what the function sees
        ok = ok && !is_invalid(entry.value) && fits(param, entry.value, argument.span());
        env_ = caller;
        local->names[param.name.text] = std::move(entry);
    }
    if (!ok) return Invalid{};
    inlining_.push_back(&fn);
    env_ = local;
    const bool exact_division = std::exchange(exact_division_, false);
    Value result = Invalid{};
    if (fn.result) {
        result = eval(*fn.result);
    } else if (fn.body) {
        const auto value = lower_function_block(*fn.body);
        if (value)
            result = *value;
        else if (needs_value && !returns(*fn.body))
            diags_.add<Diag::E0004_no_result>(span, fn.name.text)
                .note(fn.name.span, "declared here");
    }
    exact_division_ = exact_division;
    env_ = caller;
    inlining_.pop_back();
    return result;
}

}  // namespace slab::compiler
