#include <algorithm>
#include <numeric>

#include "compiler/ops/op.hpp"

// Operations that make or move elements without computing on them.
namespace slab::compiler {
namespace {

using schedule::BlockType;
using schedule::Op;
using schedule::OpClass;
using Int = std::int64_t;
using Shape = std::vector<Int>;

double elements(const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), 1.0, [](double product, Int size) {
        return product * static_cast<double>(size);
    });
}

Invalid wrong(Lowering& lowering, const Call& call, std::size_t arg, const std::string& what,
              const std::string& needed) {
    if (!is_invalid(call.args[arg]))
        lowering.diags().add<Diag::E0004_kind>(call.spans[arg], what, call.name, needed,
                                               lowering.describe(call.args[arg]));
    return {};
}

std::optional<Int> constant_integer(const Value& value) {
    const auto* constant = std::get_if<Constant>(&value);
    if (!constant || !constant->integer()) return std::nullopt;
    return *constant->integer();
}

/// A list of positive integers of at most six entries, such as a shape.
std::optional<Shape> constant_shape(const Value& value) {
    const auto* constant = std::get_if<Constant>(&value);
    if (!constant || !constant->list() || constant->list()->empty() || constant->list()->size() > 6)
        return std::nullopt;
    Shape shape;
    Int total = 1;
    for (const Constant& item : *constant->list()) {
        if (!item.integer() || *item.integer() < 0) return std::nullopt;
        shape.push_back(*item.integer());
        if (__builtin_mul_overflow(total, std::max<Int>(1, shape.back()), &total) ||
            total > (Int{1} << 34))
            return std::nullopt;
    }
    return shape;
}

std::optional<Int> axis_of(Lowering& lowering, Call& call, std::size_t arg, std::size_t rank) {
    const auto axis = constant_integer(call.args[arg]);
    if (axis && *axis >= 0 && *axis < static_cast<Int>(rank)) return axis;
    wrong(lowering, call, arg, "the axis", fmt::format("a constant from 0 to {}", rank - 1));
    return std::nullopt;
}

Op moved(const std::string& name, std::vector<schedule::ValueId> args, double xlu,
         double valu = 0) {
    Op op;
    op.name = name;
    op.cls = OpClass::move;
    op.args = std::move(args);
    op.work.xlu = xlu;
    op.work.valu = valu;
    return op;
}

Value lower_iota(Lowering& lowering, Call& call) {
    const auto shape = constant_shape(call.args[0]);
    if (!shape || std::count(shape->begin(), shape->end(), 0))
        return wrong(lowering, call, 0, "the shape",
                     "a list of one to six constant sizes, such as [8, 128]");
    const auto axis = axis_of(lowering, call, 1, shape->size());
    if (!axis) return Invalid{};
    Op op;
    op.name = "iota";
    op.cls = OpClass::source;
    op.integers = {*axis};
    const bool uniform = *axis + 1 < static_cast<Int>(shape->size());
    BlockType type{DType::i32, *shape};
    op.work.valu = lowering.registers(type, uniform);
    return lowering.emit(std::move(op), std::move(type), uniform, call.span);
}

/// Only folding leading dimensions into the second-minor one, or splitting them off again, leaves
/// every element in its lane; so does adding or dropping dimensions of size 1 in front.
bool keeps_lanes(const Lowering& lowering, const BlockType& from, const Shape& to) {
    const Int rows = 32 / bits(from.type) * lowering.chip().vpu.sublanes;
    if (from.shape.back() != to.back()) return false;
    const Int a = from.shape.size() >= 2 ? from.shape[from.shape.size() - 2] : 1;
    const Int b = to.size() >= 2 ? to[to.size() - 2] : 1;
    return a == b || (a % rows == 0 && b % rows == 0);
}

