#include <algorithm>

#include "compiler/lower/lowering.hpp"
#include "compiler/schedule/scalar.hpp"

// Slices: which part of an operand, a buffer or a block is meant.
namespace slab::compiler {

namespace ast = dsl::ast;
using schedule::none;
using Int = std::int64_t;

namespace {

constexpr Int most_size = (Int{1} << 31) - 1;

bool size_in_range(Int size) {
    return size >= 1 && size <= most_size;
}

/// The slice as it would be written with a promise about its start.
std::string promised(const std::string& slice, Int tile) {
    const std::size_t at = slice.find('@'), plus = slice.find("+:");
    const std::size_t end = std::min(at, plus);
    std::string start = slice.substr(0, end);
    while (!start.empty() && start.back() == ' ') start.pop_back();
    if (end == at && at != std::string::npos)
        return fmt::format("aligned(({})*{}, {}) +: {}", start, slice.substr(at + 1), tile,
                           slice.substr(at + 1));
    return fmt::format("aligned({}, {}) {}", start, tile,
                       plus == std::string::npos ? "+: 1" : slice.substr(plus));
}

}  // namespace

Reference Lowering::whole(Reference::Kind kind, std::int32_t id) {
    Reference reference;
    reference.kind = kind;
    reference.id = id;
    const auto take = [&](const auto& memory) {
        reference.name = memory.name;
        reference.type = memory.type;
        for (const Int size : memory.shape)
            reference.dims.push_back({scalars_.constant(0), none, size});
    };
    if (kind == Reference::Kind::operand)
        take(program_.operands[id]);
    else
        take(program_.buffers[id]);
    return reference;
}

std::optional<Reference> Lowering::reference(const ast::Expr& expr) {
    const Value value = eval_place(expr);
    if (const auto* memory = std::get_if<Reference>(&value)) return *memory;
    if (is_invalid(value)) return std::nullopt;
    const std::string name = text(expr.span());
    if (std::holds_alternative<RingValue>(value))
        diags_.add<Diag::E0204_reference>(expr.span(), name, "a ring")
            .because("a copy reads or writes one slot of it")
            .fix(fmt::format("fill {} as slot {{ copy … -> slot }}", name))
            .fix(fmt::format("take {} as slot {{ copy slot -> … }}", name));
    else
        diags_.add<Diag::E0204_reference>(expr.span(), name, "a value")
            .label("this is " + describe(value));
    return std::nullopt;
}

std::optional<Reference::Dim> Lowering::slice_dim(const ast::Slice& slice,
                                                  const Reference::Dim& whole,
                                                  const Reference& base, std::size_t dimension) {
    using schedule::ScalarOp;
    using schedule::ScalarType;
    Reference::Dim part = whole;
    schedule::ExprId start = none;
    Span span = slice.span();
    if (boost::get<ast::WholeSlice>(&slice.get())) {
        part.dropped = false;
        return part;
    }
    if (const auto* one = boost::get<ast::IndexSlice>(&slice.get())) {
        const auto at = index(one->index, "an index");
        if (!at) return std::nullopt;
        start = *at;
        part.size = 1;
        part.dropped = true;
    } else if (const auto* nth = boost::get<ast::BlockSlice>(&slice.get())) {
        const auto at = index(nth->index, "a block number");
        const auto size = integer(nth->size, "the size of a slice");
        if (!at || !size) return std::nullopt;
        const auto by = size_in_range(*size) ? scalars_.constant(*size) : scalars_.constant(0);
        const Int first = scalars_.known(*at).value_or(0) * *scalars_.known(by);
        if (first != schedule::wrap_i32(first)) {
            diags_.add<Diag::E0401>(
                span, "this slice", base.name,
                fmt::format("starts at {}, it has {} elements", first, whole.size));
            return std::nullopt;
        }
        start = scalars_.make(ScalarOp::mul, ScalarType::i32, {*at, by});
        part.size = *size;
    } else {
        const auto& range = boost::get<ast::RangeSlice>(slice.get());
        const auto at = index(range.start, "the start of a slice");
        const auto size = index(range.size, "the size of a slice");
        if (!at || !size) return std::nullopt;
        start = *at;
        const auto known = scalars_.known(*size);
        if (range.upto) {
            const auto most = integer(*range.upto, "the bound of a slice");
            if (!most) return std::nullopt;
            part.size = *most;
            if (known != *most) part.live = *size;
        } else if (known) {
            part.size = *known;
        } else {
            diags_.add<Diag::E0403>(range.size.span())
                .because("blocks have static shapes; a run-time length needs a static bound")
                .replace(range.span, fmt::format("{} upto {}", text(range.span), whole.size));
            return std::nullopt;
        }
        if (range.step) {
            const auto step = integer(*range.step, "the step of a slice");
            if (!step) return std::nullopt;
            const Int most = most_size / whole.step;
            if (*step < 1 || *step > most) {
                diags_.add<Diag::E0401>(range.step->span(), "the step of a slice", base.name,
                                        fmt::format("is {}, it must be 1 to {}", *step, most));
                return std::nullopt;
            }
            part.step = whole.step * *step;
        }
    }
    if (!size_in_range(part.size)) {
        diags_.add<Diag::E0401>(
            span, "a slice", base.name,
            fmt::format("has size {}, it must be 1 to {}", part.size, most_size));
        return std::nullopt;
    }
    if (whole.step != 1)
        start =
            scalars_.make(ScalarOp::mul, ScalarType::i32, {start, scalars_.constant(whole.step)});
    part.start = scalars_.make(ScalarOp::add, ScalarType::i32, {whole.start, start});
    check_slice(base, dimension, whole, part, span);
    return part;
}

void Lowering::check_slice(const Reference& base, std::size_t dimension,
                           const Reference::Dim& outer, const Reference::Dim& part, Span span) {
    const schedule::Space space = space_of(base);
    if (space == schedule::Space::smem) return;  // any element is as near as another
    // Windows of operands may overhang; their own pass decides whether that is harmless.
    if (space == schedule::Space::vmem && ends_outside(base, outer, part, span)) return;
    const std::size_t rank = base.dims.size();
    if (part.dropped || scalars_.known(part.start) || dimension + 2 < rank) return;
    const Int tile = dimension + 1 == rank ? chip().vpu.lanes : chip().tiling.rows(base.type);
    // what is no whole number of tiles breaks the block rule, and that is said first; elements that
    // stand apart are moved one by one
    if (space == schedule::Space::hbm &&
        (rank < 2 || part.size % tile != 0 || part.step != outer.step))
        return;
    const Int multiple = multiple_of(unit_, part.start);
    if (multiple % tile == 0 || part.size == outer.size) return;
    diags_.add<Diag::E0503>(span, tile)
        .label(multiple > 1 ? fmt::format("known to be a multiple of {} only", multiple)
                            : "nothing is known of it")
        .because(fmt::format("{} of `{}` lie in tiles of {}, and a {} starts at a tile",
                             dimension + 1 == rank ? "columns" : "rows", base.name, tile,
                             space == schedule::Space::hbm ? "copy" : "load"))
        .replace(span, promised(text(span), tile));
}

/// A part of a block in VMEM that is known to lie outside the part it is taken from (E0401).
bool Lowering::ends_outside(const Reference& base, const Reference::Dim& outer,
                            const Reference::Dim& part, Span span) {
    const Range start = range_of(unit_, part.start);
    const Range outer_start = range_of(unit_, outer.start);
    if (start.known && outer_start.known) {
        const Int past =
            start.hi - outer_start.lo + (part.size - 1) * part.step + 1 - outer.size * outer.step;
        const bool exact = outer_start.lo == outer_start.hi;
        if (exact && (past > 0 || start.lo < outer_start.lo)) {
            auto& message = diags_.add<Diag::E0401>(
                span, "this slice", base.name,
                start.lo < outer_start.lo
                    ? fmt::format("starts at {}, before its beginning", start.lo - outer_start.lo)
                    : fmt::format("ends at {}, past its {} elements", outer.size + past,
                                  outer.size));
            const Int last =
                outer.size - (part.size - 1) * (part.step / std::max<Int>(outer.step, 1)) - 1;
            message.because("indices count from 0");
            if (last >= 0)
                message.fix(last == 0 ? "a start of 0"
                                      : fmt::format("a start of {} to {}", 0, last));
            return true;
        }
    }
    return false;
}

Value Lowering::slice(const Value& base, const ast::Slices& slices, Span span) {
    if (is_invalid(base)) return base;
    if (const auto* block = std::get_if<BlockValue>(&base))
        return slice_block(*block, slices, span);
    if (const auto* semaphores = std::get_if<SemaphoreValue>(&base))
        return slice_semaphore(*semaphores, slices, span);
    const auto* memory = std::get_if<Reference>(&base);
    if (!memory) {
        diags_.add<Diag::E0004_value>(span, "what is indexed", "a block or memory", describe(base));
        return Invalid{};
    }
    Reference result = *memory;
    std::size_t open = 0;
    for (const Reference::Dim& dim : result.dims) open += !dim.dropped;
    if (slices.items.size() > open) {
        diags_.add<Diag::E0101_rank>(slices.span, text({span.begin, slices.span.begin}), open,
                                     slices.items.size());
        return Invalid{};
    }
    std::vector<std::size_t> order;  // of the dimensions as they are seen
    for (std::size_t d = 0; d < result.dims.size(); ++d)
        if (!result.dims[d].dropped) order.push_back(d);
    if (result.transposed) std::swap(order[open - 1], order[open - 2]);
    bool ok = true;
    for (std::size_t i = 0; i < slices.items.size(); ++i) {
        const auto part = slice_dim(slices.items[i], result.dims[order[i]], *memory, order[i]);
        if (part)
            result.dims[order[i]] = *part;
        else
            ok = false;
    }
    // without one of the last two there is nothing left to exchange
    if (result.transposed &&
        (result.dims[order[open - 1]].dropped || result.dims[order[open - 2]].dropped))
        result.transposed = false;
    return ok ? Value(result) : Value(Invalid{});
}

/// A part of a computed block: constant places only, free on tile boundaries.
Value Lowering::slice_block(BlockValue base, const ast::Slices& slices, Span span) {
    const schedule::BlockType from = *block_type(base);
    const std::size_t rank = from.shape.size();
    if (slices.items.size() > rank) {
        diags_.add<Diag::E0101_rank>(slices.span, text({span.begin, slices.span.begin}), rank,
                                     slices.items.size());
        return Invalid{};
    }
    Reference view;
    view.name = text({span.begin, slices.span.begin});
    view.type = from.type;
    view.kind = Reference::Kind::buffer;
    for (const Int size : from.shape) view.dims.push_back({scalars_.constant(0), none, size});
    schedule::Op op;
    op.name = "slice";
    op.cls = schedule::OpClass::move;
    schedule::BlockType type{from.type, {}};
    bool rotates = false;
    for (std::size_t d = 0; d < rank; ++d) {
        Reference::Dim part = view.dims[d];
        if (d < slices.items.size()) {
            const auto given = slice_dim(slices.items[d], part, view, d);
            if (!given) return Invalid{};
            part = *given;
        }
        const auto start = scalars_.known(part.start);
        if (!start) {
            diags_.add<Diag::E0008>(slices.items[d].span(), "the place of a slice of a value")
                .because("a value lies in registers, which are chosen at compile time")
                .fix("keep the block in `scratch` and slice that");
            return Invalid{};
        }
        const Int granule = d + 1 == rank   ? chip().vpu.lanes
                            : d + 2 == rank ? chip().vpu.sublanes
                                            : 1;
        rotates = rotates || *start % granule != 0 || part.step != 1;
        for (const Int number : {*start, part.size, part.step, Int{part.dropped}})
            op.integers.push_back(number);
        if (!part.dropped) type.shape.push_back(part.size);
    }
    if (type.shape.empty()) {
        diags_.add<Diag::E0204_scalar>(span, view.name)
            .because("a vector register holds it; only SMEM holds scalars")
            .fix("keep a dimension: `i +: 1` for the index `i`");
        return Invalid{};
    }
    if (rotates) op.work.xlu = registers(type);
    op.args = {use(base, span)};
    return emit(std::move(op), type, false, span);
}

}  // namespace slab::compiler
