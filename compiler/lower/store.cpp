#include "compiler/lower/lowering.hpp"

// Assignment to memory, and what is known of a buffer's contents at a place.
namespace slab::compiler {

using schedule::BlockType;
using schedule::BufferRole;
using schedule::none;
using schedule::Op;
using schedule::OpClass;

/// Whether `+=` and its like can join a block to the memory: the memory decides the type.
bool Lowering::joins(const Reference& target, const std::string& op, const BlockType& added,
                     Span target_span, Span value_span) {
    const Span span{target_span.begin, value_span.end};
    if (added.type == target.type || added.type == DType::pred || target.type == DType::pred)
        return broadcast(op, target.shape(), added.shape, span).has_value();
    diags_.add<Diag::E0102_mixed>(span, op, name(target.type), name(added.type))
        .because("nothing is converted silently")
        .replace(value_span, fmt::format("{}({})", name(target.type), text(value_span)));
    return false;
}

void Lowering::store(const Reference& target, const std::string& op, const Value& value,
                     Span target_span, Span value_span) {
    if (is_invalid(value)) {  // has been reported, and would have been stored
        if (target.kind == Reference::Kind::buffer) note_store(target.id);
        return;
    }
    if (target.kind == Reference::Kind::operand) {
        diags_
            .add<Diag::E0204_target>(target_span,
                                     fmt::format("`{}`, which is in HBM,", target.name))
            .because("HBM is only copied; the vector unit writes VMEM")
            .fix(fmt::format("out {0}b = {0}[…] in the grid, and assign to `{0}b`", target.name));
        return;
    }
    if (space_of(target) == schedule::Space::smem)
        return set_element(target, op, value, target_span, value_span);
    const auto window = window_of_.find(target.id);
    if (window != window_of_.end() && fetching_ != window->second &&
        program_.streams[window->second].direction == schedule::Direction::in) {
        const schedule::Stream& stream = program_.streams[window->second];
        diags_.add<Diag::E0307>(target_span, target.name)
            .because("an `in` window is a copy of the operand and is never written back")
            .fix(stream.is_custom()
                     ? fmt::format("a `scratch` block; or `inout {}`, with a `flush`", target.name)
                     : fmt::format("inout {} = {}, and `inout` on the operand", target.name,
                                   text(stream.place.span)));
        return;
    }
    if (target.shape().empty()) {
        report_element(target.name, target_span);
        return;
    }
    if (target.transposed) {
        diags_
            .add<Diag::E0204_target>(target_span, fmt::format("the transpose of `{}`", target.name))
            .fix("transpose the value instead");
        return;
    }
    const BlockType type{target.type, target.shape()};
    if (op == "=") note_store(target.id);  // also where what follows refuses the value
    Value stored = value;
    if (op != "=") {
        if (const auto added = block_type(value);
            added && !joins(target, op, *added, target_span, value_span))
            return;
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
            .replace(value_span, fmt::format("{}({})", name(type.type), text(value_span)));
        return;
    }
    source = spread(*source, type.shape, value_span);
    if (!source) {
        report_shape(from, target.name, type, value_span);
        return;
    }
    Op write;
    write.name = "store";
    write.cls = OpClass::store;
    write.args = {use(*source, value_span)};
    write.ref = memory_ref(target);
    write.place.span = target_span;
    region().ops.push_back(std::move(write));
    std::erase_if(loaded_, [&](const auto& entry) {
        return entry.first.starts_with(fmt::format("{}:", target.id));
    });
    note_store(target.id);
}

// ------------------------------------------------------------------------------------------------
// state

void Lowering::note_store(StateId state) {
    written_[state].always = true;
    if (!grids_.empty()) grids_.back().stored.insert(state);
}

void Lowering::note_copy(schedule::BufferId buffer) {
    note_store(state_of(buffer));
    written_[state_of(buffer)].copied = true;
}

void Lowering::note_load(schedule::BufferId buffer, Span span) {
    const BufferRole role = program_.buffers[buffer].role;
    const std::string name = program_.buffers[buffer].name;
    if (role == BufferRole::window) {
        const schedule::Stream& stream = program_.streams[window_of_.at(buffer)];
        const Written& written = written_[state_of(buffer)];
        const bool defined = written.always || written.first_axis >= 0 || written.at_entry;
        if (stream.direction == schedule::Direction::out && !defined &&
            accused_.insert(state_of(buffer)).second)
            diags_.add<Diag::E0306>(span, name)
                .note(stream.place.span, "an `out` window holds nothing until it is written")
                .fix(
                    "accumulate in a `scratch` block and store it once, or make the window "
                    "`inout`");
        return;
    }
    for (auto slot = open_slots_.rbegin(); slot != open_slots_.rend(); ++slot)
        if ((*slot)->ring.text == name)
            return note_read(state_of(buffer), (*slot)->name.text, (*slot)->name.span, span);
    if (role == BufferRole::scratch || written_.count(state_of(buffer)))
        note_read(state_of(buffer), name, program_.buffers[buffer].place.span, span);
}

void Lowering::note_read(StateId state, const std::string& name, Span declared, Span span) {
    const Written& written = written_[state];
    if (written.always) return;
    if (written.first_axis >= 0) {
        if (!accused_.count(state)) report_carried(name, span, written.first_axis);
        return;
    }
    if (written.at_entry) {
        if (!grids_.empty()) grids_.back().inherited.try_emplace(state, span);
        return;
    }
    if (written.copied || !accused_.insert(state).second) return;
    const bool in_slot = !open_slots_.empty() && open_slots_.back()->name.span == declared;
    auto& message =
        diags_.add<Diag::E0305>(span, name)
            .note(declared, in_slot ? "a slot starts undefined" : "scratch starts undefined");
    // runs of steps that share the `par` axes begin at the axis after them
    std::string axis;
    if (!grids_.empty() && !in_slot) {
        const OpenGrid& grid = grids_.back();
        for (std::size_t i = grid.names.size(); i-- > 0 && grid.pipe->axes[i].order != "par";)
            axis = grid.names[i];
    }
    message.fix(axis.empty() ? fmt::format("{} = 0 before it", name)
                             : fmt::format("first {} {{ {} = 0 }}", axis, name));
}

/// A value that the steps of an axis from `from_axis` on hand to one another.
bool Lowering::report_carried(const std::string& name, Span span, std::size_t from_axis) {
    const OpenGrid& grid = grids_.back();
    for (std::size_t i = from_axis; i < grid.names.size(); ++i) {
        if (grid.pipe->axes[i].order != "par" || grid.extents[i] == 1) continue;
        diags_.add<Diag::E0303>(span, name, grid.names[i])
            .note(grid.pipe->axes[i].span, "declared `par`: its steps may run in any order")
            .because("what one step of a `par` axis writes, no other step may read")
            .replace(last_word(grid.pipe->axes[i].span, "par"), "seq");
        return true;
    }
    return false;
}

/// Inside a grid, what was stored before it is what every step finds.
Lowering::WrittenStates Lowering::enter_grid() {
    WrittenStates outside = written_;
    for (auto& [state, written] : written_)
        written = {false, -1, written.always || written.first_axis >= 0 || written.at_entry,
                   written.copied};
    return outside;
}

void Lowering::leave_grid(const WrittenStates& outside) {
    const WrittenStates inside = std::exchange(written_, outside);
    const auto name = [&](StateId state) {
        return state >= 0 ? program_.buffers[state].name : program_.slots[-1 - state].name;
    };
    for (const auto& [state, span] : grids_.back().inherited)
        if (grids_.back().stored.count(state) && !accused_.count(state) &&
            report_carried(name(state), span, 0))
            accused_.insert(state);
    const std::set<StateId> stored = grids_.back().stored;
    const std::map<StateId, Span> inherited = grids_.back().inherited;
    grids_.pop_back();
    // what the steps read of a time before the grid, the enclosing grid reads
    for (const auto& [state, span] : inherited)
        if (!grids_.empty()) note_read(state, name(state), span, span);
    for (const StateId state : stored) {
        const auto written = inside.find(state);
        const bool is_set =
            written != inside.end() && (written->second.always || written->second.first_axis >= 0);
        if (is_set)
            note_store(state);
        else if (!grids_.empty())
            grids_.back().stored.insert(state);
    }
}

}  // namespace slab::compiler
