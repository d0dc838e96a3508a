#include <algorithm>

#include "compiler/lower/lowering.hpp"

// Scalar memory: its elements are scalars, one at a time.
namespace slab::compiler {

using schedule::ExprId;
using schedule::none;
using schedule::ScalarOp;
using schedule::ScalarType;
using Int = std::int64_t;

namespace {

ScalarType scalar_type(DType type) {
    return type == DType::f32    ? ScalarType::f32
           : type == DType::pred ? ScalarType::pred
                                 : ScalarType::i32;
}

std::vector<ExprId> indices(const Reference& reference) {
    std::vector<ExprId> index;
    for (const Reference::Dim& dim : reference.dims) index.push_back(dim.start);
    return index;
}

}  // namespace

bool Lowering::holds_scalars(DType type, Span span) {
    if (bits(type) == 32 || type == DType::pred) return true;
    diags_.add<Diag::E0205_smem>(span, name(type))
        .because("SMEM holds 32-bit scalars")
        .fix(is_float(type) ? "f32" : "i32");
    return false;
}

/// Is there such an element, as far as that is known?
bool Lowering::is_element(const Reference& reference, Span span) {
    for (std::size_t d = 0; d < reference.dims.size(); ++d)
        if (!has_index(reference.name, "elements", d, program_.buffers[reference.id].shape[d],
                       reference.dims[d].start, span))
            return false;
    return true;
}

/// E0401 if no value that an index can have is inside.
bool Lowering::has_index(const std::string& name, const char* what, std::size_t dimension, Int size,
                         ExprId index, Span span) {
    const Range range = range_of(unit_, index);
    if (!range.known || (range.hi >= 0 && range.lo < size)) return true;
    diags_
        .add<Diag::E0401>(span, fmt::format("dimension {}", dimension), name,
                          fmt::format("has {} {}, this is number {}", size, what,
                                      range.lo < 0 ? range.hi : range.lo))
        .because("they count from 0")
        .fix(fmt::format("an index of 0 to {}", size - 1));
    return false;
}

Value Lowering::element(const Reference& reference, Span span) {
    if (!reference.views.empty()) {
        diags_.add<Diag::E0004_place>(span, "an element of a view", "SMEM is indexed as it lies")
            .fix(fmt::format("{}[…] with an index per dimension", reference.name));
        return Invalid{};
    }
    if (!is_element(reference, span)) return Invalid{};
    if (program_.buffers[reference.id].role == schedule::BufferRole::scratch)
        note_load(reference.id, span);
    schedule::ScalarExpr expr;
    expr.type = scalar_type(reference.type);
    expr.op = ScalarOp::element;
    expr.buffer = reference.id;
    expr.copy = reference.copy;
    expr.args = indices(reference);
    return Scalar{scalars_.element(std::move(expr)), scalar_type(reference.type)};
}

/// Does it read SMEM that the kernel itself writes?
bool Lowering::reads_changing_memory(ExprId id) const {
    return reads_element(program_, id,
                         [&](schedule::BufferId buffer) { return !holds_operand(buffer); });
}

bool Lowering::holds_operand(schedule::BufferId buffer) const {
    return std::any_of(
        program_.operands.begin(), program_.operands.end(),
        [&](const schedule::Operand& operand) { return operand.resident == buffer; });
}

void Lowering::set_element(const Reference& target, const std::string& op, const Value& value,
                           Span target_span, Span value_span) {
    const schedule::Buffer& buffer = program_.buffers[target.id];
    if (holds_operand(target.id)) {
        diags_.add<Diag::E0307_operand>(target_span, target.name)
            .note(buffer.place.span,
                  "an operand in SMEM arrives before the body and stays as it is")
            .fix(fmt::format("scratch {0}_now: smem {1}, and a copy of `{0}` in it", target.name,
                             to_string({buffer.type, buffer.shape})));
        return;
    }
    if (!target.shape().empty()) {
        diags_
            .add<Diag::E0204_target>(target_span,
                                     fmt::format("`{}`, a part of SMEM,", text(target_span)))
            .because("SMEM is written element by element")
            .fix(fmt::format("{}[i] = … in a `for`, or `copy`", target.name));
        return;
    }
    if (!is_element(target, target_span)) return;
    Value stored = value;
    if (op != "=")
        stored = binary(op.substr(0, 1), element(target, target_span), value,
                        {target_span.begin, value_span.end});
    if (is_invalid(stored)) return;
    if (is_block(stored)) {
        diags_.add<Diag::E0102_literal>(value_span, describe(stored), "an element of SMEM")
            .because("a block becomes scalars only by `copy` into SMEM");
        return;
    }
    const auto scalar = as_scalar(stored, scalar_type(target.type), value_span);
    if (!scalar) return;
    close_region();
    push({schedule::SetElement{target.id, target.copy, indices(target), *scalar, {target_span}}});
    note_store(target.id);
}

/// Every element of it, in loops.
void Lowering::fill_elements(const Reference& target, const Value& value, Span target_span,
                             Span value_span) {
    if (is_invalid(value)) return;
    const auto scalar = as_scalar(value, scalar_type(target.type), value_span);
    if (!scalar) return;
    close_region();
    Reference one = target;
    schedule::Block block;
    std::vector<schedule::SlotId> counters;
    for (Reference::Dim& dim : one.dims) {
        counters.push_back(new_slot(target.name + "_i", ScalarType::i32, {0, dim.size - 1, true}));
        dim = {scalars_.slot(counters.back()), none, 1, 1, true};
    }
    block.push_back({schedule::SetElement{one.id, one.copy, indices(one), *scalar, {target_span}}});
    for (std::size_t d = counters.size(); d-- > 0;) {
        schedule::Loop loop;
        loop.slot = counters[d];
        loop.lo = scalars_.constant(0);
        loop.hi = scalars_.constant(target.dims[d].size);
        loop.place.span = target_span;
        loop.body = std::move(block);
        block.clear();
        block.push_back({std::move(loop)});
    }
    for (schedule::Stmt& stmt : block) push(std::move(stmt));
    note_store(target.id);
}

void Lowering::require_data(schedule::OperandId id, Span span) {
    auto& known = unit_.data.operands;
    known.resize(std::max(known.size(), static_cast<std::size_t>(id) + 1));
    if (!known[id].empty()) return;
    const schedule::Operand& operand = program_.operands[id];
    const std::size_t errors = diags_.size();
    std::optional<std::vector<Int>> elements;
    if (unit_.settings.data) elements = unit_.settings.data->elements(operand, unit_.bound, diags_);
    if (elements) {
        known[id] = std::move(*elements);
    } else if (diags_.size() == errors && accused_data_.insert(id).second) {
        diags_.add<Diag::E0006_data>(span, operand.name, to_string({operand.type, operand.shape}))
            .because("the control flow of the kernel reads it")
            .fix(fmt::format("--data {}='[…]', --data {}=@file.npy, or \"data\" of a case",
                             operand.name, operand.name));
    }
}

std::optional<Value> Lowering::resident(const dsl::ast::MemType& memory,
                                        schedule::OperandId operand) {
    schedule::Operand& array = program_.operands[operand];
    const bool in_smem = memory.space == "smem";
    if (in_smem && !holds_scalars(array.type, memory.element.span)) return std::nullopt;
    if (in_smem && array.direction != schedule::Direction::in) {
        diags_.add<Diag::E0307_operand>(memory.span, array.name)
            .because("an operand in SMEM arrives before the body and is not written back")
            .fix(fmt::format("{}: hbm …, and `copy` from scratch in SMEM", array.name));
        return std::nullopt;
    }
    const auto buffer =
        new_buffer(array.name, in_smem ? schedule::Space::smem : schedule::Space::vmem,
                   schedule::BufferRole::scratch, array.type, array.shape, 1, array.place.span);
    program_.operands[operand].resident = buffer;
    if (array.direction != schedule::Direction::out) written_[state_of(buffer)].always = true;
    if (in_smem && asks_for_data_) require_data(operand, program_.operands[operand].place.span);
    return whole(Reference::Kind::buffer, buffer);
}

/// Operands in VMEM are copied in before the body and out after it.
void Lowering::copy_residents(bool in) {
    for (std::size_t i = 0; i < program_.operands.size(); ++i) {
        const schedule::Operand& operand = program_.operands[i];
        const auto unmoved = in ? schedule::Direction::out : schedule::Direction::in;
        if (operand.resident == none || operand.direction == unmoved ||
            program_.buffers[operand.resident].space != schedule::Space::vmem)
            continue;
        schedule::Copy copy;
        copy.source = memory_ref(whole(Reference::Kind::operand, static_cast<std::int32_t>(i)));
        copy.target = memory_ref(whole(Reference::Kind::buffer, operand.resident));
        if (!in) std::swap(copy.source, copy.target);
        copy.place.span = operand.place.span;
        close_region();
        program_.copies.push_back(std::move(copy));
        push({schedule::StartCopy{static_cast<schedule::CopyId>(program_.copies.size()) - 1}});
    }
}

}  // namespace slab::compiler
