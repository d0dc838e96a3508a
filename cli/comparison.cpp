#include "cli/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/rounding.hpp"

namespace slab::cli {

namespace {

/// What neighbouring values of a type differ by, in parts of the larger: no kernel is told to be
/// more exact. f32 is given the rounding of a sum of some hundred terms.
double resolution(DType type) {
    switch (type) {
        case DType::f32:
            return 1e-5;
        case DType::bf16:
            return 0x1p-8;
        case DType::f8e4m3:
            return 0x1p-4;
        case DType::f8e5m2:
            return 0x1p-3;
        default:
            return 0;  // integers are exact
    }
}

/// Below it values are not counted as different: the types with the exponents of f32 lose digits
/// there, since the lowest bf16 part of an f32 is no normal number any more.
double smallest_scale(DType type) {
    return bits(type) >= 16 ? 0x1p-102 : smallest_normal(type);
}

double scale_of(DType type, const reference::Array& exact) {
    double largest = smallest_scale(type);
    for (const double value : exact.values)
        if (std::isfinite(value)) largest = std::max(largest, std::fabs(value));
    return largest;
}

/// Infinite where one is NaN, or infinite and the other is not.
double difference(double got, double expected, double scale) {
    if (got == expected) return 0;
    const double error = std::fabs(got - expected) / scale;
    return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

}  // namespace

double largest_difference(DType type, const reference::Array& exact,
                          const reference::Array& other) {
    const double scale = scale_of(type, exact);
    double largest = 0;
    for (std::size_t i = 0; i < exact.values.size(); ++i)
        largest =
            std::max(largest, difference(rounded(type, other.values[i]), exact.values[i], scale));
    return largest;
}

Tolerance tolerance_of(DType type, const reference::Array& exact,
                       const reference::Array& straightforward, std::optional<double> rel) {
    if (rel) return {*rel, *rel};
    if (!is_float(type)) return {};  // integers are equal or not
    const double error = largest_difference(type, exact, straightforward);
    const double limit = std::max(std::isfinite(error) ? 2 * error : 0, resolution(type));
    return {limit, 10 * limit};
}

Comparison compare(const interp::Elements& got, const reference::Array& exact,
                   const Tolerance& tolerance) {
    Comparison result{true, 0, tolerance, 0, {}};
    const double scale = scale_of(got.type, exact);
    std::vector<Difference> all;
    for (reference::Int i = 0; i < got.count(); ++i) {
        const double value = got.number(i);
        // an exact value that overflows the type is what the type makes of it
        double expected = exact.values[static_cast<std::size_t>(i)];
        if (is_integer(got.type))  // and integers keep their low bits
            expected = rounded_integer(got.type, static_cast<std::int64_t>(expected));
        if (std::isinf(rounded(got.type, expected))) expected = rounded(got.type, expected);
        const double error = difference(value, expected, scale);
        result.error = std::max(result.error, error);
        if (error <= tolerance.limit) continue;
        ++result.outside;
        all.push_back({i, value, expected, error});
    }
    result.passes = result.error <= tolerance.worst && result.outside * 1000 <= got.count();
    if (result.passes) return result;
    const std::size_t shown = std::min(all.size(), most_shown);
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shown), all.end(),
                      [](const Difference& a, const Difference& b) {
                          return a.error != b.error ? a.error > b.error : a.element < b.element;
                      });
    all.resize(shown);
    result.worst = std::move(all);
    return result;
}

}  // namespace slab::cli
