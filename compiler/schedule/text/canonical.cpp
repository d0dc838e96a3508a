#include "compiler/schedule/text/canonical.hpp"

#include <bit>

#include "compiler/schedule/print.hpp"

namespace slab::schedule {

ExprId ExprTable::add(ScalarExpr expr) {
    const auto [entry, is_new] =
        known_.try_emplace(Key{expr.op, expr.type, expr.integer,
                               std::bit_cast<std::int64_t>(expr.real), expr.slot, expr.args},
                           static_cast<ExprId>(exprs_.size()));
    if (is_new) exprs_.push_back(std::move(expr));
    return entry->second;
}

namespace {

/// Renumbers a program in the order in which print() writes it.
class Renumbering {
public:
    explicit Renumbering(const Program& program)
        : from_(program), renamed_(program.exprs.size(), none) {}

    Program run() {
        Program result = from_;
        result.streams.clear();
        for (Region& region : result.regions) renumber(region);
        streams_ = &result.streams;
        renumber(result.body);
        result.exprs = exprs_.take();
        return result;
    }

private:
    void renumber(ExprId& id) {
        if (id < 0 || id >= static_cast<ExprId>(renamed_.size())) return;
        ExprId& known = renamed_[static_cast<std::size_t>(id)];
        if (known == none) {
            ScalarExpr expr = from_.exprs[static_cast<std::size_t>(id)];
            for (ExprId& arg : expr.args) renumber(arg);
            known = exprs_.add(std::move(expr));
        }
        id = known;
    }

    void renumber(Region& region) {
        std::vector<ValueId> renamed(region.values.size(), none);
        std::vector<BlockType> values;
        const auto in_range = [&](ValueId id) {
            return id >= 0 && id < static_cast<ValueId>(renamed.size());
        };
        for (Op& op : region.ops) {
            for (ValueId& arg : op.args)
                if (in_range(arg)) arg = renamed[static_cast<std::size_t>(arg)];
            if (op.ref)
                for (RefDim& dim : op.ref->dims) renumber(dim.start);
            for (ExprId& scalar : op.scalars) renumber(scalar);
            if (!in_range(op.result)) continue;
            renamed[static_cast<std::size_t>(op.result)] = static_cast<ValueId>(values.size());
            values.push_back(region.values[static_cast<std::size_t>(op.result)]);
            op.result = static_cast<ValueId>(values.size()) - 1;
        }
        region.values = std::move(values);
    }

    void renumber(Block& block) {
        for (Stmt& stmt : block) std::visit([this](auto& node) { renumber(node); }, stmt.node);
    }
    void renumber(Pipeline& node) {
        for (Axis& axis : node.axes) {
            renumber(axis.lo);
            renumber(axis.hi);
        }
        renumber(node.where);
        for (StreamId& id : node.streams) renumber_stream(id);
        renumber(node.body);
    }
    void renumber_stream(StreamId& id) {
        if (id < 0 || id >= static_cast<StreamId>(from_.streams.size())) return;
        Stream stream = from_.streams[static_cast<std::size_t>(id)];
        for (RefDim& dim : stream.dims) {
            renumber(dim.start);
            renumber(dim.live);
        }
        id = static_cast<StreamId>(streams_->size());
        streams_->push_back(std::move(stream));
    }
    void renumber(Loop& node) {
        renumber(node.lo);
        renumber(node.hi);
        renumber(node.step);
        renumber(node.body);
    }
    void renumber(Branch& node) {
        renumber(node.condition);
        renumber(node.then);
        renumber(node.otherwise);
    }
    void renumber(SetSlot& node) { renumber(node.value); }
    template <typename Node>
    void renumber(Node&) {}
    void renumber(Scope& node) { renumber(node.body); }

    const Program& from_;
    std::vector<ExprId> renamed_;
    ExprTable exprs_;
    std::vector<Stream>* streams_ = nullptr;
};

}  // namespace

Program canonical(const Program& program) {
    return Renumbering(program).run();
}

}  // namespace slab::schedule
