#include <algorithm>

#include <fmt/format.h>

#include "compiler/schedule/print.hpp"
#include "compiler/schedule/text/tokens.hpp"
#include "compiler/schedule/text/words.hpp"

namespace slab::schedule {

namespace {

/// The names of what the walker numbers in program order.
struct Numbered {
    std::vector<std::string> grids;
    std::vector<std::string> loops;
    std::vector<std::string> scopes;

    void collect(const Block& block, const Program& program) {
        for (const Stmt& stmt : block)
            std::visit([&](const auto& node) { add(node, program); }, stmt.node);
    }

private:
    void add(const Pipeline& node, const Program& program) {
        grids.push_back(node.name);
        for (StreamId id : node.streams) {
            const Stream& stream = program.streams[static_cast<std::size_t>(id)];
            collect(stream.fetch, program);
            collect(stream.flush, program);
        }
        collect(node.body, program);
    }
    void add(const Loop& node, const Program& program) {
        loops.push_back(program.slots[static_cast<std::size_t>(node.slot)].name);
        collect(node.body, program);
    }
    void add(const Branch& node, const Program& program) {
        collect(node.then, program);
        collect(node.otherwise, program);
    }
    void add(const Scope& node, const Program& program) {
        scopes.push_back(node.title);
        collect(node.body, program);
    }
    void add(const While& node, const Program& program) {
        loops.emplace_back("while");
        collect(node.body, program);
    }
    void add(const UseRing& node, const Program& program) { collect(node.body, program); }
    void add(const SetSlot&, const Program&) {}
    void add(const SetElement&, const Program&) {}
    void add(const RunRegion&, const Program&) {}
    void add(const StartCopy&, const Program&) {}
    void add(const Await&, const Program&) {}
    void add(const SendSignal&, const Program&) {}
    void add(const MeetPeers&, const Program&) {}
    void add(const MakeSure&, const Program&) {}
    void add(const PrintValues&, const Program&) {}
};

}  // namespace

struct EventText::Tables {
    explicit Tables(const Program& source) : program(source), names(source) {
        Numbered numbered;
        numbered.collect(source.body, source);
        grids = Names(numbered.grids);
        loops = Names(numbered.loops);
        scopes = Names(numbered.scopes);
    }

    std::string body(const Event& event) const;
    std::string transfer(const Event& event) const;
    std::string await(const Event& event) const;
    std::string signal(const Event& event) const;
    std::string details(const Event& event) const;
    std::string copy(const Event& event) const;
    std::string both_ends(const Event& event) const;
    Event read(Tokens& tokens) const;
    void read_both_ends(Tokens& tokens, Event& event) const;
    void read_copy(Tokens& tokens, Event& event) const;
    void read_tail(Tokens& tokens, Event& event) const;
    bool read_transfer(Tokens& tokens, Event& event) const;
    bool read_moment(Tokens& tokens, Event& event) const;
    void read_details(Tokens& tokens, Event& event) const;
    std::int32_t find(const Names& table, Tokens& tokens, std::string_view what) const;

    const Operand* operand_of(StreamId id) const {
        if (id < 0 || id >= static_cast<StreamId>(program.streams.size())) return nullptr;
        const OperandId operand = program.streams[static_cast<std::size_t>(id)].operand;
        if (operand == none) return nullptr;
        return &program.operands[static_cast<std::size_t>(operand)];
    }

