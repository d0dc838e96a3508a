#include "sim/units/ici.hpp"

#include <algorithm>

#include "sim/clock.hpp"

namespace slab::sim {

using sc_core::sc_time;

Ici::Ici(const sc_core::sc_module_name& name, const schedule::Program& program,
         const arch::IciSpec& spec)
    : sc_module(name),
      fs_per_byte_(spec.link_gb_per_s > 0 ? 1e6 / spec.link_gb_per_s : 0),
      hop_(CoreClock::from_us(spec.hop_latency_us)) {
    for (const schedule::MeshAxis& axis : program.mesh) extents_.push_back(axis.extent);
    links_.resize(static_cast<std::size_t>(program.members()) * extents_.size() * 2);
    SC_HAS_PROCESS(Ici);
    SC_METHOD(deliver);
    sensitive << due_;
    dont_initialize();
}

void Ici::attach(DmaEngine& dma, Semaphores& semaphores) {
    dma.connect(*this, static_cast<std::int32_t>(ends_.size()));
    ends_.push_back({&dma, &semaphores});
}

sc_time Ici::send(std::int32_t from, const DmaEngine::Copy& copy, sc_time reading) {
    const sc_time now = sc_core::sc_time_stamp();
    const sc_time crossing = CoreClock::rounded(static_cast<double>(copy.bytes) * fs_per_byte_);
    sc_time first = now - std::min(now, reading);
    sc_time left = now;
    sc_time last = now;
    const std::vector<std::size_t> hops = path(from, copy.peer);
    for (std::size_t i = 0; i < hops.size(); ++i) {
        Link& link = links_[hops[i]];
        first = std::max(first, link.free);
        link.free = first + crossing;
        link.busy += crossing;
        // the last byte cannot leave before it has been read
        if (i == 0) left = std::max(now, link.free);
        last = std::max(last, link.free) + hop_;
        first += hop_;
    }
    const DmaEngine& peer = *ends_[static_cast<std::size_t>(copy.peer)].dma;
    // HBM is faster than a link: the write begins so that it ends with the last byte
    const sc_time writing = copy.to_hbm ? peer.hbm_time(copy) : sc_core::SC_ZERO_TIME;
    Arrival arrival;
    arrival.is_copy = true;
    arrival.to = copy.peer;
    arrival.copy = copy;
    arrival.last = last;
    add(std::max(now, last - std::min(last, writing)), arrival);
    return left;
}

void Ici::signal(std::int32_t from, std::int32_t to, std::int32_t semaphore, std::int64_t amount,
                 sc_time time) {
    Arrival arrival;
    arrival.to = to;
    arrival.semaphore = semaphore;
    arrival.amount = amount;
    const auto hops = static_cast<double>(path(from, to).size());
    add(time + CoreClock::rounded(hop_.to_double() * hops), arrival);
}

sc_time Ici::busiest_link(std::int32_t member) const {
    const std::size_t count = extents_.size() * 2;
    sc_time most;
    for (std::size_t i = 0; i < count; ++i)
        most = std::max(most, links_[static_cast<std::size_t>(member) * count + i].busy);
    return most;
}

/// The links from one member to another, axis by axis.
std::vector<std::size_t> Ici::path(std::int32_t from, std::int32_t to) const {
    std::vector<std::size_t> hops;
    std::int64_t at = from;
    std::int64_t stride = 1;
    for (std::int64_t extent : extents_) stride *= extent;
    for (std::size_t axis = 0; axis < extents_.size(); ++axis) {
        const std::int64_t extent = extents_[axis];
        stride /= extent;
        std::int64_t here = at / stride % extent;
        const std::int64_t there = to / stride % extent;
        const std::int64_t up = (there - here + extent) % extent;
        const bool down = 2 * up > extent;
        for (std::int64_t left = down ? extent - up : up; left > 0; --left) {
            hops.push_back((static_cast<std::size_t>(at) * extents_.size() + axis) * 2 +
                           (down ? 1 : 0));
            const std::int64_t next = (here + (down ? extent - 1 : 1)) % extent;
            at += (next - here) * stride;
            here = next;
        }
    }
    return hops;
}

void Ici::add(sc_time time, const Arrival& arrival) {
    if (agenda_.empty() || time < agenda_.time()) due_.notify(time - sc_core::sc_time_stamp());
    agenda_.push(time, arrival);
}

void Ici::deliver() {
    ++activations_;
    const sc_time now = sc_core::sc_time_stamp();
    while (!agenda_.empty() && agenda_.time() <= now) {
        const Arrival arrival = agenda_.pop();
        const End& end = ends_[static_cast<std::size_t>(arrival.to)];
        if (arrival.is_copy)
            end.dma->receive(arrival.copy, arrival.last);
        else
            end.semaphores->put(arrival.semaphore, arrival.amount);
    }
    if (!agenda_.empty()) due_.notify(agenda_.time() - now);
}

}  // namespace slab::sim
