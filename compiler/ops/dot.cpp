#include <algorithm>
#include <map>

#include "compiler/ops/op.hpp"
#include "support/rounding.hpp"

// dot(x, y, prec: "…"): the matrix units.
namespace slab::compiler {
namespace {

using schedule::BlockType;
using schedule::Op;
using schedule::OpClass;
using Int = std::int64_t;

/// Pairs the chip multiplies, as the user would write them.
std::string native_pairs(const arch::ChipSpec& chip) {
    std::map<DType, std::vector<std::string_view>> partners;
    for (const auto& [lhs, rhs] : chip.mxu.native_pairs) partners[lhs].push_back(name(rhs));
    std::map<std::vector<std::string_view>, std::vector<std::string_view>> groups;
    std::vector<std::vector<std::string_view>> order;
    for (const auto& [lhs, rhs] : partners) {
        auto& members = groups[rhs];
        if (members.empty()) order.push_back(rhs);
        members.push_back(name(lhs));
    }
    std::string text;
    for (const auto& rhs : order)
        text += fmt::format("{}{} by {}", text.empty() ? "" : "; ", fmt::join(groups[rhs], ", "),
                            fmt::join(rhs, ", "));
    return text;
}

bool multiplies_integers(const arch::ChipSpec& chip) {
    return std::any_of(chip.mxu.native_pairs.begin(), chip.mxu.native_pairs.end(),
                       [](const auto& pair) { return is_integer(pair.first); });
}

std::string as_bf16(const std::string& operand, DType type) {
    return type == DType::bf16 ? operand : fmt::format("bf16({})", operand);
}

bool check_native(Lowering& lowering, const Call& call, const BlockType& x, const BlockType& y) {
    const arch::ChipSpec& chip = lowering.chip();
    if (chip.multiplies(x.type, y.type)) return true;
    const bool integers = is_integer(x.type) && is_integer(y.type) && !multiplies_integers(chip);
    const std::string what =
        integers ? "integer" : fmt::format("{} by {}", name(x.type), name(y.type));
    lowering.diags()
        .add<Diag::E0203>(call.span, chip.title, what)
        .label(fmt::format("{} by {}", to_string(x), to_string(y)))
        .because("native pairs here are " + native_pairs(chip))
        .replace(call.span,
                 fmt::format("dot({}, {})", as_bf16(lowering.text(call.spans[0]), x.type),
                             as_bf16(lowering.text(call.spans[1]), y.type)));
    return false;
}

/// `x.T`, where that is the transpose of all of `text`.
std::string transposed(const std::string& text) {
    const bool place = text.find_first_of(" +-*/%()") == std::string::npos;
    return place ? text + ".T" : fmt::format("transpose({})", text);
}

bool check_shapes(Lowering& lowering, const Call& call, const BlockType& x, const BlockType& y) {
    const std::size_t rank = x.shape.size();
    const bool same_batch = rank >= 2 && rank == y.shape.size() &&
                            std::equal(x.shape.begin(), x.shape.end() - 2, y.shape.begin());
    if (!same_batch) {
        lowering.diags().add<Diag::E0103_rank>(call.span, to_string(x.shape), to_string(y.shape));
        return false;
    }
    if (x.shape[rank - 1] == y.shape[rank - 2]) return true;
    auto& message =
        lowering.diags()
            .add<Diag::E0103>(call.span, x.shape[rank - 1], y.shape[rank - 2])
            .label(fmt::format("{} by {}", to_string(x.shape), to_string(y.shape)))
            .because("the last dimension of the left operand meets the second-last of the right");
    if (x.shape[rank - 1] == y.shape[rank - 1])
        message.replace(call.spans[1], transposed(lowering.text(call.spans[1])));
    else if (x.shape[rank - 2] == y.shape[rank - 2])
        message.replace(call.spans[0], transposed(lowering.text(call.spans[0])));
    else if (y.shape[rank - 1] == x.shape[rank - 2])
        message.fix(
            fmt::format("dot({}, {})", lowering.text(call.spans[1]), lowering.text(call.spans[0])));
    return false;
}

/// bf16 passes over the arrays: f32 operands must say how many they are worth.
std::optional<int> passes(Lowering& lowering, Call& call, const BlockType& x, const BlockType& y) {
    std::string precision;
    if (const auto given = call.named.find("prec"); given != call.named.end()) {
        const auto* constant = std::get_if<Constant>(&given->second.first);
        const std::string* word = constant ? constant->text() : nullptr;
        if (!word || !bf16_parts(*word)) {
            lowering.diags().add<Diag::E0004_kind>(given->second.second, "`prec`", "dot",
                                                   dot_precisions,
                                                   lowering.describe(given->second.first));
            return std::nullopt;
        }
        precision = *word;
    }
    if (x.type != DType::f32 && y.type != DType::f32) return 1;
    const arch::MxuSpec& mxu = lowering.chip().mxu;
    if (precision.empty()) {
        const std::string a = lowering.text(call.spans[0]), b = lowering.text(call.spans[1]);
        lowering.diags()
            .add<Diag::E0202>(call.span)
            .because(fmt::format(
                "the matrix units multiply bf16; f32 operands are split into bf16 parts, one pass "
                "per product: 1 for bf16, {} for bf16x3, {} for f32",
                mxu.passes_bf16x3, mxu.passes_f32))
            .replace(call.span, fmt::format(R"(dot({}, {}, prec: "bf16"))", a, b))
            .replace(call.span, fmt::format(R"(dot({}, {}, prec: "bf16x3"))", a, b))
            .replace(call.span, fmt::format(R"(dot({}, {}, prec: "f32"))", a, b));
        return std::nullopt;
    }
    return precision == "f32" ? mxu.passes_f32 : precision == "bf16x3" ? mxu.passes_bf16x3 : 1;
}

Value lower(Lowering& lowering, Call& call) {
    const auto x = lowering.block_type(call.args[0]);
    const auto y = lowering.block_type(call.args[1]);
    auto left = lowering.block(call.args[0], call.spans[0], "dot");
    auto right = lowering.block(call.args[1], call.spans[1], "dot");
    if (!left || !right) return Invalid{};
    const bool shapes = check_shapes(lowering, call, *x, *y);
    const bool native = check_native(lowering, call, *x, *y);
    const auto count = native ? passes(lowering, call, *x, *y) : std::nullopt;
    if (!shapes || !count) return Invalid{};
    const std::size_t rank = x->shape.size();
    BlockType type{is_integer(x->type) ? DType::i32 : DType::f32, x->shape};
    type.shape[rank - 1] = y->shape[rank - 1];
    Op op;
    op.name = "dot";
    op.cls = OpClass::dot;
    op.transposed = right->transposed;  // the arrays load a transposed weight tile as it is
    right->transposed = false;
    op.passes = *count;
    op.args = {lowering.use(*left, call.spans[0]), lowering.use(*right, call.spans[1])};
    double flops = 2 * static_cast<double>(x->shape[rank - 1]);
    for (const Int extent : type.shape) flops *= static_cast<double>(extent);
    lowering.add_flops(flops);
    return lowering.emit(std::move(op), std::move(type), false, call.span);
}

}  // namespace

extern const OpDef op_dot{"dot", 2, 2, lower, {"prec"}};

}  // namespace slab::compiler
