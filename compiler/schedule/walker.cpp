#include "compiler/schedule/walker.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include <fmt/format.h>

#include "compiler/schedule/print.hpp"
#include "compiler/schedule/walk/grid_walk.hpp"

namespace slab::schedule {

namespace {

struct LoopWalk {
    std::int64_t value = 0;
    std::int64_t end = 0;
    std::int64_t step = 1;

    bool more() const { return step > 0 ? value < end : value > end; }
};

template <typename T>
T& at(std::vector<T>& items, std::int32_t id) {
    return items[static_cast<std::size_t>(id)];
}
template <typename T>
const T& at(const std::vector<T>& items, std::int32_t id) {
    return items[static_cast<std::size_t>(id)];
}

/// Runs the flat program. There is no recursion in it, so the stack of loops is a place for each.
class Machine : public WalkState {
public:
    Machine(const Program& program, const Data& values, std::int32_t number,
            std::int64_t max_steps);
    bool next(Event& event);

    std::int64_t steps = 0;

private:
    enum class Outcome { goes_on, yields, ends };

    bool run(Event& event);
    bool ends_early(std::int32_t instruction);
    Outcome execute(const Instruction& instruction, Event& event);
    Outcome execute_rest(const Instruction& instruction, Event& event);
    Outcome begin_while(const Instruction& instruction, Event& event);
    bool enter_loop(const LoopPlan& loop_plan, LoopWalk& loop);
    void set_element(const ElementSetPlan& set, ExprId expr, Event& event);
    void make_sure(const Check& check);
    Outcome take_transfer(Event& event);
    void call(const Transfer& transfer);
    void end_call();
    bool yield_transfer(const Transfer& transfer, Event& event) const;
    void pass_limit(Diag id, const char* what);
    template <Diag id>
    void foresee(std::int64_t rounds);
    std::int64_t steps_of(const GridPlan& grid);

    void count_round(Diag id, const char* what) {
        if (++rounds_ > max_steps_) pass_limit(id, what);
    }

    void yield(EventKind kind, std::int32_t id, Event& event) const {
        begin_event(kind, id, member, event);
    }
    Outcome yield_and_go_on(EventKind kind, std::int32_t id, Event& event) {
        ++at_;
        yield(kind, id, event);
        return Outcome::yields;
    }
    Outcome go_to(std::int32_t target) {
        at_ = target;
        return Outcome::goes_on;
    }