/// A view of memory needs its elements to stand still: no run-time length, not transposed.
const Reference* viewed(Lowering& lowering, const Call& call, std::size_t arg) {
    const auto* memory = std::get_if<Reference>(&call.args[arg]);
    if (!memory) return nullptr;
    const bool has_live = std::any_of(memory->dims.begin(), memory->dims.end(),
                                      [](const auto& dim) { return dim.live != schedule::none; });
    if (has_live || memory->transposed || memory->dims.empty() || memory->shape().empty()) {
        lowering.diags()
            .add<Diag::E0004_place>(call.spans[arg],
                                    memory->transposed ? "a transpose"
                                    : has_live         ? "a run-time length"
                                                       : "one element",
                                    fmt::format("`{}` sees a memory as it lies", call.name))
            .fix("the view first, then the slice of it");
        return nullptr;
    }
    return memory;
}

bool reshapes(Lowering& lowering, const Call& call, const BlockType& from, const Shape& to) {
    if (elements(from.shape) != elements(to)) {
        lowering.diags()
            .add<Diag::E0101_elements>(call.span, to_string(from.shape), to_string(to),
                                       elements(from.shape), elements(to))
            .because("a reshape keeps every element");
        return false;
    }
    if (from.shape.back() == to.back()) return true;
    lowering.diags()
        .add<Diag::E0502>(call.span, to_string(from.shape), to_string(to))
        .because(
            "the last dimension lies along the 128 lanes; a reshape may fold or split the "
            "dimensions before it")
        .fix(fmt::format("keep {} as the last dimension, or transpose first", from.shape.back()));
    return false;
}

Value lower_shape(Lowering& lowering, Call& call) {
    const auto shape = constant_shape(call.args[1]);
    if (!shape) return wrong(lowering, call, 1, "the shape", "a list of one to six constant sizes");
    if (!std::holds_alternative<Reference>(call.args[0]))
        return find_op("reshape")->lower(lowering, call);
    const Reference* memory = viewed(lowering, call, 0);
    if (!memory || !reshapes(lowering, call, {memory->type, memory->shape()}, *shape))
        return Invalid{};
    return lowering.view(*memory, {memory->type, {}, *shape, {}});
}

Value lower_permute(Lowering& lowering, Call& call) {
    if (!std::holds_alternative<Reference>(call.args[0])) {
        call.name = "transpose";
        return find_op("transpose")->lower(lowering, call);
    }
    const Reference* memory = viewed(lowering, call, 0);
    if (!memory) return Invalid{};
    const Shape from = memory->shape();
    const auto order = constant_shape(call.args[1]);
    Shape sorted = order.value_or(Shape{});
    std::sort(sorted.begin(), sorted.end());
    bool fits = sorted.size() == from.size();
    for (std::size_t i = 0; i < sorted.size() && fits; ++i) fits = sorted[i] == static_cast<Int>(i);
    const Int rank = static_cast<Int>(from.size());
    for (Int i = std::max<Int>(rank - 2, 0); i < rank && fits; ++i)
        fits = (*order)[static_cast<std::size_t>(i)] == i;
    if (!fits)
        return wrong(lowering, call, 1, "the order",
                     fmt::format("the numbers 0 to {} once each, the last two (rows and lanes) in "
                                 "their places",
                                 rank - 1));
    schedule::View seen{memory->type, {}, {}, {}};
    for (const Int d : *order) {
        seen.order.push_back(static_cast<std::int32_t>(d));
        seen.shape.push_back(from[static_cast<std::size_t>(d)]);
    }
    return lowering.view(*memory, std::move(seen));
}

Value lower_reshape(Lowering& lowering, Call& call) {
    const auto source = lowering.block(call.args[0], call.spans[0], "reshape");
    const auto shape = constant_shape(call.args[1]);
    if (!source) return Invalid{};
    if (!shape) return wrong(lowering, call, 1, "the shape", "a list of one to six constant sizes");
    const BlockType from = *lowering.block_type(*source);
    if (!reshapes(lowering, call, from, *shape)) return Invalid{};
    const BlockType type{from.type, *shape};
    const double relayout = keeps_lanes(lowering, from, *shape)
                                ? 0
                                : lowering.registers(from) + lowering.registers(type);
    Op op = moved("reshape", {lowering.use(*source, call.spans[0])}, 0, relayout);
    const bool uniform = lowering.info(*source).lane_uniform && !source->transposed;
    return lowering.emit(std::move(op), type, uniform, call.span);
}

