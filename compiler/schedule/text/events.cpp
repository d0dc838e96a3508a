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
    template <typename Node>
    void add(const Node&, const Program&) {}
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
    std::string copy(const Event& event) const;
    std::string both_ends(const Event& event) const;
    Event read(Tokens& tokens) const;
    void read_both_ends(Tokens& tokens, Event& event) const;
    void read_copy(Tokens& tokens, Event& event) const;
    void read_tail(Tokens& tokens, Event& event) const;
    std::int32_t find(const Names& table, Tokens& tokens, std::string_view what) const;

    const Operand* operand_of(StreamId id) const {
        if (id < 0 || id >= static_cast<StreamId>(program.streams.size())) return nullptr;
        const OperandId operand = program.streams[static_cast<std::size_t>(id)].operand;
        return &program.operands[static_cast<std::size_t>(operand)];
    }

    const Program& program;
    ProgramNames names;
    Names grids;
    Names loops;
    Names scopes;
};

/// `x <- a` when reading, `o -> c` when writing.
std::string EventText::Tables::both_ends(const Event& event) const {
    const bool known = operand_of(event.id) != nullptr;
    return fmt::format(
        "{} {} {}", names.streams[event.id], event.write ? "->" : "<-",
        names.operands[known ? program.streams[static_cast<std::size_t>(event.id)].operand : none]);
}

std::string EventText::Tables::copy(const Event& event) const {
    std::string dims;
    const Operand* operand = operand_of(event.id);
    for (std::size_t d = 0; operand && d < operand->shape.size(); ++d)
        dims += fmt::format("{}{} +: {}", d == 0 ? "" : ", ", event.start[d], event.extent[d]);
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
        default:
            break;
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
    find(names.operands, tokens, "operand");
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
    const std::size_t rank = operand_of(event.id)->shape.size();
    for (std::size_t d = 0; d < rank && d < max_rank; ++d) {
        if (d > 0) tokens.expect(",");
        event.start[d] = tokens.integer("a start");
        tokens.expect("+:");
        event.extent[d] = static_cast<std::int32_t>(tokens.integer("an extent"));
    }
    tokens.expect("]");
    event.bytes = tokens.integer("bytes");
    tokens.expect("B");
    tokens.expect("in");
    event.runs = tokens.integer("runs");
    tokens.expect("runs");
    read_tail(tokens, event);
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
    } else {
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
