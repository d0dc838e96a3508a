#include <fmt/format.h>

#include "compiler/schedule/print.hpp"
#include "compiler/schedule/text/expressions.hpp"
#include "compiler/schedule/text/print_references.hpp"
#include "compiler/schedule/text/print_region.hpp"

namespace slab::schedule {

namespace {

class Printer {
public:
    explicit Printer(const Program& program)
        : program_(program), names_(program), references_(program, names_) {}

    std::string run() {
        line("program {} chip {} lanes {} sublanes {}", spelled(program_.kernel),
             spelled(program_.chip), program_.lanes, program_.sublanes);
        line("vmem {} of {}", program_.vmem_bytes, program_.vmem_limit_bytes);
        for (std::size_t i = 0; i < program_.operands.size(); ++i) operand(i);
        for (std::size_t i = 0; i < program_.buffers.size(); ++i) buffer(i);
        for (std::size_t i = 0; i < program_.slots.size(); ++i) slot(i);
        for (std::size_t i = 0; i < program_.mesh.size(); ++i) mesh_axis(i);
        for (std::size_t i = 0; i < program_.semaphores.size(); ++i) semaphore(i);
        for (std::size_t i = 0; i < program_.rings.size(); ++i) ring(i);
        for (std::size_t i = 0; i < program_.regions.size(); ++i) region(i);
        line("body {{");
        block(program_.body);
        line("}}");
        return std::move(text_);
    }

private:
    template <typename... Args>
    void line(fmt::format_string<Args...> format, Args&&... args) {
        text_.append(4 * depth_, ' ');
        text_ += fmt::format(format, std::forward<Args>(args)...);
        text_ += '\n';
    }
    std::string expr(ExprId id) const { return references_.print(id); }

    void operand(std::size_t i) {
        const Operand& operand = program_.operands[i];
        const std::string resident =
            operand.resident == none ? "" : " resident " + names_.buffers[operand.resident];
        line("operand {}: {} hbm {} tile {}{}", names_.operands[static_cast<OperandId>(i)],
             name_of(operand.direction), spelled(operand.type, operand.shape), operand.tile_rows,
             resident);
    }
    void buffer(std::size_t i) {
        const Buffer& buffer = program_.buffers[i];
        line("buffer {}: {} {} {} tile {} copies {} bytes {} at {}",
             names_.buffers[static_cast<BufferId>(i)], name_of(buffer.role), name_of(buffer.space),
             spelled(buffer.type, buffer.shape), buffer.tile_rows, buffer.copies, buffer.bytes,
             buffer.offset);
    }
    void slot(std::size_t i) {
        const Slot& slot = program_.slots[i];
        std::string value =
            slot.type == ScalarType::f32 ? spelled(slot.real) : std::to_string(slot.integer);
        if (slot.type == ScalarType::pred && (slot.integer == 0 || slot.integer == 1))
            value = slot.integer != 0 ? "true" : "false";
        line("slot {}: {} = {}", names_.slots[static_cast<SlotId>(i)], name_of(slot.type), value);
    }
    void mesh_axis(std::size_t i) {
        const MeshAxis& axis = program_.mesh[i];
        line("mesh axis {} = {} slot {}", names_.mesh[static_cast<std::int32_t>(i)], axis.extent,
             names_.slots[axis.slot]);
    }
    void semaphore(std::size_t i) {
        const Semaphore& semaphore = program_.semaphores[i];
        const std::string shape =
            semaphore.shape.empty() ? "" : fmt::format("[{}]", fmt::join(semaphore.shape, ", "));
        line("semaphore {}: {}{}", names_.semaphores[static_cast<SemaphoreId>(i)],
             name_of(semaphore.kind), shape);
    }
    void ring(std::size_t i) {
        const Ring& ring = program_.rings[i];
        std::string slots;
        if (ring.fill != none) slots += " fill " + names_.slots[ring.fill];
        if (ring.take != none) slots += " take " + names_.slots[ring.take];
        line("ring {}: buffer {}{}", names_.rings[static_cast<RingId>(i)],
             names_.buffers[ring.buffer], slots);
    }
    void region(std::size_t i) {
        const Region& region = program_.regions[i];
        line("region r{} {} flops {} {{", i, spelled(region.name), region.flops);
        ++depth_;
        for (const Op& op : region.ops) line("{}", print(op, region, program_, names_));
        --depth_;
        line("}}");
    }

