#include "reference/evaluator.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "compiler/constant.hpp"
#include "dsl/places.hpp"
#include "dsl/spell.hpp"
#include "dsl/visit.hpp"
#include "reference/functions.hpp"
#include "support/rounding.hpp"

namespace slab::reference {

namespace ast = dsl::ast;

namespace {

constexpr double work_of_an_expression = 100;
constexpr std::size_t most_dimensions = 32;
constexpr double most_items = 1 << 16;  ///< of a list, those of lists within it counted

std::optional<Value> constant_named(const std::string& name) {
    if (const auto type = dtype_from_name(name)) return Value(*type);
    if (name == "true" || name == "false") return scalar(Kind::truth, name == "true");
    if (name == "inf") return scalar(Kind::real, std::numeric_limits<double>::infinity());
    if (name == "pi") return scalar(Kind::real, 3.14159265358979323846);
    if (name == "KiB") return scalar(Kind::integer, 1 << 10);
    if (name == "MiB") return scalar(Kind::integer, 1 << 20);
    if (name == "GiB") return scalar(Kind::integer, 1 << 30);
    return std::nullopt;
}

/// How many items a list holds, and how many elements they have.
struct Extent {
    double items = 0, elements = 0;
};

Extent extent_of(const Value& value) {
    const Array* array = value.array();
    Extent all{1, array ? static_cast<double>(array->values.size()) : 0};
    if (value.list())
        for (const Value& item : *value.list()) {
            const Extent one = extent_of(item);
            all.items += one.items, all.elements += one.elements;
        }
    return all;
}

/// As messages name what is sliced or assigned to.
std::string spelled(const ast::Expr& expr) {
    const auto* name = ast::get_if<ast::Name>(expr);
    return name ? name->text : dsl::spell(expr);
}

}  // namespace

Evaluator::Evaluator(const ast::File& file, Diagnostics& diags, double most_work)
    : file_(file), diags_(diags), most_work_(most_work) {
    for (const ast::Item& item : file_.items)
        if (const auto* fn = ast::get_if<ast::Fn>(item))
            define(fn->name.text, {Binding::Kind::function, {}, fn->name.span, fn});
    for (const ast::Item& item : file_.items) {
        const auto* constant = ast::get_if<ast::Const>(item);
        if (!constant) continue;
        try {
            define(constant->name.text, {Binding::Kind::constant, evaluate(constant->value)});
        } catch (const Stopped&) {
            return;  // reported; whoever uses the name has its error
        }
    }
}

Binding& Evaluator::define(const std::string& name, Binding binding) {
    return scope_->names[name] = std::move(binding);
}

Binding* Evaluator::find(const std::string& name) {
    for (Scope* scope = scope_; scope; scope = scope->outer)
        if (const auto found = scope->names.find(name); found != scope->names.end())
            return &found->second;
    return nullptr;
}

void Evaluator::spend(double work, Span span) {
    work_ += work;
    if (work_ > most_work_) fail<Diag::E0902_reference>(span, most_work_);
}

void Evaluator::check_depth(Span span) {
    if (nesting_.too_deep())
        fail<Diag::E0901_deep>(span, "expressions, with the calls around them,",
                               nesting_.deepest());
}

void Evaluator::check_size(const Shape& shape, const std::string& what, Span span) {
    if (shape.size() > most_dimensions)
        fail<Diag::E0009_range>(span, fmt::format("`{}` of rank {}", what, shape.size()),
                                fmt::format("an array of at most {} dimensions", most_dimensions));
    const auto rounds = loop_rounds(shape);
    if (!rounds)
        fail<Diag::E0009_range>(span, fmt::format("`{}` of shape {}", what, to_string(shape)),
                                fmt::format("an array of at most {} elements", most_elements));
    spend(static_cast<double>(*rounds), span);
}

// -------------------------------------------------------------------------------------------------
// expressions

Value Evaluator::evaluate(const ast::Expr& expr) {
    const Nesting::Level level(nesting_);
    check_depth(expr.span());
    spend(work_of_an_expression, expr.span());
    return ast::visit(
        expr, [&](const ast::Number& node) { return number(node); },
        [&](const ast::Text& node) { return Value(node.value); },
        [&](const ast::Name& node) { return name(node); },
        [&](const ast::List& node) {
            Value::List items;
            double count = 0;
            for (const ast::Expr& item : node.items) {
                items.push_back(evaluate(item));
                count += extent_of(items.back()).items;
                if (count > most_items)
                    fail<Diag::E0009_range>(
                        item.span(), "this item",
                        fmt::format("a list of at most {} items in all", most_items));
            }
            return Value(std::move(items));
        },
        [&](const ast::Postfix& node) { return postfix(node); },
        [&](const ast::Unary& node) { return unary(node.op, evaluate(node.operand), node.span); },
        [&](const ast::Chain& node) {
            Value value = evaluate(node.first);
            for (const ast::Link& link : node.rest)
                value = binary(link.op, value, evaluate(link.operand), node.span);
            return value;
        });
}

Value Evaluator::number(const ast::Number& number) {
    const std::string& text = number.spelling;
    const bool hexadecimal = text.starts_with("0x");
    double value = 0;
    const char* begin = text.data() + (hexadecimal ? 2 : 0);
    const char* end = text.data() + text.size();
    if (!hexadecimal && text.find_first_of(".eE") != std::string::npos) {
        std::from_chars(begin, end, value);
        return scalar(Kind::real, value);
    }
    Int integer = 0;
    const auto [at, error] = std::from_chars(begin, end, integer, hexadecimal ? 16 : 10);
    value = static_cast<double>(integer);
    if (error != std::errc{} || at != end || value > largest_exact)
        fail<Diag::E0009_range>(number.span, text, "an integer of a reference, at most 2^53");
    return scalar(Kind::integer, value);
}

Value Evaluator::name(const ast::Name& name) {
    if (const Binding* binding = find(name.text)) {
        if (binding->kind == Binding::Kind::function)
            fail<Diag::E0004_value>(name.span, fmt::format("`{}`", name.text), "a value",
                                    "a function");
        if (binding->value.is_absent()) fail<Diag::E0204_absent>(name.span, name.text);
        if (binding->unwritten > 0) fail<Diag::E0306>(name.span, name.text);
        if (binding->value.list()) spend(extent_of(binding->value).items, name.span);
        return binding->value;
    }
    if (auto constant = constant_named(name.text)) return *constant;
    unknown("value", name);
}

void Evaluator::unknown(const char* what, const ast::Name& name) {
    std::set<std::string> known;
    const bool function = std::string_view(what) == "function";
    for (const Scope* scope = scope_; scope; scope = scope->outer)
        for (const auto& [candidate, binding] : scope->names)
            if ((binding.kind == Binding::Kind::function) == function) known.insert(candidate);
    if (function)
        for (const std::string& built_in : built_in_names()) known.insert(built_in);
    auto& message = diags_.add<Diag::E0002>(name.span, what, name.text);
    if (const std::string near = nearest(name.text, {known.begin(), known.end()}); !near.empty())
        message.fix(near);
    throw Stopped{};
}

Value Evaluator::postfix(const ast::Postfix& postfix) {
    const auto* name = ast::get_if<ast::Name>(postfix.base);
    const auto* arguments = ast::get_if<ast::Arguments>(postfix.suffixes[0]);
    const auto* slices = ast::get_if<ast::Slices>(postfix.suffixes[0]);
    Value value;
    std::size_t next = 1;
    Binding* binding = name ? find(name->text) : nullptr;
    if (name && arguments) {
        value = call(*name, *arguments, {name->span.begin, arguments->span.end});
    } else if (slices && binding && binding->unwritten > 0) {
        // the part may have been written where the whole has not
        const Part taken = part(name->text, binding->value.array()->shape, *slices);
        check_size(taken.shape, name->text, slices->span);
        check_written(*binding, name->text, taken, slices->span);
        value = extract(*binding->value.array(), taken);
    } else {
        value = evaluate(postfix.base);
        next = 0;
    }
    const std::string spelling = spelled(postfix.base);
    for (; next < postfix.suffixes.size(); ++next)
        value = ast::visit(
            postfix.suffixes[next], [&](const ast::Member& node) { return member(value, node); },
            [&](const ast::Slices& node) {
                const Value whole = array(value, postfix.base.span(), "what is sliced");
                const Part taken = part(spelling, whole.array()->shape, node);
                check_size(taken.shape, spelling, node.span);
                return Value(extract(*whole.array(), taken));
            },
            [&](const ast::Arguments& node) -> Value {
                fail<Diag::E0004_no_call>(node.span, spelling, describe(value));
            });
    return value;
}

Value Evaluator::member(const Value& value, const ast::Member& member) {
    if (member.name != "T") unknown("member", {member, member.name});
    const Value whole = array(value, member.span, "what `.T` transposes");
    const Array& source = *whole.array();
    if (source.rank() < 2)
        fail<Diag::E0004_value>(member.span, "what `.T` transposes", "of rank 2 or more",
                                describe(whole));
    Part swapped = all_of(source.shape);
    std::swap(swapped.shape[source.rank() - 1], swapped.shape[source.rank() - 2]);
    std::swap(swapped.strides[source.rank() - 1], swapped.strides[source.rank() - 2]);
    spend(static_cast<double>(source.values.size()), member.span);
    return extract(source, swapped);
}

Part Evaluator::part(const std::string& name, const Shape& shape, const ast::Slices& slices) {
    if (slices.items.size() > shape.size())
        fail<Diag::E0101_rank>(slices.span, name, shape.size(), slices.items.size());
    const Part whole = all_of(shape);
    Part taken{0, {}, {}};
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (d < slices.items.size()) {
            slice(name, shape, d, slices.items[d], taken);
            continue;
        }
        taken.shape.push_back(shape[d]);
        taken.strides.push_back(whole.strides[d]);
    }
    return taken;
}

