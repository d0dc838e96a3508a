#pragma once

#include <cstdint>

#include "compiler/schedule/walker.hpp"
#include "support/diagnostics.hpp"

namespace slab::skeleton {

/// Carries the values of a walk along: it is told of every event of every member, in an order that
/// the semaphores allow.
class Values {
public:
    virtual ~Values() = default;
    /// Before the first event of a member; the walker moves on as events happen.
    virtual void follow(std::int32_t member, schedule::Walker& walker) = 0;
    /// False ends the run: what is wrong is known to whoever carries the values.
    virtual bool happen(const schedule::Event& event) = 0;
};

struct Options {
    std::int64_t most_events = 200'000;       ///< more are left to a run with values
    std::int64_t most_steps = 1'000'000'000;  ///< of grids and loops, per member (E0902)
    std::uint64_t seed = 0;                   ///< not 0: members take turns at random
    bool sync_copies = false;                 ///< every copy is complete as soon as it starts
    Values* values = nullptr;
};

/// Runs the synchronisation skeleton of a program: every member of its mesh, without time and
/// without vector code, a copy being complete only once somebody has waited for it. Reports
/// - E0302: an `out` operand that is not written whole,
/// - E0306, E0701: an `out` operand, or scratch, that was never written is copied,
/// - E0702, E0703: a part of a memory is touched while a copy into or out of it may be running, or
///   while another member, which nothing has made wait, may still touch it,
/// - E0802: a semaphore that is not 0 at the end,
/// - E0803: a wait that can never end,
/// - E0804: a chip is reached that may not have begun,
/// and what stops a walk, such as a ring that is overfilled. Only the first of each kind is told.
/// Whether two touches are in order is decided by vector clocks, so it does not depend on whose
/// turn it was. False if the events were not looked at to the end: where there are more than
/// `most_events`, or the mesh is too large for that many.
bool run(const schedule::Program& program, const schedule::Data& data, const Options& options,
         Diagnostics& diags);

/// Has it copies, semaphores or rings that could be wrong?
bool has_skeleton(const schedule::Program& program);

}  // namespace slab::skeleton
