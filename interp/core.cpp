#include "interp/core.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "compiler/schedule/expressions.hpp"
#include "compiler/schedule/scalar.hpp"
#include "support/check.hpp"

namespace slab::interp {

using schedule::BufferRole;
using schedule::Direction;
using schedule::Event;
using schedule::EventKind;
using schedule::none;
using schedule::OpClass;

namespace {

template <typename Vector>
decltype(auto) at(Vector& items, std::int32_t id) {
    return items[static_cast<std::size_t>(id)];
}

/// What makes an element undefined or moves it, as a number (traces.hpp).
enum class Cause : std::int64_t { buffer, operand, past_end, past_live, dead, store, window, copy };
std::int64_t key(Cause cause, std::int64_t id, std::int64_t part = 0) {
    return static_cast<std::int64_t>(cause) << 56 | id << 28 | part;
}

/// Grids in the order in which events number them.
void number_grids(const schedule::Program& program, const schedule::Block& block,
                  std::vector<const schedule::Pipeline*>& grids) {
    for (const schedule::Stmt& stmt : block) {
        if (const auto* grid = std::get_if<schedule::Pipeline>(&stmt.node)) {
            grids.push_back(grid);
            for (const schedule::StreamId id : grid->streams) {
                number_grids(program, at(program.streams, id).fetch, grids);
                number_grids(program, at(program.streams, id).flush, grids);
            }
        }
        schedule::for_each_block(
            stmt, [&](const schedule::Block& inner) { number_grids(program, inner, grids); });
    }
}

/// Where `count` of a window's elements lie, in window and array; none of the others is moved.
struct Overlap {
    std::vector<Int> in_window;
    std::vector<Int> in_array;
};

/// `event` is a copy of a stream's window.
Overlap overlap_of(const schedule::Stream& stream, const Shape& array, const Event& event) {
    Overlap overlap{{0}, {0}};
    for (std::size_t d = 0; d < stream.dims.size(); ++d) {
        const schedule::RefDim& dim = stream.dims[d];
        // the elements that are moved begin at the array's first, if the window begins before it
        const Int before = event.start[d] >= 0 ? 0 : (dim.step - 1 - event.start[d]) / dim.step;
        Overlap finer;
        for (std::size_t i = 0; i < overlap.in_window.size(); ++i)
            for (Int j = before; j < before + event.extent[d]; ++j) {
                finer.in_window.push_back(overlap.in_window[i] * dim.size + j);
                finer.in_array.push_back(overlap.in_array[i] * array[d] + event.start[d] +
                                         j * dim.step);
            }
        overlap = std::move(finer);
    }
    return overlap;
}

void move(const Store& from, Int source, Store& to, Int target) {
    visit_elements(
        [&](auto& out, const auto& in) {
            out[static_cast<std::size_t>(target)] = in[static_cast<std::size_t>(source)];
        },
        to.elements, from.elements);
}

}  // namespace

Core::Core(const schedule::Program& program, std::vector<Elements> inputs, Traces& traces)
    : program_(program), traces_(traces) {
    for (std::size_t id = 0; id < program.operands.size(); ++id) {
        const schedule::Operand& operand = program.operands[id];
        Store store{std::move(inputs[id]), {}};
        const Int count = count_of(operand.shape);
        store.traces.resize(static_cast<std::size_t>(count));
        if (store.elements.count() == 0 && count > 0) {
            store.elements = Elements(operand.type, count);
            const Trace undefined = traces.origin(
                key(Cause::operand, static_cast<Int>(id)),
                fmt::format("`{}` starts undefined", operand.name), operand.place.span);
            std::fill(store.traces.begin(), store.traces.end(), undefined);
        }
        operands_.push_back(std::move(store));
    }
    stream_of_.resize(program.buffers.size(), none);
    for (std::size_t id = 0; id < program.streams.size(); ++id)
        if (program.streams[id].buffer != none)
            at(stream_of_, program.streams[id].buffer) = static_cast<schedule::StreamId>(id);
    buffers_.resize(program.buffers.size());
    for (std::size_t id = 0; id < program.buffers.size(); ++id) {
        const schedule::Buffer& buffer = program.buffers[id];
        if (buffer.space == schedule::Space::smem) continue;  // the walker has its words
        const Int count = count_of(buffer.shape) * buffer.copies;
        buffers_[id].elements = Elements(buffer.type, count);
        buffers_[id].traces.resize(static_cast<std::size_t>(count),
                                   undefined_buffer(static_cast<schedule::BufferId>(id)));
    }
    number_grids(program, program.body, grids_);
    seen_.resize(program.streams.size());
    is_dead_.resize(program.streams.size());
    is_put_.resize(program.rings.size());
    is_fresh_.resize(program.rings.size());
    find_puts(program.body);
    for (const schedule::Region& region : program.regions) regions_.push_back(plan_of(region));
}

Trace Core::undefined_buffer(schedule::BufferId id) {
    const schedule::Buffer& buffer = at(program_.buffers, id);
    return traces_.origin(key(Cause::buffer, id), fmt::format("`{}` starts undefined", buffer.name),
                          buffer.place.span);
}

void Core::find_puts(const schedule::Block& block) {
    for (const schedule::Stmt& stmt : block) {
        if (const auto* use = std::get_if<schedule::UseRing>(&stmt.node))
            if (use->kind == schedule::UseRing::Kind::put) at(is_put_, use->ring) = true;
        schedule::for_each_block(stmt, [&](const schedule::Block& inner) { find_puts(inner); });
    }
}

Core::RegionPlan Core::plan_of(const schedule::Region& region) {
    RegionPlan plan;
    plan.dead.resize(region.ops.size());
    std::vector<bool> is_used(region.values.size());
    for (std::size_t i = region.ops.size(); i-- > 0;) {
        const schedule::Op& op = region.ops[i];
        std::vector<schedule::ValueId> touched = op.args;
        if (op.result != none) touched.push_back(op.result);
        for (const schedule::ValueId id : touched) {
            if (is_used[static_cast<std::size_t>(id)]) continue;
            is_used[static_cast<std::size_t>(id)] = true;
            plan.dead[i].push_back(id);
        }
    }
    for (const schedule::Op& op : region.ops) plan.functions.push_back(find_function(op.name));
    return plan;
}

void Core::happen(const Event& event, Core& peer) {
    switch (event.kind) {
        case EventKind::step:
            return step(event);
        case EventKind::region:
            return region(at(program_.regions, event.id), at(regions_, event.id));
        case EventKind::copy:
            return event.write ? write_back(event) : fetch(event);
        case EventKind::transfer:
            return transfer(event, peer);
        case EventKind::ring:
            return ring(event);
        default:
            return;
    }
}

// --------------------------------------------------------------------------------------------------
// windows

/// An output window begins undefined, and on a dead step inputs show nothing that belongs to it.
void Core::step(const Event& event) {
    grid_ = at(grids_, event.id);
    std::vector<bool> deciding(program_.slots.size());
    if (!event.live) collect_slots(program_, grid_->where, deciding);
    for (const schedule::StreamId id : grid_->streams) {
        const schedule::Stream& stream = at(program_.streams, id);
        bool depends = false;
        for (std::size_t axis = 0; axis < grid_->axes.size(); ++axis)
            depends |= stream.moves_with[axis] && at(deciding, grid_->axes[axis].slot);
        at(is_dead_, id) = stream.direction == Direction::in && depends;
        const auto window = walker_->window(id);
        Seen& seen = at(seen_, id);
        if (!window || (window->run == seen.run && window->index == seen.window)) continue;
        if (window->run != seen.run) seen.written.clear();
        seen.run = window->run;
        seen.window = window->index;
        if (stream.direction == Direction::out && !stream.revisit)
            forget(stream.buffer, window->slot);
    }
}

void Core::forget(schedule::BufferId id, Int copy) {
    Store& store = at(buffers_, id);
    const Int count = count_of(at(program_.buffers, id).shape);
    std::fill_n(store.traces.begin() + static_cast<std::ptrdiff_t>(copy * count), count,
                undefined_buffer(id));
}

/// A slot that is filled or put anew holds nothing.
void Core::ring(const Event& event) {
    if (!event.live) return;
    if (at(is_put_, event.id))
        forget(at(program_.rings, event.id).buffer, event.slot);
    else
        at(is_fresh_, event.id) = true;
}

void Core::fetch(const Event& event) {
    const schedule::Stream& stream = at(program_.streams, event.id);
    const schedule::Operand& operand = at(program_.operands, stream.operand);
    const Store& array = at(operands_, stream.operand);
    Store& buffer = at(buffers_, stream.buffer);
    const Int count = count_of(at(program_.buffers, stream.buffer).shape);
    const Int first = event.slot * count;
    const Trace past = stream.pad ? Trace{0}
                                  : traces_.origin(key(Cause::past_end, event.id),
                                                   fmt::format("`{}` reaches past the elements of "
                                                               "`{}` that are fetched",
                                                               stream.name, operand.name),
                                                   stream.place.span);
    for (Int i = first; i < first + count; ++i) {
        buffer.traces[static_cast<std::size_t>(i)] = past;
        if (stream.pad) buffer.elements.set(i, *stream.pad);
    }
    const Overlap overlap = overlap_of(stream, operand.shape, event);
    for (std::size_t i = 0; i < overlap.in_array.size(); ++i) {
        const Int source = overlap.in_array[i], target = first + overlap.in_window[i];
        move(array, source, buffer, target);
        const Trace trace = array.traces[static_cast<std::size_t>(source)];
        buffer.traces[static_cast<std::size_t>(target)] = trace;
        if (trace != 0 && !stream.revisit)
            undefined(
                trace,
                fmt::format("element {} of `{}`", index_text(source, operand.shape), operand.name),
                fmt::format("the window `{}`", stream.name), stream.place.span);
    }
}

void Core::write_back(const Event& event) {
    const schedule::Stream& stream = at(program_.streams, event.id);
    const schedule::Operand& operand = at(program_.operands, stream.operand);
    Store& array = at(operands_, stream.operand);
    const Store& buffer = at(buffers_, stream.buffer);
    const Int first = event.slot * count_of(at(program_.buffers, stream.buffer).shape);
    const Overlap overlap = overlap_of(stream, operand.shape, event);
    for (std::size_t i = 0; i < overlap.in_array.size(); ++i) {
        const Int source = first + overlap.in_window[i], target = overlap.in_array[i];
        if (const Trace trace = buffer.traces[static_cast<std::size_t>(source)])
            undefined(
                trace,
                fmt::format("element {} of window `{}`",
                            index_text(source - first, at(program_.buffers, stream.buffer).shape),
                            stream.name),
                fmt::format("element {} of `{}`", index_text(target, operand.shape), operand.name),
                stream.place.span);
        if (!stream.revisit) check_first_visit(event.id, target);
        move(buffer, source, array, target);
        array.traces[static_cast<std::size_t>(target)] = 0;
        note_write(stream.operand, target, stream.place.span, *this);
    }
}

/// A block that is left and visited again holds only what the last visit wrote.
void Core::check_first_visit(schedule::StreamId id, Int element) {
    const schedule::Stream& stream = at(program_.streams, id);
    const schedule::Operand& operand = at(program_.operands, stream.operand);
    std::vector<bool>& written = at(seen_, id).written;
    written.resize(static_cast<std::size_t>(count_of(operand.shape)));
    auto is_written = written[static_cast<std::size_t>(element)];
    if (!is_written) {
        is_written = true;
        return;
    }
    Diagnostic message(Diag::E0301, stream.place.span, diag_info(Diag::E0301).sentence);
    message.label(fmt::format("element {} of `{}` is written again{}{}",
                              index_text(element, operand.shape), operand.name,
                              step_text().empty() ? "" : " before ", step_text()));
    message.because("an output block stays in VMEM only while consecutive steps name it")
        .fix("another order of the axes, `scratch`, or `revisit`");
    throw Failure{message};
}

// --------------------------------------------------------------------------------------------------
// memory

Store& Core::store_of(const schedule::MemoryRef& ref) {
    return ref.operand != none ? at(operands_, ref.operand) : at(buffers_, ref.buffer);
}

const std::string& Core::name_of(const schedule::MemoryRef& ref) const {
    return ref.operand != none ? at(program_.operands, ref.operand).name
                               : at(program_.buffers, ref.buffer).name;
}

/// Which copy of a buffer is at hand: that of the window which the step sees.
Int Core::copy_at_hand(const schedule::MemoryRef& ref) const {
    if (ref.buffer == none || at(stream_of_, ref.buffer) == none) return 0;
    const auto window = walker_->window(at(stream_of_, ref.buffer));
    return window ? window->slot : 0;
}

/// A message about a statement, with the step it ran in.
Failure Core::failure_at(const schedule::Stop& stop) const {
    Diagnostic message(stop.id, stop.span, stop.headline);
    if (const std::string step = step_text(); !step.empty()) message.label("at " + step);
    if (!stop.why.empty()) message.because(stop.why);
    return {message};
}

Places Core::places(const schedule::MemoryRef& ref, Span span) const {
    try {
        return places_of(ref, program_, *walker_, copy_at_hand(ref), span);
    } catch (const schedule::Stop& stop) {
        throw failure_at(stop);
    }
}

Block Core::read(const schedule::MemoryRef& ref, Span span) {
    const Places from = places(ref, span);
    const Store& store = store_of(ref);
    Block block(from.type, from.shape);
    const Int count = block.count();
    const auto trace_at = [&](Int number) {
        return store.traces[static_cast<std::size_t>(number)];
    };
    if (from.piece_bits != 0) {
        const int width = bits(store.elements.type) / from.piece_bits;
        for (Int i = 0; i < count; ++i) {
            std::uint32_t code = 0;
            for (Int part = 0; part < from.pieces; ++part) {
                const Int piece = from.numbers[static_cast<std::size_t>(i * from.pieces + part)];
                if (piece == Places::nowhere) {
                    block.set_trace(i, past_live(ref, span));
                    continue;
                }
                const std::uint32_t whole = store.elements.code(piece / width);
                const auto mask =
                    static_cast<std::uint32_t>((std::uint64_t{1} << from.piece_bits) - 1);
                code |= (whole >> (piece % width * from.piece_bits) & mask)
                        << (part * from.piece_bits);
                block.set_trace(i, std::max(block.trace(i), trace_at(piece / width)));
            }
            block.elements.set_code(i, code);
        }
        return block;
    }
    visit_elements(
        [&](auto& out, const auto& in) {
            if (from.whole) {
                std::copy_n(in.begin() + static_cast<std::ptrdiff_t>(from.first), count,
                            out.begin());
                return;
            }
            for (std::size_t i = 0; i < out.size(); ++i)
                if (from.numbers[i] != Places::nowhere)
                    out[i] = in[static_cast<std::size_t>(from.numbers[i])];
        },
        block.elements, store.elements);
    for (Int i = 0; i < count; ++i) {
        const Int number = from.number(i);
        const Trace trace = number == Places::nowhere ? past_live(ref, span) : trace_at(number);
        if (trace != 0) block.set_trace(i, trace);
    }
    return block;
}

Trace Core::past_live(const schedule::MemoryRef& ref, Span span) {
    return traces_.origin(key(Cause::past_live, span.begin),
                          fmt::format("more of `{}` is read than is live", name_of(ref)), span);
}

void Core::write(const Places& to, Store& store, const Block& value) {
    const Int count = value.count();
    const auto set_trace = [&](Int number, Trace trace) {
        store.traces[static_cast<std::size_t>(number)] = trace;
    };
    if (to.piece_bits != 0) {
        const int width = bits(store.elements.type) / to.piece_bits;
        for (Int i = 0; i < count; ++i)
            for (Int part = 0; part < to.pieces; ++part) {
                const Int piece = to.numbers[static_cast<std::size_t>(i * to.pieces + part)];
                if (piece == Places::nowhere) continue;
                const auto mask =
                    static_cast<std::uint32_t>((std::uint64_t{1} << to.piece_bits) - 1);
                const auto shift = static_cast<int>(piece % width) * to.piece_bits;
                const std::uint32_t kept = store.elements.code(piece / width) & ~(mask << shift);
                const std::uint32_t given = value.elements.code(i) >> (part * to.piece_bits) & mask;
                store.elements.set_code(piece / width, kept | given << shift);
                set_trace(piece / width, value.trace(i));
            }
        return;
    }
    visit_elements(
        [&](auto& out, const auto& in) {
            if (to.whole) {
                std::copy(in.begin(), in.end(),
                          out.begin() + static_cast<std::ptrdiff_t>(to.first));
                return;
            }
            for (std::size_t i = 0; i < in.size(); ++i)
                if (to.numbers[i] != Places::nowhere)
                    out[static_cast<std::size_t>(to.numbers[i])] = in[i];
        },
        store.elements, value.elements);
    for (Int i = 0; i < count; ++i)
        if (to.number(i) != Places::nowhere) set_trace(to.number(i), value.trace(i));
}

// --------------------------------------------------------------------------------------------------
// vector code

Block Core::load(const schedule::Op& op) {
    Block block = read(*op.ref, op.place.span);
    const schedule::StreamId stream = at(stream_of_, op.ref->buffer);
    if (stream == none || !at(is_dead_, stream)) return block;
    const Trace dead = traces_.origin(
        key(Cause::dead, stream),
        fmt::format("`{}` shows nothing on a dead step", at(program_.streams, stream).name),
        at(program_.streams, stream).place.span);
    for (Int i = 0; i < block.count(); ++i) block.set_trace(i, dead);
    return block;
}

void Core::store(const schedule::Op& op, const Block& value) {
    const Places to = places(*op.ref, op.place.span);
    if (!value.has_undefined()) return write(to, store_of(*op.ref), value);
    Block marked = value;
    for (Trace& trace : marked.traces)
        if (trace != 0)
            trace = traces_.moved(trace, key(Cause::store, op.place.span.begin),
                                  fmt::format("stored in `{}`", name_of(*op.ref)), op.place.span);
    write(to, store_of(*op.ref), marked);
}

/// Constants need no VMEM, however large; a run with values has to hold them.
void Core::require_room(const schedule::BlockType& type, Span span) const {
    constexpr Int most = Int{1} << 26;
    if (const Int count = count_of(type.shape); count > most)
        throw failure_at(
            {Diag::E0601_block, span,
             fmt::format(diag_info(Diag::E0601_block).sentence, "the block", count),
             fmt::format("a run with values holds blocks of at most {} elements", most)});
}

void Core::region(const schedule::Region& region, const RegionPlan& plan) {
    std::vector<Block> values(region.values.size());
    for (std::size_t i = 0; i < region.ops.size(); ++i) {
        const schedule::Op& op = region.ops[i];
        if (op.cls == OpClass::store) {
            store(op, at(values, op.args[0]));
        } else if (op.cls == OpClass::load) {
            at(values, op.result) = load(op);
        } else {
            require_room(at(region.values, op.result), op.place.span);
            Block result(at(region.values, op.result));
            compute(op, plan.functions[i], values, result);
            at(values, op.result) = std::move(result);
        }
        for (const schedule::ValueId id : plan.dead[i]) at(values, id) = Block();
    }
}

void Core::compute(const schedule::Op& op, Function function, const std::vector<Block>& values,
                   Block& result) {
    SLAB_CHECK(function != nullptr, "no function computes `{}`", op.name);
    Application application{op, {}, {}, program_.lanes, program_.sublanes, result};
    for (const schedule::ValueId id : op.args) application.args.push_back(&at(values, id));
    try {
        for (const schedule::ExprId id : op.scalars) {
            const Int word = value_of(id, *walker_, op.place.span);
            application.scalars.push_back(at(program_.exprs, id).type == schedule::ScalarType::f32
                                              ? schedule::real_of(word)
                                              : static_cast<double>(word));
        }
        function(application);
    } catch (const NoResult& none_of_it) {
        throw failure_at({none_of_it.id, op.place.span, none_of_it.headline, none_of_it.why});
    } catch (const schedule::Stop& stop) {
        throw failure_at(stop);
    } catch (const UndefinedAddress& address) {
        undefined(address.trace, "an index", fmt::format("`{}`", op.name), op.place.span);
    }
}

// --------------------------------------------------------------------------------------------------
// copies

Block Core::source_of(const schedule::Copy& copy) {
    const schedule::MemoryRef& ref = copy.source;
    const Span span = copy.place.span;
    if (ref.buffer != none && at(program_.buffers, ref.buffer).space == schedule::Space::smem) {
        const Places from = places(ref, span);
        Block block(from.type, from.shape);
        for (Int i = 0; i < block.count(); ++i) {
            if (from.number(i) == Places::nowhere) continue;
            const auto word = walker_->element(ref.buffer, from.number(i));
            if (!word)
                throw Failure{Diagnostic(Diag::E0701, span,
                                         fmt::format("an element of `{}` is read before it is "
                                                     "written",
                                                     name_of(ref)))};
            block.elements.set(
                i, is_float(from.type) ? schedule::real_of(*word) : static_cast<double>(*word));
        }
        return block;
    }
    return read(ref, span);
}

/// The elements that a copy moves, in order: those that are live.
std::vector<Int> Core::live_elements(const Places& places) {
    std::vector<Int> live;
    for (Int i = 0; i < places.count(); ++i)
        if (places.whole ||
            places.numbers[static_cast<std::size_t>(i * places.pieces)] != Places::nowhere)
            live.push_back(i);
    return live;
}

/// What a copy moves, laid out as its target: elements that are not live are no part of it.
Block Core::moved(const schedule::Copy& copy, const Places& to) {
    const Block from = source_of(copy);
    const std::vector<Int> sources = live_elements(places(copy.source, copy.place.span));
    const std::vector<Int> targets = live_elements(to);
    SLAB_CHECK(sources.size() == targets.size(), "a copy moves {} elements to {}", sources.size(),
               targets.size());
    Block block(to.type, to.shape);
    for (std::size_t i = 0; i < sources.size(); ++i) {
        if (const Trace trace = from.trace(sources[i]))
            undefined(trace,
                      fmt::format("element {} of `{}`", index_text(sources[i], from.shape),
                                  name_of(copy.source)),
                      fmt::format("the copy into `{}`", name_of(copy.target)), copy.place.span);
        block.elements.set(targets[i], from.elements.number(sources[i]));
    }
    return block;
}

void Core::transfer(const Event& event, Core& peer) {
    const schedule::Copy& copy = at(program_.copies, event.id);
    const schedule::MemoryRef& target = copy.target;
    if (target.buffer != none && at(program_.buffers, target.buffer).space == schedule::Space::smem)
        return;  // the walker has asked for the words
    if (copy.ring != none && at(is_fresh_, copy.ring) &&
        target.buffer == at(program_.rings, copy.ring).buffer) {
        at(is_fresh_, copy.ring) = false;
        forget(target.buffer, walker_->integer(at(program_.rings, copy.ring).fill));
    }
    const Places to = places(target, copy.place.span);
    const Block block = moved(copy, to);
    peer.write(to, peer.store_of(target), block);
    if (target.operand == none) return;
    for (const Int i : live_elements(to))
        peer.note_write(target.operand, to.number(i), copy.place.span, *this);
}

std::vector<Int> Core::read(schedule::CopyId id) {
    const schedule::Copy& copy = at(program_.copies, id);
    std::vector<Int> words;
    try {
        const Places to = places(copy.target, copy.place.span);
        const Block block = moved(copy, to);
        for (const Int i : live_elements(to)) {
            const double number = block.elements.number(i);
            words.push_back(is_float(block.type()) ? schedule::word_of(number)
                                                   : schedule::wrap_i32(static_cast<Int>(number)));
        }
    } catch (const Failure& failure) {
        failure_ = failure.message;
        words.clear();
    }
    computed_.push_back(words);
    return words;
}

// --------------------------------------------------------------------------------------------------
// what went wrong

void Core::undefined(Trace trace, const std::string& what, const std::string& where, Span span) {
    Diagnostic message(Diag::E0701_reaches, span,
                       fmt::format(diag_info(Diag::E0701_reaches).sentence, what, where));
    for (const Traces::Step& step : traces_.path(trace)) message.note(step.span, step.what);
    if (const std::string step = step_text(); !step.empty()) message.label("at " + step);
    message.because("nobody has set the element: it holds whatever the memory held before")
        .fix("set it before it is read, or leave it out with `select` or a shorter slice");
    throw Failure{message};
}

void Core::note_write(schedule::OperandId operand, Int element, Span span, const Core& writer) {
    if (watched_ && watched_->first == operand && watched_->second == element)
        written_ = Writer{span, writer.step_text()};
}

/// `i = 3, j = 0`: the axes of the grid at hand.
std::string Core::step_text() const {
    if (grid_ == nullptr) return "";
    std::string text;
    for (const schedule::Axis& axis : grid_->axes)
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ",
                            at(program_.slots, axis.slot).name, walker_->integer(axis.slot));
    return text;
}

}  // namespace slab::interp
