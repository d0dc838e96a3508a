#include <algorithm>

#include <fmt/format.h>

#include "compiler/schedule/text/reader.hpp"

namespace slab::schedule {

Block Reader::block() {
    tokens_.expect("{");
    Block block;
    while (!tokens_.accept("}")) block.push_back(statement());
    return block;
}

Stmt Reader::statement() {
    if (tokens_.accept("grid")) return {grid()};
    if (tokens_.accept("for")) return {loop()};
    if (tokens_.accept("if")) return {branch()};
    if (tokens_.accept("set")) return {set()};
    if (tokens_.accept("scope")) return {scope()};
    if (!tokens_.accept("region"))
        tokens_.expected("`grid`, `for`, `if`, `set`, `region`, `scope` or `}`");
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
    stream.name = tokens_.name("the name of the stream");
    tokens_.expect("=");
    stream.operand = reference(operands_);
    list("[", "]", [&] { stream.dims.push_back(window_dim()); });
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
    program_.streams.push_back(std::move(stream));
    return static_cast<StreamId>(program_.streams.size()) - 1;
}

RefDim Reader::window_dim() {
    RefDim dim;
    dim.start = expression();
    dim.dropped = !tokens_.accept("+:");
    if (dim.dropped) return dim;
    Tokens after = tokens_;
    after.take();
    if (after.at(",") || after.at("]")) {
        dim.size = tokens_.integer("a size; a length known at run time needs `upto`");
    } else {
        dim.live = expression();
        dim.size = field("upto");
    }
    return dim;
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

SetSlot Reader::set() {
    SetSlot set;
    set.slot = reference(slots_);
    tokens_.expect("=");
    set.value = expression();
    return set;
}

Scope Reader::scope() {
    Scope scope;
    scope.title = tokens_.name("the title of the scope");
    scope.body = block();
    return scope;
}

}  // namespace slab::schedule
