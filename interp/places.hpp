#pragma once

#include <string>
#include <vector>

#include "compiler/schedule/walker.hpp"
#include "interp/block.hpp"

namespace slab::interp {

/// Where the elements lie that a reference means, at one moment of a walk.
struct Places {
    static constexpr Int nowhere = -1;  ///< past the elements that are live

    DType type = DType::f32;  ///< as which they are seen
    Shape shape;              ///< without dropped dimensions
    /// Of each element, row-major: its number in the memory, all copies counted. Empty for a
    /// `whole` copy, whose elements are `first` and those after it.
    std::vector<Int> numbers;
    bool whole = false;
    Int first = 0;
    /// Where `type` has another width than the memory: elements are made of pieces of `piece_bits`;
    /// `numbers` then holds those of the pieces, the lowest bits first, `pieces` for each element.
    int piece_bits = 0;
    Int pieces = 1;

    Int count() const { return count_of(shape); }
    Int number(Int element) const {
        return whole ? first + element : numbers[static_cast<std::size_t>(element)];
    }
};

/// The value of an integer expression; throws a schedule::Stop where it has none.
Int value_of(schedule::ExprId expr, const schedule::Walker& walker, Span span);

/// `copy`: which of a buffer's copies is at hand, where the reference does not say. Throws a
/// schedule::Stop where the reference leaves its memory, or has no place at all; `span` is that of
/// the statement.
Places places_of(const schedule::MemoryRef& ref, const schedule::Program& program,
                 const schedule::Walker& walker, Int copy, Span span);

}  // namespace slab::interp