/// Adds what one slice takes of a dimension to the part.
void Evaluator::slice(const std::string& name, const Shape& shape, std::size_t dimension,
                      const ast::Slice& slice, Part& part) {
    const Int stride = all_of(shape).strides[dimension];
    const Int extent = shape[dimension];
    const auto integer_of = [&](const ast::Expr& expr, const char* what) {
        return integer(evaluate(expr), expr.span(), what);
    };
    const auto take = [&](Int start, Int size, Int step) {
        const Int most = most_elements;
        const bool inside = size >= 0 && size <= most && start >= 0 && start <= extent &&
                            step >= 1 && step <= most &&
                            (size == 0 || start + (size - 1) * step < extent);
        if (!inside)
            fail<Diag::E0401>(slice.span(),
                              fmt::format("the slice {} +: {}{}", start, size,
                                          step == 1 ? "" : fmt::format(" step {}", step)),
                              name, fmt::format("is not inside its {} elements", extent));
        part.offset += start * stride;
        part.shape.push_back(size);
        part.strides.push_back(stride * step);
    };
    ast::visit(
        slice, [&](const ast::WholeSlice&) { take(0, extent, 1); },
        [&](const ast::IndexSlice& one) {
            const Int index = integer_of(one.index, "an index");
            if (index < 0 || index >= extent)
                fail<Diag::E0401>(one.span, fmt::format("index {}", index), name,
                                  fmt::format("is not inside its {} elements", extent));
            part.offset += index * stride;
        },
        [&](const ast::BlockSlice& nth) {
            const Int size = integer_of(nth.size, "a slice size");
            const Int index = integer_of(nth.index, "an index");
            if (size > extent || index < 0 || index > extent || size < 0)
                fail<Diag::E0401>(nth.span, fmt::format("the slice {}@{}", index, size), name,
                                  fmt::format("is not inside its {} elements", extent));
            take(index * size, size, 1);
        },
        [&](const ast::RangeSlice& range) {
            const Int start = integer_of(range.start, "the start of a slice");
            const Int size = integer_of(range.size, "a slice size");
            const Int step = range.step ? integer_of(*range.step, "the step of a slice") : 1;
            take(start, size, step);
        });
}

