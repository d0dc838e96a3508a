#include <algorithm>
#include <bit>
#include <numeric>

#include "compiler/constant.hpp"
#include "reference/functions.hpp"
#include "support/rounding.hpp"

// Functions that make or move elements without computing on them.
namespace slab::reference {

namespace {

Shape sizes_of(Call& call, std::size_t i) {
    Shape shape = call.integers(i, "the shape");
    for (const Int size : shape)
        if (size < 0)
            call.fail<Diag::E0004_value>(call.spans[i], "a size", "at least 0",
                                         std::to_string(size));
    call.evaluator.check_size(shape, call.name, call.span);
    return shape;
}

Value iota(Call& call) {
    Array result = array_of(Kind::integer, sizes_of(call, 0));
    const Along loops = along(result.shape, call.axis(1, result));
    for (std::size_t at = 0; at < result.values.size(); ++at)
        result.values[at] = static_cast<double>(static_cast<Int>(at) / loops.inner % loops.size);
    return result;
}

Value reshape(Call& call) {
    const Array& source = call.array(0);
    const Shape shape = sizes_of(call, 1);
    if (element_count(shape) != static_cast<Int>(source.values.size()))
        call.fail<Diag::E0101_elements>(call.span, to_string(source.shape), to_string(shape),
                                        source.values.size(), element_count(shape).value_or(0));
    return Array{source.kind, shape, source.values};
}

Value transpose(Call& call) {
    const Array& source = call.array(0);
    const Int rank = source.rank();
    Shape order(rank);
    std::iota(order.begin(), order.end(), Int{0});
    if (call.args.size() == 1) {
        if (rank < 2) call.wrong(0, "the argument", "of rank 2 or more");
        std::swap(order[rank - 1], order[rank - 2]);
    } else {
        const Shape given = call.integers(1, "the order");
        if (!std::is_permutation(given.begin(), given.end(), order.begin(), order.end()))
            call.wrong(1, "the order", fmt::format("the dimensions 0 to {}, each once", rank - 1));
        order = given;
    }
    const Part whole = all_of(source.shape);
    Part moved{0, Shape(rank), std::vector<Int>(rank)};
    for (Int d = 0; d < rank; ++d) {
        moved.shape[d] = whole.shape[order[d]];
        moved.strides[d] = whole.strides[order[d]];
    }
    return extract(source, moved);
}

/// The items of a list that is the one argument, else the arguments themselves.
std::vector<Value> parts_of(Call& call, std::size_t count) {
    std::vector<Value> parts(call.args.begin(), call.args.begin() + count);
    if (count == 1 && parts[0].list()) parts = *Value(parts[0]).list();
    for (Value& part : parts) part = call.evaluator.array(part, call.span, "a part");
    return parts;
}

Value stack(Call& call) {
    const auto result = call.evaluator.join(parts_of(call, call.args.size()), call.span);
    if (!result)
        call.fail<Diag::E0004_value>(call.span, "what `stack` joins", "arrays of one shape",
                                     "a list of several");
    return *result;
}

Value concat(Call& call) {
    const std::vector<Value> parts = parts_of(call, call.args.size() - 1);
    if (parts.empty()) call.wrong(0, "the list", "one or more arrays");
    const Array& first = *parts[0].array();
    const Int axis = call.axis(call.args.size() - 1, first);
    Shape shape = first.shape;
    shape[axis] = 0;
    Kind kind = first.kind;
    for (const Value& part : parts) {
        const Array& array = *part.array();
        Shape other = array.shape;
        if (other.size() == shape.size()) other[axis] = 0;
        Shape same = shape;
        same[axis] = 0;
        if (other != same)
            call.fail<Diag::E0101_shapes>(call.span, call.name, to_string(first.shape),
                                          to_string(array.shape));
        if (array.kind != kind && (kind == Kind::truth || array.kind == Kind::truth))
            call.fail<Diag::E0102_mixed>(call.span, call.name, describe(parts[0]), describe(part));
        if (array.kind != kind) kind = Kind::real;
        shape[axis] += array.shape[axis];
    }
    call.evaluator.check_size(shape, call.name, call.span);
    Array result{kind, shape, {}};
    const Along loops = along(shape, axis);
    for (Int o = 0; o < loops.outer; ++o)
        for (const Value& part : parts) {
            const Array& array = *part.array();
            const Int run = array.shape[axis] * loops.inner;
            result.values.insert(result.values.end(), array.values.begin() + o * run,
                                 array.values.begin() + (o + 1) * run);
        }
    return result;
}

Value repeat(Call& call) {
    const Array& source = call.array(0);
    const Int count = call.integer(1, "the number of copies");
    const Int axis = call.axis(2, source);
    if (count < 0 || count > most_elements)
        call.fail<Diag::E0004_value>(call.spans[1], "the number of copies",
                                     fmt::format("0 to {}", most_elements), std::to_string(count));
    Shape shape = source.shape;
    shape[axis] *= count;
    call.evaluator.check_size(shape, call.name, call.span);
    Array result{source.kind, shape, {}};
    const Along loops = along(source.shape, axis);
    const Int run = loops.size * loops.inner;
    for (Int o = 0; o < loops.outer; ++o)
        for (Int copy = 0; copy < count; ++copy)
            result.values.insert(result.values.end(), source.values.begin() + o * run,
                                 source.values.begin() + (o + 1) * run);
    return result;
}

Value roll(Call& call) {
    const Array& source = call.array(0);
    const Int amount = call.integer(1, "the amount");
    const Along loops = along(source.shape, call.axis(2, source));
    Array result = source;
    for (Int o = 0; o < loops.outer; ++o)
        for (Int k = 0; k < loops.size; ++k) {
            const Int target = compiler::floor_mod(k + amount, loops.size);
            const auto from = source.values.begin() + (o * loops.size + k) * loops.inner;
            std::copy(from, from + loops.inner,
                      result.values.begin() + (o * loops.size + target) * loops.inner);
        }
    return result;
}

/// Index i of an array of indices into a dimension of `size` elements.
Int index_at(Call& call, const Array& indices, Int i, Int size) {
    const Int index = static_cast<Int>(indices.values[i]);
    if (index < 0 || index >= size)
        call.fail<Diag::E0401>(call.spans[1], fmt::format("index {}", index), call.name,
                               fmt::format("is not inside {} elements", size));
    return index;
}

const Array& indices_of(Call& call) {
    const Array& indices = call.array(1);
    if (indices.kind != Kind::integer) call.wrong(1, "the indices", "integers");
    return indices;
}

/// result[.., j, ..] = x[.., indices[.., j, ..], ..]
Value take_along(Call& call) {
    const Array &source = call.array(0), &indices = indices_of(call);
    const Int axis = call.axis(2, source);
    Shape expected = source.shape;
    if (indices.rank() == source.rank()) expected[axis] = indices.shape[axis];
    if (indices.shape != expected)
        call.fail<Diag::E0101_shapes>(call.span, call.name, to_string(source.shape),
                                      to_string(indices.shape));
    const Along from = along(source.shape, axis), to = along(indices.shape, axis);
    Array result{source.kind, indices.shape, {}};
    result.values.reserve(indices.values.size());
    for (Int at = 0; at < static_cast<Int>(indices.values.size()); ++at) {
        const Int outer = at / (to.size * to.inner), inner = at % to.inner;
        const Int index = index_at(call, indices, at, from.size);
        result.values.push_back(source.values[(outer * from.size + index) * from.inner + inner]);
    }
    return result;
}

/// The slices of x that the indices name; their shape stands where the axis was.
Value gather(Call& call) {
    const Array &source = call.array(0), &indices = indices_of(call);
    const Int axis = call.axis(2, source);
    const Along loops = along(source.shape, axis);
    Shape shape(source.shape.begin(), source.shape.begin() + axis);
    shape.insert(shape.end(), indices.shape.begin(), indices.shape.end());
    shape.insert(shape.end(), source.shape.begin() + axis + 1, source.shape.end());
    call.evaluator.check_size(shape, call.name, call.span);
    Array result{source.kind, shape, {}};
    for (Int o = 0; o < loops.outer; ++o)
        for (Int i = 0; i < static_cast<Int>(indices.values.size()); ++i) {
            const Int index = index_at(call, indices, i, loops.size);
            const auto from = source.values.begin() + (o * loops.size + index) * loops.inner;
            result.values.insert(result.values.end(), from, from + loops.inner);
        }
    return result;
}

/// The same bits as another 32-bit type: reals count as f32 here, integers as i32.
Value bits_as(Call& call) {
    const DType* type = call.args[0].dtype();
    if (!type) call.wrong(0, "the type", "an element type");
    if (*type != DType::f32 && *type != DType::i32 && *type != DType::u32)
        call.fail<Diag::E0007>(call.span, fmt::format("`bits` to {} in a reference", name(*type)));
    Array result = call.numbers(1);
    for (double& value : result.values) {
        const auto bits = result.kind == Kind::real
                              ? std::bit_cast<std::uint32_t>(static_cast<float>(value))
                              : static_cast<std::uint32_t>(static_cast<Int>(value));
        value = *type == DType::f32   ? std::bit_cast<float>(bits)
                : *type == DType::i32 ? static_cast<std::int32_t>(bits)
                                      : bits;
    }
    result.kind = *type == DType::f32 ? Kind::real : Kind::integer;
    return result;
}

}  // namespace

const std::vector<BuiltIn>& move_functions() {
    static const std::vector<BuiltIn> functions = {
        {"iota", 2, 2, iota},         {"reshape", 2, 2, reshape},
        {"shape", 2, 2, reshape},     {"transpose", 1, 2, transpose},
        {"permute", 2, 2, transpose}, {"concat", 2, 64, concat},
        {"stack", 1, 64, stack},      {"repeat", 3, 3, repeat},
        {"roll", 3, 3, roll},         {"take_along", 3, 3, take_along},
        {"gather", 3, 3, gather},     {"bits", 2, 2, bits_as},
    };
    return functions;
}

}  // namespace slab::reference
