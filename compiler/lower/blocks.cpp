#include <algorithm>

#include "compiler/lower/lowering.hpp"
#include "compiler/schedule/layout.hpp"
#include "compiler/schedule/walker.hpp"
#include "support/check.hpp"

// Vector code: loads, operations and stores of the region being built.
namespace slab::compiler {

using schedule::BlockType;
using schedule::BufferId;
using schedule::none;
using schedule::Op;
using schedule::OpClass;
using schedule::ValueId;
using schedule::Work;
using Int = std::int64_t;
using Shape = std::vector<Int>;

namespace {

/// In floating point: what is too large for any chip is counted before it is refused.
double product(const Shape& shape, std::size_t dims) {
    double result = 1;
    for (std::size_t i = 0; i < dims; ++i) result *= static_cast<double>(shape[i]);
    return result;
}

constexpr double most_elements = 0x1p34;

/// Smallest and largest value of an integer type.
std::pair<Int, Int> limits_of(DType type) {
    const int width = bits(type);
    const bool is_signed =
        type == DType::i32 || type == DType::i16 || type == DType::i8 || type == DType::i4;
    return is_signed ? std::pair{-(Int{1} << (width - 1)), (Int{1} << (width - 1)) - 1}
                     : std::pair{Int{0}, (Int{1} << width) - 1};
}

bool holds(DType type, Int value) {
    const auto [least, most] = limits_of(type);
    return value >= least && value <= most;
}

Int last(const Shape& shape) {
    return shape.empty() ? 1 : shape.back();
}

void exchange_last(Shape& shape) {
    if (shape.size() >= 2) std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
}

std::string key(const std::vector<schedule::RefDim>& dims) {
    std::string text;
    for (const schedule::RefDim& dim : dims)
        text +=
            fmt::format("{},{},{},{},{};", dim.start, dim.live, dim.size, dim.step, dim.dropped);
    return text;
}

std::string key(const schedule::MemoryRef& ref) {
    std::string text = fmt::format("{}:{}:{}", ref.buffer, ref.copy, key(ref.dims));
    for (const schedule::View& view : ref.views)
        text += fmt::format("{}({})[{}]{}", name(view.type), fmt::join(view.order, ","),
                            fmt::join(view.shape, ","), key(view.dims));
    return text;
}

}  // namespace

std::string to_string(const Shape& shape) {
    return fmt::format("[{}]", fmt::join(shape, ","));
}

std::string to_string(const BlockType& type) {
    return std::string(name(type.type)) + to_string(type.shape);
}

double Lowering::row_groups(const Shape& shape) const {
    const Int rows = shape.size() >= 2 ? shape[shape.size() - 2] : 1;
    const double outer = shape.size() >= 2 ? product(shape, shape.size() - 2) : 1;
    const Int sublanes = chip().vpu.sublanes;
    return outer * static_cast<double>((rows + sublanes - 1) / sublanes);
}

double Lowering::registers(const BlockType& type, bool lane_uniform) const {
    const Int lanes = chip().vpu.lanes;
    const Int columns = lane_uniform ? 1 : (last(type.shape) + lanes - 1) / lanes;
    const int width = bits(type.type);
    // Packed registers hold 32 / bits times the rows; half-filled ones at the end of a short block
    // are charged in full.
    const Int packing = width < 32 && chip().vpu.native_16bit ? 32 / width : 1;
    Shape shape = type.shape;
    if (shape.size() >= 2) {
        Int& rows = shape[shape.size() - 2];
        rows = (rows + packing - 1) / packing;
    }
    return row_groups(shape) * static_cast<double>(columns);
}

bool Lowering::is_block(const Value& value) const {
    return std::holds_alternative<BlockValue>(value) || std::holds_alternative<Reference>(value);
}

std::optional<BlockType> Lowering::block_type(const Value& value) const {
    BlockType type;
    bool transposed = false;
    if (const auto* block = std::get_if<BlockValue>(&value)) {
        type = blocks_[block->id].type;
        transposed = block->transposed;
    } else if (const auto* memory = std::get_if<Reference>(&value)) {
        type = {memory->type, memory->shape()};
        transposed = memory->transposed;
    } else {
        return std::nullopt;
    }
    if (transposed) exchange_last(type.shape);
    return type;
}

std::string Lowering::describe(const Value& value) const {
    struct Visitor {
        const Lowering& self;
        std::string operator()(const Invalid&) const { return "nothing"; }
        std::string operator()(const Constant& c) const { return compiler::describe(c); }
        std::string operator()(const Scalar& s) const {
            static constexpr const char* names[] = {"an i32 scalar", "an f32 scalar",
                                                    "a condition"};
            return names[static_cast<int>(s.type)];
        }
        std::string operator()(const BlockValue& b) const {
            return "a block " + to_string(*self.block_type(b));
        }
        std::string operator()(const Reference& r) const {
            static constexpr const char* spaces[] = {"HBM", "VMEM", "SMEM"};
            const auto space = self.space_of(r);
            return fmt::format("{} {} in {}",
                               space == schedule::Space::vmem ? "a block" : "an array",
                               to_string(*self.block_type(r)), spaces[static_cast<int>(space)]);
        }
        std::string operator()(const SemaphoreValue& s) const {
            return fmt::format("the semaphore `{}`", s.name);
        }
        std::string operator()(const RingValue& r) const {
            return fmt::format("the ring `{}`", self.program_.rings[r.id].name);
        }
    };
    return std::visit(Visitor{*this}, value);
}

schedule::Region& Lowering::region() {
    if (open_region_ == none) {
        open_region_ = static_cast<schedule::RegionId>(program_.regions.size());
        program_.regions.push_back({});
        program_.regions.back().name = fmt::format("r{}", open_region_);
    }
    return program_.regions[open_region_];
}

void Lowering::close_region() {
    if (open_region_ == none) return;
    open_blocks_.back()->push_back({schedule::RunRegion{open_region_}});
    open_region_ = none;
    loaded_.clear();
}

void Lowering::add_flops(double flops) {
    // a dot too large for any chip has been refused, and its flops no longer matter
    if (flops < 0x1p62) region().flops += static_cast<Int>(flops);
}

BlockValue Lowering::new_block(BlockInfo block) {
    blocks_.push_back(std::move(block));
    return {static_cast<int>(blocks_.size()) - 1, false};
}

BlockValue Lowering::emit(Op op, BlockType type, bool lane_uniform, Span span) {
    // what is made of a block that has been refused is silent
    const bool was_refused = std::any_of(op.args.begin(), op.args.end(), [&](ValueId arg) {
        const Shape& shape = region().values[arg].shape;
        return product(shape, shape.size()) > most_elements;
    });
    if (!was_refused && product(type.shape, type.shape.size()) > most_elements)
        diags_.add<Diag::E0601_block>(
            span, to_string(type), fmt::format("{:.3g}", product(type.shape, type.shape.size())));
    if (type.shape.size() > static_cast<std::size_t>(schedule::max_rank))
        diags_.add<Diag::E0004_value>(span, "the rank of a block",
                                      fmt::format("at most {}", schedule::max_rank),
                                      std::to_string(type.shape.size()));
    schedule::Region& code = region();
    op.place.span = span;
    op.result = static_cast<ValueId>(code.values.size());
    code.values.push_back(type);
    code.ops.push_back(std::move(op));
    if (code.place.span.empty()) code.place.span = span;
    code.place.span.end = std::max(code.place.span.end, span.end);
    BlockInfo block;
    block.type = std::move(type);
    block.region = open_region_;
    block.statement = statement_;
    block.value = code.ops.back().result;
    block.lane_uniform = lane_uniform;
    return new_block(std::move(block));
}

schedule::MemoryRef Lowering::memory_ref(const Reference& reference) const {
    schedule::MemoryRef ref;
    (reference.kind == Reference::Kind::operand ? ref.operand : ref.buffer) = reference.id;
    ref.copy = reference.copy;
    ref.views = reference.views;
    ref.dims = ref.views.empty() ? reference.dims : reference.viewed;
    if (!ref.views.empty()) ref.views.back().dims = reference.dims;
    return ref;
}

void Lowering::report_element(const std::string& name, Span span) {
    diags_.add<Diag::E0204_scalar>(span, name)
        .because("only SMEM holds scalars")
        .fix("keep a dimension: `i +: 1` for the index `i`");
}

BlockValue Lowering::load(const Reference& reference, Span span) {
    schedule::MemoryRef ref = memory_ref(reference);
    note_load(ref.buffer, span);
    region();
    const std::string name = key(ref);
    if (const auto loaded = loaded_.find(name); loaded != loaded_.end())
        return {loaded->second.id, reference.transposed};
    Op op;
    op.name = "load";
    op.cls = OpClass::load;
    op.ref = std::move(ref);
    const BlockValue value = emit(std::move(op), {reference.type, reference.shape()}, false, span);
    loaded_.emplace(name, value);
    return {value.id, reference.transposed};
}

std::optional<BlockValue> Lowering::block(const Value& value, Span span,
                                          const std::string& needed) {
    if (const auto* block = std::get_if<BlockValue>(&value)) return *block;
    if (const auto* memory = std::get_if<Reference>(&value)) {
        if (memory->kind == Reference::Kind::operand) {
            diags_.add<Diag::E0204>(span, memory->name, "HBM")
                .because("HBM is only copied; the vector unit reads VMEM")
                .fix(fmt::format("in {0}b = {0}[…] in the grid, and use `{0}b`", memory->name));
            return std::nullopt;
        }
        if (memory->shape().empty()) {
            report_element(memory->name, span);
            return std::nullopt;
        }
        if (space_of(*memory) == schedule::Space::smem) {
            diags_.add<Diag::E0204>(span, memory->name, "SMEM")
                .because("SMEM is read element by element, as scalars")
                .fix(fmt::format(
                    "an index per dimension: {}[{}]", memory->name,
                    fmt::join(std::vector<std::string>(memory->shape().size(), "i"), ", ")));
            return std::nullopt;
        }
        return load(*memory, span);
    }
    if (!is_invalid(value))
        diags_.add<Diag::E0004_kind>(span, "the argument", needed, "a block", describe(value));
    return std::nullopt;
}

BufferId Lowering::live_buffer(const std::string& name, const BlockType& type, Span span) {
    return new_buffer(name, schedule::Space::vmem, schedule::BufferRole::live, type.type,
                      type.shape, 1, span);
}

BlockValue Lowering::move_transposed(BlockValue value, Span span) {
    const BlockType stored = blocks_[value.id].type;
    BlockType type = stored;
    exchange_last(type.shape);
    Op op;
    op.name = "transpose";
    op.cls = OpClass::move;
    const ValueId argument = use({value.id, false}, span);
    op.args = {argument};
    const Int rank = static_cast<Int>(type.shape.size());
    for (Int i = 0; i < rank; ++i) op.integers.push_back(i);
    std::swap(op.integers[rank - 1], op.integers[rank - 2]);
    op.work.xlu = std::max(registers(stored), registers(type));
    return emit(std::move(op), type, false, span);
}

ValueId Lowering::use(BlockValue value, Span span) {
    if (value.transposed) value = move_transposed(value, span);
    region();
    BlockInfo& block = blocks_[value.id];
    if (block.live >= 0) {
        LiveValue& live = unit_.live[block.live];
        live.last = std::max(live.last, statement_);
    }
    if (block.region == open_region_) return block.value;
    if (block.cached_region == open_region_) return block.cached;
    if (block.buffer == none) {
        const std::string name =
            block.live >= 0 ? unit_.live[block.live].name : fmt::format("t{}", value.id);
        block.buffer = live_buffer(name, block.type, span);
        // one name may stand for several values, the old and new ones of a variable
        if (block.live >= 0 && unit_.live[block.live].buffer == none) {
            unit_.live[block.live].crosses_regions = true;
            unit_.live[block.live].buffer = block.buffer;
        } else {
            unit_.live.push_back(
                {name, block.type, span, block.statement, statement_, 2, true, block.buffer});
            block.live = static_cast<int>(unit_.live.size()) - 1;
        }
        Op save;
        save.name = "store";
        save.cls = OpClass::store;
        save.args = {block.value};
        save.ref = memory_ref(whole(Reference::Kind::buffer, block.buffer));
        save.place.span = span;
        program_.regions[block.region].ops.push_back(std::move(save));
    }
    Op restore;
    restore.name = "load";
    restore.cls = OpClass::load;
    restore.ref = memory_ref(whole(Reference::Kind::buffer, block.buffer));
    const BlockType type = block.type;
    const BlockValue loaded = emit(std::move(restore), type, block.lane_uniform, span);
    BlockInfo& again = blocks_[value.id];
    again.cached_region = open_region_;
    again.cached = blocks_[loaded.id].value;
    return again.cached;
}

std::optional<BlockValue> Lowering::splat(const Value& value, DType type, Span span) {
    Op op;
    op.name = "splat";
    op.cls = OpClass::source;
    if (const auto* constant = std::get_if<Constant>(&value)) {
        const bool is_real = !constant->integer() && constant->is_number();
        if (type == DType::pred ? !constant->truth() : !constant->is_number()) {
            diags_.add<Diag::E0102_literal>(span, compiler::describe(*constant), name(type));
            return std::nullopt;
        }
        if (is_integer(type) && !is_real && !holds(type, *constant->integer())) {
            diags_.add<Diag::E0102_literal>(span, to_string(*constant), name(type));
            return std::nullopt;
        }
        if (is_integer(type) && is_real) {
            diags_.add<Diag::E0102_literal>(span, compiler::describe(*constant), name(type))
                .fix("an integer, or the block cast to f32");
            return std::nullopt;
        }
        if (type == DType::pred)
            op.scalars = {scalars_.truth(*constant->truth())};
        else if (is_float(type))
            op.scalars = {scalars_.real(constant->real())};
        else
            op.scalars = {scalars_.constant(*constant->integer())};
    } else if (const auto* scalar = std::get_if<Scalar>(&value)) {
        static constexpr DType types[] = {DType::i32, DType::f32, DType::pred};
        const DType own = types[static_cast<int>(scalar->type)];
        if (own != type) {
            diags_.add<Diag::E0102_mixed>(span, text(span), name(own), name(type))
                .fix(fmt::format("{}({})", name(type), text(span)));
            return std::nullopt;
        }
        op.scalars = {scalar->expr};
    } else {
        return std::nullopt;
    }
    return emit(std::move(op), {type, {1}}, true, span);
}

std::optional<Shape> Lowering::broadcast(const std::string& op, const Shape& a, const Shape& b,
                                         Span span) {
    Shape result(std::max(a.size(), b.size()), 1);
    for (std::size_t i = 0; i < result.size(); ++i) {
        const Int x = i < a.size() ? a[a.size() - 1 - i] : 1;
        const Int y = i < b.size() ? b[b.size() - 1 - i] : 1;
        if (x != y && x != 1 && y != 1) {
            diags_.add<Diag::E0101_shapes>(span, op, to_string(a), to_string(b))
                .because("shapes join right-aligned, each dimension equal, 1 or absent");
            return std::nullopt;
        }
        result[result.size() - 1 - i] = std::max(x, y);
    }
    return result;
}

std::optional<BlockValue> Lowering::spread(BlockValue value, const Shape& shape, Span span) {
    const BlockType from = *block_type(value);
    if (from.shape == shape) return value;
    if (from.shape.size() > shape.size()) return std::nullopt;
    for (std::size_t i = 1; i <= from.shape.size(); ++i) {
        const Int size = from.shape[from.shape.size() - i];
        if (size != 1 && size != shape[shape.size() - i]) return std::nullopt;
    }
    const bool uniform = blocks_[value.id].lane_uniform && !value.transposed;
    Op op;
    op.name = "broadcast";
    op.cls = OpClass::map;
    if (last(from.shape) == 1 && last(shape) > 1 && !uniform) op.work.xlu = row_groups(from.shape);
    op.args = {use(value, span)};
    return emit(std::move(op), {from.type, shape}, uniform, span);
}

void Lowering::report_shape(const BlockType& from, const std::string& target, const BlockType& type,
                            Span span) {
    diags_.add<Diag::E0101_store>(span, to_string(from), target, to_string(type))
        .because("a value spreads over dimensions where it has size 1 or none");
}

Value Lowering::map(const std::string& op_name, std::vector<BlockValue> args, DType result,
                    Work per_register, Span span, std::string_view spelling) {
    Op op;
    op.name = op_name;
    op.cls = OpClass::map;
    Shape shape = {1};
    int widest = bits(result);
    bool uniform = true;
    for (const BlockValue& arg : args) {
        const BlockType type = *block_type(arg);
        const auto joined = broadcast(std::string(spelling), shape, type.shape, span);
        if (!joined) return Invalid{};
        shape = *joined;
        widest = std::max(widest, bits(type.type));
        uniform = uniform && blocks_[arg.id].lane_uniform && !arg.transposed;
    }
    for (BlockValue& arg : args) {
        op.args.push_back(use(arg, span));
        if (arg.transposed) continue;
        BlockInfo& source = blocks_[arg.id];
        if (last(source.type.shape) == 1 && last(shape) > 1 && !source.lane_uniform) {
            // one lane holds the value: the XLU spreads it, once for all uses of the block
            op.work.xlu += row_groups(source.type.shape);
            source.lane_uniform = true;
        }
    }
    const DType computed = widest > 16 || !chip().vpu.native_16bit ? DType::f32 : DType::bf16;
    const double count = registers({computed, shape}, uniform);
    op.work.valu += per_register.valu * count;
    op.work.eup += per_register.eup * count;
    op.work.xlu += per_register.xlu * count;
    return emit(std::move(op), {result, shape}, uniform, span);
}

Value Lowering::cast(const Value& value, DType type, Span span) {
    if (is_invalid(value)) return value;
    if (const auto* constant = std::get_if<Constant>(&value)) {
        if (type == DType::pred && constant->truth()) return value;
        if (!constant->is_number() || type == DType::pred) {
            diags_.add<Diag::E0102_literal>(span, compiler::describe(*constant), name(type));
            return Invalid{};
        }
        if (is_float(type)) return Constant{constant->real()};
        const auto [least, most] = limits_of(type);
        if (const Int* integer = constant->integer()) {
            const Int kept = *integer & (most - least);
            return Constant{kept > most ? kept - (most - least) - 1 : kept};
        }
        const double real = constant->real();
        if (real != real) return Constant{Int{0}};
        return Constant{static_cast<Int>(
            std::clamp(real, static_cast<double>(least), static_cast<double>(most)))};
    }
    if (const auto* scalar = std::get_if<Scalar>(&value)) {
        if (type == DType::pred && scalar->type == schedule::ScalarType::pred) return value;
        if (type != DType::f32 && type != DType::i32) {
            diags_.add<Diag::E0102_literal>(span, "a scalar", name(type))
                .because("scalars are i32, f32 or conditions");
            return Invalid{};
        }
        const auto target =
            type == DType::f32 ? schedule::ScalarType::f32 : schedule::ScalarType::i32;
        if (scalar->type == target) return value;
        return this->scalar(schedule::ScalarOp::cast, target, {scalar->expr}, span);
    }
    const auto source = block(value, span, std::string(name(type)));
    if (!source) return Invalid{};
    const BlockType from = *block_type(*source);
    if (from.type == type) return *source;
    if (type == DType::pred) {
        diags_.add<Diag::E0102_literal>(span, "a block " + to_string(from), name(type))
            .fix(fmt::format("{} != 0", text(span)));
        return Invalid{};
    }
    Op op;
    op.name = "cast";
    op.cls = OpClass::map;
    op.args = {use(*source, span)};
    // Packing joins 32 / bits registers into one; unpacking makes each 32-bit register once.
    const BlockType wide{DType::f32, from.shape};
    const bool uniform = blocks_[source->id].lane_uniform && !source->transposed;
    const double narrowing = bits(type) < bits(from.type) ? 32.0 / bits(type) : 1.0;
    op.work.valu = registers(wide, uniform) / narrowing;
    return emit(std::move(op), {type, from.shape}, uniform, span);
}

}  // namespace slab::compiler
