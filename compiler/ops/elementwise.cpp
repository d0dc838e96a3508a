#include <algorithm>
#include <array>

#include "compiler/ops/op.hpp"

// Operations that work element by element: one line each, with what a vector register costs.
namespace slab::compiler {
namespace {

using schedule::BlockType;
using schedule::Work;

/// Which element types an operation exists for.
enum class Domain { any, numbers, floats, integers, conditions };

struct Elementwise {
    std::string_view name;
    int arity;  ///< 0: two or more
    Domain domain;
    bool gives_condition;
    Work work;  ///< instructions per register
};

// VALU counts are the instructions an in-order vector unit needs: a transcendental is one EUP
// instruction plus the range reduction and fix-up around it; a division is a reciprocal with one
// Newton step.
constexpr Elementwise table[] = {
    {"add", 2, Domain::numbers, false, {.valu = 1}},
    {"sub", 2, Domain::numbers, false, {.valu = 1}},
    {"mul", 2, Domain::numbers, false, {.valu = 1}},
    {"div", 2, Domain::numbers, false, {.valu = 3, .eup = 1}},
    {"mod", 2, Domain::numbers, false, {.valu = 5, .eup = 1}},
    {"min", 0, Domain::numbers, false, {.valu = 1}},
    {"max", 0, Domain::numbers, false, {.valu = 1}},
    {"abs", 1, Domain::numbers, false, {.valu = 1}},
    {"neg", 1, Domain::numbers, false, {.valu = 1}},
    {"not", 1, Domain::conditions, false, {.valu = 1}},
    {"eq", 2, Domain::any, true, {.valu = 1}},
    {"ne", 2, Domain::any, true, {.valu = 1}},
    {"lt", 2, Domain::numbers, true, {.valu = 1}},
    {"le", 2, Domain::numbers, true, {.valu = 1}},
    {"gt", 2, Domain::numbers, true, {.valu = 1}},
    {"ge", 2, Domain::numbers, true, {.valu = 1}},
    {"and", 2, Domain::conditions, false, {.valu = 1}},
    {"or", 2, Domain::conditions, false, {.valu = 1}},
    {"band", 2, Domain::integers, false, {.valu = 1}},
    {"bor", 2, Domain::integers, false, {.valu = 1}},
    {"bxor", 2, Domain::integers, false, {.valu = 1}},
    {"shl", 2, Domain::integers, false, {.valu = 1}},
    {"shr", 2, Domain::integers, false, {.valu = 1}},
    {"exp", 1, Domain::floats, false, {.valu = 1, .eup = 1}},
    {"exp2", 1, Domain::floats, false, {.eup = 1}},
    {"log", 1, Domain::floats, false, {.valu = 1, .eup = 1}},
    {"pow", 2, Domain::floats, false, {.valu = 3, .eup = 2}},
    {"erf", 1, Domain::floats, false, {.valu = 18, .eup = 1}},
    {"tanh", 1, Domain::floats, false, {.eup = 1}},
    {"sigmoid", 1, Domain::floats, false, {.valu = 2, .eup = 1}},
    {"sqrt", 1, Domain::floats, false, {.valu = 3, .eup = 1}},
    {"rsqrt", 1, Domain::floats, false, {.eup = 1}},
    {"recip", 1, Domain::floats, false, {.valu = 2, .eup = 1}},
    {"recip_approx", 1, Domain::floats, false, {.eup = 1}},
    {"floor", 1, Domain::floats, false, {.valu = 1}},
    {"ceil", 1, Domain::floats, false, {.valu = 1}},
    {"round", 1, Domain::floats, false, {.valu = 1}},
    {"clamp", 3, Domain::numbers, false, {.valu = 2}},
};

const Elementwise& row(std::string_view name) {
    return *std::find_if(std::begin(table), std::end(table),
                         [&](const Elementwise& e) { return e.name == name; });
}

bool in_domain(Domain domain, DType type) {
    switch (domain) {
        case Domain::any:
            return true;
        case Domain::numbers:
            return type != DType::pred;
        case Domain::floats:
            return is_float(type);
        case Domain::integers:
            return is_integer(type);
        case Domain::conditions:
            return type == DType::pred;
    }
    return false;
}

/// The VPU computes on 32-bit elements, and on 16-bit ones where the chip packs them; never on
/// narrower ones.
bool check_width(Lowering& lowering, const Call& call, std::string_view spelling, DType type) {
    const arch::ChipSpec& chip = lowering.chip();
    if (type == DType::pred || bits(type) == 32 || (bits(type) == 16 && chip.vpu.native_16bit))
        return true;
    const std::string_view wide = is_float(type) ? "f32" : "i32";
    lowering.diags()
        .add<Diag::E0205>(call.span, fmt::format("`{}`", spelling), name(type), chip.title)
        .because(
            fmt::format("the vector unit computes on 32-bit elements{}; narrower ones are only "
                        "stored, cast, selected and multiplied by `dot`",
                        chip.vpu.native_16bit ? " and on packed 16-bit ones" : ""))
        .fix(fmt::format("{}(…), and {}(…) around the result", wide, name(type)));
    return false;
}

/// A float holds more than an integer, a wide type more than a narrow one.
int rank(DType type) {
    return (is_float(type) ? 100 : 0) + bits(type);
}

/// The one element type of the block arguments; constants and scalars take it.
std::optional<DType> common_type(Lowering& lowering, const Call& call, std::string_view spelling) {
    std::optional<DType> type;
    for (const Value& arg : call.args) {
        const auto block = lowering.block_type(arg);
        if (!block) continue;
        if (type && *type != block->type) {
            lowering.diags()
                .add<Diag::E0102_mixed>(call.span, spelling, name(*type), name(block->type))
                .because("nothing is converted silently")
                .fix(fmt::format("{}(…) around the other",
                                 name(rank(*type) > rank(block->type) ? *type : block->type)));
            return std::nullopt;
        }
        type = block->type;
    }
    return type;
}

/// A literal divisor or amount of a shift that has no meaning.
bool check_divisor(Lowering& lowering, const Call& call) {
    const auto* constant = call.args.size() == 2 ? std::get_if<Constant>(&call.args[1]) : nullptr;
    const std::int64_t* number = constant ? constant->integer() : nullptr;
    const bool integers = number && lowering.block_type(call.args[0]) &&
                          is_integer(lowering.block_type(call.args[0])->type);
    if (!integers) return true;
    if ((call.name == "div" || call.name == "mod") && *number == 0) {
        lowering.diags().add<Diag::E0009_zero>(call.span, lowering.text(call.span));
        return false;
    }
    const int width = bits(lowering.block_type(call.args[0])->type);
    if ((call.name == "shl" || call.name == "shr") && (*number < 0 || *number >= width)) {
        lowering.diags().add<Diag::E0009_shift>(call.span, *number, width - 1);
        return false;
    }
    return true;
}

Value lower_constants(Lowering& lowering, const Call& call) {
    std::vector<Constant> constants;
    for (const Value& arg : call.args) {
        const auto* constant = std::get_if<Constant>(&arg);
        if (!constant) break;
        constants.push_back(*constant);
    }
    if (constants.size() == call.args.size()) {
        const std::size_t errors = lowering.diags().size();
        if (const auto folded = fold_call(call.name, constants, call.span, lowering.diags()))
            return *folded;
        if (lowering.diags().size() != errors) return Invalid{};
    }
    for (std::size_t i = 0; i < call.args.size(); ++i)
        if (!std::holds_alternative<Constant>(call.args[i]) ||
            !std::get<Constant>(call.args[i]).is_number()) {
            auto& message = lowering.diags().add<Diag::E0004_kind>(call.spans[i], "the argument",
                                                                   call.name, "a number or a block",
                                                                   lowering.describe(call.args[i]));
            if (std::holds_alternative<Scalar>(call.args[i]))
                message.because(
                    "the scalar unit adds, multiplies and compares; other functions run on blocks");
            return Invalid{};
        }
    return Invalid{};
}

}  // namespace

Value lower_elementwise(Lowering& lowering, Call& call, std::string_view spelling) {
    const Elementwise& def = row(call.name);
    const bool has_block = std::any_of(call.args.begin(), call.args.end(),
                                       [&](const Value& v) { return lowering.is_block(v); });
    if (!has_block) {
        const bool constant = std::all_of(call.args.begin(), call.args.end(), [](const Value& v) {
            return std::holds_alternative<Constant>(v);
        });
        if (!constant && (def.name == "min" || def.name == "max")) {
            Value result = call.args[0];
            for (std::size_t i = 1; i < call.args.size(); ++i)
                result = lowering.binary(call.name, result, call.args[i], call.span);
            return result;
        }
        if (!constant && def.name == "clamp")
            return lowering.binary("min",
                                   lowering.binary("max", call.args[0], call.args[1], call.span),
                                   call.args[2], call.span);
        if (const auto* scalar = std::get_if<Scalar>(&call.args[0]);
            scalar && def.name == "abs" && scalar->type != schedule::ScalarType::pred)
            return lowering.scalar(schedule::ScalarOp::abs, scalar->type, {scalar->expr},
                                   call.span);
        return lower_constants(lowering, call);
    }
    const auto type = common_type(lowering, call, spelling);
    if (!type) return Invalid{};
    if (!in_domain(def.domain, *type)) {
        auto& message = lowering.diags()
                            .add<Diag::E0205_domain>(call.span, spelling, name(*type))
                            .because(def.domain == Domain::conditions ? "it exists for conditions"
                                     : def.domain == Domain::floats   ? "it exists for floats"
                                     : def.domain == Domain::integers ? "it exists for integers"
                                                                      : "it exists for numbers");
        if (def.domain == Domain::floats)
            message.fix(fmt::format("{}(f32(…))", spelling));
        else if (def.domain == Domain::conditions)
            message.fix("compare first: x != 0");
        else if (def.domain == Domain::numbers)
            message.fix("select(condition, 1, 0) makes a number of a condition");
        return Invalid{};
    }
    if (!check_width(lowering, call, spelling, *type)) return Invalid{};
    std::vector<BlockValue> args;
    for (std::size_t i = 0; i < call.args.size(); ++i) {
        const auto arg = lowering.is_block(call.args[i])
                             ? lowering.block(call.args[i], call.spans[i], std::string(spelling))
                             : lowering.splat(call.args[i], *type, call.spans[i]);
        if (!arg) return Invalid{};
        args.push_back(*arg);
    }
    Work work = def.work;
    if (def.arity == 0) work.valu = static_cast<double>(args.size()) - 1;
    if (!check_divisor(lowering, call)) return Invalid{};
    return lowering.map(call.name, std::move(args), def.gives_condition ? DType::pred : *type, work,
                        call.span, spelling);
}

namespace {
Value lower(Lowering& lowering, Call& call) {
    return lower_elementwise(lowering, call, call.name);
}

Value select_scalar(Lowering& lowering, const Call& call, schedule::ExprId condition) {
    using schedule::ScalarType;
    ScalarType type = ScalarType::i32;
    for (std::size_t i = 2; i > 0; --i) {
        const auto* constant = std::get_if<Constant>(&call.args[i]);
        if (constant && constant->truth()) type = ScalarType::pred;
        if (constant && constant->is_number() && !constant->integer()) type = ScalarType::f32;
    }
    for (std::size_t i = 2; i > 0; --i)
        if (const auto* scalar = std::get_if<Scalar>(&call.args[i])) type = scalar->type;
    const auto a = lowering.as_scalar(call.args[1], type, call.spans[1]);
    const auto b = lowering.as_scalar(call.args[2], type, call.spans[2]);
    if (!a || !b) return Invalid{};
    return lowering.scalar(schedule::ScalarOp::select, type, {condition, *a, *b}, call.span);
}

Value lower_select(Lowering& lowering, Call& call) {
    const auto condition = lowering.block_type(call.args[0]);
    if (const auto* constant = std::get_if<Constant>(&call.args[0]); constant && constant->truth())
        return *constant->truth() ? call.args[1] : call.args[2];
    const auto* scalar = std::get_if<Scalar>(&call.args[0]);
    const bool is_scalar = scalar && scalar->type == schedule::ScalarType::pred;
    if (!is_scalar && (!condition || condition->type != DType::pred)) {
        if (!is_invalid(call.args[0]))
            lowering.diags().add<Diag::E0004_kind>(call.spans[0], "the first argument", "select",
                                                   "a condition or a block of conditions",
                                                   lowering.describe(call.args[0]));
        return Invalid{};
    }
    if (is_scalar && !lowering.is_block(call.args[1]) && !lowering.is_block(call.args[2]))
        return select_scalar(lowering, call, scalar->expr);
    Call values = call;
    values.args.erase(values.args.begin());
    auto type = common_type(lowering, values, "select");
    if (!type && !lowering.is_block(call.args[1]) && !lowering.is_block(call.args[2])) {
        const auto* a = std::get_if<Constant>(&call.args[1]);
        const auto* b = std::get_if<Constant>(&call.args[2]);
        const auto* x = std::get_if<Scalar>(&call.args[1]);
        const auto* y = std::get_if<Scalar>(&call.args[2]);
        static constexpr DType of_scalars[] = {DType::i32, DType::f32, DType::pred};
        if (x || y)
            type = of_scalars[static_cast<int>((x ? x : y)->type)];
        else if (a && b && a->truth() && b->truth())
            type = DType::pred;
        else
            type = a && b && a->integer() && b->integer() ? DType::i32 : DType::f32;
    }
    if (!type) return Invalid{};
    std::vector<BlockValue> args;
    for (std::size_t i = 0; i < 3; ++i) {
        const DType needed = i == 0 ? DType::pred : *type;
        const auto arg = lowering.is_block(call.args[i])
                             ? lowering.block(call.args[i], call.spans[i], "select")
                             : lowering.splat(call.args[i], needed, call.spans[i]);
        if (!arg) return Invalid{};
        args.push_back(*arg);
    }
    return lowering.map("select", std::move(args), *type, {.valu = 1}, call.span, "select");
}

}  // namespace

extern const OpDef op_min{"min", 2, 64, lower}, op_max{"max", 2, 64, lower},
    op_abs{"abs", 1, 1, lower}, op_exp{"exp", 1, 1, lower}, op_exp2{"exp2", 1, 1, lower},
    op_log{"log", 1, 1, lower}, op_pow{"pow", 2, 2, lower}, op_erf{"erf", 1, 1, lower},
    op_tanh{"tanh", 1, 1, lower}, op_sigmoid{"sigmoid", 1, 1, lower}, op_sqrt{"sqrt", 1, 1, lower},
    op_rsqrt{"rsqrt", 1, 1, lower}, op_recip{"recip", 1, 1, lower},
    op_recip_approx{"recip_approx", 1, 1, lower}, op_floor{"floor", 1, 1, lower},
    op_ceil{"ceil", 1, 1, lower}, op_round{"round", 1, 1, lower}, op_clamp{"clamp", 3, 3, lower},
    op_select{"select", 3, 3, lower_select};

}  // namespace slab::compiler
