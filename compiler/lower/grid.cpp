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
}

void Lowering::stream_options(const ast::Stream& stream, schedule::Stream& lowered, bool moves) {
    lowered.depth = moves || lowered.direction != Direction::in ? 2 : 1;
    if (!moves && lowered.direction != Direction::in) lowered.depth = 1;
    for (const ast::StreamOption& option : stream.options) {
        if (option.kind == "ahead") lowered.ahead = true;
        if (option.kind == "revisit") lowered.revisit = true;
        if (option.kind == "depth") {
            const auto depth = integer(*option.value, "the depth of a stream");
            if (!depth) continue;
            if (*depth < 1 || *depth > 64)
                diags_.add<Diag::E0004_kind>(option.value->span(), "the depth", lowered.name,
                                             "1 to 64", std::to_string(*depth));
            else
                lowered.depth = *depth;
        }
        if (option.kind == "pad") {
            const auto value = constant(*option.value, "the padding of a window");
            if (value && value->is_number())
                lowered.pad = value->real();
            else if (value)
                diags_.add<Diag::E0004_kind>(option.value->span(), "the padding", lowered.name,
                                             "a number", kind(*value));
        }
    }
}

void Lowering::lower_stream(const ast::Stream& stream, schedule::Pipeline& pipeline) {
    Entry entry;
    entry.value = Invalid{};
    entry.declared = stream.name.span;
    if (!stream.window || !stream.transfers.empty()) {
        diags_.add<Diag::E0007>(stream.span, "a stream with its own `fetch` or `flush`");
        declare(stream.name, entry);
        return;
    }
    // A window on an absent optional operand does not exist.
    const auto* base = boost::get<ast::Name>(&stream.window->get());
    const auto* postfix = boost::get<ast::x3::forward_ast<ast::Postfix>>(&stream.window->get());
    if (postfix) base = boost::get<ast::Name>(&postfix->get().base.get());
    if (const Entry* operand = base ? env_->find(base->text) : nullptr;
        operand && operand->kind == Entry::Kind::absent) {
        entry.kind = Entry::Kind::absent;
        declare(stream.name, entry);
        return;
    }
    const auto memory = reference(*stream.window);
    if (memory && memory->kind != Reference::Kind::operand)
        diags_.add<Diag::E0204_place>(stream.window->span(), memory->name)
            .because("what is in VMEM already needs no window");
    if (memory && memory->kind == Reference::Kind::operand && memory->transposed)
        diags_.add<Diag::E0007>(stream.window->span(), "a transposed window")
            .fix(fmt::format("{0}.T where `{0}` is used", stream.name.text));
    if (!memory || memory->kind != Reference::Kind::operand || memory->transposed) {
        declare(stream.name, entry);
        return;
    }
    schedule::Stream lowered;
    lowered.name = stream.name.text;
    lowered.direction = stream.direction == "in"    ? Direction::in
                        : stream.direction == "out" ? Direction::out
                                                    : Direction::inout;
    lowered.operand = memory->id;
    lowered.place.span = stream.window->span();
    std::vector<bool> slots(program_.slots.size(), false);
    for (const Reference::Dim& dim : memory->dims) {
        lowered.dims.push_back({dim.start, dim.live, dim.size, dim.step, dim.dropped});
        if (dim.step != 1) diags_.add<Diag::E0007>(stream.window->span(), "a window with a `step`");
        if (dim.live != none)
            diags_.add<Diag::E0007>(stream.window->span(),
                                    "a window with a run-time length (`upto`)");
        collect_slots(program_, dim.start, slots);
        collect_slots(program_, dim.live, slots);
    }
    bool moves = false;
    for (const schedule::Axis& axis : pipeline.axes) {
        lowered.moves_with.push_back(slots[axis.slot]);
        moves = moves || slots[axis.slot];
    }
    stream_options(stream, lowered, moves);
    const Direction granted = program_.operands[memory->id].direction;
    if (lowered.direction != Direction::in && granted == Direction::in)
        diags_.add<Diag::E0307_operand>(stream.window->span(), memory->name)
            .note(program_.operands[memory->id].place.span, "declared without `out` or `inout`")
            .replace(first_word(program_.operands[memory->id].place.span, ""), "out ");
    if (lowered.direction != Direction::out && granted == Direction::out)
        diags_.add<Diag::E0306>(stream.window->span(), memory->name)
            .note(program_.operands[memory->id].place.span,
                  "an `out` operand holds nothing until it is written")
            .fix(fmt::format("inout {}: …", memory->name));
    std::vector<Int> shape = memory->shape();
    if (shape.empty()) {
        diags_.add<Diag::E0501_rank0>(stream.window->span(), memory->name)
            .because("VMEM holds blocks of rank 1 or more")
            .fix("keep a dimension: `i +: 1` for the index `i`");
        declare(stream.name, entry);
        return;
    }
    if (!fits_vmem({memory->type, shape}, stream.name)) {
        declare(stream.name, entry);
        return;
    }
    lowered.buffer =
        new_buffer(stream.name.text, schedule::Space::vmem, schedule::BufferRole::window,
                   memory->type, shape, lowered.depth, stream.span);
    const auto id = static_cast<schedule::StreamId>(program_.streams.size());
    window_of_[lowered.buffer] = id;
    pipeline.streams.push_back(id);
    entry.value = whole(Reference::Kind::buffer, lowered.buffer);
    program_.streams.push_back(std::move(lowered));
    declare(stream.name, std::move(entry));
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
    if (pipeline.where == none) {
        for (const ast::Stmt& stmt : pipe.body.stmts) lower_statement(stmt);
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
        close_region();
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
    close_region();
}

/// Bounds, `where` and windows are evaluated ahead of the steps, so the body may not change them.
void Lowering::check_untouched(const ast::Pipe& pipe, const schedule::Pipeline& pipeline) {
    std::vector<bool> changed(program_.slots.size(), false);
    collect_changed(pipeline.body, changed);
    const auto check = [&](schedule::ExprId expr, Span span, const char* what) {
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
    for (const schedule::StreamId id : pipeline.streams)
        for (const schedule::RefDim& dim : program_.streams[id].dims)
            check(dim.start, program_.streams[id].place.span, "this window");
}

/// An `out` window that no statement writes would be written back as it is.
void Lowering::check_stored(const schedule::Pipeline& pipeline) {
    if (diags_.has_errors()) return;
    for (const schedule::StreamId id : pipeline.streams) {
        const schedule::Stream& stream = program_.streams[id];
        if (stream.direction != Direction::out || grids_.back().stored.count(stream.buffer))
            continue;
        diags_.add<Diag::E0302>(stream.place.span, "all", program_.operands[stream.operand].name)
            .label(fmt::format("no statement assigns to `{}`", stream.name))
            .fix(fmt::format("{} = … in the body", stream.name));
    }
}

void Lowering::lower(const ast::Pipe& pipe) {
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
