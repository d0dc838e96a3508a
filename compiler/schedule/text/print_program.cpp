#include <fmt/format.h>

#include "compiler/schedule/print.hpp"
#include "compiler/schedule/text/expressions.hpp"
#include "compiler/schedule/text/print_region.hpp"

namespace slab::schedule {

namespace {

class Printer {
public:
    explicit Printer(const Program& program) : program_(program), names_(program) {}

    std::string run() {
        line("program {} chip {} lanes {} sublanes {}", spelled(program_.kernel),
             spelled(program_.chip), program_.lanes, program_.sublanes);
        line("vmem {} of {}", program_.vmem_bytes, program_.vmem_limit_bytes);
        for (std::size_t i = 0; i < program_.operands.size(); ++i) operand(i);
        for (std::size_t i = 0; i < program_.buffers.size(); ++i) buffer(i);
        for (std::size_t i = 0; i < program_.slots.size(); ++i) slot(i);
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
    std::string expr(ExprId id) const { return print(id, program_, names_.slots); }

    void operand(std::size_t i) {
        const Operand& operand = program_.operands[i];
        line("operand {}: {} hbm {} tile {}", names_.operands[static_cast<OperandId>(i)],
             name_of(operand.direction), spelled(operand.type, operand.shape), operand.tile_rows);
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
        std::string dims;
        for (const RefDim& dim : stream.dims) {
            if (!dims.empty()) dims += ", ";
            dims += expr(dim.start);
            if (dim.live != none) dims += fmt::format(" +: {} upto {}", expr(dim.live), dim.size);
            if (dim.live == none && !dim.dropped) dims += fmt::format(" +: {}", dim.size);
        }
        std::string options;
        if (stream.ahead) options += " ahead";
        if (stream.revisit) options += " revisit";
        if (stream.pad) options += " pad " + spelled(*stream.pad);
        std::string axes;
        for (std::size_t i = 0; i < stream.moves_with.size() && i < grid.axes.size(); ++i)
            if (stream.moves_with[i])
                axes += (axes.empty() ? "" : ", ") + names_.slots[grid.axes[i].slot];
        line("{} {} = {}[{}] buffer {} depth {}{} moves ({})", name_of(stream.direction),
             names_.streams[id], names_.operands[stream.operand], dims,
             names_.buffers[stream.buffer], stream.depth, options, axes);
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
    template <typename Node>
    void statement(const Node&) {}
    void statement(const Scope& node) {
        line("scope {} {{", spelled(node.title));
        block(node.body);
        line("}}");
    }

    const Program& program_;
    ProgramNames names_;
    std::string text_;
    std::size_t depth_ = 0;
};

}  // namespace

std::string print(const Program& program) {
    return Printer(program).run();
}

std::string print(ExprId expr, const Program& program) {
    return print(expr, program, ProgramNames(program).slots);
}

}  // namespace slab::schedule
