#include <algorithm>
#include <set>

#include "compiler/passes/passes.hpp"
#include "compiler/scalars.hpp"

namespace slab::compiler {
namespace {

using schedule::Direction;
using schedule::none;
using schedule::Operand;
using schedule::Pipeline;
using schedule::RefDim;
using schedule::Stream;
using Int = std::int64_t;

constexpr Int most_enumerated = 1 << 20;

Int extent(const Unit& unit, const schedule::Axis& axis) {
    const Range& range = unit.ranges[axis.slot];
    return range.exact ? range.hi - range.lo + 1 : 0;
}

Span name_span(const Unit& unit, const schedule::Axis& axis) {
    const auto length = static_cast<std::uint32_t>(unit.program.slots[axis.slot].name.size());
    return {axis.place.span.begin, axis.place.span.begin + length};
}

// ------------------------------------------------------------------------------------------------
// block rule

void check_minor(const Unit& unit, Diagnostics& diags, const Stream& stream, std::size_t d,
                 Int multiple, const char* which) {
    const Operand& operand = unit.program.operands[stream.operand];
    const RefDim& dim = stream.dims[d];
    const Int all = operand.shape[d];
    if (dim.size % multiple == 0 || (dim.size == all && !dim.dropped)) return;
    const Int below = dim.size / multiple * multiple, above = below + multiple;
    auto& message =
        diags.add<Diag::E0501>(stream.place.span, which, dim.size, multiple, all, operand.name)
            .because(fmt::format(
                "{} arrays of {} lie in tiles of {} x {}; a block takes whole tiles or the "
                "whole dimension",
                name(operand.type), unit.chip.title, operand.tile_rows, unit.chip.vpu.lanes));
    if (below > 0 && below < all) message.fix(fmt::format("a size of {}", below));
    if (above < all) message.fix(fmt::format("a size of {}", above));
    message.fix(fmt::format("`:`, all {}", all));
}

void check_block_rule(const Unit& unit, Diagnostics& diags, const Stream& stream) {
    const Operand& operand = unit.program.operands[stream.operand];
    const std::size_t rank = operand.shape.size();
    if (rank == 1) {
        const Int whole = Int{unit.chip.vpu.sublanes} * unit.chip.vpu.lanes;
        const Int size = stream.dims[0].size, least = unit.chip.vpu.lanes * 32 / bits(operand.type);
        const bool power = (size & (size - 1)) == 0 && size >= least;
        if (size == operand.shape[0] || size % whole == 0 || power) return;
        diags.add<Diag::E0501_rank1>(stream.place.span, size, operand.shape[0], whole, least)
            .because(fmt::format(
                "rank-1 arrays lie in tiles of {} elements or a power of two of whole lines",
                whole))
            .fix(fmt::format("a size of {}", operand.shape[0] < whole
                                                 ? operand.shape[0]
                                                 : std::max(whole, size / whole * whole)));
        return;
    }
    check_minor(unit, diags, stream, rank - 1, unit.chip.vpu.lanes, "the last dimension");
    // one row is addressed by its number; a range of rows must be whole tiles
    if (!stream.dims[rank - 2].dropped)
        check_minor(unit, diags, stream, rank - 2, operand.tile_rows, "the second-last dimension");
}

// ----------------------------------------------------------------------------------------------------
// bounds

bool exact(const Unit& unit, const Affine& form) {
    return std::all_of(form.terms.begin(), form.terms.end(),
                       [&](const auto& term) { return unit.ranges[term.first].exact; });
}

void check_bounds(Unit& unit, Diagnostics& diags, const Pipeline& pipeline, const Stream& stream) {
    const Operand& operand = unit.program.operands[stream.operand];
    for (std::size_t d = 0; d < stream.dims.size(); ++d) {
        const RefDim& dim = stream.dims[d];
        const Range start = range_of(unit, dim.start);
        unit.run_decides |= dim.live != none;
        if (start.known && start.lo >= 0 && start.hi < operand.shape[d]) continue;
        const auto form = affine(unit.program, dim.start);
        if (!form || !exact(unit, *form) || pipeline.where != none) {
            unit.run_decides = true;
            continue;
        }
        auto& message = start.lo < 0
                            ? diags.add<Diag::E0401>(
                                  stream.place.span, "a window", operand.name,
                                  fmt::format("starts at {}, before its beginning", start.lo))
                            : diags.add<Diag::E0401>(
                                  stream.place.span,
                                  dim.size > 1 && start.hi % dim.size == 0
                                      ? fmt::format("block {}", start.hi / dim.size)
                                      : fmt::format("the window at {}", start.hi),
                                  operand.name,
                                  fmt::format("starts past its end: dimension {} has {} elements",
                                              d, operand.shape[d]));
        for (const schedule::Axis& axis : pipeline.axes)
            if (form->terms.count(axis.slot))
                message.note(axis.place.span,
                             fmt::format("{} takes {} values", unit.program.slots[axis.slot].name,
                                         extent(unit, axis)));
        if (start.hi >= operand.shape[d] && dim.size > 0 && dim.step == 1)
            message.fix(
                fmt::format("an extent of {}", (operand.shape[d] + dim.size - 1) / dim.size));
    }
}

// --------------------------------------------------------------------------------------------------
// revisits

std::string reordered(const Unit& unit, const Pipeline& pipeline, std::size_t innermost) {
    std::string text;
    for (std::size_t i = 0; i < pipeline.axes.size(); ++i)
        if (i != innermost)
            text += fmt::format("{}, ", unit.source.text(pipeline.axes[i].place.span));
    return fmt::format("grid ({}{})", text, unit.source.text(pipeline.axes[innermost].place.span));
}

void check_revisits(const Unit& unit, Diagnostics& diags, const Pipeline& pipeline,
                    const Stream& stream) {
    if (stream.direction == Direction::in || stream.revisit) return;
    for (const RefDim& dim : stream.dims)
        if (!affine(unit.program, dim.start)) return;
    for (std::size_t r = 0; r < pipeline.axes.size(); ++r) {
        if (stream.moves_with[r] || extent(unit, pipeline.axes[r]) < 2) continue;
        std::vector<std::string> inside;
        Int others = 1;
        for (std::size_t d = r + 1; d < pipeline.axes.size(); ++d) {
            const Int count = extent(unit, pipeline.axes[d]);
            if (!stream.moves_with[d] || count < 2) continue;
            inside.push_back(fmt::format("`{}`", unit.program.slots[pipeline.axes[d].slot].name));
            others *= count;
        }
        if (inside.empty()) continue;
        const std::string& axis = unit.program.slots[pipeline.axes[r].slot].name;
        const std::string& operand = unit.program.operands[stream.operand].name;
        diags.add<Diag::E0301>(name_span(unit, pipeline.axes[r]))
            .label(fmt::format("`{}` does not depend on `{}`, but {} {} inside it", operand, axis,
                               fmt::join(inside, " and "), inside.size() == 1 ? "runs" : "run"))
            .note(stream.place.span,
                  fmt::format("comes back to the same block after {} others", others - 1))
            .because("an output block stays in VMEM only while consecutive steps name it")
            .fix(fmt::format("make `{}` the innermost axis: {}", axis,
                             reordered(unit, pipeline, r)));
        return;
    }
}

// --------------------------------------------------------------------------------------------------
// coverage

/// The share of a dimension that windows reach, or nothing when that cannot be told.
std::optional<double> covered(const Unit& unit, const RefDim& dim, Int length,
                              std::set<schedule::SlotId>& axes) {
    const auto form = affine(unit.program, dim.start);
    if (!form || !exact(unit, *form)) return std::nullopt;
    std::vector<Int> starts = {form->constant};
    for (const auto& [slot, coefficient] : form->terms) {
        if (!axes.insert(slot).second) return std::nullopt;
        const Range& range = unit.ranges[slot];
        if (static_cast<Int>(starts.size()) * (range.hi - range.lo + 1) > most_enumerated)
            return std::nullopt;
        std::vector<Int> more;
        for (const Int start : starts)
            for (Int v = range.lo; v <= range.hi; ++v) more.push_back(start + coefficient * v);
        starts = std::move(more);
    }
    Int width = dim.size;
    if (dim.step != 1) {  // each element for itself
        if (static_cast<Int>(starts.size()) * dim.size > most_enumerated) return std::nullopt;
        std::vector<Int> elements;
        for (const Int start : starts)
            for (Int i = 0; i < dim.size; ++i) elements.push_back(start + i * dim.step);
        starts = std::move(elements);
        width = 1;
    }
    std::sort(starts.begin(), starts.end());
    Int reached = 0, total = 0;
    for (const Int start : starts) {
        const Int begin = std::max({start, reached, Int{0}}), end = std::min(start + width, length);
        if (end > begin) total += end - begin;
        reached = std::max(reached, end);
    }
    return static_cast<double>(total) / static_cast<double>(length);
}

std::set<schedule::OperandId> copied_to(const schedule::Program& program) {
    std::set<schedule::OperandId> operands;
    for (const schedule::Copy& copy : program.copies)
        if (copy.target.operand != none) operands.insert(copy.target.operand);
    return operands;
}

/// The axis that keeps the grid of a stream from having any step; null if there is none.
const schedule::Axis* empty_axis(const Unit& unit, const std::vector<const Pipeline*>& pipelines,
                                 const Stream* stream) {
    const auto id = static_cast<schedule::StreamId>(stream - unit.program.streams.data());
    for (const Pipeline* pipeline : pipelines) {
        if (std::count(pipeline->streams.begin(), pipeline->streams.end(), id) == 0) continue;
        for (const schedule::Axis& axis : pipeline->axes) {
            const Range lo = range_of(unit, axis.lo), hi = range_of(unit, axis.hi);
            if (lo.known && hi.known && hi.hi <= lo.lo) return &axis;
        }
    }
    return nullptr;
}

void check_coverage(Unit& unit, Diagnostics& diags, const std::vector<const Pipeline*>& pipelines) {
    const schedule::Program& program = unit.program;
    const std::set<schedule::OperandId> copied = copied_to(program);
    for (std::size_t o = 0; o < program.operands.size(); ++o) {
        const Operand& operand = program.operands[o];
        if (operand.direction != Direction::out) continue;
        // what copies reach is decided when they run
        if (copied.count(static_cast<schedule::OperandId>(o))) continue;
        std::vector<const Stream*> writers;
        bool sure = true;
        for (const Pipeline* pipeline : pipelines)
            for (const schedule::StreamId id : pipeline->streams)
                if (program.streams[id].operand == static_cast<schedule::OperandId>(o)) {
                    writers.push_back(&program.streams[id]);
                    sure = sure && pipeline->where == none;
                }
        if (writers.empty()) {
            diags.add<Diag::E0302>(operand.place.span, "all", operand.name)
                .fix(fmt::format("out z = {}[…] in the grid", operand.name));
            continue;
        }
        if (writers.size() > 1 || !sure) {
            unit.run_decides = true;
            continue;
        }
        if (const schedule::Axis* axis = empty_axis(unit, pipelines, writers[0])) {
            diags.add<Diag::E0302>(writers[0]->place.span, "all", operand.name)
                .note(axis->place.span, "this axis has no steps")
                .because("a grid with an extent of 0 runs nothing")
                .fix("an extent of at least 1");
            continue;
        }
        double share = 1;
        std::set<schedule::SlotId> axes;
        for (std::size_t d = 0; d < operand.shape.size() && sure; ++d) {
            const auto part = covered(unit, writers[0]->dims[d], operand.shape[d], axes);
            sure = part.has_value();
            share *= part.value_or(1);
        }
        unit.run_decides |= !sure;
        if (!sure || share >= 1) continue;
        diags
            .add<Diag::E0302>(writers[0]->place.span, fmt::format("{:.3g} %", 100 * (1 - share)),
                              operand.name)
            .note(operand.place.span, "`out` promises that every element is written")
            .fix("windows that reach all of it")
            .fix(fmt::format("inout {}: …, which keeps what is not written", operand.name));
    }
}

void collect(const schedule::Block& block, std::vector<const Pipeline*>& pipelines) {
    for (const schedule::Stmt& stmt : block) {
        if (const auto* pipeline = std::get_if<Pipeline>(&stmt.node)) pipelines.push_back(pipeline);
        schedule::for_each_block(stmt, [&](const auto& body) { collect(body, pipelines); });
    }
}

}  // namespace

void check_windows(Unit& unit, Diagnostics& diags) {
    std::vector<const Pipeline*> pipelines;
    collect(unit.program.body, pipelines);
    for (const Pipeline* pipeline : pipelines) {
        for (const schedule::StreamId id : pipeline->streams) {
            const Stream& stream = unit.program.streams[id];
            if (stream.is_custom()) continue;  // bounded by its buffer
            check_block_rule(unit, diags, stream);
            check_bounds(unit, diags, *pipeline, stream);
            check_revisits(unit, diags, *pipeline, stream);
        }
    }
    check_coverage(unit, diags, pipelines);
}

}  // namespace slab::compiler
