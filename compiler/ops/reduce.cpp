#include "compiler/ops/op.hpp"

// Reductions: along lanes on the XLU, along sublanes and leading dimensions on the VPU.
namespace slab::compiler {
namespace {

using schedule::BlockType;
using schedule::Op;
using schedule::OpClass;
using Int = std::int64_t;

std::optional<BlockValue> operand(Lowering& lowering, Call& call, std::size_t rank) {
    const auto source = lowering.block(call.args[0], call.spans[0], call.name);
    if (!source) return std::nullopt;
    const BlockType type = *lowering.block_type(*source);
    const bool summable = type.type == DType::f32 || type.type == DType::i32 ||
                          (type.type == DType::bf16 && lowering.chip().vpu.native_16bit);
    if (!summable) {
        lowering.diags()
            .add<Diag::E0205_domain>(call.span, call.name, name(type.type))
            .because(
                "reductions combine f32 and i32 elements, and bf16 where the chip computes on it")
            .fix(fmt::format("{}(f32({}))", call.name, lowering.text(call.spans[0])));
        return std::nullopt;
    }
    if (type.shape.size() < rank) {
        lowering.diags().add<Diag::E0004_kind>(call.spans[0], "the argument", call.name,
                                               fmt::format("a block of rank {} or more", rank),
                                               to_string(type));
        return std::nullopt;
    }
    return source;
}

/// One XLU instruction folds the lanes of a register into all lanes; registers of a row group are
/// combined first.
Value lower_rows(Lowering& lowering, Call& call) {
    const auto source = operand(lowering, call, 1);
    if (!source) return Invalid{};
    BlockType type = *lowering.block_type(*source);
    Op op;
    op.name = call.name;
    op.cls = OpClass::reduce_lanes;
    op.args = {lowering.use(*source, call.spans[0])};
    const BlockType wide{DType::f32, type.shape};
    const double groups = lowering.row_groups(type.shape);
    op.work.valu = std::max(0.0, lowering.registers(wide) - groups);
    const Int lanes = lowering.chip().vpu.lanes;
    if (type.shape.back() % lanes != 0)
        op.work.valu += groups;  // the lanes past the end are masked
    op.work.xlu = groups;
    if (call.name == "argmax") {
        op.work.valu = 3 * lowering.registers(wide);
        op.work.xlu = 2 * groups;
        type.type = DType::i32;
    }
    type.shape.back() = 1;
    return lowering.emit(std::move(op), std::move(type), true, call.span);
}

Value lower_columns(Lowering& lowering, Call& call) {
    const auto source = operand(lowering, call, 2);
    if (!source) return Invalid{};
    BlockType type = *lowering.block_type(*source);
    Op op;
    op.name = call.name;
    op.cls = OpClass::reduce_sublanes;
    op.args = {lowering.use(*source, call.spans[0])};
    const double all = lowering.registers({DType::f32, type.shape});
    type.shape[type.shape.size() - 2] = 1;
    const double columns = lowering.registers({DType::f32, type.shape});
    op.work.valu =
        all - columns + 6 * columns;  // then three rotate-and-combine steps over 8 sublanes
    return lowering.emit(std::move(op), std::move(type), false, call.span);
}

Value lower_fold(Lowering& lowering, Call& call) {
    const auto* word = std::get_if<Constant>(&call.args[0]);
    const auto* axis = std::get_if<Constant>(&call.args[2]);
    const std::string kind = word && word->text() ? *word->text() : "";
    if (kind != "add" && kind != "mul" && kind != "max" && kind != "min") {
        lowering.diags().add<Diag::E0004_kind>(call.spans[0], "the operation", "fold",
                                               "add, mul, max or min",
                                               lowering.describe(call.args[0]));
        return Invalid{};
    }
    Call rest = call;
    rest.args = {call.args[1]};
    rest.spans = {call.spans[1]};
    const auto source = operand(lowering, rest, 3);
    if (!source) return Invalid{};
    BlockType type = *lowering.block_type(*source);
    const Int leading = static_cast<Int>(type.shape.size()) - 2;
    if (!axis || !axis->integer() || *axis->integer() < 0 || *axis->integer() >= leading) {
        lowering.diags().add<Diag::E0004_kind>(
            call.spans[2], "the axis", "fold",
            fmt::format("a leading dimension, 0 to {}", leading - 1),
            lowering.describe(call.args[2]));
        return Invalid{};
    }
    Op op;
    op.name = "fold_" + kind;
    op.cls = OpClass::reduce_outer;
    op.args = {lowering.use(*source, call.spans[1])};
    op.integers = {*axis->integer()};
    const double all = lowering.registers(type);
    type.shape.erase(type.shape.begin() + *axis->integer());
    op.work.valu = all - lowering.registers(type);
    return lowering.emit(std::move(op), std::move(type), false, call.span);
}

}  // namespace

extern const OpDef op_rowmax{"rowmax", 1, 1, lower_rows}, op_rowmin{"rowmin", 1, 1, lower_rows},
    op_rowsum{"rowsum", 1, 1, lower_rows}, op_argmax{"argmax", 1, 1, lower_rows},
    op_colmax{"colmax", 1, 1, lower_columns}, op_colmin{"colmin", 1, 1, lower_columns},
    op_colsum{"colsum", 1, 1, lower_columns}, op_fold{"fold", 3, 3, lower_fold};

}  // namespace slab::compiler
