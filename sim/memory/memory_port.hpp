#pragma once

#include <cstdint>

#include <systemc>

namespace slab::sim {

/// One copy as a memory sees it.
struct Transfer {
    sc_core::sc_time arrival;  ///< when its first byte can move
    double service_bytes = 0;  ///< bytes and what their runs cost on top
    std::int32_t tag = 0;      ///< of the client, for its own use
    bool write = false;
};

/// Who asked for a transfer hears when its last byte has moved, at that simulated time.
class MemoryClient {
public:
    virtual void served(const Transfer& transfer) = 0;

protected:
    ~MemoryClient() = default;
};

/// The way into a memory. Requests arrive now or in the future, in any order: a client can be ahead
/// of the simulated time by as much as it likes.
class MemoryPort : public virtual sc_core::sc_interface {
public:
    virtual void attach(MemoryClient& client) = 0;
    virtual void post(const Transfer& transfer) = 0;
    /// Ends a series of post(): the memory decides when it has to act next. Not needed in served().
    virtual void commit() = 0;
};

}  // namespace slab::sim