    std::vector<LoopWalk> loops_;
    std::vector<GridWalk> grids_;
    std::int32_t at_ = 0;      ///< the current instruction
    std::int64_t rounds_ = 0;  ///< steps and iterations
    std::int64_t max_steps_;
};

Machine::Machine(const Program& program, const Data& values, std::int32_t number,
                 std::int64_t max_steps)
    : WalkState(program, values, number), max_steps_(max_steps) {
    loops_.resize(plan->loops.size());
    grids_.resize(plan->grids.size());
}

bool Machine::next(Event& event) {
    if (context.fault) return false;
    if (followups.empty()) return run(event);
    event = followups.pop();
    return true;
}

/// Transfers go before instructions, but for those of the block that a transfer runs, and the
/// events that follow from a statement before both.
bool Machine::run(Event& event) {
    while (true) {
        if (!transfers.empty() && !running.runs) {
            if (take_transfer(event) == Outcome::yields) return true;
            continue;
        }
        const std::int32_t instruction = at_;
        const Outcome outcome = execute(at(plan->code, instruction), event);
        if (context.fault) return ends_early(instruction);
        if (outcome == Outcome::yields) return true;
        if (outcome == Outcome::ends) return false;
        if (!followups.empty()) return next(event);
    }
}

bool Machine::ends_early(std::int32_t instruction) {
    if (!stop) stop = stop_for(context.fault, plan->program, *data, at(plan->places, instruction));
    return false;
}

void Machine::pass_limit(Diag id, const char* what) {
    end(id, at(plan->places, at_),
        fmt::format("{} goes on after {} steps and iterations in all, which is the limit", what,
                    max_steps_));
}

/// Ends the walk where so many rounds are to come that the limit will be passed.
template <Diag id>
void Machine::foresee(std::int64_t rounds) {
    if (rounds <= max_steps_ - rounds_) return;
    std::int64_t all = 0;
    if (__builtin_add_overflow(rounds_, rounds, &all)) all = rounds;
    end(id, at(plan->places, at_),
        fmt::format(fmt::runtime(diag_info(id).sentence), all, max_steps_));
}

/// How many steps a grid is about to take, or 0 where that depends on its own axes.
std::int64_t Machine::steps_of(const GridPlan& grid) {
    std::int64_t all = grid.is_box ? 1 : 0;
    for (const AxisPlan& axis : grid.axes) {
        const std::int64_t extent =
            all == 0 ? 0 : std::max<std::int64_t>(value(axis.hi) - value(axis.lo), 0);
        if (__builtin_mul_overflow(all, extent, &all))
            all = std::numeric_limits<std::int64_t>::max();
    }
    return all;
}

Machine::Outcome Machine::execute(const Instruction& instruction, Event& event) {
    const std::int32_t id = instruction.id;
    switch (instruction.code) {
        case Code::region:
            return yield_and_go_on(EventKind::region, id, event);
        case Code::scope_begin:
            return yield_and_go_on(EventKind::scope_begin, id, event);
        case Code::scope_end:
            return yield_and_go_on(EventKind::scope_end, id, event);
        case Code::set:
            at(slots, id) = value(instruction.expr);
            return yield_and_go_on(EventKind::set, id, event);
        case Code::branch: {
            const bool taken = value(instruction.expr) != 0;
            yield(EventKind::branch, id, event);
            event.live = taken;
            at_ = taken ? at_ + 1 : instruction.target;
            return Outcome::yields;
        }
        case Code::jump:
            return go_to(instruction.target);
        case Code::loop_enter: {
            const bool begins = enter_loop(at(plan->loops, id), at(loops_, id));
            return go_to(begins ? at_ + 1 : instruction.target);
        }
        case Code::loop_begin:
            count_round(Diag::E0902_loop, "this loop");
            at(slots, at(plan->loops, id).slot) = at(loops_, id).value;
            return yield_and_go_on(EventKind::iteration, id, event);
        case Code::loop_next: {
            LoopWalk& loop = at(loops_, id);
            loop.value += loop.step;
            return go_to(loop.more() ? instruction.target : at_ + 1);
        }
        case Code::grid_enter: {
            foresee<Diag::E0902>(steps_of(at(plan->grids, id)));
            const bool begins = at(grids_, id).enter(at(plan->grids, id), *this);
            return go_to(begins ? at_ + 1 : instruction.target);
        }
        case Code::step: {
            ++steps;
            count_round(Diag::E0902, "the grid");
            GridWalk& grid = at(grids_, id);
            grid.begin_step(at(plan->grids, id), *this);
            yield_and_go_on(EventKind::step, id, event);
            event.live = grid.live();
            return Outcome::yields;
        }
        case Code::end_step:
            at(grids_, id).end_step(at(plan->grids, id), *this);
            return go_to(at_ + 1);
        case Code::grid_next: {
            const bool more = at(grids_, id).advance(at(plan->grids, id), *this);
            return go_to(more ? instruction.target : at_ + 1);
        }
        case Code::grid_leave:
            at(grids_, id).leave(at(plan->grids, id), *this);
            return go_to(at_ + 1);
        default:
            return execute_rest(instruction, event);
    }
}

Machine::Outcome Machine::execute_rest(const Instruction& instruction, Event& event) {
    const std::int32_t id = instruction.id;
    switch (instruction.code) {
        case Code::while_enter:
            at(loops_, id).value = 0;
            at(loops_, id).end = value(at(plan->loops, id).hi);
            return go_to(at_ + 1);
        case Code::while_begin:
            return begin_while(instruction, event);
        case Code::element:
            set_element(at(plan->element_sets, id), instruction.expr, event);
            break;
        case Code::copy:
            start_copy(id, *this, event);
            break;
        case Code::await:
            ++at_;
            return await_written(id, *this, event) ? Outcome::yields : Outcome::goes_on;
        case Code::signal:
            send_signal(id, *this, event);
            break;
        case Code::barrier:
            meet_peers(id, *this);
            return go_to(at_ + 1);
        case Code::ring_begin:
            begin_ring_use(at(plan->ring_uses, id), *this, event);
            break;
        case Code::ring_end:
            end_ring_use(at(plan->ring_uses, id), *this, event);
            break;
        case Code::check:
            make_sure(at(plan->program.checks, id));
            return go_to(at_ + 1);
        case Code::print:
            yield(EventKind::print, id, event);
            break;
        case Code::call_end:
            end_call();
            return Outcome::goes_on;
        default:
            check_rings_are_empty(*this);
            return Outcome::ends;
    }
    ++at_;
    return Outcome::yields;
}

Machine::Outcome Machine::begin_while(const Instruction& instruction, Event& event) {
    LoopWalk& loop = at(loops_, instruction.id);
    if (value(instruction.expr) == 0) return go_to(instruction.target);
    if (loop.value >= loop.end) {
        end(Diag::E0901_while, at(plan->places, at_),
            fmt::format(diag_info(Diag::E0901_while).sentence, loop.end));
        return Outcome::goes_on;
    }
    ++loop.value;
    count_round(Diag::E0902_loop, "this loop");
    return yield_and_go_on(EventKind::iteration, instruction.id, event);
}

void Machine::set_element(const ElementSetPlan& set, ExprId expr, Event& event) {
    const SetElement& statement = *set.statement;
    const Buffer& buffer = *set.buffer;
    const Span span = statement.place.span;
    const Word copy = statement.copy == none ? 0 : value(statement.copy);
    if (copy < 0 || copy >= buffer.copies)
        return end(Diag::E0401, span, copy_outside(copy, buffer));
    std::int64_t element = copy;
    for (std::size_t d = 0; d < statement.index.size(); ++d) {
        const Word index = value(statement.index[d]);
        if (index < 0 || index >= buffer.shape[d])
            return end(Diag::E0401, span, index_outside(index, buffer.name, d, buffer.shape[d]));
        element = element * buffer.shape[d] + index;
    }
    context.smem.write(statement.buffer, element, value(expr));
    yield(EventKind::element, statement.buffer, event);
    event.slot = static_cast<std::int32_t>(copy);
}

void Machine::make_sure(const Check& check) {
    if (value(check.condition) != 0) return;
    end(Diag::E0005_assert, check.place.span,
        fmt::format(diag_info(Diag::E0005_assert).sentence, print(check.condition, plan->program)),
        check.message);
}

bool Machine::enter_loop(const LoopPlan& loop_plan, LoopWalk& loop) {
    loop.value = value(loop_plan.lo);
    loop.end = value(loop_plan.hi);
    loop.step = loop_plan.step == none ? 1 : value(loop_plan.step);
    if (loop.step == 0) context.fault.add({Fault::Kind::loop_step, loop_plan.slot});
    if (!loop.more()) return false;
    foresee<Diag::E0902_loop>((loop.end - loop.value) / loop.step);
    return true;
}

/// The next of the queue, which is not empty.
Machine::Outcome Machine::take_transfer(Event& event) {
    const Transfer& transfer = transfers.pop();
    if (transfer.custom && transfer.kind == EventKind::copy) {
        call(transfer);
        return Outcome::goes_on;
    }
    return yield_transfer(transfer, event) ? Outcome::yields : Outcome::goes_on;
}

/// Runs the `fetch` or `flush` of a stream for one of its windows.
void Machine::call(const Transfer& transfer) {
    const StreamPlan& stream = at(plan->streams, transfer.stream);
    running.transfer = transfer;
    running.runs = true;
    running.return_to = at_;
    running.bytes = 0;
    running.axes.resize(stream.axis_slots.size());
    const Word* axes = at(windows, transfer.stream).axes(transfer.window);
    for (std::size_t axis = 0; axis < stream.axis_slots.size(); ++axis) {
        Word& slot = at(slots, stream.axis_slots[axis]);
        running.axes[axis] = slot;
        slot = axes[axis];
    }
    if (!transfer.write && stream.fetch_variable != none)
        at(slots, stream.fetch_variable) = transfer.slot;
    at_ = transfer.write ? stream.flush_entry : stream.fetch_entry;
}

void Machine::end_call() {
    const Transfer& transfer = running.transfer;
    const StreamPlan& stream = at(plan->streams, transfer.stream);
    for (std::size_t axis = 0; axis < stream.axis_slots.size(); ++axis)
        at(slots, stream.axis_slots[axis]) = running.axes[axis];
    if (transfer.write)
        at(windows, transfer.stream).written(transfer.semaphore, running.bytes);
    else
        at(windows, transfer.stream).fetched(transfer.window, running.bytes);
    running.runs = false;
    at_ = running.return_to;
}

/// False if there is nothing to wait for.
bool Machine::yield_transfer(const Transfer& transfer, Event& event) const {
    yield(transfer.kind, transfer.stream, event);
    event.write = transfer.write;
    event.semaphore = transfer.semaphore;
    event.slot = transfer.slot;
    event.bytes = transfer.bytes;
    const Windows& its = at(windows, transfer.stream);
    if (transfer.custom) {
        event.bytes = transfer.write ? its.bytes_written(transfer.semaphore)
                                     : its.at(transfer.window).copy.bytes;
        return event.bytes > 0;
    }
    if (transfer.kind != EventKind::copy) return true;
    const WindowPlace& place = its.at(transfer.window);
    event.runs = place.copy.runs;
    event.start = place.start;
    event.extent = place.extent;
    return true;
}

}  // namespace

struct Walker::State : Machine {
    using Machine::Machine;
};

Walker::Walker(const Program& program, const Data& data, std::int32_t member,
               std::int64_t max_steps)
    : state_(std::make_unique<State>(program, data, member, max_steps)) {}
Walker::Walker(const Walker& other) : state_(std::make_unique<State>(*other.state_)) {}
Walker::Walker(Walker&& other) noexcept = default;
Walker& Walker::operator=(const Walker& other) {
    if (this != &other) state_ = std::make_unique<State>(*other.state_);
    return *this;
}
Walker& Walker::operator=(Walker&& other) noexcept = default;
Walker::~Walker() = default;

void Walker::computed_by(ScalarSource& source) {
    state_->source = &source;
}

bool Walker::next(Event& event) {
    return state_->next(event);
}

std::int64_t Walker::integer(SlotId slot) const {
    return at(state_->slots, slot);
}

double Walker::real(SlotId slot) const {
    return schedule::real_of(at(state_->slots, slot));
}

std::int64_t Walker::integer_of(ExprId expr) const {
    const Fault before = state_->context.fault;
    const Word word = state_->value(expr);
    state_->context.fault = before;
    return word;
}

std::variant<std::int64_t, Stop> Walker::evaluate(ExprId expr, Span span) const {
    const Fault before = std::exchange(state_->context.fault, Fault{});
    const Word word = state_->value(expr);
    const Fault found = std::exchange(state_->context.fault, before);
    if (!found) return word;
    return stop_for(found, state_->plan->program, *state_->data, span);
}

double Walker::real_of(ExprId expr) const {
    return schedule::real_of(integer_of(expr));
}

std::optional<std::int64_t> Walker::element(BufferId buffer, std::int64_t number) const {
    Word word = 0;
    if (!state_->context.smem.read(buffer, number, word)) return std::nullopt;
    return word;
}

std::optional<Window> Walker::window(StreamId stream) const {
    const Windows& windows = at(state_->windows, stream);
    if (windows.current() < 0) return std::nullopt;
    const WindowPlace& place = windows.current_place();
    return Window{windows.run(), windows.current(), windows.slot(), place.start, place.extent};
}

std::int32_t Walker::semaphore_count() const {
    return state_->plan->semaphores.count;
}

std::string Walker::semaphore_name(std::int32_t semaphore) const {
    return schedule::semaphore_name(semaphore, *state_->plan);
}

std::int64_t Walker::steps() const {
    return state_->steps;
}

const std::optional<Stop>& Walker::stop() const {
    return state_->stop;
}

}  // namespace slab::schedule
