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

/// `M/bm` as the two texts, when an extent is written as one exact division.
const ast::Chain* exact_division(const ast::Expr& expr) {
    const auto* chain = boost::get<ast::x3::forward_ast<ast::Chain>>(&expr.get());
    if (!chain) return nullptr;
    for (const ast::Link& link : chain->get().rest)
        if (link.op == "/") return &chain->get();
    return nullptr;
}

std::string divisors_near(Int value, Int wanted) {
    Int below = 0, above = 0;
    for (Int d = std::min(wanted, value); d >= 1; --d)
        if (value % d == 0) {
            below = d;
            break;
        }
    for (Int d = wanted + 1; d <= value && d < wanted * 64; ++d)
        if (value % d == 0) {
            above = d;
            break;
        }
    return above ? fmt::format("{} or {}", below, above) : fmt::format("{}", below);
}

}  // namespace

/// The extent of an axis. `/` divides exactly there (E0404), unlike anywhere else.
std::optional<schedule::ExprId> Lowering::extent(const ast::Expr& expr, Span& span) {
    span = expr.span();
    if (const ast::Chain* chain = exact_division(expr)) {
        const std::size_t errors = diags_.size();
        Value left = eval(chain->first);
        Span left_span = chain->first.span();
        for (const ast::Link& link : chain->rest) {
            const Value right = eval(link.operand);
            const auto* a = std::get_if<Constant>(&left);
            const auto* b = std::get_if<Constant>(&right);
            if (link.op == "/" && a && b && a->integer() && b->integer() && *b->integer() != 0 &&
                *a->integer() % *b->integer() != 0) {
                const std::string by = text(link.operand.span());
                diags_.add<Diag::E0404>(span, text(left_span), *a->integer(), by, *b->integer())
                    .because(fmt::format(
                        "`/` in an extent divides exactly; {} and {} leave a rest of {}",
                        *a->integer(), *b->integer(), *a->integer() % *b->integer()))
                    .fix(fmt::format("{} = {}, which divides {}", by,
                                     divisors_near(*a->integer(), *b->integer()), *a->integer()))
                    .fix(fmt::format("cdiv({}, {}), with `pad` on the windows that overhang",
                                     text(left_span), by));
                return std::nullopt;
            }
            left_span.end = link.operand.span().end;
            left = binary(link.op, left, right, left_span);
        }
        if (diags_.size() != errors) return std::nullopt;
        return as_index(left, span, "an extent");
    }
    return index(expr, "an extent");
}

void Lowering::lower_axes(const ast::Pipe& pipe, schedule::Pipeline& pipeline, OpenGrid& grid) {
    Int steps = 1;
    for (const ast::Axis& axis : pipe.axes) {
        schedule::Axis lowered;
        Span span;
        const auto lo =
            axis.lo ? index(*axis.lo, "the start of an axis") : std::optional(scalars_.constant(0));
        const auto hi = extent(axis.hi, span);
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
        unit_.extents[lowered.hi] = span;
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
    if (steps > unit_.settings.max_steps)
        diags_
            .add<Diag::E0902>(pipe.axes.front().span,
                              steps == INT64_MAX ? std::string("2^63") : std::to_string(steps),
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
    if (!stream.window || !stream.transfers.empty()) {
        diags_.add<Diag::E0007>(stream.span, "a stream with its own `fetch` or `flush`");
        declare(stream.name, {});
        return;
    }
    // A window on an absent optional operand does not exist.
    const auto* base = boost::get<ast::Name>(&stream.window->get());
    const auto* postfix = boost::get<ast::x3::forward_ast<ast::Postfix>>(&stream.window->get());
    if (postfix) base = boost::get<ast::Name>(&postfix->get().base.get());
    if (const Entry* entry = base ? env_->find(base->text) : nullptr;
        entry && entry->kind == Entry::Kind::absent) {
        Entry absent;
        absent.kind = Entry::Kind::absent;
        absent.declared = stream.name.span;
        declare(stream.name, absent);
        return;
    }
    const auto memory = reference(*stream.window);
    Entry entry;
    entry.declared = stream.name.span;
    if (memory && memory->kind != Reference::Kind::operand) {
        diags_.add<Diag::E0204_place>(stream.window->span(), memory->name);
        declare(stream.name, entry);
        return;
    }
    if (!memory) {
        entry.value = Invalid{};
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
        lowered.dims.push_back({dim.start, dim.live, dim.size, dim.dropped});
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
            .fix(fmt::format("out {}: …", memory->name));
    if (lowered.direction != Direction::out && granted == Direction::out)
        diags_.add<Diag::E0306>(stream.window->span(), memory->name)
            .note(program_.operands[memory->id].place.span,
                  "an `out` operand holds nothing until it is written")
            .fix(fmt::format("inout {}: …", memory->name));
    std::vector<Int> shape = memory->shape();
    if (shape.empty()) {
        diags_.add<Diag::E0501_rank0>(stream.window->span(), memory->name)
            .because("VMEM holds blocks of rank 1 or more")
            .fix("keep a dimension: `x[i@128]`");
        entry.value = Invalid{};
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
                .fix(fmt::format("{} in … seq", edge.axis.text));
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
    if (const std::string near = nearest(edge.axis.text, names); !near.empty())
        message.fix(near);
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
            for (; i < stmts.size() && !is_edge(stmts[i]); ++i) lower_statement(stmts[i]);
        });
        push({std::move(live)});
    }
    close_region();
}

void Lowering::lower(const ast::Pipe& pipe) {
    close_region();
    schedule::Pipeline pipeline;
    pipeline.name = fmt::format("grid{}", grid_count_++);
    pipeline.place.span = pipe.span;
    OpenGrid grid{&pipeline, &pipe, {}, {}, guards_.size()};
    const EnvPtr outer = env_;
    env_ = std::make_shared<Env>(outer);
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
    grids_.push_back(grid);
    pipeline.body = nested([&] { lower_grid_body(pipe, pipeline); });
    grids_.pop_back();
    env_ = outer;
    push({std::move(pipeline)});
}

}  // namespace slab::compiler