Value lower_transpose(Lowering& lowering, Call& call) {
    const auto source = lowering.block(call.args[0], call.spans[0], "transpose");
    if (!source) return Invalid{};
    const BlockType from = *lowering.block_type(*source);
    const Int rank = static_cast<Int>(from.shape.size());
    if (rank < 2) return wrong(lowering, call, 0, "the argument", "a block of rank 2 or more");
    if (call.args.size() == 1) return BlockValue{source->id, !source->transposed};
    const auto order = constant_shape(call.args[1]);
    Shape sorted = order.value_or(Shape{});
    std::sort(sorted.begin(), sorted.end());
    Shape expected(rank);
    std::iota(expected.begin(), expected.end(), Int{0});
    if (sorted != expected)
        return wrong(lowering, call, 1, "the order",
                     fmt::format("the dimensions 0 to {}, each once", rank - 1));
    BlockType type{from.type, Shape(rank)};
    for (Int i = 0; i < rank; ++i) type.shape[i] = from.shape[(*order)[i]];
    const bool minor_moves = (*order)[rank - 1] != rank - 1;
    const bool rows_move = (*order)[rank - 2] != rank - 2;
    // leading dimensions are addresses; rows are gathered by the VPU, lanes by the XLU
    Op op = moved("transpose", {lowering.use(*source, call.spans[0])},
                  minor_moves ? std::max(lowering.registers(from), lowering.registers(type)) : 0,
                  rows_move && !minor_moves ? 2 * lowering.registers(type) : 0);
    op.integers = *order;
    return lowering.emit(std::move(op), type, false, call.span);
}

/// Blocks joined along an axis, or along a new first one.
Value lower_join(Lowering& lowering, Call& call) {
    const bool stacks = call.name == "stack";
    const std::size_t parts = stacks ? call.args.size() : call.args.size() - 1;
    std::vector<BlockValue> blocks;
    std::optional<BlockType> first;
    for (std::size_t i = 0; i < parts; ++i) {
        const auto part = lowering.block(call.args[i], call.spans[i], call.name);
        if (!part) return Invalid{};
        blocks.push_back(*part);
        const BlockType type = *lowering.block_type(*part);
        if (!first) first = type;
        if (type.type != first->type || type.shape.size() != first->shape.size()) {
            lowering.diags().add<Diag::E0101_shapes>(call.span, call.name, to_string(*first),
                                                     to_string(type));
            return Invalid{};
        }
    }
    Int axis = 0;
    if (!stacks) {
        const auto given = axis_of(lowering, call, parts, first->shape.size());
        if (!given) return Invalid{};
        axis = *given;
    }
    BlockType type = *first;
    if (stacks)
        type.shape.insert(type.shape.begin(), static_cast<Int>(parts));
    else
        type.shape[axis] = 0;
    bool aligned = true;
    const Int rank = static_cast<Int>(first->shape.size());
    const Int granule = axis == rank - 1   ? lowering.chip().vpu.lanes
                        : axis == rank - 2 ? 32 / bits(first->type) * lowering.chip().vpu.sublanes
                                           : 1;
    Op op = moved(call.name, {}, 0);
    for (std::size_t i = 0; i < parts; ++i) {
        const BlockType part = *lowering.block_type(blocks[i]);
        for (Int d = 0; d < rank; ++d)
            if ((stacks || d != axis) && part.shape[d] != first->shape[d]) {
                lowering.diags().add<Diag::E0101_shapes>(call.span, call.name, to_string(*first),
                                                         to_string(part));
                return Invalid{};
            }
        if (!stacks) {
            aligned = aligned && type.shape[axis] % granule == 0;
            type.shape[axis] += part.shape[axis];
        }
        op.args.push_back(lowering.use(blocks[i], call.spans[i]));
    }
    op.integers = {axis};
    if (!stacks && !aligned) {
        // pieces that start inside a tile are rotated into place
        (axis == rank - 1 ? op.work.xlu : op.work.valu) += lowering.registers(type);
        op.work.valu += lowering.registers(type);
    }
    return lowering.emit(std::move(op), type, false, call.span);
}

