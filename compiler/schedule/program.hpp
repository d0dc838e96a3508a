#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "support/dtype.hpp"
#include "support/source.hpp"

/// The compiled form of a kernel: typed, with every size bound, functions inlined, constants
/// folded, windows as scalar expressions, buffers placed in VMEM, and every straight-line stretch
/// of vector code between two synchronisation points gathered into one region. It prints and parses
/// back (print.hpp), verifies itself (verify.hpp), and the Walker (walker.hpp) executes its control
/// flow. Equality ignores spans.
namespace slab::schedule {

using SlotId = std::int32_t;       ///< index into Program::slots
using ExprId = std::int32_t;       ///< index into Program::exprs
using BufferId = std::int32_t;     ///< index into Program::buffers
using OperandId = std::int32_t;    ///< index into Program::operands
using StreamId = std::int32_t;     ///< index into Program::streams
using RegionId = std::int32_t;     ///< index into Program::regions
using RingId = std::int32_t;       ///< index into Program::rings
using CopyId = std::int32_t;       ///< index into Program::copies
using WaitId = std::int32_t;       ///< index into Program::waits
using SignalId = std::int32_t;     ///< index into Program::signals
using BarrierId = std::int32_t;    ///< index into Program::barriers
using CheckId = std::int32_t;      ///< index into Program::checks
using PrintId = std::int32_t;      ///< index into Program::prints
using SemaphoreId = std::int32_t;  ///< index into Program::semaphores
using ValueId = std::int32_t;      ///< index into Region::values
inline constexpr std::int32_t none = -1;

struct Place {
    Span span;
    friend bool operator==(const Place&, const Place&) { return true; }
};

// ---------------------------------------------------------------------------------------------------
// memory

enum class Space { hbm, vmem, smem };
enum class Direction { in, out, inout };

/// An array of the launch, in HBM. Arrays are stored in tiles of `tile_rows` x `lanes` elements
/// over their last two dimensions, which is what makes the contiguous runs of a copy. An operand
/// that the kernel declares in `smem` or `vmem` is an array in HBM too: `resident` is the buffer
/// that holds all of it before the body begins, and that is written back after it unless the
/// operand is `in`.
struct Operand {
    std::string name;
    Direction direction = Direction::in;
    DType type = DType::f32;
    std::vector<std::int64_t> shape;
    std::int64_t tile_rows = 1;
    BufferId resident = none;
    Place place;
    bool operator==(const Operand&) const = default;
};

enum class BufferRole { window, scratch, ring, live };

/// A piece of VMEM or SMEM: `copies` times `bytes`, from `offset` on. Live values share the area
/// behind the others.
struct Buffer {
    std::string name;
    Space space = Space::vmem;
    BufferRole role = BufferRole::scratch;
    DType type = DType::f32;
    std::vector<std::int64_t> shape;
    std::int64_t tile_rows = 1;
    std::int64_t copies = 1;
    std::int64_t bytes = 0;  ///< one copy, rounded up to tiles
    std::int64_t offset = 0;
    Place place;
    bool operator==(const Buffer&) const = default;
};

// --------------------------------------------------------------------------------------------------
// scalars

/// Operations of the scalar unit. Integers are i64 at compile time and wrap to i32 at run time;
/// `div` floors and `mod` has the sign of the divisor.
enum class ScalarOp {
    constant,
    slot,
    add,
    sub,
    mul,
    div,
    mod,
    min,
    max,
    neg,
    abs,
    eq,
    ne,
    lt,
    le,
    gt,
    ge,
    land,
    lor,
    lnot,
    band,
    bor,
    bxor,
    shl,
    shr,
    select,
    cast,
    aligned,  ///< the first argument, promised to be a multiple of the second, a constant
    element   ///< of an SMEM buffer: `buffer`, `copy`, an index per dimension in `args`
};
enum class ScalarType { i32, f32, pred };

struct ScalarExpr {
    ScalarOp op = ScalarOp::constant;
    ScalarType type = ScalarType::i32;
    std::int64_t integer = 0;  ///< constant of type i32 or pred
    double real = 0;           ///< constant of type f32
    SlotId slot = none;
    BufferId buffer = none;  ///< element
    ExprId copy = none;      ///< element: which of the buffer's copies; none: the first
    std::vector<ExprId> args;
    bool operator==(const ScalarExpr&) const = default;
};

/// A scalar variable: a grid axis, a loop variable, a run-time parameter or a scalar `var`.
struct Slot {
    std::string name;
    ScalarType type = ScalarType::i32;
    std::int64_t integer = 0;  ///< initial value
    double real = 0;
    bool operator==(const Slot&) const = default;
};

/// One dimension of a part of a memory: `size` elements from `start`, `step` apart; `live` of them
/// when the length is known at run time only. A dropped dimension has size 1. Of an operand,
/// elements before the array or past its end are not moved.
struct RefDim {
    ExprId start = none;
    ExprId live = none;
    std::int64_t size = 1;
    std::int64_t step = 1;
    bool dropped = false;
    bool operator==(const RefDim&) const = default;
};

/// The elements of a part of a memory seen in another way: first permuted (`order`, empty for as
/// they are), then laid row-major over `shape`, as elements of `type` (a change of width folds the
/// second-last dimension), then the part `dims` of that.
struct View {
    DType type = DType::f32;
    std::vector<std::int32_t> order;
    std::vector<std::int64_t> shape;
    std::vector<RefDim> dims;  ///< one per dimension of `shape`
    bool operator==(const View&) const = default;
};

/// A part of an operand or of a buffer. `copy` says which of a buffer's copies; none is the one at
/// hand: the window that the step sees, or the only one.
struct MemoryRef {
    OperandId operand = none;
    BufferId buffer = none;
    ExprId copy = none;
    std::vector<RefDim> dims;  ///< one per dimension of the memory
    std::vector<View> views;   ///< in the order they are taken
    bool operator==(const MemoryRef&) const = default;
};

// --------------------------------------------------------------------------------------------------
// regions

struct BlockType {
    DType type = DType::f32;
    std::vector<std::int64_t> shape;  ///< rank 1 or more
    bool operator==(const BlockType&) const = default;
};

/// How an operation is timed; what it computes is told by its name.
enum class OpClass {
    load,             ///< VMEM to registers: args none, ref set
    store,            ///< registers to VMEM: args {value}, ref set, no result
    source,           ///< made from nothing: constants, iota, a scalar splat
    map,              ///< element by element over the result's shape; args broadcast
    reduce_lanes,     ///< along the last dimension, kept as 1
    reduce_sublanes,  ///< along the second-last dimension, kept as 1
    reduce_outer,     ///< along a leading dimension
    dot,  ///< [batch…, m, k] x [batch…, k, n]; `transposed` when the right operand is stored as [n,
          ///< k]
    move  ///< changes of shape and layout: reshape, transpose, concat, roll …
};

/// Instructions an operation needs over its whole block, one per vector register, as the compiler
/// selected them. Loads, stores and matrix work are not here: they follow from types and from how
/// the region is scheduled.
struct Work {
    double valu = 0;
    double eup = 0;
    double xlu = 0;
    bool operator==(const Work&) const = default;
};

struct Op {
    std::string name;  ///< `exp`, `dot`, `load` …
    OpClass cls = OpClass::map;
    ValueId result = none;
    std::vector<ValueId> args;
    Work work;
    std::optional<MemoryRef> ref;        ///< load, store
    std::vector<ExprId> scalars;         ///< scalar operands, e.g. of `splat`
    std::vector<std::int64_t> integers;  ///< axis, order, amount … by the op
    bool transposed = false;             ///< dot: right operand stored transposed
    int passes = 1;                      ///< dot: bf16 passes over the arrays
    Place place;
    bool operator==(const Op&) const = default;
};

/// Straight-line vector code between two synchronisation points, scheduled as one piece.
struct Region {
    std::string name;
    std::vector<BlockType> values;
    std::vector<Op> ops;
    std::int64_t flops = 0;  ///< 2 m n k of its dots, unpadded
    Place place;
    bool operator==(const Region&) const = default;
};

// --------------------------------------------------------------------------------------------------
// control

struct Stmt;
using Block = std::vector<Stmt>;

/// A window of an operand that a pipeline moves through a buffer of `depth` copies. A stream with
/// transfers of its own has no operand: `fetch` and `flush` are run instead, with the axes at the
/// values of the step they are for, whenever an axis of `moves_with` has changed.
struct Stream {
    std::string name;
    Direction direction = Direction::in;
    OperandId operand = none;
    BufferId buffer = none;
    std::vector<RefDim> dims;
    std::int64_t depth = 2;
    bool ahead = false;
    bool revisit = false;
    std::optional<double> pad;
    std::vector<bool> moves_with;  ///< per axis of its pipeline: may the window change with it?
    Block fetch;                   ///< copies into the buffer's copy number `fetch_slot`
    Block flush;                   ///< copies out of the buffer's copy number `slot`
    SlotId fetch_slot = none;      ///< variable, set while `fetch` runs
    SlotId slot = none;            ///< variable: the copy that the body and `flush` see
    Place place;
    bool is_custom() const { return operand == none; }
    bool operator==(const Stream&) const;
};

struct Axis {
    SlotId slot = none;
    ExprId lo = none;
    ExprId hi = none;  ///< exclusive; both may use the axes before
    bool parallel = false;
    Place place;
    bool operator==(const Axis&) const = default;
};
/// A grid: nested loops, the last axis fastest, with its streams. Order of a step: start the
/// fetches of the step depth - 1 ahead, wait for this step's, body, start the write-back if the
/// window will change, wait for the previous.
struct Pipeline {
    std::string name;
    std::vector<Axis> axes;
    ExprId where = none;  ///< false: a dead step
    std::vector<StreamId> streams;
    Block body;
    Place place;
    bool operator==(const Pipeline&) const;
};
struct Loop {
    SlotId slot = none;
    ExprId lo = none;
    ExprId hi = none;
    ExprId step = none;
    Block body;
    Place place;
    bool operator==(const Loop&) const;
};
/// A branch of the scalar unit; nothing overlaps across it.
struct Branch {
    ExprId condition = none;
    Block then;
    Block otherwise;
    Place place;
    bool operator==(const Branch&) const;
};
struct SetSlot {
    SlotId slot = none;
    ExprId value = none;
    bool operator==(const SetSlot&) const = default;
};
struct RunRegion {
    RegionId region = none;
    bool operator==(const RunRegion&) const = default;
};
struct Scope {
    std::string title;
    Block body;
    Place place;
    bool operator==(const Scope&) const;
};
/// Runs while the condition holds; more than `at_most` iterations are a fault.
struct While {
    ExprId condition = none;
    ExprId at_most = none;
    Block body;
    Place place;
    bool operator==(const While&) const;
};
/// Writes an element of an SMEM buffer.
struct SetElement {
    BufferId buffer = none;
    ExprId copy = none;
    std::vector<ExprId> index;
    ExprId value = none;
    Place place;
    bool operator==(const SetElement&) const = default;
};

// --------------------------------------------------------------------------------------------------
// copies and synchronisation

enum class SemaphoreKind { dma, count };

/// A semaphore of a core, or an array of them. A DMA semaphore counts the bytes that arrived, a
/// counting one what was signalled; waiting subtracts. All are 0 before and after the kernel.
struct Semaphore {
    std::string name;
    SemaphoreKind kind = SemaphoreKind::dma;
    std::vector<std::int64_t> shape;  ///< empty: one
    Place place;
    bool operator==(const Semaphore&) const = default;
};
struct SemaphoreRef {
    SemaphoreId semaphore = none;
    std::vector<ExprId> index;  ///< one per dimension
    bool operator==(const SemaphoreRef&) const = default;
};

/// A member of the mesh, as a coordinate per mesh axis.
using Device = std::vector<ExprId>;

/// A DMA. Without `done`, `ring` and `stream` it is synchronous: the core waits for it at once. In
/// the body of a `fill` or `put` it completes on the semaphore of the ring's slot, in `fetch` and
/// `flush` on that of the stream. With a device it is a remote copy: `target` and `arrive` are
/// those of that member, and `done` says that the source may be used again.
struct Copy {
    MemoryRef source;
    MemoryRef target;
    SemaphoreRef done;
    RingId ring = none;
    StreamId stream = none;
    std::int64_t priority = 0;
    Device device;  ///< empty: local
    SemaphoreRef arrive;
    Place place;
    bool is_synchronous() const { return done.semaphore == none && ring == none && stream == none; }
    bool is_remote() const { return !device.empty(); }
    bool operator==(const Copy&) const = default;
};
/// Blocks until the bytes of `region` (DMA), or `count` (counting), are there, and subtracts them.
struct Wait {
    SemaphoreRef semaphore;
    std::optional<MemoryRef> region;
    ExprId count = none;
    Place place;
    bool operator==(const Wait&) const = default;
};
struct Signal {
    SemaphoreRef semaphore;
    Device device;
    ExprId by = none;
    Place place;
    bool operator==(const Signal&) const = default;
};
/// Blocks until every peer has come to the same barrier. `all` is an axis of the mesh: every member
/// that differs in this coordinate alone.
struct Barrier {
    std::vector<Device> peers;
    std::int32_t all = none;
    Place place;
    bool operator==(const Barrier&) const = default;
};
/// A buffer of several slots with a DMA semaphore each. Slots are filled (or put) in turn and taken
/// in turn; the walker counts the bytes of each.
struct Ring {
    std::string name;
    BufferId buffer = none;  ///< its copies are the slots
    SlotId fill = none;      ///< variable: the slot being filled or put
    SlotId take = none;      ///< variable: the slot being taken
    Place place;
    bool operator==(const Ring&) const = default;
};
/// fill: `body` starts copies into the next free slot. take: waits for the oldest slot that is
/// filled, runs `body`, frees it. put: waits until the copies out of the next slot are done, runs
/// `body`, whose copies out complete on the slot's semaphore. drain: waits for all copies out,
/// where the ring's block ends.
struct UseRing {
    enum class Kind { fill, take, put, drain };
    Kind kind = Kind::fill;
    RingId ring = none;
    Block body;
    Place place;
    bool operator==(const UseRing&) const;
};

/// What must hold when the core comes by.
struct Check {
    ExprId condition = none;
    std::string message;
    Place place;
    bool operator==(const Check&) const = default;
};
struct Print {
    std::string message;
    std::vector<ExprId> values;
    Place place;
    bool operator==(const Print&) const = default;
};

struct StartCopy {
    CopyId copy = none;
    bool operator==(const StartCopy&) const = default;
};
struct Await {
    WaitId wait = none;
    bool operator==(const Await&) const = default;
};
struct SendSignal {
    SignalId signal = none;
    bool operator==(const SendSignal&) const = default;
};
struct MeetPeers {
    BarrierId barrier = none;
    bool operator==(const MeetPeers&) const = default;
};
struct MakeSure {
    CheckId check = none;
    bool operator==(const MakeSure&) const = default;
};
struct PrintValues {
    PrintId print = none;
    bool operator==(const PrintValues&) const = default;
};

struct Stmt {
    std::variant<Pipeline, Loop, Branch, SetSlot, RunRegion, Scope, While, SetElement, UseRing,
                 StartCopy, Await, SendSignal, MeetPeers, MakeSure, PrintValues>
        node;
    bool operator==(const Stmt&) const = default;
};

/// An axis of the mesh of cores that run the kernel together; `slot` holds this core's coordinate.
/// Members are numbered row-major, the last axis fastest.
struct MeshAxis {
    std::string name;
    std::int64_t extent = 1;
    SlotId slot = none;
    Place place;
    bool operator==(const MeshAxis&) const = default;
};

struct Program {
    std::string kernel;
    std::string chip;
    std::int64_t lanes = 128;
    std::int64_t sublanes = 8;
    std::vector<Operand> operands;
    std::vector<Buffer> buffers;
    std::vector<Slot> slots;
    std::vector<ScalarExpr> exprs;
    std::vector<Stream> streams;
    std::vector<Region> regions;
    std::vector<MeshAxis> mesh;  ///< empty: one core
    std::vector<Semaphore> semaphores;
    std::vector<Ring> rings;
    std::vector<Copy> copies;
    std::vector<Wait> waits;
    std::vector<Signal> signals;
    std::vector<Barrier> barriers;
    std::vector<Check> checks;
    std::vector<Print> prints;
    Block body;
    std::int64_t vmem_bytes = 0;  ///< the most that is charged at once
    std::int64_t vmem_limit_bytes = 0;

