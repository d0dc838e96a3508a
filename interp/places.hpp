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

/// Thrown where a reference leaves its memory.
struct Outside {
    std::string headline;
};

/// `copy`: which of a buffer's copies is at hand, where the reference does not say.
Places places_of(const schedule::MemoryRef& ref, const schedule::Program& program,
                 const schedule::Walker& walker, Int copy);

}  // namespace slab::interp
