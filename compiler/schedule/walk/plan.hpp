#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "compiler/schedule/layout.hpp"
#include "compiler/schedule/walk/scalar_plan.hpp"
#include "compiler/schedule/walker.hpp"

namespace slab::schedule {

struct AxisPlan {
    SlotId slot = none;
    ExprId lo = none;
    ExprId hi = none;
};

struct WindowDimPlan {
    ExprId start = none;
    ExprId live = none;
    std::int64_t size = 1;
    std::int64_t array = 1;  ///< extent of the operand
};

/// What a stream does in every step, with all that can be known beforehand.
struct StreamPlan {
    StreamId id = none;
    const Operand* operand = nullptr;
    std::int64_t lanes = 128;
    std::vector<WindowDimPlan> dims;
    CopyShape whole;         ///< of a window that lies inside its array
    std::uint64_t axes = 0;  ///< bit per axis of the grid: may the window change with it?
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
    std::int64_t ring = 1;         ///< windows kept at a time, a power of two
};

struct GridPlan {
    std::vector<AxisPlan> axes;
    ExprId where = none;
    std::vector<std::int32_t> streams;   ///< indices into Plan::streams
    std::vector<std::int32_t> fetching;  ///< those that read
    std::vector<std::int32_t> writing;   ///< those that write back
    std::int64_t steps_ahead = 1;        ///< live steps that must be known ahead
    std::int64_t ring = 1;               ///< live steps kept at a time, a power of two
    std::int32_t scouts = 0;             ///< streams that look ahead on their own
    std::int64_t prologue = 0;           ///< rounds of fetches before the first step
    bool scouted = false;                ///< has streams or dead steps
};

struct LoopPlan {
    SlotId slot = none;
    ExprId lo = none;
    ExprId hi = none;
    ExprId step = none;
};

/// One instruction of the walker. Each kind that yields events remains the current one until it has
/// yielded all of them.
enum class Code : std::uint8_t {
    region,
    set,
    branch,  ///< goes to `target` when the condition is false
    jump,
    loop_enter,  ///< goes to `target` when there is nothing to do
    loop_begin,
    loop_next,  ///< goes to `target` for another iteration
    scope_begin,
    scope_end,
    grid_enter,  ///< goes to `target` when the grid has no step
    prologue,
    step,  ///< goes to `target`, the body, on a dead step
    start_fetches,
    await_fetches,
    start_writes,
    await_writes,
    grid_next,  ///< goes to `target` for another step
    drain,
    halt
};

struct Instruction {
    Code code = Code::halt;
    std::int32_t id = none;      ///< region, slot, branch, loop, scope or grid
    ExprId expr = none;          ///< set, branch
    std::int32_t target = none;  ///< another instruction
};

/// A program made flat: one list of instructions, and tables for what they speak of.
struct Plan {
    explicit Plan(const Program& program);

    const Program& program;
    ScalarPlan scalars;
    std::vector<Instruction> code;
    std::vector<LoopPlan> loops;
    std::vector<GridPlan> grids;
    std::vector<StreamPlan> streams;  ///< by StreamId
    std::int32_t semaphores = 0;
    std::int32_t branches = 0;
    std::int32_t scopes = 0;
};

}  // namespace slab::schedule
