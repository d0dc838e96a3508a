#include "random_program.hpp"

#include <random>
#include <string>

#include <fmt/format.h>

#include "compiler/schedule/layout.hpp"

namespace slab::schedule::testing {

namespace {

constexpr std::int64_t lanes = 4;
constexpr std::int64_t tile_rows = 2;

class Maker {
public:
    explicit Maker(std::uint32_t seed) : random_(seed) {}

    Program run() {
        program_.kernel = "random";
        program_.chip = "toy";
        program_.lanes = lanes;
        program_.sublanes = tile_rows;
        program_.vmem_limit_bytes = 1 << 20;
        for (int i = 0; i < 3; ++i) variables_.push_back(slot(fmt::format("n{}", i), pick(4)));
        regions();
        program_.body = block(0);
        return std::move(program_);
    }

private:
    std::int64_t pick(std::int64_t below) {
        return static_cast<std::int64_t>(random_() % static_cast<std::uint32_t>(below));
    }
    bool chance(int percent) { return pick(100) < percent; }

    SlotId slot(const std::string& name, std::int64_t value = 0) {
        program_.slots.push_back({name, ScalarType::i32, value, 0});
        return static_cast<SlotId>(program_.slots.size()) - 1;
    }
    BufferId buffer(BufferRole role, const BlockType& type, std::int64_t copies) {
        Buffer buffer;
        buffer.name = fmt::format("b{}", pick(20));
        buffer.role = role;
        buffer.type = type.type;
        buffer.shape = type.shape;
        buffer.tile_rows = tile_rows;
        buffer.copies = copies;
        buffer.bytes = vmem_bytes(type.type, type.shape, tile_rows, lanes);
        buffer.offset = end_;
        end_ += copies * buffer.bytes;
        program_.buffers.push_back(buffer);
        return static_cast<BufferId>(program_.buffers.size()) - 1;
    }

    // scalars: what is set inside a grid must not steer it, so only some slots may be read
    ExprId add(ScalarExpr expr) {
        program_.exprs.push_back(std::move(expr));
        return static_cast<ExprId>(program_.exprs.size()) - 1;
    }
    ExprId constant(std::int64_t value) {
        ScalarExpr expr;
        expr.integer = value;
        return add(expr);
    }
    ExprId operation(ScalarOp op, ScalarType type, std::vector<ExprId> args) {
        ScalarExpr expr;
        expr.op = op;
        expr.type = type;
        expr.args = std::move(args);
        return add(std::move(expr));
    }
    ExprId read(SlotId slot) {
        ScalarExpr expr;
        expr.op = ScalarOp::slot;
        expr.slot = slot;
        return add(expr);
    }
    ExprId integer(const std::vector<SlotId>& readable, int depth = 2) {
        if (depth == 0 || chance(20)) {
            if (readable.empty() || chance(40)) return constant(pick(5) - 1);
            return read(readable[static_cast<std::size_t>(
                pick(static_cast<std::int64_t>(readable.size())))]);
        }
        static constexpr ScalarOp ops[] = {ScalarOp::add, ScalarOp::sub, ScalarOp::mul,
                                           ScalarOp::min, ScalarOp::max, ScalarOp::bxor};
        const ExprId left = integer(readable, depth - 1);
        if (chance(15))
            return operation(chance(50) ? ScalarOp::div : ScalarOp::mod, ScalarType::i32,
                             {left, constant(1 + pick(3))});
        const ExprId right = integer(readable, depth - 1);
        if (chance(10))
            return operation(ScalarOp::select, ScalarType::i32, {condition(readable), left, right});
        return operation(ops[pick(6)], ScalarType::i32, {left, right});
    }
    ExprId condition(const std::vector<SlotId>& readable) {
        static constexpr ScalarOp ops[] = {ScalarOp::eq, ScalarOp::ne, ScalarOp::lt,
                                           ScalarOp::le, ScalarOp::gt, ScalarOp::ge};
        const ExprId left = integer(readable, 1);
        const ExprId test = operation(ops[pick(6)], ScalarType::pred, {left, integer(readable, 1)});
        if (chance(20)) return operation(ScalarOp::lnot, ScalarType::pred, {test});
        if (!chance(20)) return test;
        return operation(chance(50) ? ScalarOp::land : ScalarOp::lor, ScalarType::pred,
                         {test, condition(readable)});
    }

