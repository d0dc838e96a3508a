#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interp/block.hpp"
#include "reference/array.hpp"

namespace slab::cli {

/// How a computed output may differ from the exact one. Differences are counted in parts of the
/// largest exact value, or of 2^-102 (narrow types: their smallest normal number) if that is
/// larger.
struct Tolerance {
    double limit = 0;  ///< what all but one in a thousand elements must keep
    double worst = 0;  ///< what every element must keep
};

/// The tolerance of an output: `rel` where a case gives it, for every element. Without it integers
/// must be equal, in their low bits if the exact ones do not fit the type; for floats the limit
/// is twice the error of a straightforward evaluation in the type of the output, or what that type
/// can tell apart if that is more, and no element may be ten times worse.
Tolerance tolerance_of(DType type, const reference::Array& exact,
                       const reference::Array& straightforward, std::optional<double> rel);

/// The largest difference between two arrays, as in Tolerance.
double largest_difference(DType type, const reference::Array& exact, const reference::Array& other);

struct Difference {
    reference::Int element = 0;
    double got = 0;
    double expected = 0;
    double error = 0;  ///< as in Tolerance; infinite for NaN
};

struct Comparison {
    bool passes = true;
    double error = 0;  ///< the largest
    Tolerance tolerance;
    reference::Int outside = 0;          ///< elements that differ by more than the limit
    std::vector<Difference> worst = {};  ///< the largest of those, at most `most_shown`
};
inline constexpr std::size_t most_shown = 4;

/// Compares what a kernel computed with what its reference did.
Comparison compare(const interp::Elements& got, const reference::Array& exact,
                   const Tolerance& tolerance);

}  // namespace slab::cli
