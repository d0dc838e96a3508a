#pragma once

#include <cstdint>
#include <vector>

#include <systemc>

namespace slab::sim {

/// The semaphores of a core. Each counts bytes that have been moved, or signals, and that have not
/// yet been waited for; other cores may add to them. A core runs in order, so it waits for one of
/// them at a time.
class Semaphores {
public:
    static constexpr std::int32_t nothing = -1;

    explicit Semaphores(std::int32_t count) : bytes_(static_cast<std::size_t>(count)) {}

    void put(std::int32_t semaphore, std::int64_t bytes);
    /// Takes the bytes if they are there; else remembers that the core waits for them, and
    /// `granted` is notified as soon as they are.
    bool take(std::int32_t semaphore, std::int64_t bytes);

    const sc_core::sc_event& granted() const { return granted_; }
    std::int32_t awaited() const { return awaited_; }
    std::int64_t bytes(std::int32_t semaphore) const { return bytes_[index(semaphore)]; }

private:
    static std::size_t index(std::int32_t semaphore) { return static_cast<std::size_t>(semaphore); }

    std::vector<std::int64_t> bytes_;
    std::int32_t awaited_ = nothing;
    std::int64_t awaited_bytes_ = 0;
    sc_core::sc_event granted_{"granted"};
};

}  // namespace slab::sim
