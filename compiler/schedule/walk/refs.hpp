#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/schedule/layout.hpp"
#include "compiler/schedule/walker.hpp"

namespace slab::schedule {

struct WalkState;

/// One dimension of a reference, with the extent of the array that it is a part of.
struct RefDimPlan {
    ExprId start = none;
    ExprId live = none;
    std::int64_t size = 1;
    std::int64_t step = 1;
    std::int64_t array = 1;
    bool dropped = false;
};

/// A reference is a part of a memory, and then of each view.
struct PartPlan {
    std::vector<RefDimPlan> dims;
    std::vector<std::int64_t> shape;  ///< of what it is a part of
    std::vector<std::int64_t> steps;
    /// Of a view: the dimensions of the part before as it sees them, those that are dropped left
    /// out.
    std::vector<std::size_t> seen;
    bool permuted = false;
    bool keeps_rows = true;  ///< the last dimension stays the last
    DType type = DType::f32;
    std::int64_t tile_rows = 1;
    bool counts_live = false;  ///< some dimension has a length known at run time only
};

/// A reference to memory, with all that can be known beforehand.
struct RefPlan {
    std::string name;  ///< of the operand or the buffer
    OperandId operand = none;
    BufferId buffer = none;
    Space space = Space::hbm;
    ExprId copy = none;
    std::int64_t copies = 1;
    std::int64_t lanes = 128;
    std::vector<PartPlan> parts;  ///< that of the memory, then one per view
    bool counts_live = false;
    CopyShape whole;  ///< if no length is counted at run time
    Span span;        ///< of the statement
};

RefPlan plan_ref(const MemoryRef& ref, const Program& program, Span span);

/// Where a part lies at run time, as far as it has dimensions; the rest stays as it is.
struct Part {
    std::array<std::int64_t, max_rank> start;
    std::array<std::int64_t, max_rank> live;
};

/// A reference at run time.
struct Resolved {
    std::int64_t copy = 0;      ///< of the buffer
    std::int64_t elements = 0;  ///< of the last part
    Part first;
    Part last;  ///< set only with views
};

/// Finds where a reference lies. False, with the fault told, where it reaches outside.
bool resolve(const RefPlan& ref, WalkState& state, Resolved& resolved);

/// Bytes, and contiguous pieces of HBM; memory on the core is one piece.
CopyShape copy_shape(const RefPlan& ref, const Resolved& resolved);

/// Numbers of the elements in their memory, in the order of the reference. False, with the fault
/// told, where a view changes the width of the elements.
bool element_numbers(const RefPlan& ref, WalkState& state, const Resolved& resolved,
                     std::vector<std::int64_t>& numbers);

}  // namespace slab::schedule