void Evaluator::check_written(const Binding& binding, const std::string& name, const Part& part,
                              Span span) {
    bool all = true;
    for_each(part, [&](Int at) { all = all && binding.written[at]; });
    if (!all) fail<Diag::E0306>(span, name);
}

Value Evaluator::array(Value value, Span span, const std::string& what) {
    if (value.array()) return value;
    if (value.list())
        if (auto whole = join(*value.list(), span)) return *whole;
    fail<Diag::E0004_value>(span, what, "an array", describe(value));
}

std::optional<Array> Evaluator::join(const Value::List& list, Span span) {
    double elements = 0;
    for (const Value& item : list) elements += extent_of(item).elements;
    check_size({static_cast<Int>(std::min(elements, 1e18))}, "a list", span);
    return joined(list);
}

Int Evaluator::integer(const Value& value, Span span, const std::string& what) {
    const Array* array = value.array();
    if (!array || !array->is_scalar() || array->kind != Kind::integer)
        fail<Diag::E0004_value>(span, what, "an integer", describe(value));
    return static_cast<Int>(array->values[0]);
}

Shape Evaluator::shape(const std::vector<ast::Expr>& dims) {
    Shape result;
    for (const ast::Expr& dim : dims)
        result.push_back(integer(evaluate(dim), dim.span(), "a dimension"));
    return result;
}

