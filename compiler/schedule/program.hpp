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

using SlotId = std::int32_t;     ///< index into Program::slots
using ExprId = std::int32_t;     ///< index into Program::exprs
using BufferId = std::int32_t;   ///< index into Program::buffers
using OperandId = std::int32_t;  ///< index into Program::operands
using StreamId = std::int32_t;   ///< index into Program::streams
using RegionId = std::int32_t;   ///< index into Program::regions
using ValueId = std::int32_t;    ///< index into Region::values
inline constexpr std::int32_t none = -1;

struct Place {
    Span span;
    friend bool operator==(const Place&, const Place&) { return true; }
};

// ---------------------------------------------------------------------------------------------------
// memory

enum class Space { hbm, vmem, smem };
enum class Direction { in, out, inout };

/// An array of the launch. HBM arrays are stored in tiles of `tile_rows` x `lanes` elements over
/// their last two dimensions, which is what makes the contiguous runs of a copy.
struct Operand {
    std::string name;
    Space space = Space::hbm;
    Direction direction = Direction::in;
    DType type = DType::f32;
    std::vector<std::int64_t> shape;
    std::int64_t tile_rows = 1;
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
    cast
};
enum class ScalarType { i32, f32, pred };

struct ScalarExpr {
    ScalarOp op = ScalarOp::constant;
    ScalarType type = ScalarType::i32;
    std::int64_t integer = 0;  ///< constant of type i32 or pred
    double real = 0;           ///< constant of type f32
    SlotId slot = none;
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

// --------------------------------------------------------------------------------------------------
// regions

struct BlockType {
    DType type = DType::f32;
    std::vector<std::int64_t> shape;  ///< rank 1 or more
    bool operator==(const BlockType&) const = default;
};

/// A part of a buffer: per dimension `size` elements from `start`, `step` apart; a dropped
/// dimension has size 1.
struct RefDim {
    ExprId start = none;
    std::int64_t size = 1;
    std::int64_t step = 1;
    bool dropped = false;
    bool operator==(const RefDim&) const = default;
};
struct BufferRef {
    BufferId buffer = none;
    std::vector<RefDim> dims;  ///< one per dimension of the buffer
    bool operator==(const BufferRef&) const = default;
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
    std::optional<BufferRef> ref;        ///< load, store
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

/// One dimension of a window: `size` elements from `start`; `live` of them when the length is known
/// at run time only. Elements before the array or past its end are not moved.
struct WindowDim {
    ExprId start = none;
    ExprId live = none;
    std::int64_t size = 1;
    bool dropped = false;
    bool operator==(const WindowDim&) const = default;
};

/// A window of an operand that a pipeline moves through a buffer of `depth` copies.
struct Stream {
    std::string name;
    Direction direction = Direction::in;
    OperandId operand = none;
    BufferId buffer = none;
    std::vector<WindowDim> dims;
    std::int64_t depth = 2;
    bool ahead = false;
    bool revisit = false;
    std::optional<double> pad;
    std::vector<bool> moves_with;  ///< per axis of its pipeline: may the window change with it?
    Place place;
    bool operator==(const Stream&) const = default;
};

struct Stmt;
using Block = std::vector<Stmt>;

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

struct Stmt {
    std::variant<Pipeline, Loop, Branch, SetSlot, RunRegion, Scope> node;
    bool operator==(const Stmt&) const = default;
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
    Block body;
    std::int64_t vmem_bytes = 0;  ///< the most that is charged at once
    std::int64_t vmem_limit_bytes = 0;

    bool operator==(const Program&) const = default;
};

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

}  // namespace slab::schedule