Value lower_repeat(Lowering& lowering, Call& call) {
    const auto source = lowering.block(call.args[0], call.spans[0], "repeat");
    if (!source) return Invalid{};
    BlockType type = *lowering.block_type(*source);
    const auto count = constant_integer(call.args[1]);
    if (!count || *count < 1 || *count > 65536)
        return wrong(lowering, call, 1, "the number of copies", "a constant from 1 to 65536");
    const auto axis = axis_of(lowering, call, 2, type.shape.size());
    if (!axis) return Invalid{};
    const Int rank = static_cast<Int>(type.shape.size());
    const Int lanes = lowering.chip().vpu.lanes;
    const bool shifts = *axis == rank - 1 ? type.shape.back() % lanes != 0
                        : *axis == rank - 2
                            ? type.shape[rank - 2] % lowering.chip().vpu.sublanes != 0
                            : false;
    constexpr Int most = Int{1} << 40;  // more is refused as a block anyway
    type.shape[*axis] = std::min(most, type.shape[*axis] * *count);
    Op op = moved("repeat", {lowering.use(*source, call.spans[0])},
                  shifts ? lowering.registers(type) : 0);
    op.integers = {*count, *axis};
    return lowering.emit(std::move(op), type, false, call.span);
}

Value lower_roll(Lowering& lowering, Call& call) {
    const auto source = lowering.block(call.args[0], call.spans[0], "roll");
    if (!source) return Invalid{};
    const BlockType type = *lowering.block_type(*source);
    const auto amount = lowering.as_index(call.args[1], call.spans[1], "the amount");
    const auto axis = axis_of(lowering, call, 2, type.shape.size());
    if (!axis || !amount) return Invalid{};
    const Int rank = static_cast<Int>(type.shape.size());
    const double count = lowering.registers(type);
    Op op = moved("roll", {lowering.use(*source, call.spans[0])}, *axis == rank - 1 ? count : 0,
                  *axis == rank - 1   ? count
                  : *axis == rank - 2 ? 2 * count
                                      : 0);
    op.scalars = {*amount};
    op.integers = {*axis};
    return lowering.emit(std::move(op), type, false, call.span);
}

Value lower_take_along(Lowering& lowering, Call& call) {
    const auto source = lowering.block(call.args[0], call.spans[0], "take_along");
    const auto indices = lowering.block(call.args[1], call.spans[1], "take_along");
    if (!source || !indices) return Invalid{};
    const BlockType from = *lowering.block_type(*source);
    const BlockType picked = *lowering.block_type(*indices);
    if (picked.type != DType::i32 || picked.shape.size() != from.shape.size())
        return wrong(lowering, call, 1, "the indices",
                     fmt::format("i32 of rank {}", from.shape.size()));
    const auto axis = axis_of(lowering, call, 2, from.shape.size());
    if (!axis) return Invalid{};
    for (Int d = 0; d < static_cast<Int>(from.shape.size()); ++d)
        if (d != *axis && picked.shape[d] != from.shape[d]) {
            lowering.diags()
                .add<Diag::E0101_shapes>(call.span, call.name, to_string(from.shape),
                                         to_string(picked.shape))
                .because(fmt::format("all dimensions but {} must be equal", *axis));
            return Invalid{};
        }
    const BlockType type{from.type, picked.shape};
    // a dynamic gather inside a register is one XLU instruction; every source register along the
    // axis is tried
    const Int span =
        std::max<Int>(1, from.shape[*axis] / (*axis + 1 == static_cast<Int>(from.shape.size())
                                                  ? lowering.chip().vpu.lanes
                                                  : lowering.chip().vpu.sublanes));
    const double tries = lowering.registers(type) * static_cast<double>(span);
    Op op = moved("take_along",
                  {lowering.use(*source, call.spans[0]), lowering.use(*indices, call.spans[1])},
                  tries, tries);
    op.integers = {*axis};
    return lowering.emit(std::move(op), type, false, call.span);
}

