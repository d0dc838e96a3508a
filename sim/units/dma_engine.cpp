#include "sim/units/dma_engine.hpp"

#include <algorithm>

#include "sim/units/ici.hpp"
#include "support/check.hpp"

namespace slab::sim {

using sc_core::sc_time;

namespace {

/// What shares of the memory add up to, but for rounding.
constexpr double all_of_it = 1 - 1e-6;

}  // namespace

DmaEngine::DmaEngine(const sc_core::sc_module_name& name, const arch::ChipSpec& chip,
                     const CoreClock& clock, Semaphores& semaphores)
    : sc_module(name),
      port_fs_per_byte_(chip.vmem.dma_bytes_per_cycle > 0
                            ? 1e6 / (chip.vmem.dma_bytes_per_cycle * clock.ghz())
                            : 0),
      read_latency_(CoreClock::from_us(chip.dma.latency_us)),
      write_latency_(CoreClock::from_us(chip.dma.latency_us * chip.dma.write_latency_fraction)),
      semaphores_(semaphores) {
    SC_HAS_PROCESS(DmaEngine);
    SC_METHOD(act);
    sensitive << due_;
    dont_initialize();
}

void DmaEngine::connect(Ici& ici, std::int32_t member) {
    ici_ = &ici;
    member_ = member;
}

void DmaEngine::start(const Copy& copy, sc_time issued) {
    const bool writes = copy.to_hbm && !copy.is_remote();
    const std::int32_t tag = enter({copy, (copy.from_hbm ? 1 : 0) + (writes ? 1 : 0), false, {}});
    if (!copy.from_hbm && !writes) return move_on_chip(tag, issued);
    const sc_time arrival = copy.from_hbm ? issued + read_latency_ : issued;
    if (copy.from_hbm) post(tag, false, arrival);
    if (writes) post(tag, true, arrival);
}

void DmaEngine::receive(const Copy& copy, sc_time last) {
    const auto id = static_cast<std::size_t>(std::max(copy.id, 0));
    if (received_.size() <= id) received_.resize(id + 1);
    received_[id] += copy.bytes;
    if (!copy.to_hbm) return put_at(last, copy.arrival, copy.bytes);
    post(enter({copy, 1, true, last}), true, sc_core::sc_time_stamp());
    memory->commit();
}

sc_time DmaEngine::hbm_time(const Copy& copy) const {
    return memory->time_alone(transfer_of(copy, false));
}

Transfer DmaEngine::transfer_of(const Copy& copy, bool write) const {
    Transfer transfer;
    transfer.bytes = static_cast<double>(copy.bytes);
    transfer.runs = static_cast<double>(copy.runs);
    transfer.write = write;
    return transfer;
}

std::int32_t DmaEngine::enter(const Moving& moving) {
    if (free_.empty()) {
        moving_.push_back(moving);
        return static_cast<std::int32_t>(moving_.size() - 1);
    }
    const std::int32_t tag = free_.back();
    free_.pop_back();
    moving_[static_cast<std::size_t>(tag)] = moving;
    return tag;
}

DmaEngine::Lane& DmaEngine::lane(const Transfer& transfer) {
    if (!transfer.write) return reads_;
    return moving_[static_cast<std::size_t>(transfer.tag)].incoming ? incoming_ : writes_;
}

/// Hands an end of a copy to HBM, or lets it wait for the copies before it.
void DmaEngine::post(std::int32_t tag, bool write, sc_time arrival) {
    const Copy& copy = moving_[static_cast<std::size_t>(tag)].copy;
    Transfer transfer = transfer_of(copy, write);
    transfer.arrival = arrival;
    transfer.tag = tag;

    Lane& lane = this->lane(transfer);
    if (lane.share < all_of_it) {
        memory->post(transfer);
        lane.share += memory->share(transfer);
        return;
    }
    auto same = std::find_if(lane.classes.begin(), lane.classes.end(),
                             [&](const Class& c) { return c.priority <= copy.priority; });
    if (same == lane.classes.end() || same->priority != copy.priority)
        same = lane.classes.insert(same, {copy.priority, {}});
    same->waiting.push(transfer);
}

void DmaEngine::move_on_chip(std::int32_t tag, sc_time issued) {
    const Copy& copy = moving_[static_cast<std::size_t>(tag)].copy;
    const sc_time begin = std::max(issued, port_free_);
    port_free_ = begin + CoreClock::rounded(static_cast<double>(copy.bytes) * port_fs_per_byte_);
    const sc_time done = copy.is_remote() ? port_free_ : port_free_ + write_latency_;
    add_due(done, {Due::Kind::moved, 0, 0, tag});
}

namespace {

/// Of the copies that wait, the next: of the highest class one that has arrived, else the earliest.
template <typename Classes>
typename Classes::value_type* next_of(Classes& classes) {
    typename Classes::value_type* earliest = nullptr;
    for (auto& one : classes) {
        if (one.waiting.empty()) continue;
        if (one.waiting.front().arrival <= sc_core::sc_time_stamp()) return &one;
        if (!earliest || one.waiting.front().arrival < earliest->waiting.front().arrival)
            earliest = &one;
    }
    return earliest;
}

}  // namespace

void DmaEngine::served(const Transfer& transfer) {
    Lane& lane = this->lane(transfer);
    lane.share -= memory->share(transfer);
    while (lane.share < all_of_it) {
        Class* const from = next_of(lane.classes);
        if (!from) break;
        Transfer next = from->waiting.front();
        from->waiting.pop();
        next.arrival = std::max(next.arrival, sc_core::sc_time_stamp());
        memory->post(next);
        lane.share += memory->share(next);
    }
    if (--moving_[static_cast<std::size_t>(transfer.tag)].ends == 0) complete(transfer.tag);
}

/// All of a copy has moved, as far as this core moves it.
void DmaEngine::complete(std::int32_t tag) {
    const Moving done = moving_[static_cast<std::size_t>(tag)];
    free_.push_back(tag);
    const Copy& copy = done.copy;
    const sc_time now = sc_core::sc_time_stamp();
    if (done.incoming)
        put_at(std::max(now, done.last) + write_latency_, copy.arrival, copy.bytes);
    else if (copy.is_remote())
        leave(copy);
    else if (copy.to_hbm)
        put_at(now + write_latency_, copy.semaphore, copy.bytes);
    else
        put(copy.semaphore, copy.bytes);
}

/// The source of a remote copy has been read; the links began with its first byte.
void DmaEngine::leave(const Copy& copy) {
    SLAB_CHECK(ici_ != nullptr, "a remote copy without a mesh");
    const sc_time reading =
        copy.from_hbm ? hbm_time(copy)
                      : CoreClock::rounded(static_cast<double>(copy.bytes) * port_fs_per_byte_);
    put_at(ici_->send(member_, copy, reading), copy.semaphore, copy.bytes);
}

void DmaEngine::put(std::int32_t semaphore, std::int64_t bytes) {
    last_done_ = sc_core::sc_time_stamp();
    semaphores_.put(semaphore, bytes);
}

void DmaEngine::put_at(sc_time time, std::int32_t semaphore, std::int64_t bytes) {
    add_due(time, {Due::Kind::put, semaphore, bytes, 0});
}

void DmaEngine::add_due(sc_time time, const Due& due) {
    if (agenda_.empty() || time < agenda_.time()) due_.notify(time - sc_core::sc_time_stamp());
    agenda_.push(time, due);
}

void DmaEngine::act() {
    ++activations_;
    const sc_time now = sc_core::sc_time_stamp();
    while (!agenda_.empty() && agenda_.time() <= now) {
        const Due due = agenda_.pop();
        if (due.kind == Due::Kind::put)
            put(due.semaphore, due.bytes);
        else
            complete(due.tag);
    }
    if (!agenda_.empty()) due_.notify(agenda_.time() - now);
}

}  // namespace slab::sim
