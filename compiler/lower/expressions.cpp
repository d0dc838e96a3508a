#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "compiler/lower/lowering.hpp"
#include "compiler/ops/op.hpp"
#include "compiler/schedule/scalar.hpp"
#include "support/check.hpp"

// What an expression means: constants are folded, scalars become expressions of the scalar unit,
// blocks operations.
namespace slab::compiler {

using schedule::ScalarOp;
using schedule::ScalarType;
namespace ast = dsl::ast;
using Int = std::int64_t;

namespace {

std::optional<ScalarOp> scalar_op(const std::string& op) {
    static const std::map<std::string, ScalarOp> table = {
        {"+", ScalarOp::add},   {"-", ScalarOp::sub},  {"*", ScalarOp::mul},
        {"/", ScalarOp::div},   {"%", ScalarOp::mod},  {"==", ScalarOp::eq},
        {"!=", ScalarOp::ne},   {"<", ScalarOp::lt},   {"<=", ScalarOp::le},
        {">", ScalarOp::gt},    {">=", ScalarOp::ge},  {"and", ScalarOp::land},
        {"or", ScalarOp::lor},  {"&", ScalarOp::band}, {"|", ScalarOp::bor},
        {"^", ScalarOp::bxor},  {"<<", ScalarOp::shl}, {">>", ScalarOp::shr},
        {"min", ScalarOp::min}, {"max", ScalarOp::max}};
    const auto found = table.find(op);
    return found == table.end() ? std::nullopt : std::optional(found->second);
}

bool is_comparison(const std::string& op) {
    return op == "==" || op == "!=" || op == "<" || op == "<=" || op == ">" || op == ">=";
}

}  // namespace

bool Lowering::goes_on(Span span) {
    const Int most_work = unit_.settings.max_expressions;
    constexpr std::size_t most_errors = 100;
    constexpr std::size_t most_blocks = 250;
    if (unit_.work > most_work || diags_.size() > errors_before_ + most_errors) return false;
    const auto too_deep = [&](const char* what, auto most, const char* why) {
        if (!std::exchange(told_deep_, true))
            diags_.add<Diag::E0901_deep>(span, what, most).because(why);
        return false;
    };
    if (nesting_.too_deep())
        return too_deep("expressions, with the calls around them,", nesting_.deepest(),
                        "functions are inlined where they are called");
    if (open_blocks_.size() > most_blocks)
        return too_deep("loops and branches", most_blocks,
                        "each arm of an `if` stands in the one before");
    if (++unit_.work <= most_work) return true;
    diags_.add<Diag::E0901_long>(unit_.kernel.name.span, program_.kernel, most_work)
        .note(span, "reached here")
        .because("functions and `unroll` copy code, which must fit the instruction memory")
        .fix("a `for` loop without `unroll`");
    return false;
}

Value Lowering::eval_place(const ast::Expr& expr) {
    const Nesting::Level level(nesting_);
    if (!goes_on(expr.span())) return Invalid{};
    Value value = eval_known(expr);
    made_invalid_ = made_invalid_ || is_invalid(value);
    return value;
}

Value Lowering::eval(const ast::Expr& expr) {
    Value value = eval_place(expr);
    const auto* memory = std::get_if<Reference>(&value);
    if (memory && space_of(*memory) == schedule::Space::smem && memory->shape().empty())
        return element(*memory, expr.span());
    return value;
}

Value Lowering::eval_known(const ast::Expr& expr) {
    struct Visitor {
        using result_type = Value;
        Lowering& self;
        Value operator()(const ast::Number& n) const { return self.eval_number(n); }
        Value operator()(const ast::Text& t) const { return Constant{t.value}; }
        Value operator()(const ast::Name& n) const { return self.eval_name(n); }
        Value operator()(const ast::List& list) const {
            Constant::List items;
            for (const ast::Expr& item : list.items) {
                const auto value = self.constant(item, "an item of a list");
                if (!value) return Invalid{};
                items.push_back(*value);
            }
            return Constant{std::move(items)};
        }
        Value operator()(const ast::Postfix& p) const { return self.eval_postfix(p); }
        Value operator()(const ast::Unary& u) const { return self.eval_unary(u); }
        Value operator()(const ast::Chain& c) const { return self.eval_chain(c); }
    };
    return boost::apply_visitor(Visitor{*this}, expr);
}

std::optional<Constant> Lowering::constant(const ast::Expr& expr, const std::string& what) {
    const Value value = eval(expr);
    if (const auto* constant = std::get_if<Constant>(&value)) return *constant;
    if (!is_invalid(value))
        diags_.add<Diag::E0008>(expr.span(), what).label("this is " + describe(value));
    return std::nullopt;
}

std::optional<Int> Lowering::integer(const ast::Expr& expr, const std::string& what) {
    const auto value = constant(expr, what);
    if (!value) return std::nullopt;
    if (const Int* number = value->integer()) return *number;
    diags_.add<Diag::E0004_value>(expr.span(), what, "an integer", describe(*value));
    return std::nullopt;
}

std::optional<schedule::ExprId> Lowering::index(const ast::Expr& expr, const std::string& what) {
    return as_index(eval(expr), expr.span(), what);
}

std::optional<schedule::ExprId> Lowering::as_index(const Value& value, Span span,
                                                   const std::string& what) {
    if (const auto* constant = std::get_if<Constant>(&value))
        if (const Int* number = constant->integer()) return narrowed(*number, span);
    if (const auto* scalar = std::get_if<Scalar>(&value))
        if (scalar->type == ScalarType::i32) return scalar->expr;
    if (!is_invalid(value))
        diags_.add<Diag::E0004_value>(span, what, "an integer scalar", describe(value));
    return std::nullopt;
}

std::optional<schedule::ExprId> Lowering::as_scalar(const Value& value, ScalarType type,
                                                    Span span) {
    if (const auto* scalar = std::get_if<Scalar>(&value))
        if (scalar->type == type) return scalar->expr;
    if (const auto* constant = std::get_if<Constant>(&value)) {
        if (type == ScalarType::pred && constant->truth())
            return scalars_.truth(*constant->truth());
        if (type == ScalarType::f32 && constant->is_number())
            return scalars_.real(constant->real());
        if (type == ScalarType::i32 && constant->integer())
            return narrowed(*constant->integer(), span);
    }
    static constexpr const char* names[] = {"i32", "f32", "pred"};
    if (!is_invalid(value))
        diags_.add<Diag::E0102_literal>(span, describe(value), names[static_cast<int>(type)]);
    return std::nullopt;
}

std::optional<schedule::ExprId> Lowering::narrowed(Int value, Span span) {
    if (value == schedule::wrap_i32(value)) return scalars_.constant(value);
    diags_.add<Diag::E0102_literal>(span, std::to_string(value), "i32")
        .because("integers have 32 bits at run time");
    return std::nullopt;
}

Value Lowering::scalar(ScalarOp op, ScalarType type, std::vector<schedule::ExprId> args,
                       Span span) {
    constexpr int most_operations = 500;
    const schedule::ExprId expr = scalars_.make(op, type, std::move(args));
    if (scalars_.depth(expr) < most_operations) return Scalar{expr, type};
    diags_.add<Diag::E0901_deep>(span, "scalar operations", most_operations)
        .fix("a `var` that holds an intermediate value");
    return Invalid{};
}

Value Lowering::eval_number(const ast::Number& number) {
    const std::string& spelling = number.spelling;
    const bool hex = spelling.starts_with("0x");
    if (!hex && spelling.find_first_of(".eE") != std::string::npos) {
        double real = 0;
        const auto parsed =
            std::from_chars(spelling.data(), spelling.data() + spelling.size(), real);
        // too small for a double is zero, too large has no value
        if (parsed.ec != std::errc() && spelling.find('-') == std::string::npos) {
            diags_.add<Diag::E0009_range>(number.span, spelling, "a 64-bit real");
            return Invalid{};
        }
        return Constant{real};
    }
    Int integer = 0;
    const char* begin = spelling.data() + (hex ? 2 : 0);
    const auto [end, error] =
        std::from_chars(begin, spelling.data() + spelling.size(), integer, hex ? 16 : 10);
    if (error != std::errc() || end != spelling.data() + spelling.size()) {
        diags_.add<Diag::E0009_range>(number.span, spelling, "a 64-bit integer");
        return Invalid{};
    }
    return Constant{integer};
}

bool Lowering::refuse_wide_type(const ast::Name& name) {
    static const std::set<std::string> absent = {"f16", "f64", "i64", "u64"};
    if (absent.count(name.text) == 0) return false;
    diags_.add<Diag::E0201>(name.span, name.text, "vectors")
        .fix(name.text[0] == 'f' ? "bf16 or f32" : "i32");
    return true;
}

Value Lowering::eval_name(const ast::Name& name) {
    if (const auto type = dtype_from_name(name.text)) return Constant{*type};
    if (name.text == "inf") return Constant{std::numeric_limits<double>::infinity()};
    if (name.text == "true" || name.text == "false") return Constant{name.text == "true"};
    if (Entry* entry = env_->find(name.text)) return read_entry(*entry, name);
    if (refuse_wide_type(name)) return Invalid{};
    if (name.text == "me") {
        diags_.add<Diag::E0004_place>(name.span, "`me`", "a coordinate of it is a value")
            .fix(program_.mesh.empty() ? "mesh (r: N) before the body, then me.r"
                                       : fmt::format("me.{}", program_.mesh[0].name));
        return Invalid{};
    }
    if (name.text == "none") {
        diags_.add<Diag::E0004_place>(name.span, "`none`",
                                      "it stands for an operand that a launch does not pass");
        return Invalid{};
    }
    if (find_op(name.text) || name.text == "has") {
        diags_
            .add<Diag::E0004_place>(name.span, fmt::format("the function `{}`", name.text),
                                    "a function is not a value")
            .fix(fmt::format("{}(…)", name.text));
        return Invalid{};
    }
    auto& message = diags_.add<Diag::E0002>(name.span, "value", name.text);
    const std::vector<std::string> known = visible_names(false);
    if (const std::string* near = nearest_of(name.text, known)) message.replace(name.span, *near);
    return Invalid{};
}

Value Lowering::read_entry(Entry& entry, const ast::Name& name) {
    const bool is_computed =
        entry.kind == Entry::Kind::variable || std::holds_alternative<BlockValue>(entry.value);
    if (is_computed && entry.where != 0 &&
        std::count(where_open_.begin(), where_open_.end(), entry.where) == 0)
        diags_.add<Diag::E0306_dead>(name.span, name.text)
            .note(entry.declared, "where the condition of the grid holds")
            .because("`first` and `last` run on every step, whatever `where` says")
            .fix(fmt::format("keep `{}` in `scratch`", name.text));
    switch (entry.kind) {
        case Entry::Kind::function:
            diags_
                .add<Diag::E0004_place>(name.span, fmt::format("the function `{}`", name.text),
                                        "a function is not a value")
                .fix(fmt::format("{}(…)", name.text));
            return Invalid{};
        case Entry::Kind::absent:
            diags_.add<Diag::E0204_absent>(name.span, name.text)
                .fix(fmt::format("if has({}) {{ … }}", name.text));
            return Invalid{};
        case Entry::Kind::variable:
            if (entry.slot != schedule::none) {
                note_read(state_of_slot(entry.slot), name.text, entry.declared, name.span);
                return Scalar{scalars_.slot(entry.slot), program_.slots[entry.slot].type};
            }
            if (entry.live >= 0) {
                ++unit_.live[entry.live].uses;
                unit_.live[entry.live].last = statement_;
            }
            if (entry.backing != schedule::none)
                return whole(Reference::Kind::buffer, entry.backing);
            return entry.value;
        case Entry::Kind::value:
            if (entry.live >= 0) {
                ++unit_.live[entry.live].uses;
                unit_.live[entry.live].last = std::max(unit_.live[entry.live].last, statement_);
            }
            return entry.value;
    }
    return Invalid{};
}

Value Lowering::member(const Value& base, const ast::Member& member, Span span) {
    if (is_invalid(base)) return base;
    if (member.name != "T") {
        diags_.add<Diag::E0002>(member.span, "member", member.name)
            .because("the one member of a block is `.T`, its transpose")
            .fix(text({span.begin, member.span.begin}) + ".T");
        return Invalid{};
    }
    const auto type = block_type(base);
    if (!type || type->shape.size() < 2) {
        diags_.add<Diag::E0004_value>(span, "what is transposed", "a block of rank 2 or more",
                                      describe(base));
        return Invalid{};
    }
    Value result = base;
    if (auto* block = std::get_if<BlockValue>(&result)) block->transposed = !block->transposed;
    if (auto* memory = std::get_if<Reference>(&result)) memory->transposed = !memory->transposed;
    return result;
}

Value Lowering::eval_postfix(const ast::Postfix& postfix) {
    Value value;
    std::size_t next = 0;
    const auto* name = boost::get<ast::Name>(&postfix.base.get());
    const auto* arguments = boost::get<ast::Arguments>(&postfix.suffixes[0].get());
    if (name && arguments) {
        value = call(*name, *arguments, {name->span.begin, arguments->span.end});
        next = 1;
    } else if (const auto* coordinate = boost::get<ast::Member>(&postfix.suffixes[0].get());
               coordinate && name && name->text == "me") {
        value = mesh_coordinate(*coordinate, {name->span.begin, coordinate->span.end});
        next = 1;
    } else {
        value = eval_place(postfix.base);
    }
    const std::uint32_t begin = postfix.span.begin;
    for (; next < postfix.suffixes.size() && !is_invalid(value); ++next) {
        const ast::Suffix& suffix = postfix.suffixes[next];
        const Span so_far{begin, suffix.span().end};
        if (const auto* slices = boost::get<ast::Slices>(&suffix.get())) {
            value = slice(value, *slices, so_far);
        } else if (const auto* dot = boost::get<ast::Member>(&suffix.get())) {
            value = member(value, *dot, so_far);
        } else {
            diags_.add<Diag::E0004_no_call>(so_far, text({begin, suffix.span().begin}),
                                            describe(value));
            return Invalid{};
        }
    }
    return value;
}

Value Lowering::eval_unary(const ast::Unary& unary) {
    const Value operand = eval(unary.operand);
    if (is_invalid(operand)) return operand;
    if (unary.op == "-") {
        if (const auto* constant = std::get_if<Constant>(&operand);
            constant && constant->is_number() && !constant->integer())
            return Constant{-constant->real()};
        if (is_block(operand)) {
            Call call{"neg", unary.span, {operand}, {unary.operand.span()}, {}};
            return lower_elementwise(*this, call, "-");
        }
        const auto* number = std::get_if<Constant>(&operand);
        const auto* scalar = std::get_if<Scalar>(&operand);
        if ((number && number->integer()) || (scalar && scalar->type != ScalarType::pred))
            return binary("-", Constant{Int{0}}, operand, unary.span);
        diags_.add<Diag::E0004_kind>(unary.span, "the operand", "-", "a number or a block",
                                     describe(operand));
        return Invalid{};
    }
    if (const auto* constant = std::get_if<Constant>(&operand); constant && constant->truth())
        return Constant{!*constant->truth()};
    if (const auto* scalar = std::get_if<Scalar>(&operand);
        scalar && scalar->type == ScalarType::pred)
        return this->scalar(ScalarOp::lnot, ScalarType::pred, {scalar->expr}, unary.span);
    if (const auto type = block_type(operand); type && type->type == DType::pred) {
        Call call{"not", unary.span, {operand}, {unary.operand.span()}, {}};
        return lower_elementwise(*this, call, "not");
    }
    diags_.add<Diag::E0004_kind>(unary.span, "the operand", "not", "a condition",
                                 describe(operand));
    return Invalid{};
}

Value Lowering::eval_chain(const ast::Chain& chain) {
    Value value = eval(chain.first);
    // spans of links reach to the bracket that closes an operand
    Span so_far = chain.first.span();
    for (const ast::Link& link : chain.rest) {
        const Value right = eval(link.operand);
        if (exact_division_ && link.op == "/" &&
            !divides(so_far, value, right, link.operand.span()))
            return Invalid{};
        so_far = {chain.span.begin, link.span.end};
        value = binary(link.op, value, right, so_far);
    }
    return value;
}

Value Lowering::binary(const std::string& op, const Value& a, const Value& b, Span span) {
    if (is_invalid(a) || is_invalid(b)) return Invalid{};
    const auto* left = std::get_if<Constant>(&a);
    const auto* right = std::get_if<Constant>(&b);
    if (left && right) {
        const std::size_t errors = diags_.size();
        const auto folded = op == "min" || op == "max"
                                ? fold_call(op, {*left, *right}, span, diags_)
                                : fold(op, *left, *right, span, diags_);
        if (folded) return *folded;
        if (diags_.size() == errors)
            diags_.add<Diag::E0102_operator>(span, op, describe(a), describe(b));
        return Invalid{};
    }
    const auto is_operand = [this](const Value& value) {
        return is_block(value) || std::holds_alternative<Scalar>(value) ||
               std::holds_alternative<Constant>(value);
    };
    if (!is_operand(a) || !is_operand(b)) {
        diags_.add<Diag::E0102_operator>(span, op, describe(a), describe(b));
        return Invalid{};
    }
    if (is_block(a) || is_block(b)) return block_binary(op, a, b, span);
    return scalar_binary(op, a, b, span);
}

Value Lowering::scalar_binary(const std::string& op, const Value& a, const Value& b, Span span) {
    const auto* left = std::get_if<Scalar>(&a);
    const auto* right = std::get_if<Scalar>(&b);
    const ScalarType type = left ? left->type : right->type;
    const bool logical = op == "and" || op == "or";
    const bool equality = op == "==" || op == "!=";
    const bool bitwise = op == "&" || op == "|" || op == "^" || op == "<<" || op == ">>";
    if (logical != (type == ScalarType::pred && !equality) ||
        (bitwise && type != ScalarType::i32)) {
        diags_.add<Diag::E0102_operator>(span, op, describe(a), describe(b));
        return Invalid{};
    }
    const auto mixed = [&] {
        auto& message = diags_.add<Diag::E0102_mixed>(span, op, describe(a), describe(b));
        if (left && right && type != ScalarType::pred && right->type != ScalarType::pred)
            message.fix("f32(…) or i32(…) around one of them");
        return std::nullopt;
    };
    const auto operand = [&](const Value& value) -> std::optional<schedule::ExprId> {
        if (const auto* scalar = std::get_if<Scalar>(&value)) {
            if (scalar->type != type) return mixed();
            return scalar->expr;
        }
        const auto& constant = std::get<Constant>(value);
        const bool suits = type == ScalarType::pred  ? constant.truth() != nullptr
                           : type == ScalarType::f32 ? constant.is_number()
                                                     : constant.integer() != nullptr;
        if (!suits) return mixed();
        return as_scalar(value, type, span);
    };
    const auto x = operand(a);
    const auto y = x ? operand(b) : std::nullopt;
    if (!x || !y) return Invalid{};
    const auto known = scalars_.known(*y);
    if (type == ScalarType::i32 && (op == "/" || op == "%") && known == 0) {
        diags_.add<Diag::E0009_zero>(span, text(span));
        return Invalid{};
    }
    if ((op == "<<" || op == ">>") && known && (*known < 0 || *known > 31)) {
        diags_.add<Diag::E0009_shift>(span, *known, 31);
        return Invalid{};
    }
    return scalar(*scalar_op(op), is_comparison(op) ? ScalarType::pred : type, {*x, *y}, span);
}

Value Lowering::block_binary(const std::string& op, const Value& a, const Value& b, Span span) {
    static const std::map<std::string, std::string> names = {
        {"+", "add"}, {"-", "sub"},  {"*", "mul"}, {"/", "div"},  {"%", "mod"},  {"==", "eq"},
        {"!=", "ne"}, {"<", "lt"},   {"<=", "le"}, {">", "gt"},   {">=", "ge"},  {"and", "and"},
        {"or", "or"}, {"&", "band"}, {"|", "bor"}, {"^", "bxor"}, {"<<", "shl"}, {">>", "shr"}};
    Call built_in;
    built_in.name = names.at(op);
    built_in.span = span;
    built_in.args = {a, b};
    built_in.spans = {span, span};
    return lower_elementwise(*this, built_in, op);
}

}  // namespace slab::compiler