bool Evaluator::condition(const ast::Expr& expr) {
    const Value value = evaluate(expr);
    const Array* array = value.array();
    if (!array || !array->is_scalar() || array->kind != Kind::truth)
        fail<Diag::E0102_condition>(expr.span(), describe(value));
    return array->values[0] != 0;
}

// -------------------------------------------------------------------------------------------------
// calls

Value Evaluator::call(const ast::Name& callee, const ast::Arguments& arguments, Span span) {
    const std::string& name = callee.text;
    // functions see the scope they are declared in, not that of their callers
    for (Scope* scope = scope_; scope; scope = scope->outer) {
        const auto found = scope->names.find(name);
        if (found == scope->names.end()) continue;
        const Binding& binding = found->second;
        if (binding.kind == Binding::Kind::function) {
            const ast::Fn& fn = *binding.function;
            auto result = call_function(fn, scope, arguments, span);
            if (!result) fail<Diag::E0004_no_result>(span, name);
            return *result;
        }
        if (const DType* type = binding.value.dtype()) return cast(*type, arguments, span);
        fail<Diag::E0004_no_call>(span, name, describe(binding.value));
    }
    if (const auto type = dtype_from_name(name)) return cast(*type, arguments, span);
    if (!find_built_in(name) && name != "has") unknown("function", callee);
    return call_built_in(name, arguments, span);
}

std::optional<Value> Evaluator::call_function(const ast::Fn& fn, Scope* home,
                                              const ast::Arguments& arguments, Span span) {
    const std::size_t count = fn.params.size();
    if (arguments.items.size() != count)
        fail<Diag::E0004_count>(span, fn.name.text,
                                fmt::format("{} argument{}", count, count == 1 ? "" : "s"),
                                arguments.items.size());
    std::vector<Value> values;
    for (const ast::Argument& argument : arguments.items) {
        if (!argument.name.empty())
            fail<Diag::E0004_named>(argument.span, fn.name.text, argument.name);
        values.push_back(evaluate(argument.value));
    }
    std::vector<Value> after = values;
    std::optional<Value> result;
    {
        const Inner inner(*this, home);
        const Nesting::Level call(calls_);
        if (calls_.too_deep()) fail<Diag::E0901_recursion>(span, fn.name.text);
        for (std::size_t i = 0; i < count; ++i)
            define(
                fn.params[i].name.text,
                {fn.params[i].is_ref ? Binding::Kind::variable : Binding::Kind::value, values[i]});
        if (fn.result)
            result = evaluate(*fn.result);
        else if (fn.body)
            result = run_statements(fn.body->stmts);
        for (std::size_t i = 0; i < count; ++i)
            if (fn.params[i].is_ref) after[i] = find(fn.params[i].name.text)->value;
    }
    for (std::size_t i = 0; i < count; ++i)
        if (fn.params[i].is_ref) write_back(arguments.items[i].value, values[i], after[i]);
    return result;
}

