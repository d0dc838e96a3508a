#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "compiler/schedule/program.hpp"

namespace slab::schedule {

enum class EventKind : std::uint8_t {
    step,  ///< a grid step begins: `id` is the pipeline's index, `live` is false on a dead step
    iteration,  ///< an iteration of a loop begins
    branch,     ///< the scalar unit decided a branch
    set,        ///< a scalar assignment
    copy,    ///< a transfer starts: `id` its stream, `write`, `bytes`, `runs`, `semaphore`, `start`
             ///< in the array
    wait,    ///< the core blocks until `semaphore` holds `bytes`, then takes them; `id` the stream
    region,  ///< vector code: `id` is the region
    scope_begin,
    scope_end,  ///< `id` numbers the scopes in program order
};

inline constexpr int max_rank = 6;

/// One event of a core's block schedule. Both the timing model and the interpreter consume these
/// and nothing else.
struct Event {
    EventKind kind = EventKind::step;
    bool live = true;
    bool write = false;  ///< copy, wait: VMEM to HBM
    std::uint16_t core = 0;
    std::uint16_t chip = 0;
    std::int32_t id = none;
    std::int32_t semaphore = none;
    std::int32_t slot = 0;  ///< copy: which of the buffer's copies
    std::int64_t bytes = 0;
    std::int64_t runs = 0;
    std::array<std::int64_t, max_rank>
        start{};  ///< copy: first element per dimension of the operand

    bool operator==(const Event&) const = default;
};

/// Executes the control flow of a Program for one core and yields its events one by one. A plain
/// value: copying it copies the position. Memory does not grow with the number of steps; a step
/// costs time linear in its events. The program must outlive it.
class Walker {
public:
    explicit Walker(const Program& program, std::uint16_t core = 0, std::uint16_t chip = 0);

    /// The next event, or false at the end. `event` is overwritten.
    bool next(Event& event);

    /// Value of a scalar variable at the current position.
    std::int64_t integer(SlotId slot) const;
    double real(SlotId slot) const;

    /// Semaphores the schedule uses: one per buffer copy of a stream.
    std::int32_t semaphore_count() const;
    /// Steps begun so far, dead ones included.
    std::int64_t steps() const;

private:
    // the explicit loop stack and the cursors of each pipeline's streams
};

}  // namespace slab::schedule
