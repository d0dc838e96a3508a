#include "compiler/schedule/walk/plan.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "support/check.hpp"

namespace slab::schedule {

namespace {

std::int64_t ring_mask_for(std::int64_t entries) {
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(entries))) - 1;
}

/// More live steps than any grid has, and few enough to be added to a step.
constexpr std::int64_t any_distance = std::int64_t{1} << 62;

void plan_window(const Program& program, const ScalarPlan& scalars, const Stream& stream,
                 StreamPlan& plan) {
    const Operand& operand = program.operands[static_cast<std::size_t>(stream.operand)];
    SLAB_CHECK(stream.dims.size() <= max_rank, "stream {} has {} dimensions, the most are {}",
               stream.name, stream.dims.size(), max_rank);
    SLAB_CHECK(stream.dims.size() == operand.shape.size(),
               "stream {} and its operand differ in rank", stream.name);
    plan.operand = &operand;
    plan.rank = stream.dims.size();
    std::vector<std::int64_t> sizes;
    for (std::size_t d = 0; d < stream.dims.size(); ++d) {
        const RefDim& dim = stream.dims[d];
        const std::int64_t last_start = operand.shape[d] - (dim.size - 1) * dim.step - 1;
        plan.dims[d] = {scalars[dim.start], dim.live, dim.size, dim.step, last_start};
        plan.counts_live |= dim.live != none;
        plan.sizes[d] = static_cast<std::int32_t>(dim.size);
        plan.steps[d] = dim.step;
        sizes.push_back(dim.size);
    }
    plan.whole = copy_shape(operand.type, operand.shape, sizes,
                            std::span<const std::int64_t>(plan.steps.data(), plan.rank),
                            operand.tile_rows, program.lanes);
}

StreamPlan plan_stream(const Program& program, const ScalarPlan& scalars, StreamId id) {
    const Stream& stream = program.streams[static_cast<std::size_t>(id)];
    StreamPlan plan;
    plan.id = id;
    plan.lanes = program.lanes;
    plan.custom = stream.is_custom();
    plan.fetch_variable = stream.fetch_slot;
    plan.slot_variable = stream.slot;
    if (!plan.custom) plan_window(program, scalars, stream, plan);
    plan.depth = static_cast<std::int32_t>(stream.depth);
    plan.writes = stream.direction != Direction::in;
    plan.revisit = stream.revisit && plan.writes;
    plan.fetches = stream.direction != Direction::out || plan.revisit;
    plan.ahead = stream.ahead && plan.fetches && !plan.revisit && plan.depth > 1;
    plan.steps_ahead = plan.ahead ? any_distance : plan.revisit ? 0 : plan.depth - 1;
    plan.write_depth = std::min(plan.depth, 2);
    return plan;
}

void plan_slopes(StreamPlan& stream, std::size_t last_axis, SlotId slot) {
    stream.last_axis = last_axis;
    stream.linear = !stream.counts_live && !stream.custom;
    for (std::size_t d = 0; d < stream.rank; ++d) {
        const auto slope = stream.dims[d].start.slope(slot);
        stream.linear = stream.linear && slope.has_value();
        stream.slopes[d] = slope.value_or(0);
        stream.slides = stream.slides || stream.slopes[d] != 0;
    }
}

SemaphorePlan plan_semaphore(const SemaphoreRef& ref, const Plan& plan) {
    if (ref.semaphore == none) return {};
    const auto id = static_cast<std::size_t>(ref.semaphore);
    return {ref.semaphore, plan.written_semaphores[id], ref.index,
            plan.program.semaphores[id].shape};
}

CopyPlan plan_copy(const Copy& copy, const Plan& plan) {
    const Span span = copy.place.span;
    return {plan_ref(copy.source, plan.program, span),
            plan_ref(copy.target, plan.program, span),
            plan_semaphore(copy.done, plan),
            plan_semaphore(copy.arrive, plan),
            copy.ring,
            copy.stream,
            copy.device,
            copy.is_remote(),
            span};
}

WaitPlan plan_wait(const Wait& wait, const Plan& plan) {
    WaitPlan result{plan_semaphore(wait.semaphore, plan), {}, wait.count, wait.place.span};
    if (wait.region) result.region.push_back(plan_ref(*wait.region, plan.program, result.span));
    return result;
}

/// Are the bounds of a grid's axes independent of each other? An expression comes after its
/// arguments.
bool is_box(const Pipeline& grid, const Program& program) {
    std::vector<bool> reads_axis;
    for (const ScalarExpr& expr : program.exprs) {
        const auto reads = [&](ExprId id) {
            return id != none && (static_cast<std::size_t>(id) >= reads_axis.size() ||
                                  reads_axis[static_cast<std::size_t>(id)]);
        };
        reads_axis.push_back(
            std::any_of(grid.axes.begin(), grid.axes.end(),
                        [&](const Axis& axis) {
                            return expr.op == ScalarOp::slot && expr.slot == axis.slot;
                        }) ||
            reads(expr.copy) || std::any_of(expr.args.begin(), expr.args.end(), reads));
    }
    return std::none_of(grid.axes.begin(), grid.axes.end(), [&](const Axis& axis) {
        return reads_axis[static_cast<std::size_t>(axis.lo)] ||
               reads_axis[static_cast<std::size_t>(axis.hi)];
    });
}

