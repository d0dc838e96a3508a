#include <algorithm>

#include <fmt/format.h>

#include "compiler/schedule/text/reader.hpp"

namespace slab::schedule {

Block Reader::block() {
    if (++depth_ > most_brackets)
        Tokens::fail(tokens_.current().span, "brackets are nested too deeply");
    tokens_.expect("{");
    Block block;
    while (!tokens_.accept("}")) block.push_back(statement());
    --depth_;
    return block;
}

Stmt Reader::statement() {
    if (tokens_.accept("grid")) return {grid()};
    if (tokens_.accept("for")) return {loop()};
    if (tokens_.accept("while")) return {while_loop()};
    if (tokens_.accept("if")) return {branch()};
    if (tokens_.accept("set")) return set();
    if (tokens_.accept("scope")) return {scope()};
    if (const auto kind = from_name<UseRing::Kind>(tokens_.current().text)) {
        tokens_.take();
        return {use_ring(*kind)};
    }
    if (auto stmt = transfer()) return std::move(*stmt);
    if (!tokens_.accept("region"))
        tokens_.expected(
            "a statement (`grid`, `for`, `while`, `if`, `set`, `region`, `scope`, `fill`, `take`, "
            "`put`, `drain`, `copy`, `send`, `wait`, `signal`, `barrier`, `assert`, `print`) or "
            "`}`");
    const Token number = tokens_.current();
    const RegionId region = tokens_.numbered('r', "the number of a region, such as `r0`");
    if (region >= static_cast<RegionId>(program_.regions.size()))
        Tokens::fail(number.span, fmt::format("no region {}", number.text));
    return {RunRegion{region}};
}

Pipeline Reader::grid() {
    Pipeline grid;
    grid.name = tokens_.name("the name of the grid");
    list("(", ")", [&] { grid.axes.push_back(axis()); });
    if (tokens_.accept("where")) grid.where = expression();
    tokens_.expect("{");
    while (at_stream()) grid.streams.push_back(stream(grid));
    while (!tokens_.accept("}")) grid.body.push_back(statement());
    return grid;
}

Axis Reader::axis() {
    Axis axis;
    axis.slot = reference(slots_);
    tokens_.expect("in");
    axis.lo = expression();
    tokens_.expect("..");
    axis.hi = expression();
    axis.parallel = tokens_.accept("par");
    return axis;
}

bool Reader::at_stream() const {
    return tokens_.at("in") || tokens_.at("out") || tokens_.at("inout");
}

StreamId Reader::stream(const Pipeline& grid) {
    Stream stream;
    stream.direction = *from_name<Direction>(tokens_.take().text);
    const auto id = static_cast<StreamId>(program_.streams.size());
    streams_.redeclare(tokens_.current(), id);
    stream.name = tokens_.name("the name of the stream");
    const bool is_custom = tokens_.accept(":");
    if (!is_custom) {
        tokens_.expect("=");
        stream.operand = reference(operands_);
        stream.dims = ref_dims();
    }
    window_options(stream, grid);
    if (is_custom) transfers_of(stream);
    program_.streams.push_back(std::move(stream));
    return id;
}

void Reader::window_options(Stream& stream, const Pipeline& grid) {
    tokens_.expect("buffer");
    stream.buffer = reference(buffers_);
    stream.depth = field("depth");
    stream.ahead = tokens_.accept("ahead");
    stream.revisit = tokens_.accept("revisit");
    if (tokens_.accept("pad")) stream.pad = tokens_.real("the padding");
    stream.moves_with.resize(grid.axes.size());
    tokens_.expect("moves");
    list("(", ")", [&] {
        const Token name = tokens_.current();
        const SlotId slot = reference(slots_);
        const auto axis = std::find_if(grid.axes.begin(), grid.axes.end(),
                                       [&](const Axis& a) { return a.slot == slot; });
        if (axis == grid.axes.end())
            Tokens::fail(name.span, fmt::format("`{}` is no axis of this grid", name.text));
        stream.moves_with[static_cast<std::size_t>(axis - grid.axes.begin())] = true;
    });
}

void Reader::transfers_of(Stream& stream) {
    const auto transfers = [&] {
        const Token begin = tokens_.current();
        const std::size_t streams = program_.streams.size();
        Block block = this->block();
        if (program_.streams.size() != streams)
            Tokens::fail(begin.span, "the transfers of a stream have no grids");
        return block;
    };
    if (tokens_.accept("slot")) stream.slot = reference(slots_);
    if (tokens_.accept("fetch")) {
        if (!tokens_.at("{")) stream.fetch_slot = reference(slots_);
        stream.fetch = transfers();
    }
    if (tokens_.accept("flush")) stream.flush = transfers();
}

Loop Reader::loop() {
    Loop loop;
    loop.slot = reference(slots_);
    tokens_.expect("in");
    loop.lo = expression();
    tokens_.expect("..");
    loop.hi = expression();
    if (tokens_.accept("step")) loop.step = expression();
    loop.body = block();
    return loop;
}

Branch Reader::branch() {
    Branch branch;
    branch.condition = expression();
    branch.then = block();
    if (tokens_.accept("else")) branch.otherwise = block();
    return branch;
}

/// A variable, or with brackets behind its name an element of a buffer.
Stmt Reader::set() {
    const Token name = tokens_.spelling("the name of a slot or a buffer");
    if (tokens_.accept("=")) {
        SetSlot set;
        set.slot = slots_.find(name);
        set.value = expression();
        return {set};
    }
    SetElement set;
    set.buffer = buffers_.find(name);
    set.copy = copy_number();
    list("[", "]", [&] { set.index.push_back(expression()); });
    tokens_.expect("=");
    set.value = expression();
    return {std::move(set)};
}

While Reader::while_loop() {
    While loop;
    loop.condition = expression();
    tokens_.expect("atmost");
    loop.at_most = expression();
    loop.body = block();
    return loop;
}

UseRing Reader::use_ring(UseRing::Kind kind) {
    UseRing use;
    use.kind = kind;
    use.ring = reference(rings_);
    if (kind != UseRing::Kind::drain) use.body = block();
    return use;
}

Scope Reader::scope() {
    Scope scope;
    scope.title = tokens_.name("the title of the scope");
    scope.body = block();
    return scope;
}

}  // namespace slab::schedule
