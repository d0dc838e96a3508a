#include "compiler/skeleton/skeleton.hpp"

#include <algorithm>
#include <set>

#include "compiler/scalars.hpp"
#include "compiler/skeleton/memory.hpp"

namespace slab::compiler {

using schedule::Copy;
using schedule::CopyId;
using schedule::Event;
using schedule::EventKind;
using schedule::none;
using schedule::Program;
using Int = std::int64_t;

namespace {

/// A copy that nobody has waited for yet, as one end of it sees it.
struct InFlight {
    CopyId copy = none;
    Box box;
    bool writes = false;  ///< this end is the target
    int waiter = 0;       ///< the member whose semaphore tells that it is done
    std::int32_t semaphore = none;
};

/// What is known of a semaphore.
struct Counter {
    Int value = 0;
    Span last_put;             ///< of the copy or signal that added to it last
    std::string last_story;    ///< who did
    std::vector<bool> inside;  ///< members that those who added to it knew to have begun
};

struct Member {
    schedule::Walker walker;
    Event event;
    bool blocked = false;  ///< at `event`, an await
    bool done = false;
    std::vector<Counter> semaphores;
    std::vector<InFlight> in_flight;  ///< on the memories of this member
    std::vector<bool> inside;         ///< members known to have begun
    WrittenRows written;
};

class Skeleton {
public:
    Skeleton(const Program& program, const schedule::Data& data, Int most_events,
             Diagnostics& diags)
        : program_(program), budget_(most_events), diags_(diags) {
        const int count = static_cast<int>(program.members());
        for (int i = 0; i < count; ++i) {
            schedule::Walker walker(program, data, i);
            const auto semaphores = static_cast<std::size_t>(walker.semaphore_count());
            Member member{std::move(walker), {}, false, false, {}, {}, {}, WrittenRows(program)};
            member.semaphores.resize(semaphores);
            member.inside.resize(static_cast<std::size_t>(count));
            member.inside[static_cast<std::size_t>(i)] = true;
            members_.push_back(std::move(member));
        }
    }

    void run() {
        bool moved = true;
        while (moved && budget_ > 0 && !stopped_) {
            moved = false;
            for (std::size_t i = 0; i < members_.size() && !stopped_; ++i)
                moved = advance(static_cast<int>(i)) || moved;
        }
        if (stopped_ || budget_ <= 0) return;
        for (std::size_t i = 0; i < members_.size(); ++i)
            if (members_[i].blocked) return report_deadlock(static_cast<int>(i));
        for (std::size_t i = 0; i < members_.size(); ++i) check_balance(static_cast<int>(i));
    }

private:
    Member& at(int member) { return members_[static_cast<std::size_t>(member)]; }

    /// Runs a member until it has to wait; false if it could not move.
    bool advance(int index) {
        Member& member = at(index);
        if (member.done) return false;
        bool moved = false;
        while (budget_ > 0 && !stopped_) {
            if (!member.blocked) {
                if (!member.walker.next(member.event)) {
                    finish(member);
                    return true;
                }
                --budget_;
            }
            member.blocked = !execute(index);
            if (member.blocked) return moved;
            moved = true;
        }
        return moved;
    }

    void finish(Member& member) {
        member.done = true;
        const auto& stop = member.walker.stop();
        if (!stop) return;
        stopped_ = true;
        diags_.add(Diagnostic(stop->id, stop->span, stop->headline).because(stop->why));
    }

    /// The member's event; false if it has to wait.
    bool execute(int index) {
        Member& member = at(index);
        const Event& event = member.event;
        switch (event.kind) {
            case EventKind::transfer:
                start(index, event);
                return true;
            case EventKind::signal:
                signal(index, event);
                return true;
            case EventKind::await:
            case EventKind::wait:
                return take(index, event);
            case EventKind::copy:  // windows are in order by construction
                put(index, event.semaphore, event.bytes, index, {}, {});
                return true;
            case EventKind::region:
                touch(index, event.id);
                return true;
            default:
                return true;
        }
    }

    // ------------------------------------------------------------------------------- semaphores

