#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "compiler/schedule/program.hpp"
#include "support/diagnostics.hpp"

namespace slab::schedule {

enum class EventKind : std::uint8_t {
    step,  ///< a grid step begins: `id` is the pipeline's index, `live` is false on a dead step
    iteration,    ///< an iteration of a loop begins: `id` is the loop's index (`while` included)
    branch,       ///< the scalar unit decided branch `id`; `live` is the outcome
    set,          ///< a scalar assignment: `id` is the slot
    element,      ///< a write to SMEM: `id` is the buffer
    copy,         ///< a window's transfer starts: `id` its stream, `write`, `bytes`, `runs`,
                  ///< `semaphore`, `slot`, `start`, `extent`
    wait,         ///< the core blocks until `semaphore` holds `bytes`, then takes them; `id` the
                  ///< stream, `write` and `slot` those of the copy
    transfer,     ///< a written copy starts: `id` its index in Program::copies, `bytes`, `runs`,
                  ///< `semaphore` that says when its source is free and, if local, its target
                  ///< full; remote: `peer`, and `arrival`, the semaphore there
    await,        ///< as wait, for a written wait or for what follows from a written copy: `id` the
                  ///< index in Program::waits or none, `bytes` a count for counting semaphores
    signal,       ///< adds `bytes` to semaphore `arrival` of member `peer`; `id` the index in
                  ///< Program::signals, or none where a barrier does it
    ring,         ///< `fill`, `take`, `put` or `drain` of ring `id` begins (`live`) or ends; `slot`
    print,        ///< `id` is the index in Program::prints
    region,       ///< vector code: `id` is the region
    scope_begin,  ///< `id` numbers the scopes
    scope_end,
};
// Pipelines, loops, branches and scopes are numbered in program order, outer before inner, the
// `fetch` and `flush` of a grid's streams before its body.

inline constexpr int max_rank = 6;

/// One event of a core's block schedule. Both the timing model and the interpreter consume these
/// and nothing else.
struct Event {
    EventKind kind = EventKind::step;
    bool live = true;
    bool write = false;       ///< copy, wait: VMEM to HBM
    std::int32_t member = 0;  ///< of the mesh
    std::int32_t id = none;
    std::int32_t semaphore = none;
    std::int32_t slot = 0;        ///< copy, wait: which of the buffer's copies
    std::int32_t peer = none;     ///< transfer, signal: the member it goes to
    std::int32_t arrival = none;  ///< transfer, signal: semaphore of the peer
    std::int64_t bytes = 0;
    std::int64_t runs = 0;
    /// copy: the window's first element per dimension of the operand; may lie outside the array
    std::array<std::int64_t, max_rank> start{};
    /// copy: elements moved per dimension, those inside the array; they begin at max(start, 0)
    std::array<std::int32_t, max_rank> extent{};

    bool operator==(const Event&) const = default;
};

/// The window of a stream that the body sees.
struct Window {
    std::int64_t run = 0;    ///< counts the runs of the grid, from 1
    std::int64_t index = 0;  ///< counts the different windows of this run of the grid, from 0
    std::int32_t slot = 0;   ///< which of the buffer's copies
    std::array<std::int64_t, max_rank> start{};
    std::array<std::int32_t, max_rank> extent{};  ///< as in Event
};

/// Values of arrays that control flow reads, by operand: elements row-major as words (scalar.hpp).
/// Empty for the others.
struct Data {
    std::vector<std::vector<std::int64_t>> operands;
    /// What the kernel itself computes and copies into SMEM, by member: the elements of one copy
    /// after the other. Empty where nobody has computed it (ScalarSource).
    std::vector<std::vector<std::vector<std::int64_t>>> computed = {};
};

/// Why a walk ended before the program did: a message of the user's making, with its place.
struct Stop {
    Diag id;
    Span span;
    std::string headline;
    std::string why;  ///< may be empty
};

/// Values that a kernel computes itself and copies into SMEM; the walker asks for them where such a
/// copy starts. Who computes values implements this; without it, they must be in Data::computed.
class ScalarSource {
public:
    virtual ~ScalarSource() = default;
    /// Elements of the source of a copy, row-major, as words.
    virtual std::vector<std::int64_t> read(CopyId copy) = 0;
};

/// Executes the control flow of a Program for one core and yields its events one by one. A plain
/// value: copying it copies the position. Memory does not grow with the number of steps; a step
/// costs time linear in its events. The program must outlive it.
///
/// Before a grid's first step come the fetches of its first `depth - 1` live steps. A step yields
/// `step`; the fetches for the live step `depth - 1` ahead; a `wait` per window that is new; the
/// body; the write-backs of windows that the next live step leaves; and a `wait` for the write-back
/// before each of those. Bounds, `where` and windows use the variables as they were when the grid
/// was entered.
class Walker {
public:
    /// `data` holds what SMEM operands and copies into SMEM read; it must outlive the walker too.
    explicit Walker(const Program& program, const Data& data = {}, std::int32_t member = 0,
                    std::int64_t max_steps = std::numeric_limits<std::int64_t>::max());
    Walker(const Walker& other);
    Walker(Walker&& other) noexcept;
    Walker& operator=(const Walker& other);
    Walker& operator=(Walker&& other) noexcept;
    ~Walker();

    /// Where values that the kernel computes come from; it must outlive the walker.
    void computed_by(ScalarSource& source);

    /// The next event, or false at the end. `event` is overwritten.
    bool next(Event& event);

    /// Value of a scalar variable at the current position.
    std::int64_t integer(SlotId slot) const;
    double real(SlotId slot) const;
    /// Value of a scalar expression at the current position; 0 after a division by zero.
    std::int64_t integer_of(ExprId expr) const;
    double real_of(ExprId expr) const;
    /// The same as a word, or why there is none, said of a statement at `span`.
    std::variant<std::int64_t, Stop> evaluate(ExprId expr, Span span) const;
    /// An element of an SMEM buffer as a word, row-major, copy after copy; nothing if it was never
    /// written.
    std::optional<std::int64_t> element(BufferId buffer, std::int64_t number) const;
    /// The stream's window in the current step, from its `step` event on; nothing before the grid's
    /// first live step.
    std::optional<Window> window(StreamId stream) const;

    /// Semaphores the schedule uses. In the order of the streams: one per copy of the buffer for
    /// fetches, if the stream fetches; then min(depth, 2) for write-backs, if it writes. Then one
    /// per slot of each ring, one per element of each semaphore of the program, one per member of
    /// the mesh if there are barriers of named peers (the member it hears from), those of the
    /// barriers of all along each axis (Program::barrier_distances), and one for synchronous
    /// copies.
    std::int32_t semaphore_count() const;
    /// What a semaphore is for, in messages: `fetch of a`, `got[0, 3]`, `slot 1 of kv`, `barrier
    /// from member 2`, `barrier from 1 before in r`, `synchronous copies`.
    std::string semaphore_name(std::int32_t semaphore) const;
    /// Steps begun so far, dead ones included.
    std::int64_t steps() const;

    /// What the kernel did that cannot go on, such as a division by zero in a bound; next() returns
    /// false from there on. Nothing while all is well.
    const std::optional<Stop>& stop() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace slab::schedule