    void block(const Block& block) {
        ++depth_;
        for (const Stmt& stmt : block)
            std::visit([this](const auto& node) { statement(node); }, stmt.node);
        --depth_;
    }
    void statement(const Pipeline& node) {
        std::string axes;
        for (const Axis& axis : node.axes) {
            if (!axes.empty()) axes += ", ";
            axes += fmt::format("{} in {} .. {}", names_.slots[axis.slot], expr(axis.lo),
                                expr(axis.hi));
            if (axis.parallel) axes += " par";
        }
        const std::string where = node.where == none ? "" : " where " + expr(node.where);
        line("grid {} ({}){} {{", spelled(node.name), axes, where);
        ++depth_;
        for (StreamId id : node.streams) stream(id, node);
        --depth_;
        block(node.body);
        line("}}");
    }
    void stream(StreamId id, const Pipeline& grid) {
        if (id < 0 || id >= static_cast<StreamId>(program_.streams.size()))
            return line("in ?{}", id);
        const Stream& stream = program_.streams[static_cast<std::size_t>(id)];
        const std::string head =
            fmt::format("{} {}", name_of(stream.direction), names_.streams[id]);
        const std::string window = stream_options(stream, grid);
        if (stream.is_custom()) return custom_stream(stream, head + ": " + window);
        line("{} = {}[{}] {}", head, names_.operands[stream.operand],
             references_.print(stream.dims), window);
    }
    std::string stream_options(const Stream& stream, const Pipeline& grid) const {
        std::string options;
        if (stream.ahead) options += " ahead";
        if (stream.revisit) options += " revisit";
        if (stream.pad) options += " pad " + spelled(*stream.pad);
        std::string axes;
        for (std::size_t i = 0; i < stream.moves_with.size() && i < grid.axes.size(); ++i)
            if (stream.moves_with[i])
                axes += (axes.empty() ? "" : ", ") + names_.slots[grid.axes[i].slot];
        return fmt::format("buffer {} depth {}{} moves ({})", names_.buffers[stream.buffer],
                           stream.depth, options, axes);
    }
    /// A line of its own per part: `slot x_now`, `fetch x_next {` and `flush {`.
    void custom_stream(const Stream& stream, const std::string& head) {
        line("{}", head);
        ++depth_;
        if (stream.slot != none) line("slot {}", names_.slots[stream.slot]);
        if (stream.fetch_slot != none || !stream.fetch.empty()) {
            const std::string slot =
                stream.fetch_slot == none ? "" : names_.slots[stream.fetch_slot] + ' ';
            line("fetch {}{{", slot);
            block(stream.fetch);
            line("}}");
        }
        if (!stream.flush.empty()) {
            line("flush {{");
            block(stream.flush);
            line("}}");
        }
        --depth_;
    }
    void statement(const Loop& node) {
        const std::string step = node.step == none ? "" : " step " + expr(node.step);
        line("for {} in {} .. {}{} {{", names_.slots[node.slot], expr(node.lo), expr(node.hi),
             step);
        block(node.body);
        line("}}");
    }
    void statement(const Branch& node) {
        line("if {} {{", expr(node.condition));
        block(node.then);
        if (!node.otherwise.empty()) {
            line("}} else {{");
            block(node.otherwise);
        }
        line("}}");
    }
    void statement(const SetSlot& node) {
        line("set {} = {}", names_.slots[node.slot], expr(node.value));
    }
    void statement(const RunRegion& node) { line("region r{}", node.region); }
    void statement(const Scope& node) {
        line("scope {} {{", spelled(node.title));
        block(node.body);
        line("}}");
    }
    void statement(const While& node) {
        line("while {} atmost {} {{", expr(node.condition), expr(node.at_most));
        block(node.body);
        line("}}");
    }
    void statement(const SetElement& node) {
        const std::string copy = node.copy == none ? "" : '{' + expr(node.copy) + '}';
        line("set {}{}[{}] = {}", names_.buffers[node.buffer], copy, references_.print(node.index),
             expr(node.value));
    }
    void statement(const UseRing& node) {
        const std::string ring = names_.rings[node.ring];
        if (node.kind == UseRing::Kind::drain) return line("drain {}", ring);
        line("{} {} {{", name_of(node.kind), ring);
        block(node.body);
        line("}}");
    }
    void statement(const StartCopy& node) { entry("copy", node.copy, program_.copies); }
    void statement(const Await& node) { entry("wait", node.wait, program_.waits); }
    void statement(const SendSignal& node) { entry("signal", node.signal, program_.signals); }
    void statement(const MeetPeers& node) { entry("barrier", node.barrier, program_.barriers); }
    void statement(const MakeSure& node) { entry("assert", node.check, program_.checks); }
    void statement(const PrintValues& node) { entry("print", node.print, program_.prints); }
    /// An entry of a table stands where the statement is that uses it.
    template <typename Entry>
    void entry(std::string_view word, std::int32_t id, const std::vector<Entry>& table) {
        if (id < 0 || id >= static_cast<std::int32_t>(table.size()))
            return line("{} ?{}", word, id);
        line("{}", references_.print(table[static_cast<std::size_t>(id)]));
    }

    const Program& program_;
    ProgramNames names_;
    ReferenceText references_;
    std::string text_;
    std::size_t depth_ = 0;
};

}  // namespace

std::string print(const Program& program) {
    return Printer(program).run();
}

std::string print(ExprId expr, const Program& program) {
    return print(expr, program, ProgramNames(program));
}

}  // namespace slab::schedule