    void put(int owner, std::int32_t semaphore, Int amount, int from, Span span,
             const std::string& story) {
        Counter& counter = at(owner).semaphores[static_cast<std::size_t>(semaphore)];
        counter.value += amount;
        counter.last_put = span;
        counter.last_story = story;
        counter.inside.resize(members_.size());
        for (std::size_t i = 0; i < members_.size(); ++i)
            counter.inside[i] = counter.inside[i] || at(from).inside[i];
    }

    bool take(int index, const Event& event) {
        Member& member = at(index);
        Counter& counter = member.semaphores[static_cast<std::size_t>(event.semaphore)];
        if (counter.value < event.bytes) return false;
        counter.value -= event.bytes;
        for (std::size_t i = 0; i < counter.inside.size(); ++i)
            member.inside[i] = member.inside[i] || counter.inside[i];
        std::optional<Box> region;
        if (event.kind == EventKind::await && event.id != none && program_.waits[event.id].region)
            region = box_of(*program_.waits[event.id].region, program_, member.walker);
        retire(index, event.semaphore, counter.value == 0, region);
        return true;
    }

    /// Forgets the copies that a wait has told to be complete: all that the semaphore counted, or
    /// those of the region that was waited for.
    void retire(int waiter, std::int32_t semaphore, bool all, const std::optional<Box>& region) {
        for (Member& member : members_)
            std::erase_if(member.in_flight, [&](const InFlight& copy) {
                return copy.waiter == waiter && copy.semaphore == semaphore &&
                       (all || (region && region->contains(copy.box)));
            });
    }

    void signal(int index, const Event& event) {
        if (event.id != none) {
            const Span span = program_.signals[event.id].place.span;
            require_inside(index, event.peer, "signal", span);
            put(event.peer, event.arrival, event.bytes, index, span,
                fmt::format("chip {} signals chip {}", index, event.peer));
        } else {
            put(event.peer, event.arrival, event.bytes, index, {}, {});
        }
    }

    // ------------------------------------------------------------------------------------ copies

    void start(int index, const Event& event) {
        Member& member = at(index);
        const Copy& copy = program_.copies[event.id];
        const int receiver = copy.is_remote() ? event.peer : index;
        const Box source = box_of(copy.source, program_, member.walker);
        const Box target = box_of(copy.target, program_, member.walker);
        if (copy.is_remote()) require_inside(index, receiver, "send", copy.place.span);
        check_access(member, source, false, copy.place.span);
        check_initialised(member, source, copy);
        check_access(at(receiver), target, true, copy.place.span, &copy);
        at(receiver).written.write(target);
        const std::string at_values = loop_values(event.id, member.walker);
        put(index, event.semaphore, event.bytes, index, copy.place.span, at_values);
        if (!source.empty())
            member.in_flight.push_back({event.id, source, false, index, event.semaphore});
        if (copy.is_remote())
            put(receiver, event.arrival, event.bytes, index, copy.place.span,
                fmt::format("chip {} sends to chip {}{}{}", index, receiver,
                            at_values.empty() ? "" : " ", at_values));
        if (!target.empty())
            at(receiver).in_flight.push_back({event.id, target, true, receiver,
                                              copy.is_remote() ? event.arrival : event.semaphore});
    }

    /// `at t = 3`: the loop variables that the copy depends on.
    std::string loop_values(CopyId id, const schedule::Walker& walker) const {
        std::vector<bool> slots(program_.slots.size(), false);
        schedule::Block block{{schedule::StartCopy{id}}};
        for_each_expr(program_, block,
                      [&](schedule::ExprId expr) { collect_slots(program_, expr, slots); });
        std::string text;
        for (std::size_t i = 0; i < slots.size(); ++i) {
            const std::string& name = program_.slots[i].name;
            if (!slots[i] || name.find('.') != std::string::npos) continue;
            text += fmt::format("{}{} = {}", text.empty() ? "at " : ", ", name,
                                walker.integer(static_cast<schedule::SlotId>(i)));
        }
        return text;
    }

    void touch(int index, schedule::RegionId id) {
        Member& member = at(index);
        for (const schedule::Op& op : program_.regions[id].ops) {
            if (!op.ref) continue;
            const bool writes = op.cls == schedule::OpClass::store;
            if (!writes && member.in_flight.empty()) continue;
            const Box box = box_of(*op.ref, program_, member.walker);
            check_access(member, box, writes, op.place.span);
            if (writes) member.written.write(box);
        }
    }

