#include "sim/units/sequencer.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/clock.hpp"

namespace slab::sim {

using sc_core::sc_time;
using schedule::EventKind;

Sequencer::Sequencer(const sc_core::sc_module_name& name, const schedule::Program& program,
                     schedule::Walker walker, const arch::ChipSpec& chip, Semaphores& semaphores,
                     DmaEngine& dma, Vmem& vmem, VliwUnits& units)
    : sc_module(name),
      program_(program),
      step_cost_(CoreClock::from_us(chip.scalar.step_us)),
      branch_cost_(CoreClock::from_us(chip.scalar.branch_us)),
      iteration_cost_(CoreClock::from_us(chip.scalar.loop_iteration_us)),
      issue_cost_(CoreClock::from_us(chip.dma.pipeline_issue_us)),
      semaphores_(semaphores),
      dma_(dma),
      vmem_(vmem),
      units_(units),
      walker_(std::move(walker)),
      local_(CoreClock::from_us(chip.launch.kernel_us)),
      streams_(2 * program.streams.size()) {
    SC_HAS_PROCESS(Sequencer);
    SC_METHOD(run);
    sensitive << semaphores_.granted();
}

void Sequencer::run() {
    ++activations_;
    if (waiting_) resume();
    while (walker_.next(event_)) {
        ++events_;
        if (!execute()) {
            waiting_ = true;
            dma_.commit();
            return;
        }
        if (local_ > CoreClock::limit()) {
            overtime_ = true;
            break;
        }
    }
    finished_ = true;
    dma_.commit();
}

std::string Sequencer::fault() const {
    if (overtime_) return "the simulated time passes one hour";
    return walker_.stop() ? walker_.stop()->headline : "";
}

bool Sequencer::execute() {
    switch (event_.kind) {
        case EventKind::step:
            spend(step_cost_, control_);
            ++steps_;
            dead_steps_ += event_.live ? 0 : 1;
            return true;
        case EventKind::iteration:
            spend(iteration_cost_, control_);
            return true;
        case EventKind::branch:
            spend(branch_cost_, control_);
            return true;
        case EventKind::copy:
            start_copy();
            return true;
        case EventKind::wait:
            return take();
        case EventKind::region:
            local_ += units_.run(event_.id);
            return true;
        case EventKind::set:  // scalar arithmetic shares its bundles with vector code
        case EventKind::scope_begin:
        case EventKind::scope_end:
            return true;
        default:
            return true;
    }
    return true;
}

void Sequencer::start_copy() {
    spend(issue_cost_, issue_);
    StreamUse& use = streams_[index(event_.id, event_.write)];
    ++use.copies;
    use.bytes += event_.bytes;
    vmem_.copy_started(event_.write, event_.bytes);
    dma_.start({event_.bytes, event_.runs, event_.semaphore, event_.write}, local_);
}

bool Sequencer::take() {
    if (!semaphores_.take(event_.semaphore, event_.bytes)) return false;
    vmem_.copy_waited(event_.write, event_.bytes);
    return true;
}

/// The bytes of the current event have arrived.
void Sequencer::resume() {
    waiting_ = false;
    take();
    const sc_time now = sc_core::sc_time_stamp();
    if (now <= local_) return;
    streams_[index(event_.id, event_.write)].waited += now - local_;
    local_ = now;
}

std::string Sequencer::waits_for() const {
    if (finished_) return "has finished";
    return fmt::format("waits for {} bytes of the {} of {}; {} have arrived", event_.bytes,
                       event_.write ? "write" : "fetch",
                       program_.streams[static_cast<std::size_t>(event_.id)].name,
                       semaphores_.bytes(event_.semaphore));
}

}  // namespace slab::sim
