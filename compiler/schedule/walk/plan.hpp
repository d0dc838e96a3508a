#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "compiler/schedule/layout.hpp"
#include "compiler/schedule/walk/copies.hpp"
#include "compiler/schedule/walk/rings.hpp"
#include "compiler/schedule/walk/scalar_plan.hpp"
#include "compiler/schedule/walk/semaphores.hpp"
#include "compiler/schedule/walker.hpp"

namespace slab::schedule {

struct AxisPlan {
    SlotId slot = none;
    ExprId lo = none;
    ExprId hi = none;
};

struct WindowDimPlan {
    PreparedExpr start;
    ExprId live = none;
    std::int64_t size = 1;
    std::int64_t step = 1;        ///< from one element to the next
    std::int64_t last_start = 0;  ///< the last one that keeps the window inside its array
};

/// What a stream does in every step, with all that can be known beforehand.
struct StreamPlan {
    StreamId id = none;
    // Transfers of its own: a window is the values of the axes, and blocks are run for copies.
    bool custom = false;
    std::int32_t fetch_entry = none;  ///< instruction that the block begins with
    std::int32_t flush_entry = none;
    std::vector<SlotId> axis_slots;  ///< of its grid
    SlotId fetch_variable = none;
    SlotId slot_variable = none;  ///< set to the copy that the step sees
    const Operand* operand = nullptr;
    std::int64_t lanes = 128;
    std::size_t rank = 0;
    std::array<WindowDimPlan, max_rank> dims;
    bool counts_live = false;                    ///< some dimension has a live length
    std::array<std::int32_t, max_rank> sizes{};  ///< of the dimensions
    std::array<std::int64_t, max_rank> steps{};
    CopyShape whole;         ///< of a window that lies inside its array
    std::uint64_t axes = 0;  ///< bit per axis of the grid: may the window change with it?
    // How one step of the last axis moves the window, if that is known beforehand.
    bool linear = false;  ///< it is
    bool slides = false;  ///< some slope is not 0
    std::size_t last_axis = 0;
    std::array<std::int64_t, max_rank> slopes{};
    std::int32_t depth = 1;
    bool fetches = false;
    bool writes = false;
    bool ahead = false;            ///< looks for different windows instead of different steps
    std::int32_t scout = none;     ///< ahead: which of the grid's scouts is its own
    bool revisit = false;          ///< never fetches before the write-back has arrived
    std::int64_t steps_ahead = 0;  ///< live steps that a fetch is started before its own
    std::int32_t fetch_semaphore = none;
    std::int32_t write_semaphore = none;
    std::int32_t write_depth = 1;  ///< write-backs that may be under way
    std::int64_t ring_mask = 0;    ///< windows kept at a time, a power of two, less 1
};

struct GridPlan {
    std::vector<AxisPlan> axes;
    ExprId where = none;
    std::vector<StreamId> streams;
    std::vector<StreamId> writing;  ///< those that write back
    std::int64_t steps_ahead = 1;   ///< live steps that must be known ahead
    std::int64_t ring_mask = 0;     ///< live steps kept at a time, a power of two, less 1
    std::int32_t scouts = 0;        ///< streams that look ahead on their own
    std::int64_t prologue = 0;      ///< rounds of fetches before the first step
    bool scouted = false;           ///< has streams or dead steps
    bool is_box = false;            ///< no bound depends on another axis
};

/// A loop; of a `while` only `hi`, the most iterations it may take.
struct LoopPlan {
    SlotId slot = none;
    ExprId lo = none;
    ExprId hi = none;
    ExprId step = none;
};

enum class Code : std::uint8_t {
    region,
    set,
    branch,  ///< goes to `target` when the condition is false
    jump,
    loop_enter,  ///< goes to `target` when there is nothing to do
    loop_begin,
    loop_next,    ///< goes to `target` for another iteration
    while_enter,  ///< counts from 0
    while_begin,  ///< goes to `target` when the condition is false
    scope_begin,
    scope_end,
    grid_enter,  ///< goes to `target` when the grid has no step
    step,
    end_step,
    grid_next,  ///< goes to `target` for another step
    grid_leave,
    call_end,  ///< of the block of a stream
    element,
    copy,
    await,
    signal,
    barrier,
    ring_begin,
    ring_end,
    check,
    print,
    halt
};

/// One instruction of the walker.
struct Instruction {
    Code code = Code::halt;
    std::int32_t id = none;      ///< of what the code says, in the program or in the plan
    ExprId expr = none;          ///< set, branch, while
    std::int32_t target = none;  ///< another instruction
};

/// An assignment to an element of SMEM.
struct ElementSetPlan {
    const SetElement* statement = nullptr;
    const Buffer* buffer = nullptr;
};

/// A program made flat: one list of instructions, and tables for what they speak of.
struct Plan {
    explicit Plan(const Program& program);

    const Program& program;
    ScalarPlan scalars;
    std::vector<Instruction> code;
    std::vector<LoopPlan> loops;
    std::vector<GridPlan> grids;
    std::vector<Span> places;         ///< by instruction: that of the statement or one around it
    std::vector<StreamPlan> streams;  ///< by StreamId
    std::vector<RingPlan> rings;      ///< by RingId
    std::vector<RingUsePlan> ring_uses;
    std::vector<ElementSetPlan> element_sets;
    std::vector<CopyPlan> copies;                  ///< by CopyId
    std::vector<WaitPlan> waits;                   ///< by WaitId
    std::vector<SignalPlan> signals;               ///< by SignalId
    std::vector<std::int32_t> written_semaphores;  ///< by SemaphoreId: number of the first element
    SemaphoreNumbers semaphores;
    std::int32_t branches = 0;
    std::int32_t scopes = 0;
};

}  // namespace slab::schedule
