#include <algorithm>
#include <cmath>

#include "interp/functions.hpp"
#include "support/rounding.hpp"

// Reductions, in the order of the hardware: the registers of a row (or column) are combined in
// ascending order, then the lanes (or sublanes) of the one that is left, half by half. Sums of bf16
// are kept in f32 and rounded once.
namespace slab::interp {

namespace {

/// Where the elements of a reduction lie: `count` of them, `step` apart.
struct Line {
    std::size_t first = 0;
    std::size_t count = 0;
    std::size_t step = 1;
};

/// Calls `visit(line, result element)` for each line along a dimension.
template <typename Visit>
void for_each_line(const Shape& shape, std::size_t axis, Visit&& visit) {
    Line line;
    line.count = static_cast<std::size_t>(shape[axis]);
    for (std::size_t d = axis + 1; d < shape.size(); ++d)
        line.step *= static_cast<std::size_t>(shape[d]);
    const std::size_t outer = static_cast<std::size_t>(count_of(shape)) /
                              std::max<std::size_t>(line.count * line.step, 1);
    std::size_t result = 0;
    for (std::size_t i = 0; i < outer; ++i)
        for (std::size_t j = 0; j < line.step; ++j) {
            line.first = i * line.count * line.step + j;
            visit(line, result++);
        }
}

template <typename T, typename Combine>
T combined(const std::vector<T>& values, const Line& line, std::size_t width, Combine combine,
           std::vector<T>& partial) {
    const auto at = [&](std::size_t i) { return values[line.first + i * line.step]; };
    partial.clear();
    for (std::size_t i = 0; i < line.count; ++i)
        if (i < width)
            partial.push_back(at(i));
        else
            partial[i % width] = combine(partial[i % width], at(i));
    for (std::size_t left = partial.size(); left > 1;) {
        const std::size_t half = (left + 1) / 2;
        for (std::size_t i = 0; i + half < left; ++i)
            partial[i] = combine(partial[i], partial[i + half]);
        left = half;
    }
    return partial[0];
}

void reduce_traces(Application& of, std::size_t axis) {
    const Block& from = *of.args[0];
    if (!from.has_undefined()) return;
    for_each_line(from.shape, axis, [&](const Line& line, std::size_t result) {
        for (std::size_t i = 0; i < line.count; ++i)
            if (const Trace trace = from.traces[line.first + i * line.step]) {
                of.result.set_trace(static_cast<Int>(result), trace);
                return;
            }
    });
}

/// `width` elements are combined side by side before they are combined with each other.
template <typename Combine>
void reduce(Application& of, std::size_t axis, Int width, Combine combine) {
    const Block& from = *of.args[0];
    const DType type = of.result.type();
    visit_elements(
        [&](auto& out, const auto& in) {
            auto partial = in;
            for_each_line(from.shape, axis, [&](const Line& line, std::size_t result) {
                out[result] = combined(in, line, static_cast<std::size_t>(width), combine, partial);
            });
        },
        of.result.elements, from.elements);
    if (type == DType::bf16)
        for (float& value : of.result.elements.reals) value = rounded_to_bf16(value);
    reduce_traces(of, axis);
}

/// Wraps for integers.
struct Add {
    float operator()(float x, float y) const { return x + y; }
    std::int32_t operator()(std::int32_t x, std::int32_t y) const {
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(x) +
                                         static_cast<std::uint32_t>(y));
    }
};
struct Multiply {
    float operator()(float x, float y) const { return x * y; }
    std::int32_t operator()(std::int32_t x, std::int32_t y) const {
        return static_cast<std::int32_t>(static_cast<std::uint32_t>(x) *
                                         static_cast<std::uint32_t>(y));
    }
};
/// NaN wins.
struct Larger {
    float operator()(float x, float y) const { return std::isnan(x) || x > y ? x : y; }
    std::int32_t operator()(std::int32_t x, std::int32_t y) const { return std::max(x, y); }
};
struct Smaller {
    float operator()(float x, float y) const { return std::isnan(x) || x < y ? x : y; }
    std::int32_t operator()(std::int32_t x, std::int32_t y) const { return std::min(x, y); }
};

template <typename Combine>
void along_rows(Application& of) {
    reduce(of, of.args[0]->shape.size() - 1, of.lanes, Combine{});
}
template <typename Combine>
void along_columns(Application& of) {
    reduce(of, of.args[0]->shape.size() - 2, of.sublanes, Combine{});
}
/// In ascending order.
template <typename Combine>
void fold(Application& of) {
    reduce(of, static_cast<std::size_t>(of.op.integers[0]), 1, Combine{});
}

/// The lowest index of the largest; of a NaN if there is one.
void argmax(Application& of) {
    const Block& from = *of.args[0];
    const std::size_t axis = from.shape.size() - 1;
    for_each_line(from.shape, axis, [&](const Line& line, std::size_t result) {
        std::size_t best = 0;
        double largest = from.elements.number(static_cast<Int>(line.first));
        for (std::size_t i = 1; i < line.count && !std::isnan(largest); ++i) {
            const double value = from.elements.number(static_cast<Int>(line.first + i));
            if (!(value > largest) && !std::isnan(value)) continue;
            best = i;
            largest = value;
        }
        of.result.elements.integers[result] = static_cast<std::int32_t>(best);
    });
    reduce_traces(of, axis);
}

}  // namespace

const std::vector<NamedFunction>& reduction_functions() {
    static const std::vector<NamedFunction> functions = {
        {"rowmax", along_rows<Larger>},
        {"rowmin", along_rows<Smaller>},
        {"rowsum", along_rows<Add>},
        {"colmax", along_columns<Larger>},
        {"colmin", along_columns<Smaller>},
        {"colsum", along_columns<Add>},
        {"fold_add", fold<Add>},
        {"fold_mul", fold<Multiply>},
        {"fold_max", fold<Larger>},
        {"fold_min", fold<Smaller>},
        {"argmax", argmax},
    };
    return functions;
}

}  // namespace slab::interp