/// Makes a program's body flat, statement by statement.
class Flattener {
public:
    explicit Flattener(Plan& plan) : plan_(plan) {}

    void block(const Block& block) {
        for (const Stmt& stmt : block)
            std::visit([this](const auto& node) { placed(node); }, stmt.node);
    }
    std::int32_t emit(Code code, std::int32_t id = none, ExprId expr = none,
                      std::int32_t target = none) {
        plan_.code.push_back({code, id, expr, target});
        plan_.places.push_back(place_);
        return here() - 1;
    }

private:
    std::int32_t here() const { return static_cast<std::int32_t>(plan_.code.size()); }
    void land(std::int32_t instruction) {
        plan_.code[static_cast<std::size_t>(instruction)].target = here();
    }

    /// A statement without a place of its own has that of the one around it.
    template <typename Node>
    void placed(const Node& node) {
        const Span around = place_;
        place_ = place_of(node);
        statement(node);
        place_ = around;
    }
    template <typename Node>
    Span place_of(const Node& node) const {
        if constexpr (requires { node.place; })
            return node.place.span;
        else
            return place_;
    }
    Span place_of(const MakeSure& node) const {
        return plan_.program.checks[static_cast<std::size_t>(node.check)].place.span;
    }
    Span place_of(const PrintValues& node) const {
        return plan_.program.prints[static_cast<std::size_t>(node.print)].place.span;
    }
    Span place_of(const StartCopy& node) const {
        return plan_.program.copies[static_cast<std::size_t>(node.copy)].place.span;
    }
    Span place_of(const Await& node) const {
        return plan_.program.waits[static_cast<std::size_t>(node.wait)].place.span;
    }
    Span place_of(const SendSignal& node) const {
        return plan_.program.signals[static_cast<std::size_t>(node.signal)].place.span;
    }
    Span place_of(const MeetPeers& node) const {
        return plan_.program.barriers[static_cast<std::size_t>(node.barrier)].place.span;
    }

    void statement(const StartCopy& node) { emit(Code::copy, node.copy); }
    void statement(const Await& node) { emit(Code::await, node.wait); }
    void statement(const SendSignal& node) { emit(Code::signal, node.signal); }
    void statement(const MeetPeers& node) { emit(Code::barrier, node.barrier); }
    void statement(const MakeSure& node) { emit(Code::check, node.check); }
    void statement(const PrintValues& node) { emit(Code::print, node.print); }
    void statement(const SetElement& node) {
        emit(Code::element, static_cast<std::int32_t>(plan_.element_sets.size()), node.value);
        const auto buffer = static_cast<std::size_t>(node.buffer);
        plan_.element_sets.push_back({&node, &plan_.program.buffers[buffer]});
    }
    void statement(const UseRing& node) {
        const auto id = static_cast<std::int32_t>(plan_.ring_uses.size());
        plan_.ring_uses.push_back({node.kind, node.ring, node.place.span});
        emit(Code::ring_begin, id);
        block(node.body);
        emit(Code::ring_end, id);
    }
    void statement(const While& node) {
        const auto id = static_cast<std::int32_t>(plan_.loops.size());
        plan_.loops.push_back({none, none, node.at_most, none});
        emit(Code::while_enter, id);
        const std::int32_t begin = emit(Code::while_begin, id, node.condition);
        block(node.body);
        emit(Code::jump, none, none, begin);
        land(begin);
    }
    void statement(const RunRegion& node) { emit(Code::region, node.region); }
    void statement(const SetSlot& node) { emit(Code::set, node.slot, node.value); }
    void statement(const Scope& node) {
        const std::int32_t id = plan_.scopes++;
        emit(Code::scope_begin, id);
        block(node.body);
        emit(Code::scope_end, id);
    }
    void statement(const Branch& node) {
        const std::int32_t branch = emit(Code::branch, plan_.branches++, node.condition);
        block(node.then);
        if (node.otherwise.empty()) return land(branch);
        const std::int32_t end = emit(Code::jump);
        land(branch);
        block(node.otherwise);
        land(end);
    }
    void statement(const Loop& node) {
        const auto id = static_cast<std::int32_t>(plan_.loops.size());
        plan_.loops.push_back({node.slot, node.lo, node.hi, node.step});
        const std::int32_t enter = emit(Code::loop_enter, id);
        const std::int32_t begin = emit(Code::loop_begin, id);
        block(node.body);
        emit(Code::loop_next, id, none, begin);
        land(enter);
    }
    void statement(const Pipeline& node) {
        const auto id = static_cast<std::int32_t>(plan_.grids.size());
        plan_.grids.push_back(plan_grid(node));
        transfers(node);
        const bool writes = !plan_.grids.back().writing.empty();
        const std::int32_t enter = emit(Code::grid_enter, id);
        const std::int32_t step = emit(Code::step, id);
        block(node.body);
        if (writes) emit(Code::end_step, id);
        emit(Code::grid_next, id, none, step);
        if (writes) emit(Code::grid_leave, id);
        land(enter);
    }

