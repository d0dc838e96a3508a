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
    Maker(std::uint32_t seed, bool everything) : random_(seed), everything_(everything) {}

    Program run() {
        program_.kernel = "random";
        program_.chip = "toy";
        program_.lanes = lanes;
        program_.sublanes = tile_rows;
        program_.vmem_limit_bytes = 1 << 20;
        for (int i = 0; i < 3; ++i) variables_.push_back(slot(fmt::format("n{}", i), pick(4)));
        if (everything_) memories();
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
    BufferId buffer(BufferRole role, const BlockType& type, std::int64_t copies,
                    Space space = Space::vmem) {
        Buffer buffer;
        buffer.space = space;
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
        if (everything_ && depth > 0 && chance(10)) return element(readable, depth - 1);
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

    // what only programs of every construct have
    void memories() {
        for (std::int64_t n = pick(3); n > 0; --n) {
            MeshAxis axis;
            axis.name = fmt::format("r{}", pick(2));
            axis.extent = 1 + pick(4);
            axis.slot = slot(fmt::format("me.{}", axis.name));
            program_.mesh.push_back(axis);
        }
        for (std::int64_t n = 2 + pick(3); n > 0; --n) {
            Semaphore semaphore;
            semaphore.name = fmt::format("f{}", pick(4));
            semaphore.kind = n % 2 == 0 ? SemaphoreKind::dma : SemaphoreKind::count;
            for (std::int64_t rank = pick(3); rank > 0; --rank)
                semaphore.shape.push_back(1 + pick(4));
            program_.semaphores.push_back(semaphore);
        }
        for (int i = 0; i < 2; ++i) {
            const BufferId table =
                buffer(BufferRole::scratch, {DType::i32, {3, 4}}, 1 + pick(2), Space::smem);
            Operand operand;
            operand.name = fmt::format("a{}", pick(3));
            operand.type = DType::i32;
            operand.shape = {3, 4};
            if (chance(50)) operand.resident = table;
            program_.operands.push_back(operand);
            tables_.push_back(table);
        }
        for (int i = 0; i < 2; ++i) {
            Ring ring;
            ring.name = fmt::format("k{}", pick(2));
            ring.buffer = buffer(BufferRole::ring, {DType::f32, {4, 4}}, 2 + pick(2));
            ring.fill = slot(fmt::format("fill{}", i));
            ring.take = slot(fmt::format("take{}", i));
            program_.rings.push_back(ring);
        }
        Operand array;
        array.name = "and";
        array.direction = Direction::inout;
        array.shape = {8, 8};
        array.tile_rows = tile_rows;
        array_ = static_cast<OperandId>(program_.operands.size());
        program_.operands.push_back(array);
    }
    template <typename Item>
    std::int32_t any(const std::vector<Item>& items) {
        return static_cast<std::int32_t>(pick(static_cast<std::int64_t>(items.size())));
    }
    /// An integer that is no constant, which would have to be in range.
    ExprId varying(const std::vector<SlotId>& readable, int depth = 1) {
        return operation(ScalarOp::add, ScalarType::i32, {integer(readable, depth), constant(0)});
    }
    ExprId element(const std::vector<SlotId>& readable, int depth) {
        ScalarExpr expr;
        expr.op = ScalarOp::element;
        expr.buffer = tables_[static_cast<std::size_t>(any(tables_))];
        if (chance(40)) expr.copy = constant(0);
        for (std::int64_t extent : {3, 4})
            expr.args.push_back(chance(50) ? constant(pick(extent)) : varying(readable, depth));
        return add(std::move(expr));
    }
    RefDim ref_dim(std::int64_t size) {
        RefDim dim;
        dim.size = size;
        dim.start = chance(50) ? constant(0) : varying(all_);
        if (chance(20)) dim.live = integer(all_, 1);
        return dim;
    }
    /// 2 x 4 elements of a 4 x 4 buffer of f32, or of an 8 x 8 array.
    MemoryRef part(BufferId buffer) {
        MemoryRef ref;
        if (buffer == none)
            ref.operand = array_;
        else
            ref.buffer = buffer;
        if (buffer != none && chance(50)) ref.copy = varying(all_);
        ref.dims = {ref_dim(2), ref_dim(4)};
        if (chance(20)) {
            View view;
            view.type = DType::bf16;
            view.shape = {4, 4};
            if (chance(50)) view.order = {1, 0};
            RefDim all;
            all.start = constant(0);
            all.size = 4;
            RefDim some = all;
            some.size = 2;
            some.step = 2;
            view.dims = {all, all};
            ref.views.push_back(view);
            view.order.clear();
            view.dims = {some, all};
            ref.views.push_back(view);
        }
        return ref;
    }
    SemaphoreRef semaphore(SemaphoreKind kind) {
        SemaphoreRef ref;
        do ref.semaphore = any(program_.semaphores);
        while (program_.semaphores[static_cast<std::size_t>(ref.semaphore)].kind != kind);
        const Semaphore& semaphore = program_.semaphores[static_cast<std::size_t>(ref.semaphore)];
        for (std::int64_t extent : semaphore.shape)
            ref.index.push_back(chance(50) ? constant(pick(extent)) : varying(all_));
        return ref;
    }
    Device device() {
        Device device;
        for (std::size_t i = 0; i < program_.mesh.size(); ++i) device.push_back(integer(all_, 1));
        return device;
    }
    template <typename Statement, typename Entry>
    static Stmt entry(std::vector<Entry>& table, Entry entry) {
        table.push_back(std::move(entry));
        return {Statement{static_cast<std::int32_t>(table.size()) - 1}};
    }
    Stmt copy(MemoryRef source, MemoryRef target, RingId ring, StreamId stream) {
        Copy copy;
        target.views = source.views;
        copy.source = std::move(source);
        copy.target = std::move(target);
        copy.ring = ring;
        copy.stream = stream;
        copy.priority = pick(2);
        const bool is_free = ring == none && stream == none;
        if (is_free && chance(60)) copy.done = semaphore(SemaphoreKind::dma);
        if (copy.done.semaphore != none && !program_.mesh.empty() && chance(50)) {
            copy.device = device();
            copy.arrive = semaphore(SemaphoreKind::dma);
        }
        return entry<StartCopy>(program_.copies, std::move(copy));
    }
    Stmt use_ring(int depth) {
        UseRing use;
        use.kind = static_cast<UseRing::Kind>(pick(4));
        use.ring = any(program_.rings);
        const BufferId buffer = program_.rings[static_cast<std::size_t>(use.ring)].buffer;
        if (use.kind == UseRing::Kind::drain) return {std::move(use)};
        if (use.kind == UseRing::Kind::fill)
            use.body.push_back(copy(part(none), part(buffer), use.ring, none));
        else if (use.kind == UseRing::Kind::put)
            use.body.push_back(copy(part(buffer), part(none), use.ring, none));
        for (Stmt& stmt : block(depth + 1)) use.body.push_back(std::move(stmt));
        return {std::move(use)};
    }
    Stmt synchronisation(int depth) {
        const BufferId ring = program_.rings[static_cast<std::size_t>(pick(2))].buffer;
        switch (pick(9)) {
            case 0:
                return copy(part(chance(50) ? ring : none), part(chance(50) ? ring : none), none,
                            none);
            case 1: {
                Wait wait;
                const bool counts = chance(50);
                wait.semaphore = semaphore(counts ? SemaphoreKind::count : SemaphoreKind::dma);
                if (counts)
                    wait.count = integer(all_);
                else
                    wait.region = part(ring);
                return entry<Await>(program_.waits, std::move(wait));
            }
            case 2: {
                Signal signal;
                signal.semaphore = semaphore(SemaphoreKind::count);
                signal.device = device();
                if (chance(50)) signal.by = integer(all_);
                return entry<SendSignal>(program_.signals, std::move(signal));
            }
            case 3: {
                if (program_.mesh.empty()) break;
                Barrier barrier;
                if (chance(30)) barrier.all = any(program_.mesh);
                for (std::int64_t n = barrier.all == none ? 1 + pick(2) : 0; n > 0; --n)
                    barrier.peers.push_back(device());
                return entry<MeetPeers>(program_.barriers, std::move(barrier));
            }
            case 4:
                return entry<MakeSure>(program_.checks, Check{condition(all_), "no \"way\"\n", {}});
            case 5:
                return entry<PrintValues>(program_.prints,
                                          Print{"", {integer(all_), condition(all_)}, {}});
            case 6: {
                if (grids_ > 0) break;  // it may steer an outer one
                SetElement set;
                set.buffer = tables_[static_cast<std::size_t>(any(tables_))];
                if (chance(30)) set.copy = varying(all_);
                set.index = {varying(all_), constant(pick(4))};
                if (chance(30)) set.index[0] = constant(pick(3));
                set.value = integer(all_);
                return {std::move(set)};
            }
            case 7: {
                While loop;
                loop.condition = condition(all_);
                loop.at_most = integer(all_, 1);
                if (depth < 3) loop.body = block(depth + 1);
                return {std::move(loop)};
            }
            default:
                break;
        }
        if (depth < 3) return use_ring(depth);
        return {RunRegion{static_cast<RegionId>(pick(3))}};
    }
    StreamId custom_stream(const Pipeline& grid) {
        Stream stream;
        stream.name = fmt::format("s{}", pick(4));
        stream.direction = static_cast<Direction>(pick(3));
        stream.depth = 1 + pick(3);
        stream.ahead = chance(30);
        for (std::size_t i = 0; i < grid.axes.size(); ++i) stream.moves_with.push_back(chance(50));
        stream.buffer = buffer(BufferRole::window, {DType::f32, {4, 4}}, stream.depth);
        stream.slot = slot("now");
        const auto id = static_cast<StreamId>(program_.streams.size());
        if (stream.direction != Direction::out) {
            stream.fetch_slot = slot("next");
            Loop loop;
            loop.slot = slot("l");
            loop.lo = constant(0);
            loop.hi = integer(all_, 1);
            all_.push_back(stream.fetch_slot);
            loop.body.push_back(copy(part(none), part(stream.buffer), none, id));
            all_.pop_back();
            stream.fetch.push_back({std::move(loop)});
        }
        if (stream.direction != Direction::in) {
            Branch branch;
            branch.condition = condition(all_);
            branch.then.push_back(copy(part(stream.buffer), part(none), none, id));
            stream.flush.push_back({std::move(branch)});
        }
        program_.streams.push_back(std::move(stream));
        return id;
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
        if (everything_ && chance(40)) return synchronisation(depth);
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
        for (std::int64_t n = pick(4); n > 0; --n)
            grid.streams.push_back(everything_ && chance(30) ? custom_stream(grid) : stream(grid));
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
            const std::int64_t factor = 1 + pick(2);
            dim.start = operation(ScalarOp::mul, ScalarType::i32, {place, constant(factor)});
            dim.dropped = dim.size == 1 && chance(60);
            if (!dim.dropped && chance(20))
                dim.live = operation(ScalarOp::mod, ScalarType::i32,
                                     {integer(all_), constant(dim.size + 1)});
            const std::int64_t before = dim.live == none ? pick(dim.size) : 0;
            operand.shape.push_back(plain ? 4 * factor + 1 + pick(3) : 3 + pick(6));
            dim.start = plain ? plus(dim.start, factor - before)
                              : between(-before, dim.start, operand.shape.back() - 1);
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
    ExprId plus(ExprId expr, std::int64_t amount) {
        return operation(ScalarOp::add, ScalarType::i32, {expr, constant(amount)});
    }
    ExprId between(std::int64_t lo, ExprId expr, std::int64_t hi) {
        const ExprId below = operation(ScalarOp::min, ScalarType::i32, {expr, constant(hi)});
        return operation(ScalarOp::max, ScalarType::i32, {below, constant(lo)});
    }
    bool reads(ExprId id, SlotId slot) const {
        const ScalarExpr& expr = program_.exprs[static_cast<std::size_t>(id)];
        if (expr.op == ScalarOp::slot) return expr.slot == slot;
        if (expr.copy != none && reads(expr.copy, slot)) return true;
        for (ExprId arg : expr.args)
            if (reads(arg, slot)) return true;
        return false;
    }

    std::mt19937 random_;
    bool everything_;
    Program program_;
    std::vector<SlotId> variables_;
    std::vector<SlotId> all_;       ///< what an expression may read here
    std::vector<BufferId> tables_;  ///< in SMEM
    OperandId array_ = none;
    std::int64_t end_ = 0;
    int grids_ = 0;
};

}  // namespace

Program random_program(std::uint32_t seed) {
    return Maker(seed, false).run();
}

Program random_program_of_everything(std::uint32_t seed) {
    return Maker(seed, true).run();
}

}  // namespace slab::schedule::testing
