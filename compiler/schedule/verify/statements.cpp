#include <algorithm>

#include "compiler/schedule/print.hpp"
#include "compiler/schedule/text/words.hpp"
#include "compiler/schedule/verify/checks.hpp"

namespace slab::schedule {

namespace {

using Slots = std::vector<bool>;

/// The slots that statements set: variables, loop variables and axes.
void collect_set(const Block& block, Slots& set) {
    const auto mark = [&](SlotId slot) {
        if (slot >= 0 && slot < static_cast<SlotId>(set.size()))
            set[static_cast<std::size_t>(slot)] = true;
    };
    for (const Stmt& stmt : block) {
        if (const auto* grid = std::get_if<Pipeline>(&stmt.node))
            for (const Axis& axis : grid->axes) mark(axis.slot);
        if (const auto* loop = std::get_if<Loop>(&stmt.node)) mark(loop->slot);
        if (const auto* assignment = std::get_if<SetSlot>(&stmt.node)) mark(assignment->slot);
        for_each_block(stmt, [&](const auto& body) { collect_set(body, set); });
    }
}

class StatementCheck {
public:
    explicit StatementCheck(Findings& findings)
        : findings_(findings),
          program_(findings.program),
          grids_of_stream_(program_.streams.size()),
          counting_(program_.slots.size()) {}

    void run() {
        block(program_.body);
        for (std::size_t i = 0; i < program_.streams.size(); ++i)
            findings_.require(grids_of_stream_[i] == 1,
                              "stream `{}` belongs to {} grids, not to one",
                              program_.streams[i].name, grids_of_stream_[i]);
    }

private:
    void block(const Block& block) {
        for (const Stmt& stmt : block)
            std::visit([this](const auto& node) { statement(node); }, stmt.node);
    }
    void statement(const RunRegion& node) {
        findings_.require(in_range(node.region, program_.regions), "region {} does not exist",
                          node.region);
    }
    template <typename Node>
    void statement(const Node&) {}
    void statement(const Scope& node) { block(node.body); }
    void statement(const Branch& node) {
        findings_.require_type(node.condition, ScalarType::pred, "the condition of a branch");
        block(node.then);
        block(node.otherwise);
    }
    void statement(const SetSlot& node) {
        if (!findings_.require(in_range(node.slot, program_.slots), "slot {} does not exist",
                               node.slot))
            return;
        const Slot& slot = item(program_.slots, node.slot);
        findings_.require(!counting_[static_cast<std::size_t>(node.slot)],
                          "`{}` is set inside the loop it counts", slot.name);
        findings_.require_type(node.value, slot.type, "the value of " + slot.name);
    }
    void statement(const Loop& node) {
        if (!begin_counting(node.slot)) return;
        const std::string& name = item(program_.slots, node.slot).name;
        findings_.require_type(node.lo, ScalarType::i32, "the start of loop " + name);
        findings_.require_type(node.hi, ScalarType::i32, "the end of loop " + name);
        if (node.step != none)
            findings_.require_type(node.step, ScalarType::i32, "the step of loop " + name);
        block(node.body);
        counting_[static_cast<std::size_t>(node.slot)] = false;
    }
    bool begin_counting(SlotId slot) {
        if (!findings_.require(in_range(slot, program_.slots), "slot {} does not exist", slot))
            return false;
        const std::string& name = item(program_.slots, slot).name;
        auto is_counting = counting_[static_cast<std::size_t>(slot)];
        const bool ok =
            findings_.require(item(program_.slots, slot).type == ScalarType::i32,
                              "`{}` counts a loop and is no i32", name) &&
            findings_.require(!is_counting, "`{}` counts a loop and one inside it", name);
        if (ok) is_counting = true;
        return ok;
    }