    /// `by`: the copy that touches, or null for code.
    void check_access(const Member& member, const Box& box, bool writes, Span span,
                      const Copy* by = nullptr) {
        for (const InFlight& copy : member.in_flight) {
            if ((!writes && !copy.writes) || !copy.box.overlaps(box)) continue;
            if (by && by->is_synchronous() && copy.copy == copy_id(*by)) continue;
            return report_race(member, copy, box, writes, span, by);
        }
    }
    CopyId copy_id(const Copy& copy) const {
        return static_cast<CopyId>(&copy - program_.copies.data());
    }

    std::string name_of(const Box& box) const {
        return box.operand != none ? program_.operands[box.operand].name
                                   : program_.buffers[box.buffer].name;
    }

    void report_race(const Member& member, const InFlight& copy, const Box& box, bool writes,
                     Span span, const Copy* by) {
        const Span started = program_.copies[copy.copy].place.span;
        const bool both_copies = by != nullptr && writes && copy.writes;
        if (!told_.insert(both_copies ? "E0702" : "E0703").second) return;
        const std::string semaphore = at(copy.waiter).walker.semaphore_name(copy.semaphore);
        if (both_copies) {
            diags_.add<Diag::E0702>(span, name_of(box))
                .note(started, "an earlier copy into it starts here")
                .because(fmt::format("nobody has waited for `{}` since; which of the two arrives "
                                     "last is chance",
                                     semaphore))
                .fix("separate slots, or a wait between the two");
            return;
        }
        diags_
            .add<Diag::E0703>(span, name_of(box), writes ? "written" : "read",
                              copy.writes ? "into" : "out of")
            .note(started,
                  count_running(member, copy) > 1
                      ? fmt::format("up to {} copies start here", count_running(member, copy))
                      : "the copy starts here")
            .label(fmt::format("no wait on `{}` in between", semaphore))
            .fix(fmt::format("wait {} for {}[…]", semaphore, name_of(box)))
            .fix("a `ring` with fill and take, which cannot go wrong this way");
    }

    std::ptrdiff_t count_running(const Member& member, const InFlight& like) const {
        return std::count_if(member.in_flight.begin(), member.in_flight.end(),
                             [&](const InFlight& copy) {
                                 return copy.copy == like.copy && copy.writes == like.writes;
                             });
    }

    void check_initialised(const Member& member, const Box& source, const Copy& copy) {
        const auto row = member.written.missing(source);
        if (!row || !told_.insert("E0701").second) return;
        diags_
            .add<Diag::E0701>(
                copy.place.span,
                row->empty() ? "some" : fmt::format("row [{}]", fmt::join(*row, ", ")),
                name_of(source))
            .note(program_.buffers[source.buffer].place.span, "starts undefined")
            .because("the copy takes whatever the memory holds")
            .fix(fmt::format("{} = 0 before it, or a copy of what has been written",
                             name_of(source)));
    }

    // ---------------------------------------------------------------------------------- the mesh

    std::string mesh_text() const {
        std::string text;
        for (const schedule::MeshAxis& axis : program_.mesh)
            text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", axis.name, axis.extent);
        return text.empty() ? "" : fmt::format("on a mesh of {}", text);
    }
    std::string who(int index) const {
        return program_.mesh.empty() ? "the core" : fmt::format("chip {}", index);
    }

    void require_inside(int index, int peer, const char* what, Span span) {
        if (at(index).inside[static_cast<std::size_t>(peer)]) return;
        if (!told_.insert("E0804").second) return;
        std::string devices;
        for (const schedule::MeshAxis& axis : program_.mesh)
            devices += fmt::format("{}{}: …", devices.empty() ? "" : ", ", axis.name);
        diags_.add<Diag::E0804>(span, what)
            .label(fmt::format("chip {} reaches chip {} {}", index, peer, mesh_text()))
            .because("a chip that is late still uses its memory for the kernel before")
            .fix(fmt::format("barrier ({}) before it", devices));
    }

