#include "compiler/lower/lowering.hpp"

// Assignment to memory, and what is known of a buffer's contents at a place.
namespace slab::compiler {

using schedule::BlockType;
using schedule::BufferRole;
using schedule::none;
using schedule::Op;
using schedule::OpClass;

void Lowering::store(const Reference& target, const std::string& op, const Value& value,
                     Span target_span, Span value_span) {
    if (is_invalid(value)) return;
    if (target.kind == Reference::Kind::operand) {
        diags_
            .add<Diag::E0204_target>(target_span,
                                     fmt::format("`{}`, which is in HBM,", target.name))
            .because("HBM is only copied; the vector unit writes VMEM")
            .fix(fmt::format("out z = {}[…] in the grid, and assign to `z`", target.name));
        return;
    }
    const auto window = window_of_.find(target.id);
    if (window != window_of_.end() &&
        program_.streams[window->second].direction == schedule::Direction::in) {
        diags_.add<Diag::E0307>(target_span, target.name)
            .because("an `in` window is a copy of the operand and is never written back")
            .fix(fmt::format("inout {} = …, and `inout` on the operand", target.name));
        return;
    }
    if (target.transposed) {
        diags_
            .add<Diag::E0204_target>(target_span, fmt::format("the transpose of `{}`", target.name))
            .fix("transpose the value instead");
        return;
    }
    const BlockType type{target.type, target.shape()};
    Value stored = value;
    if (op != "=") {
        stored = binary(op.substr(0, 1), target, value, {target_span.begin, value_span.end});
        if (is_invalid(stored)) return;
    }
    std::optional<BlockValue> source;
    if (is_block(stored)) {
        source = block(stored, value_span, "the assignment");
    } else {
        source = splat(stored, type.type, value_span);
    }
    if (!source) return;
    const BlockType from = *block_type(*source);
    if (from.type != type.type) {
        diags_.add<Diag::E0102>(value_span, name(from.type), name(type.type), target.name)
            .because("nothing is converted silently")
            .fix(fmt::format("{}({})", name(type.type), text(value_span)));
        return;
    }
    if (from.shape != type.shape) {
        Diagnostics trial;
        std::swap(trial, diags_);
        const auto joined = broadcast("=", from.shape, type.shape, value_span);
        std::swap(trial, diags_);
        if (joined != type.shape) {
            diags_.add<Diag::E0101_store>(value_span, to_string(from), target.name,
                                          to_string(type));
            return;
        }
        const bool uniform = blocks_[source->id].lane_uniform;
        Op spread;
        spread.name = "broadcast";
        spread.cls = OpClass::map;
        if (from.shape.back() == 1 && type.shape.back() > 1 && !uniform)
            spread.work.xlu = static_cast<double>(row_groups(from.shape));
        spread.args = {use(*source, value_span)};
        source = emit(std::move(spread), type, uniform, value_span);
    }
    Op write;
    write.name = "store";
    write.cls = OpClass::store;
    write.args = {use(*source, value_span)};
    write.ref = buffer_ref(target);
    write.place.span = target_span;
    region().ops.push_back(std::move(write));
    std::erase_if(loaded_, [&](const auto& entry) {
        return entry.first.starts_with(fmt::format("{}:", target.id));
    });
    note_store(target.id);
}

void Lowering::note_store(schedule::BufferId buffer) {
    Written& written = written_[buffer];
    const std::size_t outer = grids_.empty() ? 0 : grids_.back().guards;
    if (guards_.size() == outer) {
        written.always = true;
    } else if (guards_.size() == outer + 1 && guards_.back().kind == Guard::Kind::first) {
        const int axis = guards_.back().axis;
        if (written.first_axis < 0 || axis < written.first_axis) written.first_axis = axis;
    }
}

void Lowering::note_load(schedule::BufferId buffer, Span span) {
    const BufferRole role = program_.buffers[buffer].role;
    if (role == BufferRole::live || grids_.empty()) return;
    const Written& written = written_[buffer];
    const std::string& name = program_.buffers[buffer].name;
    if (role == BufferRole::window) {
        const schedule::Stream& stream = program_.streams[window_of_.at(buffer)];
        const bool defined = written.always || written.first_axis >= 0;
        if (stream.direction == schedule::Direction::out && !defined &&
            accused_.insert(buffer).second)
            diags_.add<Diag::E0306>(span, name)
                .note(stream.place.span, "an `out` window holds nothing until it is written")
                .fix(
                    "accumulate in a `scratch` block and store it once, or make the window "
                    "`inout`");
        return;
    }
    if (written.always) return;
    const OpenGrid& grid = grids_.back();
    if (written.first_axis < 0 && !written.at_entry) {
        if (!accused_.insert(buffer).second) return;
        std::string axis;
        for (std::size_t i = 0; i < grid.names.size(); ++i)
            if (!grid.pipe->axes[i].order.starts_with("par")) {
                axis = grid.names[i];
                break;
            }
        auto& message =
            diags_.add<Diag::E0305>(span, name)
                .note(program_.buffers[buffer].place.span, "scratch starts uninitialised");
        if (!axis.empty())
            message.fix(fmt::format("first {} {{ {} = 0 }}", axis, name));
        else
            message.fix(fmt::format("assign `{} = 0` before it", name));
        return;
    }
    const std::size_t from = written.at_entry ? 0 : static_cast<std::size_t>(written.first_axis);
    for (std::size_t i = from; i < grid.names.size(); ++i) {
        if (grid.pipe->axes[i].order != "par" || grid.extents[i] == 1) continue;
        if (!accused_.insert(buffer).second) return;
        diags_.add<Diag::E0303>(span, name, grid.names[i])
            .note(grid.pipe->axes[i].span, "declared `par`: its steps may run in any order")
            .because("what one step of a `par` axis writes, no other step may read")
            .fix(fmt::format("{} in … seq", grid.names[i]));
        return;
    }
}

}  // namespace slab::compiler
