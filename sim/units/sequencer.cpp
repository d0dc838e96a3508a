#include "sim/units/sequencer.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/clock.hpp"

namespace slab::sim {

using sc_core::sc_time;
using schedule::EventKind;

namespace {

constexpr std::int64_t small_bytes = 4096;

bool in_vmem(const schedule::Program& program, const schedule::MemoryRef& ref) {
    return ref.operand == schedule::none &&
           program.buffers[static_cast<std::size_t>(ref.buffer)].space == schedule::Space::vmem;
}

}  // namespace

void Sequencer::CopyUse::add(std::int64_t moved) {
    ++copies;
    small += moved > 0 && moved < small_bytes ? 1 : 0;
    empty += moved == 0 ? 1 : 0;
    bytes += moved;
}

Sequencer::Sequencer(const sc_core::sc_module_name& name, const schedule::Program& program,
                     schedule::Walker walker, const arch::ChipSpec& chip, Semaphores& semaphores,
                     DmaEngine& dma, Vmem& vmem, VliwUnits& units)
    : sc_module(name),
      program_(program),
      map_(program),
      step_cost_(CoreClock::from_us(chip.scalar.step_us)),
      branch_cost_(CoreClock::from_us(chip.scalar.branch_us)),
      iteration_cost_(CoreClock::from_us(chip.scalar.loop_iteration_us)),
      issue_cost_(CoreClock::from_us(chip.dma.pipeline_issue_us)),
      manual_issue_cost_(CoreClock::from_us(chip.dma.manual_issue_us)),
      semaphores_(semaphores),
      dma_(dma),
      vmem_(vmem),
      units_(units),
      walker_(std::move(walker)),
      local_(CoreClock::from_us(chip.launch.kernel_us)),
      streams_(2 * program.streams.size()),
      copies_(program.copies.size()),
      waited_(static_cast<std::size_t>(walker_.semaphore_count())),
      port_bytes_(waited_.size()),
      latest_copy_(waited_.size(), schedule::none) {
    SC_HAS_PROCESS(Sequencer);
    SC_METHOD(run);
    sensitive << semaphores_.granted();
}

void Sequencer::connect(Ici& ici, std::int32_t member) {
    ici_ = &ici;
    member_ = member;
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

std::optional<result::Stop> Sequencer::stop() const {
    if (overtime_)
        return result::Stop{Diag::kernel_fault, {}, "the simulated time passes one hour", {}};
    if (!walker_.stop()) return std::nullopt;
    const schedule::Stop& stop = *walker_.stop();
    return result::Stop{stop.id, stop.span, stop.headline, stop.why};
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
        case EventKind::transfer:
            start_transfer();
            return true;
        case EventKind::wait:
        case EventKind::await:
            return take();
        case EventKind::signal:
            ici_->signal(member_, event_.peer, event_.arrival, event_.bytes, local_);
            return true;
        case EventKind::print:
            print();
            return true;
        case EventKind::region:
            local_ += units_.run(event_.id);
            return true;
        // scalar work shares its bundles with vector code
        case EventKind::set:
        case EventKind::element:
        case EventKind::ring:
        case EventKind::scope_begin:
        case EventKind::scope_end:
            return true;
    }
    return true;
}

void Sequencer::start_copy() {
    spend(issue_cost_, issue_);
    streams_[index(event_.id, event_.write)].add(event_.bytes);
    vmem_.copy_started(event_.write, event_.bytes);
    DmaEngine::Copy copy;
    copy.bytes = event_.bytes;
    copy.runs = event_.runs;
    copy.semaphore = event_.semaphore;
    copy.from_hbm = !event_.write;
    copy.to_hbm = event_.write;
    dma_.start(copy, local_);
}

void Sequencer::start_transfer() {
    const auto id = static_cast<std::size_t>(event_.id);
    const auto semaphore = static_cast<std::size_t>(event_.semaphore);
    const schedule::Copy& written = program_.copies[id];
    spend(manual_issue_cost_, issue_);
    copies_[id].add(event_.bytes);
    latest_copy_[semaphore] = event_.id;

    DmaEngine::Copy copy;
    copy.bytes = event_.bytes;
    copy.runs = event_.runs;
    copy.semaphore = event_.semaphore;
    copy.from_hbm = written.source.operand != schedule::none;
    copy.to_hbm = written.target.operand != schedule::none;
    copy.priority = written.priority;
    copy.peer = event_.peer;
    copy.arrival = event_.arrival;
    copy.id = event_.id;
    if (in_vmem(program_, written.source)) {
        vmem_.copy_started(true, event_.bytes);
        port_bytes_[semaphore].out += event_.bytes;
    }
    if (!written.is_remote() && in_vmem(program_, written.target)) {
        vmem_.copy_started(false, event_.bytes);
        port_bytes_[semaphore].in += event_.bytes;
    }
    dma_.start(copy, local_);
}

void Sequencer::print() {
    ++print_count_;
    if (prints_.size() == most_prints) return;
    const schedule::Print& written = program_.prints[static_cast<std::size_t>(event_.id)];
    std::string text =
        program_.mesh.empty() ? std::string() : member_name(program_, member_) + ": ";
    text += written.message;
    for (schedule::ExprId value : written.values) {
        const auto type = program_.exprs[static_cast<std::size_t>(value)].type;
        if (type == schedule::ScalarType::f32)
            text += fmt::format(" {}", static_cast<float>(walker_.real_of(value)));
        else if (type == schedule::ScalarType::pred)
            text += fmt::format(" {}", walker_.integer_of(value) != 0);
        else
            text += fmt::format(" {}", walker_.integer_of(value));
    }
    prints_.push_back({local_, std::move(text)});
}

bool Sequencer::take() {
    if (!semaphores_.take(event_.semaphore, event_.bytes)) return false;
    if (event_.kind == EventKind::wait)
        vmem_.copy_waited(event_.write, event_.bytes);
    else
        free_ports();
    return true;
}

/// Bytes that were waited for have left the ports.
void Sequencer::free_ports() {
    PortBytes& bytes = port_bytes_[static_cast<std::size_t>(event_.semaphore)];
    const std::int64_t in = std::min(bytes.in, event_.bytes);
    const std::int64_t out = std::min(bytes.out, event_.bytes);
    if (in > 0) vmem_.copy_waited(false, in);
    if (out > 0) vmem_.copy_waited(true, out);
    bytes.in -= in;
    bytes.out -= out;
}

/// The bytes of the current event have arrived.
void Sequencer::resume() {
    waiting_ = false;
    take();
    const sc_time now = sc_core::sc_time_stamp();
    if (now <= local_) return;
    wait_account() += now - local_;
    local_ = now;
}

/// Where the wait of the current event is charged.
sc_time& Sequencer::wait_account() {
    if (event_.kind == EventKind::wait) return streams_[index(event_.id, event_.write)].waited;
    const auto semaphore = static_cast<std::size_t>(event_.semaphore);
    const schedule::CopyId copy = latest_copy_[semaphore];
    if (copy != schedule::none && map_.cause(event_.semaphore).empty())
        return copies_[static_cast<std::size_t>(copy)].waited;
    return waited_[semaphore];
}

std::vector<Sequencer::NamedWait> Sequencer::semaphore_waits() const {
    std::vector<NamedWait> waits;
    for (std::size_t i = 0; i < waited_.size(); ++i) {
        if (waited_[i] == sc_core::SC_ZERO_TIME) continue;
        std::string cause = map_.cause(static_cast<std::int32_t>(i));
        const auto known = std::find_if(waits.begin(), waits.end(),
                                        [&](const NamedWait& w) { return w.cause == cause; });
        if (known != waits.end())
            known->time += waited_[i];
        else
            waits.push_back({std::move(cause), waited_[i]});
    }
    return waits;
}

sc_time Sequencer::waited() const {
    sc_time sum;
    for (const CopyUse& use : streams_) sum += use.waited;
    for (const CopyUse& use : copies_) sum += use.waited;
    for (sc_time time : waited_) sum += time;
    return sum;
}

std::string Sequencer::waits_for() const {
    return finished_ ? "has finished" : "waits for " + awaited();
}

std::string Sequencer::awaited() const {
    const std::int64_t arrived = semaphores_.bytes(event_.semaphore);
    if (event_.kind == EventKind::wait)
        return fmt::format("{} bytes of the {} of {}; {} have arrived", event_.bytes,
                           event_.write ? "write" : "fetch",
                           program_.streams[static_cast<std::size_t>(event_.id)].name, arrived);
    const std::string name = map_.name(event_.semaphore);
    if (map_.cause(event_.semaphore) == "barrier") return name;
    return fmt::format("{} {} of {}; {} have arrived", event_.bytes, map_.unit(event_.semaphore),
                       name, arrived);
}

result::Stop Sequencer::deadlock() const {
    result::Stop stop;
    stop.id = Diag::E0803_deadlock;
    const bool written = event_.kind == EventKind::await && event_.id != schedule::none;
    stop.span = written ? program_.waits[static_cast<std::size_t>(event_.id)].place.span
                        : map_.place(event_.semaphore);
    Diagnostics sentence;
    stop.headline =
        sentence.add<Diag::E0803_deadlock>({}, member_name(program_, member_), awaited())
            .headline();
    stop.why = "no copy and no signal is under way that could end the wait";
    return stop;
}

}  // namespace slab::sim
