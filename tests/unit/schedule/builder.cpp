#include "builder.hpp"

#include <fmt/format.h>

namespace slab::schedule::testing {

namespace {

template <typename T>
std::int32_t add(std::vector<T>& items, T item) {
    items.push_back(std::move(item));
    return static_cast<std::int32_t>(items.size()) - 1;
}

template <typename T>
const T& item(const std::vector<T>& items, std::int32_t id) {
    return items[static_cast<std::size_t>(id)];
}

std::string word(const Event& event, const Program& program, const Walker& walker) {
    const auto semaphore = [&] { return walker.semaphore_name(event.semaphore); };
    const auto stream = [&] { return item(program.streams, event.id).name; };
    switch (event.kind) {
        case EventKind::step:
            return event.live ? "step" : "dead";
        case EventKind::iteration:
            return "for";
        case EventKind::branch:
            return event.live ? "if" : "else";
        case EventKind::set:
            return fmt::format("{}={}", item(program.slots, event.id).name,
                               walker.integer(event.id));
        case EventKind::element:
            return fmt::format("{}[]", item(program.buffers, event.id).name);
        case EventKind::copy:
            return fmt::format("{} {} {}/{}", event.write ? "write" : "fetch", stream(),
                               event.bytes, event.runs);
        case EventKind::wait:
            return fmt::format("{}{} {} [{}]", stream(), event.write ? "!" : "?", event.bytes,
                               semaphore());
        case EventKind::transfer: {
            const std::string text =
                fmt::format("copy c{} {}/{} [{}]", event.id, event.bytes, event.runs, semaphore());
            if (event.peer == none) return text;
            return fmt::format("{} > {} {}", text, event.peer,
                               walker.semaphore_name(event.arrival));
        }
        case EventKind::await:
            return fmt::format("await {} [{}]", event.bytes, semaphore());
        case EventKind::signal:
            return fmt::format("signal {} > {} {}", event.bytes, event.peer,
                               walker.semaphore_name(event.arrival));
        case EventKind::ring:
            return event.live
                       ? fmt::format("{}{{{}", item(program.rings, event.id).name, event.slot)
                       : fmt::format("}}{}", event.slot);
        case EventKind::print:
            return "print";
        case EventKind::region:
            return "region";
        case EventKind::scope_begin:
            return "{";
        case EventKind::scope_end:
            return "}";
    }
    return "";
}

}  // namespace

Builder::Builder() {
    program.kernel = "by_hand";
    program.chip = "toy";
    program.lanes = 2;
    program.sublanes = 1;
}

SlotId Builder::slot(const std::string& name, std::int64_t value) {
    return add(program.slots, Slot{name, ScalarType::i32, value, 0});
}

OperandId Builder::operand(const std::string& name, Direction direction, DType type,
                           std::vector<std::int64_t> shape, std::int64_t tile_rows) {
    Operand operand;
    operand.name = name;
    operand.direction = direction;
    operand.type = type;
    operand.shape = std::move(shape);
    operand.tile_rows = tile_rows;
    return add(program.operands, operand);
}

BufferId Builder::buffer(const std::string& name, Space space, DType type,
                         std::vector<std::int64_t> shape, std::int64_t copies) {
    Buffer buffer;
    buffer.name = name;
    buffer.space = space;
    buffer.type = type;
    buffer.shape = std::move(shape);
    buffer.copies = copies;
    return add(program.buffers, buffer);
}

SemaphoreId Builder::semaphore(const std::string& name, SemaphoreKind kind,
                               std::vector<std::int64_t> shape) {
    return add(program.semaphores, Semaphore{name, kind, std::move(shape), {}});
}

SlotId Builder::axis(const std::string& name, std::int64_t extent) {
    const SlotId variable = slot(name);
    add(program.mesh, MeshAxis{name, extent, variable, {}});
    return variable;
}

RingId Builder::ring(const std::string& name, BufferId buffer) {
    const SlotId fill = slot(name + "_fill", -1);
    const SlotId take = slot(name + "_take", -1);
    return add(program.rings, Ring{name, buffer, fill, take, place(90)});
}

ExprId Builder::num(std::int64_t value) {
    ScalarExpr expr;
    expr.integer = value;
    return add(program.exprs, expr);
}

ExprId Builder::real(double value) {
    ScalarExpr expr;
    expr.type = ScalarType::f32;
    expr.real = value;
    return add(program.exprs, expr);
}

ExprId Builder::get(SlotId slot) {
    ScalarExpr expr;
    expr.op = ScalarOp::slot;
    expr.slot = slot;
    return add(program.exprs, expr);
}

ExprId Builder::op(ScalarOp op, ExprId a, ExprId b, ScalarType type) {
    ScalarExpr expr;
    expr.op = op;
    expr.type = type;
    expr.args = {a, b};
    return add(program.exprs, expr);
}

ExprId Builder::element(BufferId buffer, std::vector<ExprId> index, ExprId copy) {
    ScalarExpr expr;
    expr.op = ScalarOp::element;
    expr.buffer = buffer;
    expr.copy = copy;
    expr.args = std::move(index);
    return add(program.exprs, expr);
}

RefDim Builder::part(ExprId start, std::int64_t size, ExprId live, std::int64_t step) {
    return {start, live, size, step, false};
}

RefDim Builder::at(ExprId index) {
    return {index, none, 1, 1, true};
}

MemoryRef Builder::of_operand(OperandId operand, std::vector<RefDim> dims) {
    MemoryRef ref;
    ref.operand = operand;
    ref.dims = std::move(dims);
    if (ref.dims.empty())
        for (std::int64_t extent : item(program.operands, operand).shape)
            ref.dims.push_back(part(num(0), extent));
    return ref;
}

MemoryRef Builder::of_buffer(BufferId buffer, std::vector<RefDim> dims, ExprId copy) {
    MemoryRef ref;
    ref.buffer = buffer;
    ref.copy = copy;
    ref.dims = std::move(dims);
    if (ref.dims.empty())
        for (std::int64_t extent : item(program.buffers, buffer).shape)
            ref.dims.push_back(part(num(0), extent));
    return ref;
}

Stmt Builder::set(SlotId slot, ExprId value) {
    return {SetSlot{slot, value}};
}

Stmt Builder::set(BufferId buffer, std::vector<ExprId> index, ExprId value, std::uint32_t n) {
    return {SetElement{buffer, none, std::move(index), value, place(n)}};
}

Stmt Builder::loop(SlotId slot, ExprId lo, ExprId hi, Block body) {
    return {Loop{slot, lo, hi, none, std::move(body), place(80)}};
}

Stmt Builder::copy(Copy copy) {
    return {StartCopy{add(program.copies, std::move(copy))}};
}

Stmt Builder::copy(MemoryRef source, MemoryRef target, std::uint32_t n) {
    Copy plain;
    plain.source = std::move(source);
    plain.target = std::move(target);
    plain.place = place(n);
    return copy(plain);
}

Stmt Builder::wait(Wait wait) {
    return {Await{add(program.waits, std::move(wait))}};
}

Stmt Builder::signal(Signal signal) {
    return {SendSignal{add(program.signals, std::move(signal))}};
}

Stmt Builder::barrier(Barrier barrier) {
    return {MeetPeers{add(program.barriers, std::move(barrier))}};
}

Stmt Builder::use(UseRing::Kind kind, RingId ring, Block body, std::uint32_t n) {
    return {UseRing{kind, ring, std::move(body), place(n)}};
}

Stmt Builder::check(ExprId condition, const std::string& message, std::uint32_t n) {
    return {MakeSure{add(program.checks, Check{condition, message, place(n)})}};
}

Stmt Builder::print(const std::string& message, std::vector<ExprId> values) {
    return {PrintValues{add(program.prints, Print{message, std::move(values), {}})}};
}

StreamId Builder::stream(Stream stream) {
    return add(program.streams, std::move(stream));
}

Stmt Builder::grid(std::vector<std::pair<SlotId, std::int64_t>> axes, std::vector<StreamId> streams,
                   Block body, ExprId where) {
    Pipeline grid;
    grid.name = "g";
    for (const auto& [variable, extent] : axes)
        grid.axes.push_back({variable, num(0), num(extent), false, {}});
    grid.where = where;
    grid.streams = std::move(streams);
    grid.body = std::move(body);
    grid.place = place(70);
    return {grid};
}

std::vector<std::string> events(const Program& program, Walker walker) {
    std::vector<std::string> result;
    Event event;
    while (walker.next(event)) result.push_back(word(event, program, walker));
    if (const auto& stop = walker.stop())
        result.push_back(fmt::format("stop@{}: {}{}", stop->span.begin, stop->headline,
                                     stop->why.empty() ? "" : " (" + stop->why + ")"));
    return result;
}

std::vector<std::string> events(const Program& program, const Data& data, std::int32_t member) {
    return events(program, Walker(program, data, member));
}

}  // namespace slab::schedule::testing
