#include "reference/array.hpp"

#include <algorithm>

#include <fmt/ranges.h>

namespace slab::reference {

Array scalar(Kind kind, double value) {
    return {kind, {}, {value}};
}

Array array_of(Kind kind, Shape shape) {
    Array array{kind, std::move(shape), {}};
    array.values.resize(static_cast<std::size_t>(element_count(array.shape).value_or(0)));
    return array;
}

std::string to_string(const Shape& shape) {
    return shape.empty() ? "a scalar" : fmt::format("[{}]", fmt::join(shape, ", "));
}

std::optional<Int> element_count(const Shape& shape) {
    const auto rounds = loop_rounds(shape);
    if (!rounds) return std::nullopt;
    return std::count(shape.begin(), shape.end(), 0) > 0 ? 0 : *rounds;
}

std::optional<Int> loop_rounds(const Shape& shape) {
    Int count = 1;
    for (const Int size : shape) {
        if (size < 0 || (size > 0 && count > most_elements / size)) return std::nullopt;
        count *= std::max(size, Int{1});
    }
    return count;
}

Part all_of(const Shape& shape) {
    Part part{0, shape, std::vector<Int>(shape.size())};
    Int stride = 1;
    for (std::size_t d = shape.size(); d-- > 0;) {
        part.strides[d] = stride;
        stride *= shape[d];
    }
    return part;
}

std::optional<Part> stretched(const Shape& from, const Shape& to) {
    if (from.size() > to.size()) return std::nullopt;
    const Part source = all_of(from);
    Part part{0, to, std::vector<Int>(to.size(), 0)};
    const std::size_t missing = to.size() - from.size();
    for (std::size_t d = 0; d < from.size(); ++d) {
        if (from[d] == to[missing + d])
            part.strides[missing + d] = source.strides[d];
        else if (from[d] != 1)
            return std::nullopt;
    }
    return part;
}

std::optional<Shape> common_shape(const Shape& a, const Shape& b) {
    Shape shape = a.size() > b.size() ? a : b;
    const Shape& shorter = a.size() > b.size() ? b : a;
    for (std::size_t i = 1; i <= shorter.size(); ++i) {
        Int& size = shape[shape.size() - i];
        const Int other = shorter[shorter.size() - i];
        if (size == 1)
            size = other;
        else if (other != 1 && other != size)
            return std::nullopt;
    }
    return shape;
}

Array extract(const Array& array, const Part& part) {
    Array result{array.kind, part.shape, {}};
    result.values.reserve(static_cast<std::size_t>(element_count(part.shape).value_or(0)));
    for_each(part, [&](Int at) { result.values.push_back(array.values[at]); });
    return result;
}

Along along(const Shape& shape, Int axis) {
    Along result;
    for (Int d = 0; d < static_cast<Int>(shape.size()); ++d)
        (d < axis ? result.outer : d == axis ? result.size : result.inner) *= shape[d];
    return result;
}

}  // namespace slab::reference