    void regions() {
        const BlockType square{DType::f32, {4, 4}};
        const BufferId scratch = buffer(BufferRole::scratch, square, 1);
        for (int i = 0; i < 3; ++i) {
            Region region;
            region.name = i == 0 ? "" : fmt::format("part {}", i);
            const auto emit = [&](const char* name, OpClass cls, std::vector<ValueId> args,
                                  BlockType type) -> Op& {
                Op op;
                op.name = name;
                op.cls = cls;
                op.args = std::move(args);
                op.result = static_cast<ValueId>(region.values.size());
                region.values.push_back(std::move(type));
                region.ops.push_back(std::move(op));
                return region.ops.back();
            };
            Op load;
            MemoryRef whole;
            whole.buffer = scratch;
            whole.dims = {{constant(0), none, 4}, {constant(0), none, 4}};
            emit("load", OpClass::load, {}, square).ref = whole;
            emit("iota", OpClass::source, {}, square).integers = {pick(2)};
            emit("splat", OpClass::source, {}, square).scalars = {integer(variables_)};
            Op& map = emit("add", OpClass::map, {0, 1}, square);
            map.work = {static_cast<double>(pick(9)) / 3, static_cast<double>(pick(2)), 0.1};
            emit("rowmax", OpClass::reduce_lanes, {2}, {DType::f32, {4, 1}});
            emit("colsum", OpClass::reduce_sublanes, {2}, {DType::f32, {1, 4}});
            emit("transpose", OpClass::move, {3}, square).integers = {1, 0};
            Op& dot = emit("dot", OpClass::dot, {3, 6}, square);
            dot.transposed = chance(50);
            dot.passes = static_cast<int>(1 + pick(6));
            region.flops = 2 * 4 * 4 * 4;
            Op store;
            store.name = "store";
            store.cls = OpClass::store;
            store.args = {7};
            store.ref = whole;
            region.ops.push_back(store);
            program_.regions.push_back(std::move(region));
        }
    }

