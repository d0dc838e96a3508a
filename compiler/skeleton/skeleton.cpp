#include "compiler/skeleton/skeleton.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "compiler/schedule/expressions.hpp"
#include "compiler/skeleton/memory.hpp"

namespace slab::skeleton {

using schedule::Copy;
using schedule::CopyId;
using schedule::Event;
using schedule::EventKind;
using schedule::none;
using schedule::Program;
using Int = std::int64_t;

namespace {

/// A copy that nobody has waited for yet, as one end of it sees it: a written one, or the transfer
/// of a window.
struct InFlight {
    CopyId copy = none;
    schedule::StreamId stream = none;
    Int bytes = 0;
    Box box;
    bool writes = false;  ///< this end is the target
    int waiter = 0;       ///< the member whose semaphore tells that it is done
    std::int32_t semaphore = none;
    bool doubtful = false;  ///< somebody has waited, maybe for others on the same semaphore
};

/// How far each member has come, as somebody knows it: a member's own entry begins at 1 and grows
/// whenever others can learn from it. 0: it may not have begun.
using Clock = std::vector<Int>;

void join(Clock& clock, const Clock& other) {
    for (std::size_t i = 0; i < clock.size(); ++i) clock[i] = std::max(clock[i], other[i]);
}

/// What somebody added to a semaphore, and what he knew then.
struct Put {
    int from = 0;
    Int amount = 0;
    Clock clock;
};

/// What is known of a semaphore.
struct Counter {
    Int value = 0;
    Span last_put;           ///< of the copy or signal that added to it last
    std::string last_story;  ///< who did
    std::vector<Put> puts;   ///< of other members, since it was 0
};

/// When a member touched a part of its memory last, by its own clock.
struct Touch {
    Int clock = 0;
    bool writes = false;
    Span span;
};

struct Member {
    schedule::Walker walker;
    Event event;
    bool blocked = false;  ///< at `event`, an await
    bool done = false;
    std::vector<Counter> semaphores;
    std::vector<InFlight> in_flight;  ///< on the memories of this member
    Clock clock;                      ///< what it knows of the others
    std::map<Box, Touch> touched;     ///< of memories that others write
    WrittenParts written;
};

class Skeleton {
public:
    Skeleton(const Program& program, const schedule::Data& data, const Options& options,
             Diagnostics& diags)
        : program_(program), options_(options), budget_(options.most_events), diags_(diags) {
        const int count = static_cast<int>(program.members());
        for (int i = 0; i < count; ++i) {
            schedule::Walker walker(program, data, i, options.most_steps);
            const auto semaphores = static_cast<std::size_t>(walker.semaphore_count());
            Member member{std::move(walker),    {}, false, false, {}, {}, {}, {},
                          WrittenParts(program)};
            member.semaphores.resize(semaphores);
            member.clock.resize(static_cast<std::size_t>(count));
            member.clock[static_cast<std::size_t>(i)] = 1;
            members_.push_back(std::move(member));
            order_.push_back(i);
        }
        for (int i = 0; i < count && options.values; ++i) options.values->follow(i, at(i).walker);
        for (const Copy& copy : program.copies)
            if (copy.is_remote()) exposed_.insert({copy.target.operand, copy.target.buffer});
    }

    /// False if it was not the end.
    bool run() {
        bool moved = true;
        while (moved && budget_ > 0 && !stopped_) {
            moved = false;
            for (const int member : turns()) {
                if (stopped_) break;
                moved = advance(member, turn_length()) || moved;
            }
        }
        if (stopped_ || budget_ <= 0) return false;
        for (std::size_t i = 0; i < members_.size(); ++i)
            if (members_[i].blocked) {
                report_deadlock(static_cast<int>(i));
                return false;
            }
        for (std::size_t i = 0; i < members_.size(); ++i) check_balance(static_cast<int>(i));
        if (options_.values) return true;
        for (std::size_t i = 0; i < members_.size() && told_.empty(); ++i)
            check_coverage(static_cast<int>(i));
        return true;
    }

private:
    Member& at(int member) { return members_[static_cast<std::size_t>(member)]; }

    /// xorshift: the same turns on every machine.
    std::uint64_t chance() {
        random_ ^= random_ << 13;
        random_ ^= random_ >> 7;
        return random_ ^= random_ << 17;
    }
    const std::vector<int>& turns() {
        for (std::size_t i = order_.size(); options_.seed != 0 && i > 1; --i)
            std::swap(order_[i - 1], order_[chance() % i]);
        return order_;
    }
    Int turn_length() {
        return options_.seed == 0 || order_.size() == 1 ? budget_
                                                        : static_cast<Int>(1 + chance() % 16);
    }

