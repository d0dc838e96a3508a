#include <fmt/format.h>

#include "compiler/schedule/print.hpp"
#include "compiler/schedule/text/reader.hpp"

namespace slab::schedule {

void Reader::Table::declare(const Token& spelling, std::int32_t id) {
    if (!ids_.emplace(spelling.text, id).second)
        Tokens::fail(spelling.span, fmt::format("{} `{}` is declared twice", what_, spelling.text));
}

void Reader::Table::redeclare(const Token& spelling, std::int32_t id) {
    ids_.insert_or_assign(std::string(spelling.text), id);
}

std::int32_t Reader::Table::find(const Token& spelling) const {
    const auto found = ids_.find(spelling.text);
    if (found == ids_.end())
        Tokens::fail(spelling.span, fmt::format("no {} named `{}`", what_, spelling.text));
    return found->second;
}

std::int32_t Reader::reference(const Table& table) {
    return table.find(tokens_.spelling(fmt::format("the name of a {}", table.what())));
}

std::string Reader::declaration(Table& table, std::size_t id) {
    const std::string what = fmt::format("the name of a {}", table.what());
    table.declare(tokens_.current(), static_cast<std::int32_t>(id));
    return tokens_.name(what);
}

BlockType Reader::block_type(std::string_view what) {
    BlockType block;
    const auto type = dtype_from_name(tokens_.current().text);
    if (!type) tokens_.expected(what);
    block.type = *type;
    tokens_.take();
    list("[", "]", [&] { block.shape.push_back(tokens_.integer("an extent")); });
    return block;
}

std::int64_t Reader::field(std::string_view word) {
    tokens_.expect(word);
    return tokens_.integer(fmt::format("a number after `{}`", word));
}

Program Reader::program() {
    header();
    while (tokens_.at("operand")) operand();
    while (tokens_.at("buffer")) buffer();
    while (tokens_.at("slot")) slot();
    while (tokens_.at("mesh")) mesh_axis();
    while (tokens_.at("semaphore")) semaphore();
    while (tokens_.at("ring")) ring();
    residents();
    while (tokens_.at("region")) region();
    if (!tokens_.at("body"))
        tokens_.expected(
            "`operand`, `buffer`, `slot`, `mesh`, `semaphore`, `ring`, `region` or `body`");
    tokens_.take();
    program_.body = block();
    if (tokens_.current().kind != Token::Kind::end) tokens_.expected("the end of the text");
    program_.exprs = exprs_.take();
    return std::move(program_);
}

void Reader::header() {
    tokens_.expect("program");
    program_.kernel = tokens_.name("the name of the kernel");
    tokens_.expect("chip");
    program_.chip = tokens_.name("the name of the chip");
    program_.lanes = field("lanes");
    program_.sublanes = field("sublanes");
    program_.vmem_bytes = field("vmem");
    program_.vmem_limit_bytes = field("of");
}

void Reader::operand() {
    tokens_.expect("operand");
    Operand operand;
    operand.name = declaration(operands_, program_.operands.size());
    tokens_.expect(":");
    operand.direction = word<Direction>("a direction");
    tokens_.expect("hbm");
    BlockType type = block_type("the type of the operand");
    operand.type = type.type;
    operand.shape = std::move(type.shape);
    operand.tile_rows = field("tile");
    if (tokens_.accept("resident"))
        residents_.emplace_back(static_cast<OperandId>(program_.operands.size()),
                                tokens_.spelling("the name of a buffer"));
    program_.operands.push_back(std::move(operand));
}

void Reader::buffer() {
    tokens_.expect("buffer");
    Buffer buffer;
    buffer.name = declaration(buffers_, program_.buffers.size());
    tokens_.expect(":");
    buffer.role = word<BufferRole>("a role");
    buffer.space = word<Space>("a space");
    BlockType type = block_type("the type of the buffer");
    buffer.type = type.type;
    buffer.shape = std::move(type.shape);
    buffer.tile_rows = field("tile");
    buffer.copies = field("copies");
    buffer.bytes = field("bytes");
    buffer.offset = field("at");
    program_.buffers.push_back(std::move(buffer));
}

void Reader::slot() {
    tokens_.expect("slot");
    Slot slot;
    slot.name = declaration(slots_, program_.slots.size());
    tokens_.expect(":");
    slot.type = word<ScalarType>("a scalar type");
    tokens_.expect("=");
    if (slot.type == ScalarType::f32)
        slot.real = tokens_.real("the initial value");
    else if (tokens_.at("true") || tokens_.at("false"))
        slot.integer = tokens_.take().text == "true";
    else
        slot.integer = tokens_.integer("the initial value");
    program_.slots.push_back(std::move(slot));
}

void Reader::mesh_axis() {
    tokens_.expect("mesh");
    tokens_.expect("axis");
    MeshAxis axis;
    axis.name = declaration(mesh_, program_.mesh.size());
    axis.extent = field("=");
    tokens_.expect("slot");
    axis.slot = reference(slots_);
    program_.mesh.push_back(std::move(axis));
}

void Reader::semaphore() {
    tokens_.expect("semaphore");
    Semaphore semaphore;
    semaphore.name = declaration(semaphores_, program_.semaphores.size());
    tokens_.expect(":");
    semaphore.kind = word<SemaphoreKind>("a kind of semaphores");
    if (tokens_.at("["))
        list("[", "]", [&] { semaphore.shape.push_back(tokens_.integer("an extent")); });
    program_.semaphores.push_back(std::move(semaphore));
}

void Reader::ring() {
    tokens_.expect("ring");
    Ring ring;
    ring.name = declaration(rings_, program_.rings.size());
    tokens_.expect(":");
    tokens_.expect("buffer");
    ring.buffer = reference(buffers_);
    if (tokens_.accept("fill")) ring.fill = reference(slots_);
    if (tokens_.accept("take")) ring.take = reference(slots_);
    program_.rings.push_back(std::move(ring));
}

/// Operands come before the buffers that hold them.
void Reader::residents() {
    for (const auto& [operand, buffer] : residents_)
        program_.operands[static_cast<std::size_t>(operand)].resident = buffers_.find(buffer);
}

std::optional<Program> parse_program(const SourceFile& text, Diagnostics& diags) {
    try {
        return Reader(text.text()).program();
    } catch (const SyntaxError& error) {
        diags.add<Diag::E0001>(error.span, error.sentence);
        return std::nullopt;
    }
}

}  // namespace slab::schedule
