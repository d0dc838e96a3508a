#include "interp/places.hpp"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "compiler/schedule/walk/fault.hpp"

namespace slab::interp {

using schedule::none;
using schedule::RefDim;

namespace {

/// One dimension of a part, its numbers known.
struct Extent {
    Int start = 0;
    Int size = 1;
    Int live = 1;
    Int step = 1;
    bool dropped = false;
};

schedule::Stop outside(Span span, std::string headline) {
    return {Diag::E0401, span, std::move(headline), ""};
}

std::vector<Extent> extents_of(const std::vector<RefDim>& dims, const Shape& shape,
                               const schedule::Walker& walker, const std::string& name, Span span) {
    std::vector<Extent> extents;
    Int all = 1;
    for (const RefDim& dim : dims) {
        const Int live = dim.live == none ? dim.size : value_of(dim.live, walker, span);
        extents.push_back(
            {value_of(dim.start, walker, span), dim.size, live, dim.step, dim.dropped});
        if (live < 0 || live > dim.size)
            throw outside(span,
                          fmt::format("length {} of `{}` is not between 0 and {}, the bound of "
                                      "dimension {}",
                                      live, name, dim.size, extents.size() - 1));
        all *= live;
    }
    if (all == 0) return extents;
    for (std::size_t d = 0; d < extents.size(); ++d) {
        const Int first = extents[d].start;
        const Int last = first + (extents[d].live - 1) * extents[d].step;
        if (first >= 0 && last < shape[d]) continue;
        throw outside(span,
                      first == last
                          ? schedule::index_outside(first, name, d, shape[d])
                          : fmt::format("elements {} to {} of `{}` reach outside dimension {}, "
                                        "which has {}",
                                        first, last, name, d, shape[d]));
    }
    return extents;
}

bool is_all(const std::vector<Extent>& part, const Shape& shape) {
    for (std::size_t d = 0; d < part.size(); ++d)
        if (part[d].start != 0 || part[d].live != shape[d] || part[d].size != shape[d] ||
            part[d].step != 1)
            return false;
    return true;
}

Shape kept_shape(const std::vector<Extent>& part) {
    Shape shape;
    for (const Extent& extent : part)
        if (!extent.dropped) shape.push_back(extent.size);
    return shape;
}

/// Numbers, row-major over `shape`, of the elements of a part of it; nowhere past those that live.
std::vector<Int> numbers_of(const std::vector<Extent>& part, const Shape& shape) {
    std::vector<Int> numbers = {0};
    std::vector<Int> finer;
    for (std::size_t d = 0; d < part.size(); ++d) {
        finer.clear();
        finer.reserve(numbers.size() * static_cast<std::size_t>(part[d].size));
        for (const Int number : numbers)
            for (Int i = 0; i < part[d].size; ++i)
                finer.push_back(number == Places::nowhere || i >= part[d].live
                                    ? Places::nowhere
                                    : number * shape[d] + part[d].start + i * part[d].step);
        numbers.swap(finer);
    }
    return numbers;
}

/// Elements of a shape in another order of its dimensions.
void permute(std::vector<Int>& elements, Shape& shape, const std::vector<std::int32_t>& order,
             Int each) {
    Shape strides(shape.size(), 1);
    for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
    std::vector<Int> from = {0};
    Shape turned;
    for (const std::int32_t d : order) {
        const auto dimension = static_cast<std::size_t>(d);
        turned.push_back(shape[dimension]);
        std::vector<Int> finer;
        for (const Int number : from)
            for (Int i = 0; i < shape[dimension]; ++i)
                finer.push_back(number + i * strides[dimension]);
        from.swap(finer);
    }
    std::vector<Int> result;
    result.reserve(elements.size());
    for (const Int number : from)
        for (Int i = 0; i < each; ++i)
            result.push_back(elements[static_cast<std::size_t>(number * each + i)]);
    elements.swap(result);
    shape = turned;
}

/// Cuts each number into those of its pieces.
std::vector<Int> cut(const std::vector<Int>& numbers, Int pieces) {
    std::vector<Int> cut;
    for (const Int number : numbers)
        for (Int i = 0; i < pieces; ++i)
            cut.push_back(number == Places::nowhere ? number : number * pieces + i);
    return cut;
}

/// Pieces of elements of `before` per element as those of `after` per element: wider elements take
/// theirs from neighbouring rows, narrower ones lie in neighbouring rows.
std::vector<Int> regrouped(const std::vector<Int>& pieces, Int columns, Int before, Int after) {
    const Int elements = static_cast<Int>(pieces.size()) / after;
    const Int joined = std::max<Int>(after / before, 1), split = std::max<Int>(before / after, 1);
    const Int each = std::min(before, after);
    std::vector<Int> result;
    result.reserve(pieces.size());
    for (Int i = 0; i < elements; ++i) {
        const Int row = i / columns, column = i % columns;
        for (Int part = 0; part < joined; ++part) {
            const Int source = (row / split * joined + part) * columns + column;
            for (Int p = 0; p < each; ++p)
                result.push_back(
                    pieces[static_cast<std::size_t>(source * before + row % split * each + p)]);
        }
    }
    return result;
}

/// The views of a reference, one after the other.
void see(const schedule::MemoryRef& ref, DType stored, Places& places,
         const schedule::Walker& walker, const std::string& name, Span span) {
    int piece = bits(stored);
    for (const schedule::View& view : ref.views) piece = std::min(piece, bits(view.type));
    Int each = bits(stored) / piece;
    if (each > 1) places.numbers = cut(places.numbers, each);
    for (const schedule::View& view : ref.views) {
        if (!view.order.empty()) permute(places.numbers, places.shape, view.order, each);
        const Int wanted = bits(view.type) / piece;
        if (wanted != each)
            places.numbers = regrouped(places.numbers, view.shape.back(), each, wanted);
        each = wanted;
        const std::vector<Extent> part = extents_of(view.dims, view.shape, walker, name, span);
        places.type = view.type;
        places.shape = kept_shape(part);
        if (is_all(part, view.shape)) continue;
        std::vector<Int> chosen;
        for (const Int number : numbers_of(part, view.shape))
            for (Int i = 0; i < each; ++i)
                chosen.push_back(number == Places::nowhere
                                     ? number
                                     : places.numbers[static_cast<std::size_t>(number * each + i)]);
        places.numbers.swap(chosen);
    }
    if (piece != bits(stored) || each > 1) {
        places.piece_bits = piece;
        places.pieces = each;
    }
}

}  // namespace

Int value_of(schedule::ExprId expr, const schedule::Walker& walker, Span span) {
    const auto value = walker.evaluate(expr, span);
    if (const auto* stop = std::get_if<schedule::Stop>(&value)) throw *stop;
    return std::get<Int>(value);
}

Places places_of(const schedule::MemoryRef& ref, const schedule::Program& program,
                 const schedule::Walker& walker, Int copy, Span span) {
    const bool is_operand = ref.operand != none;
    const schedule::Buffer* buffer =
        is_operand ? nullptr : &program.buffers[static_cast<std::size_t>(ref.buffer)];
    const schedule::Operand* operand =
        is_operand ? &program.operands[static_cast<std::size_t>(ref.operand)] : nullptr;
    const Shape& shape = is_operand ? operand->shape : buffer->shape;
    const std::string& name = is_operand ? operand->name : buffer->name;
    if (ref.copy != none) copy = value_of(ref.copy, walker, span);
    if (!is_operand && (copy < 0 || copy >= buffer->copies))
        throw outside(span, schedule::copy_outside(copy, *buffer));
    Places places;
    places.type = is_operand ? operand->type : buffer->type;
    const std::vector<Extent> part = extents_of(ref.dims, shape, walker, name, span);
    places.shape = kept_shape(part);
    places.first = is_operand ? 0 : copy * count_of(shape);
    if (ref.views.empty() && is_all(part, shape)) {
        places.whole = true;
        return places;
    }
    places.numbers = numbers_of(part, shape);
    for (Int& number : places.numbers)
        if (number != Places::nowhere) number += places.first;
    if (!ref.views.empty()) see(ref, places.type, places, walker, name, span);
    return places;
}

}  // namespace slab::interp
