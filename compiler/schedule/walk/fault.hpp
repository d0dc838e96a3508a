#pragma once

#include <cstdint>

#include "compiler/schedule/walker.hpp"

namespace slab::schedule {

/// What went wrong at run time, by the user's doing, in a few words that cost nothing to keep.
struct Fault {
    enum class Kind : std::uint8_t {
        nothing,
        division,        ///< `id` is the expression
        live_length,     ///< of a window: `id` is the stream, `value` the length
        window_outside,  ///< `id` is the stream, `value` the start in `dimension`
        loop_step,       ///< zero: `id` is the slot
        element_index,   ///< `id` is the expression, `value` the index in `dimension`
        element_copy,    ///< `id` is the expression, `value` the copy of the buffer
        element_unset,   ///< `id` is the expression
        broken_promise,  ///< of `aligned`: `id` is the expression, `value` the value
        told             ///< WalkState::stop has it already
    };
    Kind kind = Kind::nothing;
    std::int32_t id = none;
    std::int64_t value = 0;
    std::int32_t dimension = 0;

    explicit operator bool() const { return kind != Kind::nothing; }
    /// Keeps the first fault: what follows from it is not worth telling.
    void add(const Fault& other) {
        if (!*this) *this = other;
    }
};

/// A fault as a message; `span` is the place of the statement it happened in.
Stop stop_for(const Fault& fault, const Program& program, const Data& data, Span span);

/// The sentences that reads and writes of memory share.
std::string index_outside(std::int64_t index, const std::string& name, std::size_t dimension,
                          std::int64_t size);
std::string copy_outside(std::int64_t copy, const Buffer& buffer);
/// Why an element of a buffer is not there: nobody wrote it, or the operand came without data.
Stop unset_element(BufferId buffer, const Program& program, const Data& data, Span span);

}  // namespace slab::schedule