    bool operator==(const Program&) const = default;

    /// How many cores run it together.
    std::int64_t members() const {
        std::int64_t count = 1;
        for (const MeshAxis& axis : mesh) count *= axis.extent;
        return count;
    }
    /// Does a barrier name its peers, rather than an axis?
    bool names_peers() const {
        for (const Barrier& barrier : barriers)
            if (barrier.all == none) return true;
        return false;
    }
    /// How far away along an axis those are that a member tells in a barrier of all, round by
    /// round; empty without one. In round k they are the next 15 that are 16^k apart, so that after
    /// the last each has heard of every one, directly or through others.
    std::vector<std::int32_t> barrier_distances(std::size_t axis) const {
        std::vector<std::int32_t> distances;
        bool is_met = false;
        for (const Barrier& barrier : barriers)
            is_met = is_met || barrier.all == static_cast<std::int32_t>(axis);
        const auto end = static_cast<std::int32_t>(is_met ? mesh[axis].extent : 0);
        for (std::int32_t apart = 1; apart < end; apart *= barrier_fan)
            for (std::int32_t i = 1; i < barrier_fan && i * apart < end; ++i)
                distances.push_back(i * apart);
        return distances;
    }
    static constexpr std::int32_t barrier_fan = 16;
};

/// Calls `visit` with every statement list that a statement contains, in the order they are
/// written; those of the streams of a grid are not among them.
template <typename Statement, typename Visit>
void for_each_block(Statement& stmt, Visit&& visit);

inline bool Pipeline::operator==(const Pipeline& o) const {
    return name == o.name && axes == o.axes && where == o.where && streams == o.streams &&
           body == o.body;
}
inline bool Loop::operator==(const Loop& o) const {
    return slot == o.slot && lo == o.lo && hi == o.hi && step == o.step && body == o.body;
}
inline bool Branch::operator==(const Branch& o) const {
    return condition == o.condition && then == o.then && otherwise == o.otherwise;
}
inline bool Scope::operator==(const Scope& o) const {
    return title == o.title && body == o.body;
}
inline bool While::operator==(const While& o) const {
    return condition == o.condition && at_most == o.at_most && body == o.body;
}
inline bool UseRing::operator==(const UseRing& o) const {
    return kind == o.kind && ring == o.ring && body == o.body;
}
inline bool Stream::operator==(const Stream& o) const {
    return name == o.name && direction == o.direction && operand == o.operand &&
           buffer == o.buffer && dims == o.dims && depth == o.depth && ahead == o.ahead &&
           revisit == o.revisit && pad == o.pad && moves_with == o.moves_with && fetch == o.fetch &&
           flush == o.flush && fetch_slot == o.fetch_slot && slot == o.slot;
}

template <typename Statement, typename Visit>
void for_each_block(Statement& stmt, Visit&& visit) {
    std::visit(
        [&](auto& node) {
            if constexpr (requires { node.body; }) {
                visit(node.body);
            } else if constexpr (requires { node.then; }) {
                visit(node.then);
                visit(node.otherwise);
            }
        },
        stmt.node);
}

}  // namespace slab::schedule