/// The same bits as another type; a change of width folds into, or splits, the second-minor
/// dimension.
Value lower_bits(Lowering& lowering, Call& call) {
    const auto* word = std::get_if<Constant>(&call.args[0]);
    if (!word || !word->dtype()) return wrong(lowering, call, 0, "the type", "an element type");
    const bool is_memory = std::holds_alternative<Reference>(call.args[1]);
    const Reference* memory = is_memory ? viewed(lowering, call, 1) : nullptr;
    const auto source =
        is_memory ? std::nullopt : lowering.block(call.args[1], call.spans[1], "bits");
    if (!memory && !source) return Invalid{};
    BlockType type = *lowering.block_type(call.args[1]);
    if (type.type == DType::pred || *word->dtype() == DType::pred)
        return wrong(lowering, call, type.type == DType::pred ? 1 : 0, "the type",
                     "an element type of numbers");
    const int from = bits(type.type), to = bits(*word->dtype());
    type.type = *word->dtype();
    if (from != to) {
        const std::size_t rank = type.shape.size();
        if (rank < 2 || type.shape[rank - 2] * from % to != 0)
            return wrong(lowering, call, 1, "the block",
                         fmt::format("of rank 2 or more with rows that fill {}-bit elements", to));
        type.shape[rank - 2] = type.shape[rank - 2] * from / to;
    }
    if (memory) return lowering.view(*memory, {type.type, {}, type.shape, {}});
    Op op = moved("bits", {lowering.use(*source, call.spans[1])}, 0);
    return lowering.emit(std::move(op), type, false, call.span);
}

Value lower_cdiv(Lowering& lowering, Call& call) {
    const auto* a = std::get_if<Constant>(&call.args[0]);
    const auto* b = std::get_if<Constant>(&call.args[1]);
    for (std::size_t i = 0; i < 2; ++i) {
        const auto* constant = std::get_if<Constant>(&call.args[i]);
        const auto* scalar = std::get_if<Scalar>(&call.args[i]);
        const bool integer = constant ? constant->integer() != nullptr
                                      : scalar && scalar->type == schedule::ScalarType::i32;
        if (!integer) return wrong(lowering, call, i, "the argument", "an integer scalar");
    }
    if (a && b) {
        if (const auto folded = fold_call("cdiv", {*a, *b}, call.span, lowering.diags()))
            return *folded;
        return Invalid{};
    }
    const Value padded =
        lowering.binary("+", call.args[0],
                        lowering.binary("-", call.args[1], Constant{Int{1}}, call.span), call.span);
    return lowering.binary("/", padded, call.args[1], call.span);
}

Value lower_aligned(Lowering& lowering, Call& call) {
    const auto value = lowering.as_index(call.args[0], call.spans[0], "what is `aligned`");
    const auto multiple = constant_integer(call.args[1]);
    if (!multiple || *multiple < 1 || *multiple >= (Int{1} << 31))
        return wrong(lowering, call, 1, "the multiple", "a constant from 1 to 2147483647");
    if (!value) return Invalid{};
    if (const auto known = lowering.scalars().known(*value)) {
        if (*known % *multiple != 0)
            return wrong(lowering, call, 0, "the value",
                         fmt::format("a multiple of {}", *multiple));
        return call.args[0];
    }
    return lowering.scalar(schedule::ScalarOp::aligned, schedule::ScalarType::i32,
                           {*value, lowering.scalars().constant(*multiple)}, call.span);
}

}  // namespace

extern const OpDef op_iota{"iota", 2, 2, lower_iota}, op_reshape{"reshape", 2, 2, lower_reshape},
    op_transpose{"transpose", 1, 2, lower_transpose}, op_concat{"concat", 2, 65, lower_join},
    op_stack{"stack", 1, 64, lower_join}, op_repeat{"repeat", 3, 3, lower_repeat},
    op_roll{"roll", 3, 3, lower_roll}, op_take_along{"take_along", 3, 3, lower_take_along},
    op_shape{"shape", 2, 2, lower_shape}, op_permute{"permute", 2, 2, lower_permute},
    op_bits{"bits", 2, 2, lower_bits}, op_cdiv{"cdiv", 2, 2, lower_cdiv},
    op_aligned{"aligned", 2, 2, lower_aligned};

}  // namespace slab::compiler