    void statement(const Pipeline& node) {
        Slots set(program_.slots.size());
        collect_set(node.body, set);
        std::vector<SlotId> begun;
        for (const Axis& axis : node.axes) {
            bound(axis.lo, node, set);
            bound(axis.hi, node, set);
            if (!begin_counting(axis.slot)) break;
            begun.push_back(axis.slot);
        }
        const std::size_t most = 64;
        findings_.require(node.axes.size() <= most && node.streams.size() <= most,
                          "grid `{}` has {} axes and {} streams, the most are {}", node.name,
                          node.axes.size(), node.streams.size(), most);
        if (node.where != none &&
            findings_.require_type(node.where, ScalarType::pred, "`where` of grid " + node.name))
            untouched(node.where, node, set);
        for (StreamId id : node.streams) {
            if (!findings_.require(in_range(id, program_.streams), "stream {} does not exist", id))
                continue;
            ++grids_of_stream_[static_cast<std::size_t>(id)];
            stream(item(program_.streams, id), node, set);
        }
        block(node.body);
        for (SlotId slot : begun) counting_[static_cast<std::size_t>(slot)] = false;
    }
    void bound(ExprId expr, const Pipeline& grid, const Slots& set) {
        if (findings_.require_type(expr, ScalarType::i32, "a bound of grid " + grid.name))
            untouched(expr, grid, set);
    }
    /// What a grid evaluates ahead of its steps must not be changed in between.
    void untouched(ExprId expr, const Pipeline& grid, const Slots& set) {
        for (SlotId slot : slots_read(expr))
            if (set[static_cast<std::size_t>(slot)])
                findings_.add("`{}` of grid `{}` depends on `{}`, which its body sets",
                              print(expr, program_), grid.name, item(program_.slots, slot).name);
    }
    std::vector<SlotId> slots_read(ExprId root) const {
        std::vector<SlotId> slots;
        std::vector<ExprId> seen{root};
        for (std::size_t i = 0; i < seen.size(); ++i) {
            const ScalarExpr& expr = item(program_.exprs, seen[i]);
            if (expr.op == ScalarOp::slot) slots.push_back(expr.slot);
            for (ExprId arg : expr.args)
                if (std::find(seen.begin(), seen.end(), arg) == seen.end()) seen.push_back(arg);
        }
        return slots;
    }

    template <typename... Args>
    bool require(const Stream& stream, bool holds, fmt::format_string<Args...> format,
                 Args&&... args) {
        return findings_.require(
            holds, "stream `{}` {}", stream.name,
            holds ? std::string() : fmt::format(format, std::forward<Args>(args)...));
    }

    void stream(const Stream& stream, const Pipeline& grid, const Slots& set) {
        const bool known = require(stream, in_range(stream.operand, program_.operands),
                                   "has operand {}", stream.operand) &&
                           require(stream, in_range(stream.buffer, program_.buffers),
                                   "has buffer {}", stream.buffer);
        if (!known) return;
        const Operand& operand = item(program_.operands, stream.operand);
        const Buffer& buffer = item(program_.buffers, stream.buffer);
        require(stream, stream.direction == Direction::in || operand.direction != Direction::in,
                "writes to `{}`, which is an input", operand.name);
        require(stream, stream.depth >= 1 && stream.depth <= buffer.copies,
                "has depth {}, `{}` has {} copies", stream.depth, buffer.name, buffer.copies);
        require(stream, stream.moves_with.size() == grid.axes.size(),
                "says of {} axes whether they move it, there are {}", stream.moves_with.size(),
                grid.axes.size());
        if (!require(stream, stream.dims.size() == operand.shape.size(),
                     "gives {} indices to `{}` of rank {}", stream.dims.size(), operand.name,
                     operand.shape.size()))
            return;
        for (const RefDim& dim : stream.dims) window_dim(stream, dim, grid, set);
        const BlockType window{operand.type, kept_extents(stream.dims)};
        require(stream, (window == BlockType{buffer.type, buffer.shape}),
                "moves {} through `{}` of {}", spelled(window.type, window.shape), buffer.name,
                spelled(buffer.type, buffer.shape));
    }

    void window_dim(const Stream& stream, const RefDim& dim, const Pipeline& grid,
                    const Slots& set) {
        require(stream, dim.size >= 1 && (!dim.dropped || (dim.size == 1 && dim.live == none)),
                "has a window of {} elements in a dimension", dim.size);
        for (ExprId expr : {dim.start, dim.live}) {
            if (expr == none && expr == dim.live) continue;
            if (!findings_.require_type(expr, ScalarType::i32, "an index of " + stream.name))
                continue;
            untouched(expr, grid, set);
            for (SlotId slot : slots_read(expr))
                if (is_denied(stream, grid, slot))
                    findings_.add("stream `{}` moves with an axis that it denies: `{}`",
                                  stream.name, print(expr, program_));
        }
    }

    static bool is_denied(const Stream& stream, const Pipeline& grid, SlotId slot) {
        for (std::size_t i = 0; i < grid.axes.size() && i < stream.moves_with.size(); ++i)
            if (grid.axes[i].slot == slot && !stream.moves_with[i]) return true;
        return false;
    }

    Findings& findings_;
    const Program& program_;
    std::vector<int> grids_of_stream_;
    Slots counting_;
};

}  // namespace

void verify_statements(Findings& findings) {
    StatementCheck(findings).run();
}

}  // namespace slab::schedule
