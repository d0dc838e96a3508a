#include "compiler/schedule/walker.hpp"

#include <utility>
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

}  // namespace

/// A program has no recursion, so the stack of loops is a place for each of them.
struct Walker::State {
    std::shared_ptr<const Plan> plan;
    std::vector<Word> slots;
    std::vector<LoopWalk> loops;
    std::vector<GridWalk> grids;
    std::vector<Windows> windows;
    std::int32_t at = 0;  ///< index of the current instruction
    std::int64_t steps = 0;
    Event blank;
    Fault fault;
    std::string fault_text;

    State(const Program& program, std::uint16_t core, std::uint16_t chip);
    bool run(Event& event);

private:
    enum class Outcome { goes_on, yields, ends };

    Outcome execute(const Instruction& instruction, Event& event);
    Outcome execute_grid(const Instruction& instruction, Event& event);
    Outcome enter_loop(const Instruction& instruction);

    Word value(ExprId expr) { return plan->scalars.evaluate(expr, slots.data(), fault); }
    Outcome yield(EventKind kind, std::int32_t id, Event& event) const {
        event = blank;
        event.kind = kind;
        event.id = id;
        return Outcome::yields;
    }
    /// A phase of a step: it yields from the same instruction until it is over.
    Outcome phase(bool yielded) {
        if (yielded) return Outcome::yields;
        ++at;
        return Outcome::goes_on;
    }
    Outcome go_to(std::int32_t target) {
        at = target;
        return Outcome::goes_on;
    }
};

Walker::State::State(const Program& program, std::uint16_t core, std::uint16_t chip)
    : plan(std::make_shared<const Plan>(program)),
      loops(plan->loops.size()),
      grids(plan->grids.size()),
      windows(plan->streams.size()) {
    for (const Slot& slot : program.slots) slots.push_back(initial_word(slot));
    blank.core = core;
    blank.chip = chip;
}

bool Walker::State::run(Event& event) {
    while (!fault) {
        const Instruction& instruction = plan->code[static_cast<std::size_t>(at)];
        const Outcome outcome = execute(instruction, event);
        if (fault || outcome == Outcome::ends) break;
        if (outcome == Outcome::yields) return true;
    }
    if (fault && fault_text.empty()) fault_text = describe(fault, plan->program);
    return false;
}

Walker::State::Outcome Walker::State::execute(const Instruction& instruction, Event& event) {
    switch (instruction.code) {
        case Code::region:
            ++at;
            return yield(EventKind::region, instruction.id, event);
        case Code::set:
            ++at;
            slots[static_cast<std::size_t>(instruction.id)] = value(instruction.expr);
            return yield(EventKind::set, instruction.id, event);
        case Code::branch: {
            const bool taken = value(instruction.expr) != 0;
            at = taken ? at + 1 : instruction.target;
            yield(EventKind::branch, instruction.id, event);
            event.live = taken;
            return Outcome::yields;
        }
        case Code::jump:
            return go_to(instruction.target);
        case Code::loop_enter:
            return enter_loop(instruction);
        case Code::loop_begin:
            ++at;
            slots[static_cast<std::size_t>(
                plan->loops[static_cast<std::size_t>(instruction.id)].slot)] =
                loops[static_cast<std::size_t>(instruction.id)].value;
            return yield(EventKind::iteration, instruction.id, event);
        case Code::loop_next: {
            LoopWalk& loop = loops[static_cast<std::size_t>(instruction.id)];
            loop.value += loop.step;
            return go_to(loop.more() ? instruction.target : at + 1);
        }
        case Code::scope_begin:
            ++at;
            return yield(EventKind::scope_begin, instruction.id, event);
        case Code::scope_end:
            ++at;
            return yield(EventKind::scope_end, instruction.id, event);
        case Code::halt:
            return Outcome::ends;
        default:
            return execute_grid(instruction, event);
    }
}

Walker::State::Outcome Walker::State::execute_grid(const Instruction& instruction, Event& event) {
    GridWalk& grid = grids[static_cast<std::size_t>(instruction.id)];
    const WalkContext context{
        *plan, plan->grids[static_cast<std::size_t>(instruction.id)], slots, windows, blank, fault};
    switch (instruction.code) {
        case Code::grid_enter:
            return go_to(grid.enter(context) ? at + 1 : instruction.target);
        case Code::prologue:
            return phase(grid.prologue(context, event));
        case Code::step:
            ++steps;
            grid.begin_step(context);
            at = grid.live() ? at + 1 : instruction.target;
            yield(EventKind::step, instruction.id, event);
            event.live = grid.live();
            return Outcome::yields;
        case Code::start_fetches:
            return phase(grid.start_fetches(context, event));
        case Code::await_fetches:
            return phase(grid.await_fetches(context, event));
        case Code::start_writes:
            return phase(grid.start_writes(context, event));
        case Code::await_writes:
            return phase(grid.await_writes(context, event));
        case Code::grid_next:
            return go_to(grid.advance(context) ? instruction.target : at + 1);
        case Code::drain:
            return phase(grid.drain(context, event));
        default:
            return Outcome::ends;
    }
}

Walker::State::Outcome Walker::State::enter_loop(const Instruction& instruction) {
    const LoopPlan& plan_of_loop = plan->loops[static_cast<std::size_t>(instruction.id)];
    LoopWalk& loop = loops[static_cast<std::size_t>(instruction.id)];
    loop.value = value(plan_of_loop.lo);
    loop.end = value(plan_of_loop.hi);
    loop.step = plan_of_loop.step == none ? 1 : value(plan_of_loop.step);
    if (loop.step == 0 && !fault) fault = {Fault::Kind::loop_step, plan_of_loop.slot, 0};
    return go_to(loop.more() ? at + 1 : instruction.target);
}

Walker::Walker(const Program& program, std::uint16_t core, std::uint16_t chip)
    : state_(std::make_unique<State>(program, core, chip)) {}
Walker::Walker(const Walker& other) : state_(std::make_unique<State>(*other.state_)) {}
Walker::Walker(Walker&& other) noexcept = default;
Walker& Walker::operator=(const Walker& other) {
    if (this != &other) state_ = std::make_unique<State>(*other.state_);
    return *this;
}
Walker& Walker::operator=(Walker&& other) noexcept = default;
Walker::~Walker() = default;

bool Walker::next(Event& event) {
    return state_->run(event);
}

std::int64_t Walker::integer(SlotId slot) const {
    return state_->slots[static_cast<std::size_t>(slot)];
}

double Walker::real(SlotId slot) const {
    return schedule::real_of(state_->slots[static_cast<std::size_t>(slot)]);
}

std::int64_t Walker::integer_of(ExprId expr) const {
    Fault ignored;
    return state_->plan->scalars.evaluate(expr, state_->slots.data(), ignored);
}

double Walker::real_of(ExprId expr) const {
    return schedule::real_of(integer_of(expr));
}

std::optional<Window> Walker::window(StreamId stream) const {
    const StreamPlan& plan = state_->plan->streams[static_cast<std::size_t>(stream)];
    const Windows& windows = state_->windows[static_cast<std::size_t>(stream)];
    if (windows.current() < 0) return std::nullopt;
    const WindowPlace& place = windows.place(plan, windows.current());
    return Window{windows.current(), windows.slot(), place.start, place.extent};
}

std::int32_t Walker::semaphore_count() const {
    return state_->plan->semaphores;
}

std::int64_t Walker::steps() const {
    return state_->steps;
}

const std::string& Walker::fault() const {
    return state_->fault_text;
}

}  // namespace slab::schedule