    void report_deadlock(int index) {
        const Member& member = at(index);
        const Event& event = member.event;
        const std::string name = member.walker.semaphore_name(event.semaphore);
        const Int have = member.semaphores[static_cast<std::size_t>(event.semaphore)].value;
        const Span span = event.kind == EventKind::await && event.id != none
                              ? program_.waits[event.id].place.span
                              : waiting_place(member);
        auto& message = diags_.add<Diag::E0803>(span, name);
        message.label(fmt::format("{} waits for {}, {} {} arrived{}{}", who(index), event.bytes,
                                  have, have == 1 ? "has" : "have",
                                  program_.mesh.empty() ? "" : " ", mesh_text()));
        constexpr std::size_t most_told = 16;
        std::string others;
        for (std::size_t i = 0; i < std::min(members_.size(), most_told); ++i)
            if (static_cast<int>(i) != index)
                others += fmt::format(
                    "{}chip {} {}", others.empty() ? "" : "; ", i,
                    members_[i].blocked
                        ? fmt::format("waits for `{}`", members_[i].walker.semaphore_name(
                                                            members_[i].event.semaphore))
                        : std::string("has ended"));
        if (members_.size() > most_told) others += "; …";
        message.because(others.empty() ? "nothing that is still to come adds to it" : others)
            .fix("the missing copy or signal, or no wait");
    }

    /// Where a wait without a statement of its own stands: a barrier, or a copy.
    Span waiting_place(const Member& member) const {
        if (!program_.barriers.empty()) return program_.barriers.front().place.span;
        if (!program_.copies.empty()) return program_.copies.front().place.span;
        return member.event.id != none && member.event.kind == EventKind::wait
                   ? program_.streams[member.event.id].place.span
                   : Span{};
    }

    /// Can the reference mean the semaphore of that name, such as `got[0, 3]`?
    bool may_mean(const schedule::SemaphoreRef& ref, const std::string& name) const {
        const std::string& base = program_.semaphores[ref.semaphore].name;
        if (name == base) return true;
        if (!name.starts_with(base + "[")) return false;
        std::size_t at = base.size();
        for (const schedule::ExprId id : ref.index) {
            const schedule::ScalarExpr& index = program_.exprs[id];
            const Int number = std::stoll(name.substr(at + 1));
            if (index.op == schedule::ScalarOp::constant && index.integer != number) return false;
            at = name.find(',', at + 1);
            if (at == std::string::npos) break;
        }
        return true;
    }

    void check_balance(int index) {
        const Member& member = at(index);
        for (std::size_t s = 0; s < member.semaphores.size(); ++s) {
            const Counter& counter = member.semaphores[s];
            if (counter.value == 0 || !told_.insert("E0802").second) continue;
            const std::string name = member.walker.semaphore_name(static_cast<std::int32_t>(s));
            auto& message = diags_.add<Diag::E0802>(counter.last_put, "an arrival", name);
            message.label(fmt::format("{}{}{}", counter.last_story,
                                      counter.last_story.empty() || mesh_text().empty() ? "" : " ",
                                      mesh_text()));
            for (const schedule::Wait& wait : program_.waits)
                if (may_mean(wait.semaphore, name))
                    message.note(wait.place.span,
                                 fmt::format("{} stops waiting too early", who(index)));
            message
                .because(fmt::format("a semaphore left at {} stops the chip at kernel exit",
                                     counter.value))
                .fix("a wait for each arrival, or one copy less");
        }
    }

    const Program& program_;
    Int budget_;
    Diagnostics& diags_;
    std::vector<Member> members_;
    std::set<std::string> told_;
    bool stopped_ = false;
};

}  // namespace

bool has_skeleton(const Program& program) {
    return !program.copies.empty() || !program.waits.empty() || !program.signals.empty() ||
           !program.barriers.empty() || !program.rings.empty() || !program.checks.empty();
}

void check_skeleton(const Program& program, const schedule::Data& data, Int most_events,
                    Diagnostics& diags) {
    constexpr Int events_of_a_member = 16;  // what it costs to set one up
    if (has_skeleton(program) && program.members() <= most_events / events_of_a_member)
        Skeleton(program, data, most_events, diags).run();
}

}  // namespace slab::compiler
