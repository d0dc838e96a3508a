#include "compiler/schedule/walk/refs.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "compiler/schedule/walk/walk_state.hpp"
#include "support/check.hpp"

namespace slab::schedule {

namespace {

using Numbers = std::span<const std::int64_t>;

PartPlan plan_part(const std::vector<RefDim>& dims, const std::vector<std::int64_t>& shape,
                   DType type) {
    SLAB_CHECK(dims.size() == shape.size() && dims.size() <= max_rank,
               "a reference has {} dimensions to an array of {}, the most are {}", dims.size(),
               shape.size(), max_rank);
    PartPlan part;
    part.shape = shape;
    part.type = type;
    for (std::size_t d = 0; d < dims.size(); ++d) {
        const RefDim& dim = dims[d];
        part.dims.push_back({dim.start, dim.live, dim.size, dim.step, shape[d], dim.dropped});
        part.steps.push_back(dim.step);
        part.counts_live |= dim.live != none;
    }
    return part;
}

/// Rows of a memory tile hold as many bits whatever the type of the elements.
std::int64_t tile_rows_as(DType type, const PartPlan& before) {
    return std::max<std::int64_t>(before.tile_rows * bits(before.type) / bits(type), 1);
}

/// Notes how a view sees the part before: without the dimensions that were dropped, permuted.
void plan_order(const PartPlan& before, const std::vector<std::int32_t>& order, PartPlan& view) {
    std::vector<std::size_t> kept;
    const bool all = order.size() == before.dims.size();
    for (std::size_t d = 0; d < before.dims.size(); ++d)
        if (all || !before.dims[d].dropped) kept.push_back(d);
    view.seen = kept;
    for (std::size_t i = 0; i < order.size(); ++i) {
        view.seen[i] = kept[static_cast<std::size_t>(order[i])];
        view.permuted |= view.seen[i] != kept[i];
    }
    view.keeps_rows = kept.empty() || view.seen.back() == kept.back();
}

void plan_whole(RefPlan& ref) {
    if (ref.counts_live) return;
    Resolved whole;
    const auto sizes = [](const PartPlan& plan, Part& part) {
        std::int64_t elements = 1;
        for (std::size_t d = 0; d < plan.dims.size(); ++d)
            elements *= part.live[d] = plan.dims[d].size;
        return elements;
    };
    sizes(ref.parts.front(), whole.first);
    whole.elements = sizes(ref.parts.back(), whole.last);
    // The shape of a copy is measured while `whole` is unknown.
    ref.counts_live = true;
    ref.whole = copy_shape(ref, whole);
    ref.counts_live = false;
}

CopyShape part_shape(const PartPlan& plan, const Part& part, std::int64_t lanes) {
    return copy_shape(plan.type, plan.shape, Numbers(part.live.data(), plan.dims.size()),
                      plan.steps, plan.tile_rows, lanes);
}

/// Pieces of a part of a view. What permutes the last dimension leaves no two elements together.
std::int64_t view_runs(const PartPlan& view, const Part& part, std::int64_t elements,
                       std::int64_t lanes) {
    if (!view.permuted) return part_shape(view, part, lanes).runs;
    const std::int64_t row = view.dims.empty() ? 1 : part.live[view.dims.size() - 1];
    return view.keeps_rows ? elements / row : elements;
}

bool resolve_part(const RefPlan& ref, const PartPlan& plan, WalkState& state, Part& part,
                  std::int64_t& elements) {
    elements = 1;
    for (std::size_t d = 0; d < plan.dims.size(); ++d) {
        const RefDimPlan& dim = plan.dims[d];
        const Word live = dim.live == none ? dim.size : state.value(dim.live);
        part.start[d] = state.value(dim.start);
        part.live[d] = live;
        elements *= live;
        if (live < 0 || live > dim.size)
            state.end(Diag::E0401, ref.span,
                      fmt::format("length {} of `{}` is not between 0 and {}, the bound of "
                                  "dimension {}",
                                  live, ref.name, dim.size, d));
    }
    if (state.context.fault) return false;
    if (elements == 0) return true;
    for (std::size_t d = 0; d < plan.dims.size(); ++d) {
        const RefDimPlan& dim = plan.dims[d];
        const std::int64_t first = part.start[d];
        const std::int64_t last = first + (part.live[d] - 1) * dim.step;
        if (first >= 0 && last < dim.array) continue;
        if (first == last)
            state.end(Diag::E0401, ref.span, index_outside(first, ref.name, d, dim.array));
        else
            state.end(Diag::E0401, ref.span,
                      fmt::format("elements {} to {} of `{}` reach outside dimension {}, which "
                                  "has {}",
                                  first, last, ref.name, d, dim.array));
        return false;
    }
    return true;
}

using Index = std::array<std::int64_t, max_rank>;

/// The number in the memory, or the view, of the element at `index` of a part of it.
std::int64_t number_at(const PartPlan& plan, const Part& part, const Index& index) {
    std::int64_t number = 0;
    for (std::size_t d = 0; d < plan.dims.size(); ++d)
        number = number * plan.shape[d] + part.start[d] + index[d] * plan.dims[d].step;
    return number;
}

/// The element of the part before a view that has number `number` in the view.
Index index_before(std::int64_t number, const PartPlan& before,
                   const std::vector<std::size_t>& seen) {
    Index index{};
    for (std::size_t i = seen.size(); i-- > 0;) {
        const std::int64_t size = before.dims[seen[i]].size;
        index[seen[i]] = number % size;
        number /= size;
    }
    return index;
}

}  // namespace

RefPlan plan_ref(const MemoryRef& ref, const Program& program, Span span) {
    RefPlan plan;
    plan.operand = ref.operand;
    plan.buffer = ref.buffer;
    plan.copy = ref.copy;
    plan.lanes = program.lanes;
    plan.span = span;
    if (ref.operand != none) {
        const Operand& operand = program.operands[static_cast<std::size_t>(ref.operand)];
        plan.name = operand.name;
        plan.parts.push_back(plan_part(ref.dims, operand.shape, operand.type));
        plan.parts.back().tile_rows = operand.tile_rows;
    } else {
        const Buffer& buffer = program.buffers[static_cast<std::size_t>(ref.buffer)];
        plan.name = buffer.name;
        plan.space = buffer.space;
        plan.copies = buffer.copies;
        plan.parts.push_back(plan_part(ref.dims, buffer.shape, buffer.type));
        plan.parts.back().tile_rows = buffer.tile_rows;
    }
    for (const View& view : ref.views) {
        const std::int64_t tile_rows = tile_rows_as(view.type, plan.parts.back());
        plan.parts.push_back(plan_part(view.dims, view.shape, view.type));
        plan.parts.back().tile_rows = tile_rows;
        plan_order(plan.parts[plan.parts.size() - 2], view.order, plan.parts.back());
    }
    for (const PartPlan& part : plan.parts) plan.counts_live |= part.counts_live;
    plan_whole(plan);
    return plan;
}

bool resolve(const RefPlan& ref, WalkState& state, Resolved& resolved) {
    resolved.copy = ref.copy == none ? 0 : state.value(ref.copy);
    if (resolved.copy < 0 || resolved.copy >= ref.copies) {
        const Program& program = state.plan->program;
        state.end(
            Diag::E0401, ref.span,
            copy_outside(resolved.copy, program.buffers[static_cast<std::size_t>(ref.buffer)]));
    }
    for (std::size_t i = 0; i < ref.parts.size(); ++i) {
        Part& part = i == 0 ? resolved.first : resolved.last;
        if (!resolve_part(ref, ref.parts[i], state, part, resolved.elements)) return false;
    }
    return !state.context.fault;
}

CopyShape copy_shape(const RefPlan& ref, const Resolved& resolved) {
    if (!ref.counts_live) return ref.whole;
    if (resolved.elements == 0) return {};
    const PartPlan& last = ref.parts.back();
    CopyShape shape{(resolved.elements * bits(last.type) + 7) / 8, 1};
    if (ref.space != Space::hbm) return shape;
    shape.runs = part_shape(ref.parts.front(), resolved.first, ref.lanes).runs;
    if (ref.parts.size() > 1) {
        const std::int64_t runs = view_runs(last, resolved.last, resolved.elements, ref.lanes);
        shape.runs = std::min(std::max(shape.runs, runs), resolved.elements);
    }
    return shape;
}

bool element_numbers(const RefPlan& ref, WalkState& state, const Resolved& resolved,
                     std::vector<std::int64_t>& numbers) {
    std::vector<Part> parts(ref.parts.size());
    for (std::size_t i = 0; i < parts.size(); ++i) {
        std::int64_t ignored = 0;
        if (!resolve_part(ref, ref.parts[i], state, parts[i], ignored)) return false;
        if (bits(ref.parts[i].type) == bits(ref.parts[0].type)) continue;
        state.end(Diag::E0007, ref.span,
                  "a copy into SMEM through `bits` to elements of another width is not supported "
                  "yet");
        return false;
    }
    const PartPlan& last = ref.parts.back();
    Index index{};
    numbers.clear();
    for (std::int64_t i = 0; i < resolved.elements; ++i) {
        std::int64_t number = number_at(last, parts.back(), index);
        for (std::size_t part = parts.size() - 1; part > 0; --part) {
            const PartPlan& before = ref.parts[part - 1];
            number = number_at(before, parts[part - 1],
                               index_before(number, before, ref.parts[part].seen));
        }
        numbers.push_back(number);
        for (std::size_t d = last.dims.size(); d-- > 0;) {
            if (++index[d] < parts.back().live[d]) break;
            index[d] = 0;
        }
    }
    return true;
}

}  // namespace slab::schedule
