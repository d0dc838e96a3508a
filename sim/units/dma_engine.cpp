#include "sim/units/dma_engine.hpp"

#include <algorithm>

#include "sim/clock.hpp"

namespace slab::sim {

using sc_core::sc_time;

DmaEngine::DmaEngine(const sc_core::sc_module_name& name, const arch::DmaSpec& spec,
                     Semaphores& semaphores)
    : sc_module(name),
      run_overhead_bytes_(spec.run_overhead_bytes),
      read_latency_(CoreClock::from_us(spec.latency_us)),
      write_latency_(CoreClock::from_us(spec.latency_us * spec.write_latency_fraction)),
      semaphores_(semaphores) {
    SC_HAS_PROCESS(DmaEngine);
    SC_METHOD(acknowledge);
    sensitive << due_;
    dont_initialize();
}

void DmaEngine::start(const Copy& copy, sc_time issued) {
    Transfer transfer;
    transfer.arrival = copy.write ? issued : issued + read_latency_;
    transfer.service_bytes =
        static_cast<double>(copy.bytes) + static_cast<double>(copy.runs) * run_overhead_bytes_;
    transfer.payload_bytes = copy.bytes;
    transfer.semaphore = copy.semaphore;
    transfer.write = copy.write;

    Lane& lane = copy.write ? writes_ : reads_;
    if (lane.busy) {
        lane.waiting.push(transfer);
    } else {
        memory->post(transfer);
        lane.busy = true;
    }
}

void DmaEngine::served(const Transfer& transfer) {
    Lane& lane = transfer.write ? writes_ : reads_;
    lane.busy = !lane.waiting.empty();
    if (lane.busy) {
        Transfer next = lane.waiting.front();
        lane.waiting.pop();
        next.arrival = std::max(next.arrival, sc_core::sc_time_stamp());
        memory->post(next);
    }
    signal(transfer);
}

void DmaEngine::signal(const Transfer& transfer) {
    if (!transfer.write) {
        semaphores_.put(transfer.semaphore, transfer.payload_bytes);
        return;
    }
    // Every acknowledgement takes equally long, so they come in the order of their writes.
    if (acknowledgements_.empty()) due_.notify(write_latency_);
    acknowledgements_.push(
        {sc_core::sc_time_stamp() + write_latency_, transfer.semaphore, transfer.payload_bytes});
}

void DmaEngine::acknowledge() {
    ++activations_;
    const sc_time now = sc_core::sc_time_stamp();
    while (!acknowledgements_.empty() && acknowledgements_.front().time <= now) {
        semaphores_.put(acknowledgements_.front().semaphore, acknowledgements_.front().bytes);
        acknowledgements_.pop();
    }
    if (!acknowledgements_.empty()) due_.notify(acknowledgements_.front().time - now);
}

}  // namespace slab::sim