    /// Runs a member for so many events or until it has to wait; false if it could not move.
    bool advance(int index, Int most) {
        Member& member = at(index);
        if (member.done) return false;
        bool moved = false;
        while (budget_ > 0 && most-- > 0 && !stopped_) {
            if (!member.blocked) {
                if (!member.walker.next(member.event)) {
                    finish(member);
                    return true;
                }
                --budget_;
                if (options_.values && !options_.values->happen(member.event)) {
                    stopped_ = true;
                    return true;
                }
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
            case EventKind::copy:
                start_window(index, event);
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
        if (from == owner) return;
        budget_ -= std::ssize(members_) / 16;  // as long as the clock is
        counter.puts.push_back({from, amount, at(from).clock});
        ++at(from).clock[static_cast<std::size_t>(from)];
    }

    bool take(int index, const Event& event) {
        Member& member = at(index);
        Counter& counter = member.semaphores[static_cast<std::size_t>(event.semaphore)];
        if (counter.value < event.bytes) return false;
        counter.value -= event.bytes;
        learn(member, counter);
        retire(member, event.semaphore, counter.value);
        return true;
    }

    /// What a member knows once a wait has left `counter`: whoever added more than is left must
    /// have been among those who were waited for.
    void learn(Member& member, Counter& counter) {
        std::vector<Int> total(members_.size()), before(members_.size());
        for (const Put& put : counter.puts) total[static_cast<std::size_t>(put.from)] += put.amount;
        for (const Put& put : counter.puts) {
            const auto from = static_cast<std::size_t>(put.from);
            if (before[from] < total[from] - counter.value) join(member.clock, put.clock);
            before[from] += put.amount;
        }
        if (counter.value == 0) counter.puts.clear();
    }

    /// Forgets the copies that a wait has told to be complete: those of more bytes than the
    /// semaphore still counts, as any smaller one may be what it counts.
    void retire(Member& member, std::int32_t semaphore, Int left) {
        std::erase_if(member.in_flight, [&](InFlight& copy) {
            copy.doubtful = copy.doubtful || copy.semaphore == semaphore;
            const bool complete = copy.semaphore == semaphore && copy.bytes > left;
            if (complete) note_touch(member, copy.box, copy.writes, span_of(copy));
            return complete;
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
        if (copy.is_remote()) {
            require_inside(index, receiver, "send", copy.place.span);
            if (receiver != index) check_remote(member, receiver, target, copy.place.span);
        }
        check_access(member, source, false, copy.place.span);
        check_initialised(member, source, copy);
        check_access(at(receiver), target, true, copy.place.span, &copy);
        note_written(at(receiver), target);
        const std::string at_values = loop_values(event.id, member.walker);
        put(index, event.semaphore, event.bytes, index, copy.place.span, at_values);
        if (!source.empty() && !options_.sync_copies)
            member.in_flight.push_back(
                {event.id, none, event.bytes, source, false, index, event.semaphore});
        if (copy.is_remote())
            put(receiver, event.arrival, event.bytes, index, copy.place.span,
                fmt::format("chip {} sends to chip {}{}{}", index, receiver,
                            at_values.empty() ? "" : " ", at_values));
        if (!target.empty() && !options_.sync_copies)
            at(receiver).in_flight.push_back({event.id, none, event.bytes, target, true, receiver,
                                              copy.is_remote() ? event.arrival : event.semaphore});
    }

    /// The transfer of a window, whose buffer is in order by construction.
    void start_window(int index, const Event& event) {
        Member& member = at(index);
        const schedule::Stream& stream = program_.streams[event.id];
        const Box box = box_of(event, stream);
        check_access(member, box, event.write, stream.place.span);
        if (event.write) note_written(member, box);
        put(index, event.semaphore, event.bytes, index, {}, {});
        if (!box.empty() && !options_.sync_copies)
            member.in_flight.push_back(
                {none, event.id, event.bytes, box, event.write, index, event.semaphore});
    }

    Span span_of(const InFlight& copy) const {
        return copy.copy != none ? program_.copies[copy.copy].place.span
                                 : program_.streams[copy.stream].place.span;
    }

    // ---------------------------------------------------------------------------- other members

    /// Remembers when a member touched a memory into which others copy.
    void note_touch(Member& member, const Box& box, bool writes, Span span) {
        if (box.empty() || !exposed_.count({box.operand, box.buffer})) return;
        const auto index = static_cast<std::size_t>(&member - members_.data());
        Touch& touch = member.touched[box];
        touch = {member.clock[index], touch.writes || writes, span};
    }

    /// Does the sender know that the receiver is done with what his copy overwrites?
    void check_remote(const Member& sender, int receiver, const Box& target, Span span) {
        for (const auto& [box, touch] : at(receiver).touched) {
            if (touch.clock <= sender.clock[static_cast<std::size_t>(receiver)] ||
                !box.overlaps(target) || !told_.insert("E0703").second)
                continue;
            diags_.add<Diag::E0703>(span, name_of(box), "written", "of another chip out of")
                .note(touch.span, fmt::format("chip {} {} it here", receiver,
                                              touch.writes ? "writes" : "reads"))
                .because("nothing makes the sender wait until that is done")
                .fix("a `barrier`, or a `signal` of the receiver that the sender waits for");
        }
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
            if (!writes && member.in_flight.empty() && exposed_.empty()) continue;
            const Box box = box_of(*op.ref, program_, member.walker);
            check_access(member, box, writes, op.place.span);
            note_touch(member, box, writes, op.place.span);
            if (writes) note_written(member, box);
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
        const Span started = span_of(copy);
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
            .label(copy.doubtful
                       ? fmt::format("the wait on `{}` may have been for another copy", semaphore)
                       : fmt::format("no wait on `{}` in between", semaphore))
            .fix(copy.doubtful ? fmt::format("a semaphore for each copy, or one wait on `{}` for "
                                             "all of them",
                                             semaphore)
                               : fmt::format("wait {} for {}[…]", semaphore, name_of(box)))
            .fix("a `ring` with fill and take, which cannot go wrong this way");
    }

    std::ptrdiff_t count_running(const Member& member, const InFlight& like) const {
        return std::count_if(member.in_flight.begin(), member.in_flight.end(),
                             [&](const InFlight& copy) {
                                 return copy.copy == like.copy && copy.stream == like.stream &&
                                        copy.writes == like.writes;
                             });
    }

    static std::string row_text(const std::vector<Int>& row) {
        return row.empty() ? "some" : fmt::format("row [{}]", fmt::join(row, ", "));
    }

    /// Who carries values knows it of every element.
    void note_written(Member& member, const Box& box) const {
        if (!options_.values) member.written.write(box);
    }
    void check_initialised(const Member& member, const Box& source, const Copy& copy) {
        if (options_.values) return;
        const auto row = sees_all(copy.source) ? member.written.missing(source) : std::nullopt;
        if (!row) return;
        if (source.operand != none) return report_unwritten(source, *row, copy.place.span);
        if (!told_.insert("E0701").second) return;
        diags_.add<Diag::E0701>(copy.place.span, row_text(*row), name_of(source))
            .note(program_.buffers[source.buffer].place.span, "starts undefined")
            .because("the copy takes whatever the memory holds")
            .fix(fmt::format("{} = 0 before it, or a copy of what has been written",
                             name_of(source)));
    }

    /// Do the views of a reference leave nothing out?
    static bool sees_all(const schedule::MemoryRef& ref) {
        for (const schedule::View& view : ref.views)
            for (std::size_t d = 0; d < view.dims.size(); ++d)
                if (view.dims[d].live != none || view.dims[d].size != view.shape[d]) return false;
        return true;
    }

    void report_unwritten(const Box& source, const std::vector<Int>& row, Span span) {
        if (!told_.insert("E0306").second) return;
        diags_.add<Diag::E0306>(span, name_of(source))
            .label(fmt::format("{} is copied before it is written", row_text(row)))
            .note(program_.operands[source.operand].place.span,
                  "an `out` operand holds nothing until it is written")
            .fix(fmt::format("inout {}: …", name_of(source)));
    }

    void check_coverage(int index) {
        for (std::size_t o = 0; o < program_.operands.size(); ++o) {
            const schedule::Operand& operand = program_.operands[o];
            const auto id = static_cast<schedule::OperandId>(o);
            const double share = at(index).written.share_missing(id);
            if (share == 0 || !told_.insert("E0302").second) continue;
            Box whole{id, none, 0, operand.shape.size(), {}, {}, {}};
            std::copy(operand.shape.begin(), operand.shape.end(), whole.end.begin());
            whole.step.fill(1);
            const auto row = at(index).written.missing(whole);
            diags_
                .add<Diag::E0302>(writer_of(id),
                                  share == 1 ? "all" : fmt::format("{:.3g} %", 100 * share),
                                  operand.name)
                .label(fmt::format("{} is left out{}{}", row_text(row.value()),
                                   program_.mesh.empty() ? "" : fmt::format(" on chip {} ", index),
                                   mesh_text()))
                .note(operand.place.span, "`out` promises that every element is written")
                .fix(fmt::format("inout {}: …, which keeps what is not written", operand.name));
        }
    }

    /// The last copy or stream that writes an operand, as they are written.
    Span writer_of(schedule::OperandId operand) const {
        Span span = program_.operands[operand].place.span;
        for (const schedule::Stream& stream : program_.streams)
            if (stream.operand == operand && stream.direction != schedule::Direction::in)
                span = stream.place.span;
        for (const Copy& copy : program_.copies)
            if (copy.target.operand == operand) span = copy.place.span;
        return span;
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
        if (at(index).clock[static_cast<std::size_t>(peer)] > 0) return;
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
    const Options& options_;
    Int budget_;
    std::uint64_t random_ = options_.seed * 0x9E3779B97F4A7C15 | 1;
    std::vector<int> order_;  ///< of the members' turns
    std::set<std::pair<schedule::OperandId, schedule::BufferId>> exposed_;  ///< others write them
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

bool run(const Program& program, const schedule::Data& data, const Options& options,
         Diagnostics& diags) {
    constexpr Int events_of_a_member = 16;  // what it costs to set one up
    if (program.members() > options.most_events / events_of_a_member) return false;
    return Skeleton(program, data, options, diags).run();
}

}  // namespace slab::skeleton