    GridPlan plan_grid(const Pipeline& node);
    void transfers(const Pipeline& node);
    std::int32_t callable(const Block& body) {
        const std::int32_t entry = here();
        block(body);
        emit(Code::call_end);
        return entry;
    }

    Plan& plan_;
    Span place_;  ///< of the statement at hand
};

/// The blocks of streams with transfers of their own stand before the grid, which jumps over them.
void Flattener::transfers(const Pipeline& node) {
    const auto is_custom = [&](StreamId id) {
        return plan_.streams[static_cast<std::size_t>(id)].custom;
    };
    if (std::none_of(node.streams.begin(), node.streams.end(), is_custom)) return;
    const std::int32_t jump = emit(Code::jump);
    const Span around = place_;
    for (StreamId id : node.streams) {
        if (!is_custom(id)) continue;
        const Stream& source = plan_.program.streams[static_cast<std::size_t>(id)];
        StreamPlan& stream = plan_.streams[static_cast<std::size_t>(id)];
        for (const Axis& axis : node.axes) stream.axis_slots.push_back(axis.slot);
        place_ = source.place.span;
        if (stream.fetches) stream.fetch_entry = callable(source.fetch);
        if (stream.writes) stream.flush_entry = callable(source.flush);
    }
    place_ = around;
    land(jump);
}

GridPlan Flattener::plan_grid(const Pipeline& node) {
    SLAB_CHECK(node.axes.size() <= 64 && node.streams.size() <= 64,
               "grid {} has {} axes and {} streams, the most are 64", node.name, node.axes.size(),
               node.streams.size());
    GridPlan grid;
    for (const Axis& axis : node.axes) grid.axes.push_back({axis.slot, axis.lo, axis.hi});
    grid.where = node.where;
    grid.streams = node.streams;
    grid.is_box = is_box(node, plan_.program);
    grid.scouted = !node.streams.empty() || node.where != none;
    for (StreamId id : node.streams) {
        StreamPlan& stream = plan_.streams[static_cast<std::size_t>(id)];
        const Stream& source = plan_.program.streams[static_cast<std::size_t>(id)];
        for (std::size_t axis = 0; axis < node.axes.size(); ++axis)
            if (axis >= source.moves_with.size() || source.moves_with[axis])
                stream.axes |= std::uint64_t{1} << axis;
        if (stream.writes) grid.writing.push_back(id);
        if (stream.ahead)
            stream.scout = grid.scouts++;
        else
            grid.steps_ahead = std::max(grid.steps_ahead, stream.steps_ahead);
        if (!node.axes.empty()) plan_slopes(stream, node.axes.size() - 1, node.axes.back().slot);
        // A window that no axis moves is fetched once, before the first step.
        const std::int64_t rounds =
            stream.axes == 0 ? 1 : std::min<std::int64_t>(stream.steps_ahead, stream.depth - 1);
        if (stream.fetches) grid.prologue = std::max(grid.prologue, rounds);
    }
    // One entry more than are needed at a time: the next window is built in it.
    grid.ring_mask = ring_mask_for(grid.steps_ahead + 2);
    for (StreamId id : node.streams) {
        StreamPlan& stream = plan_.streams[static_cast<std::size_t>(id)];
        stream.ring_mask = ring_mask_for(stream.ahead ? stream.depth + 2 : grid.steps_ahead + 2);
    }
    return grid;
}

}  // namespace

Plan::Plan(const Program& source) : program(source), scalars(source) {
    for (std::size_t id = 0; id < source.streams.size(); ++id)
        streams.push_back(plan_stream(source, scalars, static_cast<StreamId>(id)));
    for (const Ring& ring : source.rings)
        rings.push_back({source.buffers[static_cast<std::size_t>(ring.buffer)].copies});
    number_semaphores(*this);
    for (const Copy& copy : source.copies) copies.push_back(plan_copy(copy, *this));
    for (const Wait& wait : source.waits) waits.push_back(plan_wait(wait, *this));
    for (const Signal& signal : source.signals)
        signals.push_back(
            {plan_semaphore(signal.semaphore, *this), signal.device, signal.by, signal.place.span});
    Flattener flattener(*this);
    flattener.block(source.body);
    flattener.emit(Code::halt);
}

}  // namespace slab::schedule
