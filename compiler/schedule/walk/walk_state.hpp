#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compiler/schedule/walk/plan.hpp"
#include "compiler/schedule/walk/windows.hpp"

namespace slab::schedule {

/// A queue that keeps its room: what goes through it allocates only while it grows.
template <typename T>
class Fifo {
public:
    void push(const T& item) {
        if (end_ == items_.size()) items_.resize(2 * end_ + 16);
        items_[end_++] = item;
    }
    bool empty() const { return end_ == 0; }
    /// The first of a queue that is not empty. It stays where it is until something is pushed.
    const T& pop() {
        const T& first = items_[begin_++];
        if (begin_ == end_) begin_ = end_ = 0;
        return first;
    }

private:
    std::vector<T> items_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

/// A `copy` or `wait` of a stream that is about to be yielded. For a stream with transfers of its
/// own, a `copy` runs its block, and the bytes of a `wait` are known when its turn comes.
struct Transfer {
    EventKind kind = EventKind::copy;
    bool write = false;
    bool custom = false;
    StreamId stream = none;
    std::int32_t semaphore = none;
    std::int32_t slot = 0;
    std::int64_t bytes = 0;
    std::size_t window = 0;  ///< where Windows keeps it
};

/// The block of a stream that is being run in the middle of the queue of transfers.
struct Call {
    Transfer transfer;
    bool runs = false;
    std::int32_t return_to = 0;  ///< the instruction
    std::int64_t bytes = 0;      ///< of its copies so far
    std::vector<Word> axes;      ///< what they were
};

/// The slots of a ring.
struct RingWalk {
    std::vector<std::int64_t> bytes;  ///< per slot: copied and not yet awaited
    std::int64_t fills = 0;
    std::int64_t takes = 0;
    std::int64_t puts = 0;
    std::int32_t slot = 0;  ///< of the use that runs
    bool in_use = false;    ///< the body of a use runs
    bool copies = false;    ///< and it may start copies that belong to the slot
};

/// Where a walk is, but for the instruction, the loops and the grids.
struct WalkState {
    WalkState(const Program& program, const Data& data, std::int32_t member);

    std::shared_ptr<const Plan> plan;
    std::vector<Word> slots;
    std::vector<Windows> windows;  ///< by StreamId
    std::vector<RingWalk> rings;   ///< by RingId
    Fifo<Transfer> transfers;      ///< yielded before anything else happens
    Fifo<Event> followups;         ///< events of the statement that has just begun
    Call running;                  ///< the block of a stream
    ScalarContext context;
    std::optional<Stop> stop;
    const Data* data;
    ScalarSource* source = nullptr;
    std::size_t computed = 0;  ///< copies of Data::computed that were taken
    std::int32_t member;

    Word value(ExprId expr) { return plan->scalars.evaluate(expr, slots.data(), context); }
    /// Ends the walk, unless something has ended it already.
    void end(Diag id, Span span, std::string headline, std::string why = "") {
        if (context.fault) return;
        context.fault.kind = Fault::Kind::told;
        stop = Stop{id, span, std::move(headline), std::move(why)};
    }
    void end(Stop told) { end(told.id, told.span, std::move(told.headline), std::move(told.why)); }

private:
    void load_operands(const Program& program);
};

/// Makes an event that says nothing but its kind. Field by field: compilers make `event = {}` a
/// string instruction, as slow as all the rest.
inline void begin_event(EventKind kind, std::int32_t id, std::int32_t member, Event& event) {
    event.kind = kind;
    event.live = true;
    event.write = false;
    event.member = member;
    event.id = id;
    event.semaphore = none;
    event.slot = 0;
    event.peer = event.arrival = none;
    event.bytes = event.runs = 0;
    event.start = {};
    event.extent = {};
}

/// An `await` that follows from what has just begun; nothing for no bytes.
void await_later(std::int32_t id, std::int32_t semaphore, std::int64_t bytes, WalkState& state);

}  // namespace slab::schedule
