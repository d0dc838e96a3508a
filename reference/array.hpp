#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slab::reference {

using Int = std::int64_t;
using Shape = std::vector<Int>;

/// What the elements of an array are. Reals are f64; integers are exact up to 2^53; conditions
/// are 0 and 1.
enum class Kind { real, integer, truth };

/// A whole array, row-major; without dimensions it is a scalar and has one element.
struct Array {
    Kind kind = Kind::real;
    Shape shape;
    std::vector<double> values;

    bool is_scalar() const { return shape.empty(); }
    Int rank() const { return static_cast<Int>(shape.size()); }
    bool operator==(const Array&) const = default;
};

constexpr double largest_exact = 9007199254740991;  ///< 2^53 - 1
constexpr Int most_elements = Int{1} << 28;

Array scalar(Kind kind, double value);
/// Of zeros.
Array array_of(Kind kind, Shape shape);

/// `[3, 4]`, "a scalar"
std::string to_string(const Shape& shape);
/// How many elements; nothing above `most_elements`.
std::optional<Int> element_count(const Shape& shape);
/// The same with dimensions of no elements counted as 1: how often loops over the others go round.
std::optional<Int> loop_rounds(const Shape& shape);

/// Some elements of an array: those at offset + the sum of index * stride.
struct Part {
    Int offset = 0;
    Shape shape;
    std::vector<Int> strides;
};
Part all_of(const Shape& shape);
/// An array stretched over a shape: dimensions are matched from the right, and those that are 1 or
/// missing repeat. Nothing where they do not match.
std::optional<Part> stretched(const Shape& from, const Shape& to);
/// The shape two arrays are stretched to before they are joined.
std::optional<Shape> common_shape(const Shape& a, const Shape& b);

Array extract(const Array& array, const Part& part);

/// Calls `visit(position)` for every element of the part, the last dimension fastest.
template <typename Visit>
void for_each(const Part& part, Visit&& visit) {
    for (const Int size : part.shape)
        if (size == 0) return;
    const std::size_t outer = part.shape.empty() ? 0 : part.shape.size() - 1;
    const Int run = part.shape.empty() ? 1 : part.shape.back();
    const Int stride = part.shape.empty() ? 0 : part.strides.back();
    Shape index(outer, 0);
    Int start = part.offset;
    while (true) {
        for (Int i = 0; i < run; ++i) visit(start + i * stride);
        std::size_t d = outer;
        for (; d > 0; --d) {
            start += part.strides[d - 1];
            if (++index[d - 1] < part.shape[d - 1]) break;
            start -= part.strides[d - 1] * part.shape[d - 1];
            index[d - 1] = 0;
        }
        if (d == 0) return;
    }
}

/// The dimensions before and behind an axis, for loops over outer, axis, inner.
struct Along {
    Int outer = 1;
    Int size = 1;
    Int inner = 1;
};
Along along(const Shape& shape, Int axis);

}  // namespace slab::reference