/// What happened to a `ref` parameter happens to its argument: whole arrays have no aliases.
void Evaluator::write_back(const ast::Expr& place, const Value& before, const Value& after) {
    if (!after.array() || after.array() == before.array()) return;
    assign_to(place, after, place.span());
}

Value Evaluator::call_built_in(const std::string& name, const ast::Arguments& arguments,
                               Span span) {
    const auto text_of = [&](const ast::Argument& argument, const char* needed) {
        const auto* word = ast::get_if<ast::Name>(argument.value);
        if (!word)
            fail<Diag::E0004_value>(argument.span, fmt::format("the argument of `{}`", name),
                                    needed, "an expression");
        return *word;
    };
    if (name == "has") {
        if (arguments.items.size() != 1)
            fail<Diag::E0004_count>(span, name, "1 argument", arguments.items.size());
        const ast::Name operand = text_of(arguments.items[0], "an optional operand");
        const Binding* binding = find(operand.text);
        if (!binding) unknown("value", operand);
        return scalar(Kind::truth, !binding->value.is_absent());
    }
    Call call{*this, name, span, {}, {}};
    for (const ast::Argument& argument : arguments.items) {
        if (name == "dot" && argument.name == "prec") {
            const Value word = evaluate(argument.value);
            if (const std::string* precision = word.text())
                call.bf16_parts = bf16_parts(*precision);
            if (!call.bf16_parts)
                fail<Diag::E0004_kind>(argument.span, "`prec`", "dot", dot_precisions,
                                       describe(word));
            continue;
        }
        if (!argument.name.empty()) fail<Diag::E0004_named>(argument.span, name, argument.name);
        const bool is_word = name == "fold" && call.args.empty();
        call.args.push_back(is_word ? Value(text_of(argument, "an operation").text)
                                    : evaluate(argument.value));
        call.spans.push_back(argument.span);
    }
    const BuiltIn& function = *find_built_in(name);
    if (call.args.size() < function.min_args || call.args.size() > function.max_args) {
        const std::size_t least = function.min_args;
        fail<Diag::E0004_count>(span, name,
                                call.args.size() < least && function.max_args > least
                                    ? fmt::format("at least {} arguments", least)
                                    : fmt::format("{} argument{}", function.max_args,
                                                  function.max_args == 1 ? "" : "s"),
                                call.args.size());
    }
    return rounded_result(function.apply(call));
}

Value Evaluator::cast(DType type, const ast::Arguments& arguments, Span span) {
    if (arguments.items.size() != 1)
        fail<Diag::E0004_count>(span, slab::name(type), "1 argument", arguments.items.size());
    const Value held = array(evaluate(arguments.items[0].value), span,
                             fmt::format("the argument of `{}`", slab::name(type)));
    const Array& source = *held.array();
    spend(static_cast<double>(source.values.size()), span);
    Array result{is_float(type)     ? Kind::real
                 : is_integer(type) ? Kind::integer
                                    : Kind::truth,
                 source.shape,
                 {}};
    result.values.reserve(source.values.size());
    for (const double value : source.values)
        result.values.push_back(source.kind == Kind::integer
                                    ? rounded_integer(type, static_cast<Int>(value))
                                    : rounded(type, value));
    return result;
}

}  // namespace slab::reference
