#include "compiler/schedule/walk/plan.hpp"

#include <algorithm>
#include <bit>

#include "support/check.hpp"

namespace slab::schedule {

namespace {

std::int64_t ring_mask_for(std::int64_t entries) {
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(entries))) - 1;
}

/// More live steps than any grid has, and few enough to be added to a step.
constexpr std::int64_t any_distance = std::int64_t{1} << 62;

StreamPlan plan_stream(const Program& program, const ScalarPlan& scalars, StreamId id) {
    const Stream& stream = program.streams[static_cast<std::size_t>(id)];
    const Operand& operand = program.operands[static_cast<std::size_t>(stream.operand)];
    SLAB_CHECK(stream.dims.size() <= max_rank, "stream {} has {} dimensions, the most are {}",
               stream.name, stream.dims.size(), max_rank);
    SLAB_CHECK(stream.dims.size() == operand.shape.size(),
               "stream {} and its operand differ in rank", stream.name);
    StreamPlan plan;
    plan.id = id;
    plan.operand = &operand;
    plan.lanes = program.lanes;
    plan.rank = stream.dims.size();
    std::vector<std::int64_t> sizes;
    for (std::size_t d = 0; d < stream.dims.size(); ++d) {
        const RefDim& dim = stream.dims[d];
        plan.dims[d] = {scalars[dim.start], dim.live, dim.size, operand.shape[d] - dim.size};
        plan.counts_live |= dim.live != none;
        plan.sizes[d] = static_cast<std::int32_t>(dim.size);
        sizes.push_back(dim.size);
    }
    plan.whole = copy_shape(operand.type, operand.shape, sizes, operand.tile_rows, program.lanes);
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
    stream.linear = !stream.counts_live;
    for (std::size_t d = 0; d < stream.rank; ++d) {
        const auto slope = stream.dims[d].start.slope(slot);
        stream.linear = stream.linear && slope.has_value();
        stream.slopes[d] = slope.value_or(0);
        stream.slides = stream.slides || stream.slopes[d] != 0;
    }
}

/// Ids of semaphores: per stream one per copy of its buffer for fetches, then one or two for
/// write-backs.
std::int32_t number_semaphores(std::vector<StreamPlan>& streams) {
    std::int32_t next = 0;
    for (StreamPlan& stream : streams) {
        if (stream.fetches) {
            stream.fetch_semaphore = next;
            next += stream.depth;
        }
        if (stream.writes) {
            stream.write_semaphore = next;
            next += stream.write_depth;
        }
    }
    return next;
}

/// Makes a program's body flat, statement by statement.
class Flattener {
public:
    explicit Flattener(Plan& plan) : plan_(plan) {}

    void block(const Block& block) {
        for (const Stmt& stmt : block)
            std::visit([this](const auto& node) { statement(node); }, stmt.node);
    }
    std::int32_t emit(Code code, std::int32_t id = none, ExprId expr = none,
                      std::int32_t target = none) {
        plan_.code.push_back({code, id, expr, target});
        return here() - 1;
    }

private:
    std::int32_t here() const { return static_cast<std::int32_t>(plan_.code.size()); }
    void land(std::int32_t instruction) {
        plan_.code[static_cast<std::size_t>(instruction)].target = here();
    }

    template <typename Node>
    void statement(const Node&) {}
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

    Plan& plan_;
};

GridPlan Flattener::plan_grid(const Pipeline& node) {
    SLAB_CHECK(node.axes.size() <= 64 && node.streams.size() <= 64,
               "grid {} has {} axes and {} streams, the most are 64", node.name, node.axes.size(),
               node.streams.size());
    GridPlan grid;
    for (const Axis& axis : node.axes) grid.axes.push_back({axis.slot, axis.lo, axis.hi});
    grid.where = node.where;
    grid.streams = node.streams;
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
    semaphores = number_semaphores(streams);
    Flattener flattener(*this);
    flattener.block(source.body);
    flattener.emit(Code::halt);
}

}  // namespace slab::schedule