    const Program& program;
    ProgramNames names;
    Names grids;
    Names loops;
    Names scopes;
};

namespace {

/// Where the windows of a stream with transfers of its own come from and go to.
std::string_view own_transfers(const Event& event) {
    return event.write ? "flush" : "fetch";
}

template <typename Entry>
const Entry* find_entry(const std::vector<Entry>& table, std::int32_t id) {
    const bool known = id >= 0 && id < static_cast<std::int32_t>(table.size());
    return known ? &table[static_cast<std::size_t>(id)] : nullptr;
}

}  // namespace

/// `x <- a` when reading, `o -> c` when writing.
std::string EventText::Tables::both_ends(const Event& event) const {
    const Stream* stream = find_entry(program.streams, event.id);
    const std::string other = stream && !stream->is_custom() ? names.operands[stream->operand]
                                                             : std::string(own_transfers(event));
    return fmt::format("{} {} {}", names.streams[event.id], event.write ? "->" : "<-", other);
}

/// `transfer 3 pages -> buf 4096 B in 2 runs, semaphore 5`
std::string EventText::Tables::transfer(const Event& event) const {
    const auto memory = [&](const MemoryRef& ref) {
        return ref.operand != none ? names.operands[ref.operand] : names.buffers[ref.buffer];
    };
    const Copy* copy = find_entry(program.copies, event.id);
    const std::string ends =
        copy ? fmt::format("{} -> {} ", memory(copy->source), memory(copy->target)) : "";
    return fmt::format("transfer {} {}{} B in {} runs{}", event.id, ends, event.bytes, event.runs,
                       details(event));
}

/// `await 3 got 4096 B, semaphore 5`; without a name what no written wait asks for.
std::string EventText::Tables::await(const Event& event) const {
    const Wait* wait = find_entry(program.waits, event.id);
    const Semaphore* semaphore =
        wait ? find_entry(program.semaphores, wait->semaphore.semaphore) : nullptr;
    const bool counts = semaphore && semaphore->kind == SemaphoreKind::count;
    const std::string name = wait ? names.semaphores[wait->semaphore.semaphore] + ' ' : "";
    return fmt::format("await {} {}{}{}{}", event.id, name, event.bytes, counts ? "" : " B",
                       details(event));
}

/// `signal 0 ready by 1, to member 2, arrival 7`; without a name that of a barrier.
std::string EventText::Tables::signal(const Event& event) const {
    const Signal* signal = find_entry(program.signals, event.id);
    const std::string name = signal ? names.semaphores[signal->semaphore.semaphore] + ' ' : "";
    return fmt::format("signal {} {}by {}{}", event.id, name, event.bytes, details(event));
}

/// What only some events have.
std::string EventText::Tables::details(const Event& event) const {
    std::string text;
    if (event.semaphore != none) text += fmt::format(", semaphore {}", event.semaphore);
    if (event.slot != 0) text += fmt::format(", slot {}", event.slot);
    if (event.write) text += ", write";
    if (event.peer != none) text += fmt::format(", to member {}", event.peer);
    if (event.arrival != none) text += fmt::format(", arrival {}", event.arrival);
    return text;
}

std::string EventText::Tables::copy(const Event& event) const {
    std::string dims;
    const Operand* operand = operand_of(event.id);
    for (std::size_t d = 0; operand && d < operand->shape.size(); ++d) {
        dims += fmt::format("{}{} +: {}", d == 0 ? "" : ", ", event.start[d], event.extent[d]);
        const std::int64_t step = program.streams[static_cast<std::size_t>(event.id)].dims[d].step;
        if (step != 1) dims += fmt::format(" step {}", step);
    }
    return fmt::format("copy {}[{}] {} B in {} runs, semaphore {}, slot {}", both_ends(event), dims,
                       event.bytes, event.runs, event.semaphore, event.slot);
}

std::string EventText::Tables::body(const Event& event) const {
    switch (event.kind) {
        case EventKind::step:
            return fmt::format("step {}{}", grids[event.id], event.live ? "" : " dead");
        case EventKind::iteration:
            return "iteration " + loops[event.id];
        case EventKind::branch:
            return fmt::format("branch {} {}", event.id, event.live);
        case EventKind::set:
            return "set " + names.slots[event.id];
        case EventKind::copy:
            return copy(event);
        case EventKind::wait:
            return fmt::format("wait {} {} B, semaphore {}, slot {}", both_ends(event), event.bytes,
                               event.semaphore, event.slot);
        case EventKind::region:
            return fmt::format("region r{}", event.id);
        case EventKind::scope_begin:
            return fmt::format("scope {} begins", scopes[event.id]);
        case EventKind::scope_end:
            return fmt::format("scope {} ends", scopes[event.id]);
        case EventKind::element:
            return "element " + names.buffers[event.id];
        case EventKind::transfer:
            return transfer(event);
        case EventKind::await:
            return await(event);
        case EventKind::signal:
            return signal(event);
        case EventKind::ring:
            return fmt::format("ring {} {}{}", names.rings[event.id],
                               event.live ? "begins" : "ends", details(event));
        case EventKind::print:
            return fmt::format("print {}", event.id);
    }
    return "";
}

std::int32_t EventText::Tables::find(const Names& table, Tokens& tokens,
                                     std::string_view what) const {
    const Token spelling = tokens.spelling(what);
    const auto id = table.find(spelling.text);
    if (!id) Tokens::fail(spelling.span, fmt::format("no {} named `{}`", what, spelling.text));
    return *id;
}

void EventText::Tables::read_both_ends(Tokens& tokens, Event& event) const {
    event.id = find(names.streams, tokens, "stream");
    event.write = tokens.accept("-");
    tokens.expect(event.write ? ">" : "<");
    if (!event.write) tokens.expect("-");
    if (operand_of(event.id))
        find(names.operands, tokens, "operand");
    else
        tokens.expect(own_transfers(event));
}

void EventText::Tables::read_tail(Tokens& tokens, Event& event) const {
    tokens.expect(",");
    tokens.expect("semaphore");
    event.semaphore = static_cast<std::int32_t>(tokens.integer("a semaphore"));
    tokens.expect(",");
    tokens.expect("slot");
    event.slot = static_cast<std::int32_t>(tokens.integer("a slot"));
}

void EventText::Tables::read_copy(Tokens& tokens, Event& event) const {
    read_both_ends(tokens, event);
    tokens.expect("[");
    const Operand* operand = operand_of(event.id);
    const std::size_t rank = operand ? operand->shape.size() : 0;
    for (std::size_t d = 0; d < rank && d < max_rank; ++d) {
        if (d > 0) tokens.expect(",");
        event.start[d] = tokens.integer("a start");
        tokens.expect("+:");
        event.extent[d] = static_cast<std::int32_t>(tokens.integer("an extent"));
        if (tokens.accept("step")) tokens.integer("a step");
    }
    tokens.expect("]");
    event.bytes = tokens.integer("bytes");
    tokens.expect("B");
    tokens.expect("in");
    event.runs = tokens.integer("runs");
    tokens.expect("runs");
    read_tail(tokens, event);
}

void EventText::Tables::read_details(Tokens& tokens, Event& event) const {
    const auto number = [&] { return static_cast<std::int32_t>(tokens.integer("a number")); };
    while (tokens.accept(",")) {
        if (tokens.accept("semaphore")) {
            event.semaphore = number();
        } else if (tokens.accept("slot")) {
            event.slot = number();
        } else if (tokens.accept("to")) {
            tokens.expect("member");
            event.peer = number();
        } else if (tokens.accept("arrival")) {
            event.arrival = number();
        } else {
            tokens.expect("write");
            event.write = true;
        }
    }
}

/// Copies that are written, and what is said and awaited through semaphores.
bool EventText::Tables::read_transfer(Tokens& tokens, Event& event) const {
    const auto begins = [&](std::string_view word, EventKind kind) {
        if (!tokens.accept(word)) return false;
        event.kind = kind;
        event.id = static_cast<std::int32_t>(tokens.integer("a number, or -1"));
        return true;
    };
    if (begins("transfer", EventKind::transfer)) {
        if (find_entry(program.copies, event.id)) {
            tokens.spelling("where from");
            tokens.expect("-");
            tokens.expect(">");
            tokens.spelling("where to");
        }
        event.bytes = tokens.integer("bytes");
        tokens.expect("B");
        tokens.expect("in");
        event.runs = tokens.integer("runs");
        tokens.expect("runs");
    } else if (begins("await", EventKind::await)) {
        if (find_entry(program.waits, event.id)) find(names.semaphores, tokens, "semaphore");
        event.bytes = tokens.integer("bytes or a count");
        tokens.accept("B");
    } else if (begins("signal", EventKind::signal)) {
        if (find_entry(program.signals, event.id)) find(names.semaphores, tokens, "semaphore");
        tokens.expect("by");
        event.bytes = tokens.integer("a count");
    } else {
        return false;
    }
    read_details(tokens, event);
    return true;
}

/// Other events that only a kernel with memories of its own has.
bool EventText::Tables::read_moment(Tokens& tokens, Event& event) const {
    if (tokens.accept("element")) {
        event.kind = EventKind::element;
        event.id = find(names.buffers, tokens, "buffer");
    } else if (tokens.accept("ring")) {
        event.kind = EventKind::ring;
        event.id = find(names.rings, tokens, "ring");
        event.live = !tokens.accept("ends");
        if (event.live) tokens.expect("begins");
        read_details(tokens, event);
    } else if (tokens.accept("print")) {
        event.kind = EventKind::print;
        event.id = static_cast<std::int32_t>(tokens.integer("a number"));
    } else {
        return false;
    }
    return true;
}

Event EventText::Tables::read(Tokens& tokens) const {
    Event event;
    if (tokens.accept("member")) {
        event.member = static_cast<std::int32_t>(tokens.integer("a member"));
        tokens.expect(":");
    }
    if (tokens.accept("step")) {
        event.id = find(grids, tokens, "grid");
        event.live = !tokens.accept("dead");
    } else if (tokens.accept("iteration")) {
        event.kind = EventKind::iteration;
        event.id = find(loops, tokens, "loop");
    } else if (tokens.accept("branch")) {
        event.kind = EventKind::branch;
        event.id = static_cast<std::int32_t>(tokens.integer("a branch"));
        event.live = !tokens.accept("false");
        if (event.live) tokens.expect("true");
    } else if (tokens.accept("set")) {
        event.kind = EventKind::set;
        event.id = find(names.slots, tokens, "slot");
    } else if (tokens.accept("copy")) {
        event.kind = EventKind::copy;
        read_copy(tokens, event);
    } else if (tokens.accept("wait")) {
        event.kind = EventKind::wait;
        read_both_ends(tokens, event);
        event.bytes = tokens.integer("bytes");
        tokens.expect("B");
        read_tail(tokens, event);
    } else if (tokens.accept("region")) {
        event.kind = EventKind::region;
        event.id = tokens.numbered('r', "a region");
    } else if (!read_transfer(tokens, event) && !read_moment(tokens, event)) {
        tokens.expect("scope");
        event.id = find(scopes, tokens, "scope");
        event.kind = tokens.accept("ends") ? EventKind::scope_end : EventKind::scope_begin;
        if (event.kind == EventKind::scope_begin) tokens.expect("begins");
    }
    if (tokens.current().kind != Token::Kind::end) tokens.expected("the end of the line");
    return event;
}

EventText::EventText(const Program& program) : tables_(std::make_unique<Tables>(program)) {}
EventText::~EventText() = default;

std::string EventText::print(const Event& event) const {
    const std::string body = tables_->body(event);
    if (event.member == 0) return body;
    return fmt::format("member {}: {}", event.member, body);
}

std::optional<Event> EventText::parse(std::string_view line) const {
    try {
        Tokens tokens(line);
        return tables_->read(tokens);
    } catch (const SyntaxError&) {
        return std::nullopt;
    }
}

std::string print(const Event& event, const Program& program) {
    return EventText(program).print(event);
}

std::optional<Event> parse_event(std::string_view line, const Program& program) {
    return EventText(program).parse(line);
}

}  // namespace slab::schedule
