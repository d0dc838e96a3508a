#include <algorithm>

#include "compiler/lower/lowering.hpp"

// Streams: what a grid moves through VMEM and SMEM step by step.
namespace slab::compiler {

namespace ast = dsl::ast;
using schedule::Direction;
using schedule::none;
using schedule::ScalarType;
using Int = std::int64_t;

namespace {

Direction direction_of(const ast::Stream& stream) {
    return stream.direction == "in"    ? Direction::in
           : stream.direction == "out" ? Direction::out
                                       : Direction::inout;
}

}  // namespace

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

void Lowering::add_stream(schedule::Stream lowered, schedule::Pipeline& pipeline) {
    const auto id = static_cast<schedule::StreamId>(program_.streams.size());
    window_of_[lowered.buffer] = id;
    pipeline.streams.push_back(id);
    program_.streams.push_back(std::move(lowered));
}

/// A window on an absent optional operand does not exist.
bool Lowering::is_absent(const ast::Expr& window) {
    const auto* base = boost::get<ast::Name>(&window.get());
    const auto* postfix = boost::get<ast::x3::forward_ast<ast::Postfix>>(&window.get());
    if (postfix) base = boost::get<ast::Name>(&postfix->get().base.get());
    const Entry* operand = base ? env_->find(base->text) : nullptr;
    return operand && operand->kind == Entry::Kind::absent;
}

void Lowering::lower_stream(const ast::Stream& stream, schedule::Pipeline& pipeline) {
    Entry entry;
    entry.declared = stream.name.span;
    if (stream.window && is_absent(*stream.window))
        entry.kind = Entry::Kind::absent;
    else
        entry.value =
            stream.window ? lower_window(stream, pipeline) : lower_own_transfers(stream, pipeline);
    declare(stream.name, std::move(entry));
}

Value Lowering::lower_window(const ast::Stream& stream, schedule::Pipeline& pipeline) {
    const auto memory = reference(*stream.window);
    if (memory && memory->kind != Reference::Kind::operand)
        diags_.add<Diag::E0204_place>(stream.window->span(), memory->name)
            .because("what is in VMEM already needs no window");
    if (memory && memory->kind == Reference::Kind::operand && memory->transposed)
        diags_
            .add<Diag::E0004_place>(stream.window->span(), "a transpose",
                                    "a DMA moves tiles as they lie")
            .fix(fmt::format("{0}.T where `{0}` is used", stream.name.text));
    const bool viewed = memory && !memory->views.empty();
    if (viewed)
        diags_.add<Diag::E0007>(stream.window->span(), "a window of a view")
            .fix("a view of the window where it is used, or a `copy` of the view");
    if (!memory || memory->kind != Reference::Kind::operand || memory->transposed || viewed)
        return Invalid{};
    schedule::Stream lowered;
    lowered.name = stream.name.text;
    lowered.direction = direction_of(stream);
    lowered.operand = memory->id;
    lowered.place.span = stream.window->span();
    std::vector<bool> slots(program_.slots.size(), false);
    for (const Reference::Dim& dim : memory->dims) {
        lowered.dims.push_back(dim);
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
        return Invalid{};
    }
    if (!fits_vmem({memory->type, shape}, stream.name)) return Invalid{};
    lowered.buffer =
        new_buffer(stream.name.text, schedule::Space::vmem, schedule::BufferRole::window,
                   memory->type, shape, lowered.depth, stream.span);
    const Reference buffer = whole(Reference::Kind::buffer, lowered.buffer);
    add_stream(std::move(lowered), pipeline);
    return buffer;
}

/// The copies of a `fetch` or `flush`, with the stream's name standing for its buffer.
schedule::Block Lowering::lower_transfer(const ast::Transfer& transfer, const std::string& name,
                                         Reference memory, schedule::StreamId stream) {
    const EnvPtr outer = env_;
    env_ = std::make_shared<Env>(outer);
    Entry entry;
    entry.declared = transfer.span;
    entry.value = std::move(memory);
    env_->names[name] = std::move(entry);
    fetching_ = stream;
    flushing_ = transfer.kind == "flush";
    const std::size_t errors = diags_.size(), regions = program_.regions.size(),
                      copies = program_.copies.size();
    schedule::Block block = nested([&] { lower_block(transfer.body); });
    fetching_ = none;
    env_ = outer;
    if (program_.regions.size() > regions && !diags_.has_errors())
        diags_
            .add<Diag::E0004_place>(program_.regions[regions].place.span, "vector code",
                                    fmt::format("`{}` only copies", transfer.kind))
            .because("it runs while the step before computes");
    else if (program_.copies.size() == copies && diags_.size() == errors)
        diags_
            .add<Diag::E0004_idle>(transfer.span, transfer.kind, flushing_ ? "out of" : "into",
                                   name)
            .because(flushing_ ? "what the step wrote would be lost"
                               : "the step would see whatever the memory holds")
            .fix(flushing_ ? fmt::format("copy {} -> …", name) : fmt::format("copy … -> {}", name));
    return block;
}

/// `in x: vmem T[..] fetch { copies }`: a stream that is moved by copies of its own.
Value Lowering::lower_own_transfers(const ast::Stream& stream, schedule::Pipeline& pipeline) {
    schedule::Stream lowered;
    lowered.name = stream.name.text;
    lowered.direction = direction_of(stream);
    lowered.place.span = stream.span;
    const ast::Transfer* fetch = nullptr;
    const ast::Transfer* flush = nullptr;
    for (const ast::Transfer& transfer : stream.transfers) {
        const ast::Transfer*& which = transfer.kind == "fetch" ? fetch : flush;
        if (which)
            diags_.add<Diag::E0003>(transfer.span, transfer.kind).note(which->span, "first here");
        which = &transfer;
    }
    const bool reads = lowered.direction != Direction::out;
    const bool writes = lowered.direction != Direction::in;
    if (reads != (fetch != nullptr) || writes != (flush != nullptr)) {
        diags_
            .add<Diag::E0004_transfers>(stream.span, stream.direction, stream.name.text,
                                        reads && writes ? "`fetch` and `flush`"
                                        : reads         ? "`fetch` alone"
                                                        : "`flush` alone")
            .because("`fetch` brings what a step reads, `flush` takes away what it wrote");
        return Invalid{};
    }
    const auto type = element_type(stream.type->element);
    const auto shape = sizes(stream.type->dims, stream.name);
    if (!type || !shape || !fits_vmem({*type, *shape}, stream.name)) return Invalid{};
    const bool in_smem = stream.type->space == "smem";
    if ((!in_smem && stream.type->space != "vmem") || (in_smem && writes)) {
        diags_.add<Diag::E0204_ring>(stream.type->span, stream.name.text, stream.type->space)
            .fix(fmt::format("{} {}: vmem …", stream.direction, stream.name.text));
        return Invalid{};
    }
    if (in_smem && !holds_scalars(*type, stream.type->element.span)) return Invalid{};
    stream_options(stream, lowered, true);
    lowered.buffer =
        new_buffer(lowered.name, in_smem ? schedule::Space::smem : schedule::Space::vmem,
                   schedule::BufferRole::window, *type, *shape, lowered.depth, stream.name.span);
    const Range copies{0, lowered.depth - 1, true, false};
    lowered.fetch_slot = new_slot(lowered.name + ".fetch", ScalarType::i32, copies);
    lowered.slot = new_slot(lowered.name + ".slot", ScalarType::i32, copies);
    const Reference whole_buffer = whole(Reference::Kind::buffer, lowered.buffer);
    const auto in_copy = [&](schedule::SlotId slot) {
        Reference memory = whole_buffer;
        memory.copy = scalars_.slot(slot);
        return memory;
    };
    const auto id = static_cast<schedule::StreamId>(program_.streams.size());
    const schedule::SlotId fetch_slot = lowered.fetch_slot, slot = lowered.slot;
    window_of_[lowered.buffer] = id;
    const schedule::BufferId buffer = lowered.buffer;
    pipeline.streams.push_back(id);
    program_.streams.push_back(std::move(lowered));
    schedule::Block fetch_block, flush_block;
    if (fetch) fetch_block = lower_transfer(*fetch, stream.name.text, in_copy(fetch_slot), id);
    written_[state_of(buffer)].always = true;  // of what `flush` finds, the body's end tells
    if (flush) flush_block = lower_transfer(*flush, stream.name.text, in_copy(slot), id);
    written_.erase(state_of(buffer));
    schedule::Stream& made = program_.streams[id];
    made.fetch = std::move(fetch_block);
    made.flush = std::move(flush_block);
    std::vector<bool> slots(program_.slots.size(), false);
    const auto collect = [&](schedule::ExprId expr) { collect_slots(program_, expr, slots); };
    for_each_expr(program_, made.fetch, collect);
    for_each_expr(program_, made.flush, collect);
    for (const schedule::Axis& axis : pipeline.axes) made.moves_with.push_back(slots[axis.slot]);
    return in_copy(slot);
}

}  // namespace slab::compiler
