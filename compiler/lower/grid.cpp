#include <algorithm>

#include "compiler/lower/lowering.hpp"
#include "compiler/schedule/layout.hpp"

// Grids: axes, windows and the body of a step.
namespace slab::compiler {

namespace ast = dsl::ast;
using schedule::Direction;
using schedule::none;
using schedule::ScalarOp;
using schedule::ScalarType;
using Int = std::int64_t;

namespace {

/// Axes and streams of a grid.
constexpr std::size_t most_parts = 64;

/// The slots that statements set.
void collect_changed(const schedule::Block& block, std::vector<bool>& changed) {
    for (const schedule::Stmt& stmt : block) {
        if (const auto* set = std::get_if<schedule::SetSlot>(&stmt.node)) changed[set->slot] = true;
        schedule::for_each_block(stmt, [&](const auto& body) { collect_changed(body, changed); });
    }
}

/// The buffers in SMEM that statements write.
void collect_changed(const schedule::Program& program, const schedule::Block& block,
                     std::set<schedule::BufferId>& changed) {
    for (const schedule::Stmt& stmt : block) {
        if (const auto* set = std::get_if<schedule::SetElement>(&stmt.node))
            changed.insert(set->buffer);
        if (const auto* start = std::get_if<schedule::StartCopy>(&stmt.node))
            changed.insert(program.copies[start->copy].target.buffer);
        schedule::for_each_block(
            stmt, [&](const auto& body) { collect_changed(program, body, changed); });
    }
}

/// The divisors of `value` nearest to `wanted` that can be rows of a window, or any if there are
/// none, as text.
std::string divisors_near(Int value, Int wanted, Int rows) {
    constexpr Int most_tried = 1 << 17;
    Int below = 0, above = 0;
    const auto consider = [&](Int divisor) {
        if (divisor % rows != 0 && divisor != value) return;
        if (divisor <= wanted) below = std::max(below, divisor);
        if (divisor > wanted && (above == 0 || divisor < above)) above = divisor;
    };
    for (Int d = 1; d <= most_tried && d <= value / d; ++d)
        if (value % d == 0) {
            consider(d);
            consider(value / d);
        }
    if (below == 0 && above == 0) return divisors_near(value, wanted, 1);
    return below == 0   ? fmt::format("{}", above)
           : above == 0 ? fmt::format("{}", below)
                        : fmt::format("{} or {}", below, above);
}

}  // namespace

/// `/` divides exactly in an extent (E0404), unlike anywhere else.
bool Lowering::divides(Span left_span, const Value& left, const Value& right, Span right_span) {
    const auto* a = std::get_if<Constant>(&left);
    const auto* b = std::get_if<Constant>(&right);
    if (!a || !b || !a->integer() || !b->integer() || *b->integer() == 0 ||
        floor_mod(*a->integer(), *b->integer()) == 0)
        return true;
    const Int dividend = *a->integer(), divisor = *b->integer();
    const auto named = [](const std::string& spelling, Int value) {
        const std::string number = std::to_string(value);
        return spelling == number ? number : fmt::format("{} = {}", spelling, number);
    };
    const std::string of = text(left_span), by = text(right_span);
    auto& message = diags_.add<Diag::E0404>(Span{left_span.begin, right_span.end},
                                            named(of, dividend), named(by, divisor));
    message.because(fmt::format("`/` in an extent divides exactly; this leaves a rest of {}",
                                floor_mod(dividend, divisor)));
    if (dividend > 0 && divisor > 0)
        message.fix(fmt::format("{}{}, which divides {}",
                                by == std::to_string(divisor) ? "" : by + " = ",
                                divisors_near(dividend, divisor, chip().vpu.sublanes), dividend));
    message.fix(
        fmt::format("cdiv({}, {}), with `pad` on the windows that reach past the end", of, by));
    return false;
}

std::optional<schedule::ExprId> Lowering::extent(const ast::Expr& expr) {
    exact_division_ = true;
    const auto value = index(expr, "an extent");
    exact_division_ = false;
    return value;
}

void Lowering::lower_axes(const ast::Pipe& pipe, schedule::Pipeline& pipeline, OpenGrid& grid) {
    Int steps = 1;
    for (const ast::Axis& axis : pipe.axes) {
        schedule::Axis lowered;
        const auto lo =
            axis.lo ? index(*axis.lo, "the start of an axis") : std::optional(scalars_.constant(0));
        const auto hi = extent(axis.hi);
        lowered.lo = lo.value_or(scalars_.constant(0));
        lowered.hi = hi.value_or(scalars_.constant(1));
        lowered.parallel = axis.order == "par";
        lowered.place.span = axis.span;
        const auto first = scalars_.known(lowered.lo), past = scalars_.known(lowered.hi);
        const Range lows = range_of(unit_, lowered.lo), highs = range_of(unit_, lowered.hi);
        Range range;
        if (lows.known && highs.known) range = {lows.lo, std::max(lows.lo, highs.hi - 1), true};
        range.exact = first && past;
        lowered.slot = new_slot(axis.name.text, ScalarType::i32, range);
        const Int extent = first && past ? std::max<Int>(0, *past - *first) : 0;
        if (extent > 0 && __builtin_mul_overflow(steps, extent, &steps)) steps = INT64_MAX;
        Entry entry;
        // An axis of one step is a constant: its `first` and `last` hold always.
        entry.value = extent == 1 ? Value(Constant{*first})
                                  : Value(Scalar{scalars_.slot(lowered.slot), ScalarType::i32});
        entry.declared = axis.name.span;
        grid.names.push_back(axis.name.text);
        grid.extents.push_back(extent);
        pipeline.axes.push_back(lowered);
        declare(axis.name, std::move(entry));
    }
    iterations_ *= static_cast<double>(steps);
    if (steps > unit_.settings.max_steps || steps == INT64_MAX)
        diags_
            .add<Diag::E0902>(
                pipe.axes.front().span,
                steps == INT64_MAX ? std::string("2^63 or more") : std::to_string(steps),
                unit_.settings.max_steps)
            .fix("larger blocks, or --max-steps");
    else if (iterations_ > static_cast<double>(unit_.settings.max_steps))
        diags_
            .add<Diag::E0902>(pipe.axes.front().span, fmt::format("{:.6g}", iterations_),
                              unit_.settings.max_steps)
            .because("it stands in loops, whose rounds count")
            .fix("larger blocks, or --max-steps");
}

std::optional<schedule::ExprId> Lowering::edge_condition(const ast::Edge& edge, int& axis) {
    for (std::size_t g = grids_.size(); g-- > 0;) {
        const OpenGrid& grid = grids_[g];
        const auto found = std::find(grid.names.begin(), grid.names.end(), edge.axis.text);
        if (found == grid.names.end()) continue;
        axis = g + 1 == grids_.size() ? static_cast<int>(found - grid.names.begin()) : -1;
        const std::size_t at = static_cast<std::size_t>(found - grid.names.begin());
        if (grid.pipe->axes[at].order == "par" && grid.extents[at] != 1) {
            diags_.add<Diag::E0304>(edge.axis.span, edge.kind, edge.axis.text, edge.axis.text)
                .note(grid.pipe->axes[at].span, "declared `par`: its steps may run in any order")
                .replace(last_word(grid.pipe->axes[at].span, "par"), "seq");
            return std::nullopt;
        }
        schedule::ExprId all = scalars_.truth(true);
        for (std::size_t i = at; i < grid.names.size(); ++i) {
            const schedule::Axis& bound = grid.pipeline->axes[i];
            if (grid.extents[i] == 1) continue;
            const schedule::ExprId end = edge.kind == "first"
                                             ? bound.lo
                                             : scalars_.make(ScalarOp::sub, ScalarType::i32,
                                                             {bound.hi, scalars_.constant(1)});
            const auto here =
                scalars_.make(ScalarOp::eq, ScalarType::pred, {scalars_.slot(bound.slot), end});
            all = scalars_.make(ScalarOp::land, ScalarType::pred, {all, here});
        }
        return all;
    }
    auto& message =
        diags_.add<Diag::E0304_absent>(edge.axis.span, edge.kind, edge.axis.text, edge.axis.text);
    std::vector<std::string> names;
    for (const OpenGrid& grid : grids_)
        names.insert(names.end(), grid.names.begin(), grid.names.end());
    if (const std::string* near = nearest_of(edge.axis.text, names))
        message.replace(edge.axis.span, *near);
    else if (!names.empty())
        message.because(fmt::format("the axes here are {}", fmt::join(names, ", ")));
    return std::nullopt;
}

void Lowering::lower_grid_body(const ast::Pipe& pipe, schedule::Pipeline& pipeline) {
    const std::size_t rings = rings_.size();
    if (pipeline.where == none) {
        for (const ast::Stmt& stmt : pipe.body.stmts) lower_statement(stmt);
        drain_rings(rings);
        close_region();
        return;
    }
    // On a dead step only `first` and `last` blocks run; everything between them stands under the
    // condition.
    const auto is_edge = [](const ast::Stmt& stmt) {
        const auto* control = boost::get<ast::Control>(&stmt.get());
        return control && boost::get<ast::Edge>(&control->get());
    };
    const auto& stmts = pipe.body.stmts;
    const int where = ++where_count_;
    for (std::size_t i = 0; i < stmts.size();) {
        if (is_edge(stmts[i])) {
            lower_statement(stmts[i++]);
            continue;
        }
        schedule::Branch live;
        live.condition = pipeline.where;
        live.place.span = pipe.where->span();
        live.then = nested([&] {
            where_open_.push_back(where);
            for (; i < stmts.size() && !is_edge(stmts[i]); ++i) lower_statement(stmts[i]);
            where_open_.pop_back();
        });
        push({std::move(live)});
    }
    drain_rings(rings);
    close_region();
}

/// The stream of this grid in SMEM that an expression reads, or none.
schedule::StreamId Lowering::arriving_stream(schedule::ExprId expr,
                                             const schedule::Pipeline& pipeline) const {
    schedule::StreamId found = none;
    reads_element(program_, expr, [&](schedule::BufferId buffer) {
        for (const schedule::StreamId id : pipeline.streams)
            if (program_.streams[id].buffer == buffer) found = id;
        return found != none;
    });
    return found;
}

/// Bounds, `where` and windows are evaluated ahead of the steps, so the body may not change them.
void Lowering::check_untouched(const ast::Pipe& pipe, const schedule::Pipeline& pipeline) {
    std::vector<bool> changed(program_.slots.size(), false);
    collect_changed(pipeline.body, changed);
    std::set<schedule::BufferId> rewritten;
    collect_changed(program_, pipeline.body, rewritten);
    const auto check = [&](schedule::ExprId expr, Span span, const char* what) {
        reads_element(program_, expr, [&](schedule::BufferId buffer) {
            if (rewritten.count(buffer))
                diags_.add<Diag::E0303_bound>(span, what, program_.buffers[buffer].name)
                    .because(
                        "it is evaluated ahead, so that fetches overlap with the steps before");
            return false;
        });
        const schedule::StreamId late = arriving_stream(expr, pipeline);
        if (late != none)
            diags_.add<Diag::E0303_late>(span, what, program_.streams[late].name)
                .note(program_.streams[late].place.span, "arrives with the step that it is for")
                .because("it is evaluated ahead, so that fetches overlap with the steps before")
                .fix("a grid inside this one, whose windows read it");
        std::vector<bool> slots(program_.slots.size(), false);
        collect_slots(program_, expr, slots);
        for (std::size_t i = 0; i < slots.size(); ++i)
            if (slots[i] && changed[i] && variables_.count(static_cast<schedule::SlotId>(i)))
                diags_.add<Diag::E0303_bound>(span, what, program_.slots[i].name)
                    .because(
                        "it is evaluated ahead, so that fetches overlap with the steps before");
    };
    for (std::size_t i = 0; i < pipeline.axes.size(); ++i) {
        check(pipeline.axes[i].lo, pipe.axes[i].span, "this extent");
        check(pipeline.axes[i].hi, pipe.axes[i].span, "this extent");
    }
    if (pipe.where) check(pipeline.where, pipe.where->span(), "this condition");
    for (const schedule::StreamId id : pipeline.streams) {
        const schedule::Stream& stream = program_.streams[id];
        for (const schedule::RefDim& dim : stream.dims) {
            check(dim.start, stream.place.span, "this window");
            check(dim.live, stream.place.span, "this window");
        }
        for_each_expr(program_, stream.fetch, [&](schedule::ExprId expr) {
            check(expr, stream.place.span, "this transfer");
        });
    }
}

/// An `out` window that no statement writes would be written back as it is.
void Lowering::check_stored(const schedule::Pipeline& pipeline) {
    if (diags_.has_errors()) return;
    for (const schedule::StreamId id : pipeline.streams) {
        const schedule::Stream& stream = program_.streams[id];
        if (stream.direction != Direction::out || grids_.back().stored.count(stream.buffer))
            continue;
        diags_
            .add<Diag::E0302>(
                stream.place.span, "all",
                stream.is_custom() ? stream.name : program_.operands[stream.operand].name)
            .label(fmt::format("no statement assigns to `{}`", stream.name))
            .fix(fmt::format("{} = … in the body", stream.name));
    }
}

/// In `fetch` and `flush` there is room for scalar code and copies alone.
bool Lowering::only_copies(Span span, const char* what) {
    if (fetching_ == none) return true;
    diags_
        .add<Diag::E0004_place>(span, fmt::format("`{}`", what),
                                "`fetch` and `flush` hold copies and scalar code")
        .because("they run while the step before computes");
    return false;
}

void Lowering::lower(const ast::Pipe& pipe) {
    if (!only_copies(pipe.span, "grid")) return;
    back_variables({&pipe.body.stmts});
    close_region();
    const int begin = statement_;
    if (pipe.axes.size() > most_parts || pipe.items.size() > most_parts) {
        diags_.add<Diag::E0004_count>(pipe.axes.front().span, "grid",
                                      fmt::format("at most {} axes and streams", most_parts),
                                      std::max(pipe.axes.size(), pipe.items.size()));
        return;
    }
    schedule::Pipeline pipeline;
    pipeline.name = fmt::format("grid{}", grid_count_++);
    pipeline.place.span = pipe.span;
    OpenGrid grid{&pipeline, &pipe, {}, {}, {}, {}};
    const EnvPtr outer = env_;
    env_ = std::make_shared<Env>(outer);
    const double outer_iterations = iterations_;
    lower_axes(pipe, pipeline, grid);
    if (pipe.where) {
        const Value condition = eval(*pipe.where);
        const auto* constant = std::get_if<Constant>(&condition);
        const auto* scalar = std::get_if<Scalar>(&condition);
        if (scalar && scalar->type == ScalarType::pred)
            pipeline.where = scalar->expr;
        else if (constant && constant->truth()) {
            if (!*constant->truth()) pipeline.where = scalars_.truth(false);
        } else if (!is_invalid(condition)) {
            diags_.add<Diag::E0102_condition>(pipe.where->span(), describe(condition));
        }
    }
    for (const ast::PipeItem& item : pipe.items) {
        if (const auto* stream = boost::get<ast::Stream>(&item.get())) {
            lower_stream(*stream, pipeline);
        } else {
            lower(boost::get<ast::Scratch>(item.get()));
        }
    }
    close_region();
    const WrittenStates outside = enter_grid();
    grids_.push_back(std::move(grid));
    pipeline.body = nested([&] { lower_grid_body(pipe, pipeline); });
    check_stored(pipeline);
    leave_grid(outside);
    iterations_ = outer_iterations;
    env_ = outer;
    check_untouched(pipe, pipeline);
    push({std::move(pipeline)});
    keep_alive_from(begin);
}

}  // namespace slab::compiler
