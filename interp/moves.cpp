#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "interp/dot.hpp"
#include "interp/functions.hpp"

// Operations that make or move elements: each says where the elements of its result come from.
namespace slab::interp {

namespace {

/// Row-major steps from one index to the next of each dimension.
Shape strides_of(const Shape& shape) {
    Shape strides(shape.size(), 1);
    for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
    return strides;
}

/// Fills the result with elements of a block: element i with `base` + the sum of its indices times
/// `strides`.
void gather(const Block& from, Int base, const Shape& strides, Block& result) {
    const std::size_t rank = result.shape.size();
    if (result.count() == 0) return;
    visit_elements(
        [&](auto& out, const auto& in) {
            Shape index(rank, 0);
            Int at = base;
            const Int run = result.shape[rank - 1], step = strides[rank - 1];
            for (Int i = 0; i < result.count(); i += run) {
                for (Int j = 0; j < run; ++j)
                    out[static_cast<std::size_t>(i + j)] =
                        in[static_cast<std::size_t>(at + j * step)];
                if (from.has_undefined())
                    for (Int j = 0; j < run; ++j)
                        if (const Trace trace = from.trace(at + j * step))
                            result.set_trace(i + j, trace);
                for (std::size_t d = rank - 1; d-- > 0;) {
                    at += strides[d];
                    if (++index[d] < result.shape[d]) break;
                    at -= strides[d] * result.shape[d];
                    index[d] = 0;
                }
            }
        },
        result.elements, from.elements);
}

/// Copies an element, defined or not.
void move_element(const Block& from, Int source, Block& to, Int target) {
    visit_elements(
        [&](auto& out, const auto& in) {
            out[static_cast<std::size_t>(target)] = in[static_cast<std::size_t>(source)];
        },
        to.elements, from.elements);
    if (from.has_undefined()) to.set_trace(target, from.trace(source));
}

void iota(Application& of) {
    const auto axis = static_cast<std::size_t>(of.op.integers[0]);
    const Int stride = strides_of(of.result.shape)[axis];
    for (Int i = 0; i < of.result.count(); ++i)
        of.result.elements.set(i, static_cast<double>(i / stride % of.result.shape[axis]));
}

void broadcast(Application& of) {
    of.result = stretched(*of.args[0], of.result.shape);
}

void reshape(Application& of) {
    const Shape shape = of.result.shape;
    of.result = *of.args[0];
    of.result.shape = shape;
}

void transpose(Application& of) {
    const Block& from = *of.args[0];
    const Shape strides = strides_of(from.shape);
    Shape order = of.op.integers;
    if (order.empty()) {  // the last two
        order.resize(from.shape.size());
        std::iota(order.begin(), order.end(), Int{0});
        std::swap(order[order.size() - 1], order[order.size() - 2]);
    }
    Shape turned;
    for (const Int d : order) turned.push_back(strides[static_cast<std::size_t>(d)]);
    gather(from, 0, turned, of.result);
}

/// Per dimension of the argument: start, size, step and whether it is dropped.
void slice(Application& of) {
    const Block& from = *of.args[0];
    const Shape strides = strides_of(from.shape);
    Int base = 0;
    Shape kept;
    for (std::size_t d = 0; d < from.shape.size(); ++d) {
        const Int* part = &of.op.integers[4 * d];
        base += part[0] * strides[d];
        if (part[3] == 0) kept.push_back(part[2] * strides[d]);
    }
    gather(from, base, kept, of.result);
}

void join(Application& of) {
    const bool stacks = of.op.name == "stack";
    const auto axis = static_cast<std::size_t>(of.op.integers[0]);
    Int inner = 1, outer = 1;
    for (std::size_t d = 0; d < axis; ++d) outer *= of.result.shape[d];
    for (std::size_t d = axis + 1; d < of.result.shape.size(); ++d) inner *= of.result.shape[d];
    Int before = 0;
    for (const Block* part : of.args) {
        const Int size = stacks ? 1 : part->shape[axis];
        for (Int i = 0; i < outer; ++i)
            for (Int j = 0; j < size * inner; ++j)
                move_element(*part, i * size * inner + j, of.result,
                             (i * of.result.shape[axis] + before) * inner + j);
        before += size;
    }
}

/// How the elements along an axis are numbered: outer, along, inner.
struct Along {
    Int size = 1, inner = 1;
    Int index(Int element) const { return element / inner % size; }
    /// The same element with another index along the axis, of a block with `other` along it.
    Int with(Int element, Int new_index, Int other) const {
        const Int outer = element / (inner * size);
        return (outer * other + new_index) * inner + element % inner;
    }
};
Along along(const Shape& shape, Int axis) {
    Along result;
    result.size = shape[static_cast<std::size_t>(axis)];
    for (std::size_t d = static_cast<std::size_t>(axis) + 1; d < shape.size(); ++d)
        result.inner *= shape[d];
    return result;
}

void repeat(Application& of) {
    const Block& from = *of.args[0];
    const Int axis = of.op.integers[1];
    const Int size = from.shape[static_cast<std::size_t>(axis)];
    const Along part = along(of.result.shape, axis);
    for (Int i = 0; i < of.result.count(); ++i)
        move_element(from, part.with(i, part.index(i) % size, size), of.result, i);
}

/// Element i moves to i + n.
void roll(Application& of) {
    const auto amount = static_cast<Int>(of.scalars[0]);
    const Along part = along(of.result.shape, of.op.integers[0]);
    for (Int i = 0; i < of.result.count(); ++i) {
        const Int from = (part.index(i) - amount % part.size + part.size) % part.size;
        move_element(*of.args[0], part.with(i, from, part.size), of.result, i);
    }
}

void take_along(Application& of) {
    const Block &from = *of.args[0], &indices = *of.args[1];
    const Int axis = of.op.integers[0];
    const Int size = from.shape[static_cast<std::size_t>(axis)];
    const Along part = along(of.result.shape, axis);
    for (Int i = 0; i < of.result.count(); ++i) {
        if (const Trace trace = indices.trace(i)) throw UndefinedAddress{trace};
        const Int index = indices.elements.integers[static_cast<std::size_t>(i)];
        if (index < 0 || index >= size)
            throw NoResult{
                Diag::E0401,
                fmt::format("index {} of `take_along` is not between 0 and {}", index, size - 1),
                fmt::format("dimension {} has {} elements", axis, size)};
        move_element(from, part.with(i, index, size), of.result, i);
    }
}

/// The same bits as elements of another type; a change of width folds or splits rows.
void reinterpret(Application& of) {
    const Block& from = *of.args[0];
    const int before = bits(from.type()), after = bits(of.result.type());
    const Int columns = of.result.shape.back();
    const Int joined = std::max(after / before, 1), split = std::max(before / after, 1);
    for (Int i = 0; i < of.result.count(); ++i) {
        const Int row = i / columns, column = i % columns;
        std::uint32_t code = 0;
        for (Int part = 0; part < joined; ++part) {
            const Int source = (row / split * joined + part) * columns + column;
            code |= from.elements.code(source) >> (row % split * after) << (part * before);
            if (from.trace(source) != 0) of.result.set_trace(i, from.trace(source));
        }
        of.result.elements.set_code(i, code);
    }
}

void product(Application& of) {
    of.result = dot(*of.args[0], *of.args[1], of.op.transposed, of.op.passes);
}

}  // namespace

Block stretched(const Block& block, const Shape& shape) {
    if (block.shape == shape) return block;
    Block result(block.type(), shape);
    const Shape own = strides_of(block.shape);
    const std::size_t missing = shape.size() - block.shape.size();
    Shape strides(shape.size(), 0);
    for (std::size_t d = 0; d < block.shape.size(); ++d)
        if (block.shape[d] != 1) strides[missing + d] = own[d];
    gather(block, 0, strides, result);
    return result;
}

const std::vector<NamedFunction>& move_functions() {
    static const std::vector<NamedFunction> functions = {
        {"iota", iota},        {"broadcast", broadcast},   {"reshape", reshape},
        {"slice", slice},      {"transpose", transpose},   {"concat", join},
        {"stack", join},       {"repeat", repeat},         {"roll", roll},
        {"bits", reinterpret}, {"take_along", take_along}, {"dot", product},
    };
    return functions;
}

Function find_function(std::string_view name) {
    for (const auto* table : {&elementwise_functions(), &reduction_functions(), &move_functions()})
        for (const NamedFunction& entry : *table)
            if (entry.name == name) return entry.function;
    return nullptr;
}

}  // namespace slab::interp
