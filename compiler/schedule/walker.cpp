#include "compiler/schedule/walker.hpp"

#include <vector>

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
    Machine(const Program& program, const Data& data, std::int32_t member, std::int64_t max_steps);
    bool next(Event& event);

    std::int64_t steps = 0;
    std::optional<Stop> stop;

private:
    enum class Outcome { goes_on, yields, ends };

    bool run(Event& event);
    Outcome execute(const Instruction& instruction, Event& event);
    bool enter_loop(const LoopPlan& loop_plan, LoopWalk& loop);
    void yield_transfer(const Transfer& transfer, Event& event) const;
    void yield(EventKind kind, std::int32_t id, Event& event) const;

    Word value(ExprId expr) { return plan->scalars.evaluate(expr, slots.data(), fault); }
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
    std::int32_t at_ = 0;  ///< the current instruction
    const Data* data_;
    std::int32_t member_;
    std::int64_t max_steps_;
};

Machine::Machine(const Program& program, const Data& data, std::int32_t member,
                 std::int64_t max_steps)
    : data_(&data), member_(member), max_steps_(max_steps) {
    plan = std::make_shared<const Plan>(program);
    for (const Slot& slot : program.slots) slots.push_back(initial_word(slot));
    windows.resize(plan->streams.size());
    loops_.resize(plan->loops.size());
    grids_.resize(plan->grids.size());
}

bool Machine::next(Event& event) {
    if (transfers.empty()) return run(event);
    if (fault) return false;
    yield_transfer(transfers.pop(), event);
    return true;
}

bool Machine::run(Event& event) {
    Outcome outcome = Outcome::goes_on;
    while (!fault && outcome == Outcome::goes_on) {
        outcome = execute(at(plan->code, at_), event);
        if (!transfers.empty() && outcome == Outcome::goes_on) return next(event);
    }
    if (!fault) return outcome == Outcome::yields;
    stop = Stop{Diag::kernel_fault, {}, describe(fault, plan->program), ""};
    return false;
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
            at(slots, at(plan->loops, id).slot) = at(loops_, id).value;
            return yield_and_go_on(EventKind::iteration, id, event);
        case Code::loop_next: {
            LoopWalk& loop = at(loops_, id);
            loop.value += loop.step;
            return go_to(loop.more() ? instruction.target : at_ + 1);
        }
        case Code::grid_enter: {
            const bool begins = at(grids_, id).enter(at(plan->grids, id), *this);
            return go_to(begins ? at_ + 1 : instruction.target);
        }
        case Code::step: {
            ++steps;
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
        case Code::halt:
            break;
    }
    return Outcome::ends;
}

bool Machine::enter_loop(const LoopPlan& loop_plan, LoopWalk& loop) {
    loop.value = value(loop_plan.lo);
    loop.end = value(loop_plan.hi);
    loop.step = loop_plan.step == none ? 1 : value(loop_plan.step);
    if (loop.step == 0 && !fault) fault = {Fault::Kind::loop_step, loop_plan.slot, 0};
    return loop.more();
}

/// Field by field: compilers make `event = {}` a string instruction, as slow as all the rest.
void Machine::yield(EventKind kind, std::int32_t id, Event& event) const {
    event.kind = kind;
    event.live = true;
    event.write = false;
    event.member = member_;
    event.id = id;
    event.semaphore = none;
    event.slot = 0;
    event.bytes = event.runs = 0;
    event.start = {};
    event.extent = {};
}

void Machine::yield_transfer(const Transfer& transfer, Event& event) const {
    yield(transfer.kind, transfer.stream, event);
    event.write = transfer.write;
    event.semaphore = transfer.semaphore;
    event.slot = transfer.slot;
    event.bytes = transfer.bytes;
    if (transfer.kind != EventKind::copy) return;
    const WindowPlace& place = at(windows, transfer.stream).at(transfer.window);
    event.runs = place.copy.runs;
    event.start = place.start;
    event.extent = place.extent;
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
    Fault ignored;
    return state_->plan->scalars.evaluate(expr, state_->slots.data(), ignored);
}

double Walker::real_of(ExprId expr) const {
    return schedule::real_of(integer_of(expr));
}

std::optional<Window> Walker::window(StreamId stream) const {
    const Windows& windows = at(state_->windows, stream);
    if (windows.current() < 0) return std::nullopt;
    const WindowPlace& place = windows.current_place();
    return Window{windows.current(), windows.slot(), place.start, place.extent};
}

std::int32_t Walker::semaphore_count() const {
    return state_->plan->semaphores;
}

std::int64_t Walker::steps() const {
    return state_->steps;
}

const std::optional<Stop>& Walker::stop() const {
    return state_->stop;
}

}  // namespace slab::schedule
