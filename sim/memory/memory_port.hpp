#pragma once

#include <cstdint>

#include <systemc>

namespace slab::sim {

/// One copy as a memory sees it.
struct Transfer {
    sc_core::sc_time arrival;  ///< when its first byte can move
    double bytes = 0;
    std::int32_t tag = 0;  ///< of the client, for its own use
    bool write = false;
    double runs = 0;  ///< contiguous pieces that the bytes lie in
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
    /// The share of the memory that a transfer can use by itself, at most 1: while those of one
    /// direction use less than 1 together, another one would not wait for them.
    virtual double share(const Transfer& transfer) const = 0;
    /// How long a transfer takes that has the memory for itself.
    virtual sc_core::sc_time time_alone(const Transfer& transfer) const = 0;
};

}  // namespace slab::sim