    Block block(int depth) {
        Block block;
        for (std::int64_t n = 1 + pick(3); n > 0; --n) block.push_back(statement(depth));
        return block;
    }
    Stmt statement(int depth) {
        const std::int64_t kind = depth >= 3 ? 5 + pick(2) : pick(8);
        if (kind < 3) return {grid(depth)};
        if (kind == 3) {
            Branch branch;
            branch.condition = condition(all_);
            branch.then = block(depth + 1);
            if (chance(50)) branch.otherwise = block(depth + 1);
            return {std::move(branch)};
        }
        if (kind == 4) return {loop(depth)};
        if (kind == 5 && !variables_.empty()) {
            // Variables are set outside all grids only: inside, they may steer an outer one.
            if (grids_ == 0)
                return {SetSlot{variables_[static_cast<std::size_t>(pick(3))], integer(all_)}};
        }
        if (kind == 7) return {Scope{fmt::format("scope {}", pick(9)), block(depth + 1), {}}};
        return {RunRegion{static_cast<RegionId>(pick(3))}};
    }
    Loop loop(int depth) {
        Loop loop;
        loop.slot = slot(fmt::format("l{}", pick(3)));
        loop.lo = constant(pick(3));
        loop.hi = constant(pick(4));
        if (chance(50)) loop.step = constant(chance(30) ? -1 : 1 + pick(2));
        all_.push_back(loop.slot);
        loop.body = block(depth + 1);
        all_.pop_back();
        return loop;
    }
    Pipeline grid(int depth) {
        Pipeline grid;
        grid.name = fmt::format("g{}", pick(3));
        const std::size_t before = all_.size();
        for (std::int64_t n = pick(4); n > 0; --n) {
            Axis axis;
            axis.slot = slot(fmt::format("i{}", pick(5)));
            axis.lo = chance(80) ? constant(0) : integer(all_, 1);
            const ExprId end = constant(pick(4) + 1);
            axis.hi = chance(70)
                          ? end
                          : operation(ScalarOp::min, ScalarType::i32, {integer(all_, 1), end});
            axis.lo = operation(ScalarOp::max, ScalarType::i32, {axis.lo, constant(-1)});
            axis.parallel = chance(30);
            grid.axes.push_back(axis);
            all_.push_back(axis.slot);
        }
        if (chance(40)) grid.where = condition(all_);
        for (std::int64_t n = pick(4); n > 0; --n) grid.streams.push_back(stream(grid));
        ++grids_;
        grid.body = block(depth + 1);
        --grids_;
        all_.resize(before);
        return grid;
    }
    StreamId stream(const Pipeline& grid) {
        Stream stream;
        stream.name = fmt::format("s{}", pick(4));
        stream.direction = static_cast<Direction>(pick(3));
        stream.depth = 1 + pick(4);
        stream.ahead = chance(30);
        stream.revisit = chance(20);
        if (chance(20)) stream.pad = static_cast<double>(pick(3)) / 7;
        Operand operand;
        operand.name = fmt::format("a{}", pick(3));
        operand.direction = Direction::inout;
        operand.tile_rows = tile_rows;
        std::vector<ExprId> used;
        for (std::int64_t n = 1 + pick(3); n > 0; --n) {
            RefDim dim;
            dim.size = 1 + pick(3);
            const bool plain = !grid.axes.empty() && chance(50);
            const std::int64_t axis = plain ? pick(static_cast<std::int64_t>(grid.axes.size())) : 0;
            const ExprId place =
                plain ? read(grid.axes[static_cast<std::size_t>(axis)].slot) : integer(all_);
            dim.start = operation(ScalarOp::mul, ScalarType::i32, {place, constant(1 + pick(2))});
            dim.dropped = dim.size == 1 && chance(60);
            if (!dim.dropped && chance(20))
                dim.live = operation(ScalarOp::mod, ScalarType::i32,
                                     {integer(all_), constant(dim.size + 1)});
            operand.shape.push_back(3 + pick(6));
            used.push_back(dim.start);
            if (dim.live != none) used.push_back(dim.live);
            stream.dims.push_back(dim);
        }
        for (const Axis& axis : grid.axes) {
            bool moves = chance(10);
            for (ExprId expr : used) moves = moves || reads(expr, axis.slot);
            stream.moves_with.push_back(moves);
        }
        std::vector<std::int64_t> shape;
        for (const RefDim& dim : stream.dims)
            if (!dim.dropped) shape.push_back(dim.size);
        if (shape.empty()) shape.push_back(1);
        stream.buffer = buffer(BufferRole::window, {DType::f32, shape}, stream.depth);
        stream.operand = static_cast<OperandId>(program_.operands.size());
        program_.operands.push_back(std::move(operand));
        program_.streams.push_back(std::move(stream));
        return static_cast<StreamId>(program_.streams.size()) - 1;
    }
    bool reads(ExprId id, SlotId slot) const {
        const ScalarExpr& expr = program_.exprs[static_cast<std::size_t>(id)];
        if (expr.op == ScalarOp::slot) return expr.slot == slot;
        for (ExprId arg : expr.args)
            if (reads(arg, slot)) return true;
        return false;
    }

    std::mt19937 random_;
    Program program_;
    std::vector<SlotId> variables_;
    std::vector<SlotId> all_;  ///< what an expression may read here
    std::int64_t end_ = 0;
    int grids_ = 0;
};

}  // namespace

Program random_program(std::uint32_t seed) {
    return Maker(seed).run();
}

}  // namespace slab::schedule::testing
