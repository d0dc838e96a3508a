#include "compiler/schedule/text/canonical.hpp"

#include <bit>

#include "compiler/schedule/print.hpp"

namespace slab::schedule {

ExprId ExprTable::add(ScalarExpr expr) {
    const auto [entry, is_new] = known_.try_emplace(
        Key{expr.op, expr.type, expr.integer, std::bit_cast<std::int64_t>(expr.real), expr.slot,
            expr.buffer, expr.copy, expr.args},
        static_cast<ExprId>(exprs_.size()));
    if (is_new) exprs_.push_back(std::move(expr));
    return entry->second;
}

namespace {

/// Renumbers a program in the order in which print() writes it.
class Renumbering {
public:
    explicit Renumbering(const Program& program)
        : from_(program),
          renamed_(program.exprs.size(), none),
          renamed_streams_(program.streams.size(), none) {}

    Program run() {
        Program result = from_;
        result.streams.clear();
        result.copies.clear();
        result.waits.clear();
        result.signals.clear();
        result.barriers.clear();
        result.checks.clear();
        result.prints.clear();
        result_ = &result;
        for (Region& region : result.regions) renumber(region);
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
            renumber(expr.copy);
            renumber(expr.args);
            known = exprs_.add(std::move(expr));
        }
        id = known;
    }
    void renumber(std::vector<ExprId>& ids) {
        for (ExprId& id : ids) renumber(id);
    }
    void renumber(std::vector<RefDim>& dims) {
        for (RefDim& dim : dims) {
            renumber(dim.start);
            renumber(dim.live);
        }
    }
    void renumber(MemoryRef& ref) {
        renumber(ref.copy);
        renumber(ref.dims);
        for (View& view : ref.views) renumber(view.dims);
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
            if (op.ref) renumber(*op.ref);
            renumber(op.scalars);
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
        std::vector<Stream>& streams = result_->streams;
        StreamId& renamed = renamed_streams_[static_cast<std::size_t>(id)];
        id = renamed = static_cast<StreamId>(streams.size());
        streams.emplace_back();
        renumber(stream.dims);
        renumber(stream.fetch);
        renumber(stream.flush);
        streams[static_cast<std::size_t>(id)] = std::move(stream);
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
    void renumber(RunRegion&) {}
    void renumber(Scope& node) { renumber(node.body); }
    void renumber(While& node) {
        renumber(node.condition);
        renumber(node.at_most);
        renumber(node.body);
    }
    void renumber(SetElement& node) {
        renumber(node.copy);
        renumber(node.index);
        renumber(node.value);
    }
    void renumber(UseRing& node) { renumber(node.body); }

    void renumber(StartCopy& node) { move_entry(node.copy, from_.copies, result_->copies); }
    void renumber(Await& node) { move_entry(node.wait, from_.waits, result_->waits); }
    void renumber(SendSignal& node) { move_entry(node.signal, from_.signals, result_->signals); }
    void renumber(MeetPeers& node) { move_entry(node.barrier, from_.barriers, result_->barriers); }
    void renumber(MakeSure& node) { move_entry(node.check, from_.checks, result_->checks); }
    void renumber(PrintValues& node) { move_entry(node.print, from_.prints, result_->prints); }
    /// Entries of tables come in the order of the statements that use them.
    template <typename Entry>
    void move_entry(std::int32_t& id, const std::vector<Entry>& from, std::vector<Entry>& to) {
        if (id < 0 || id >= static_cast<std::int32_t>(from.size())) return;
        Entry entry = from[static_cast<std::size_t>(id)];
        renumber(entry);
        id = static_cast<std::int32_t>(to.size());
        to.push_back(std::move(entry));
    }
    void renumber(SemaphoreRef& ref) { renumber(ref.index); }
    void renumber(Copy& copy) {
        renumber(copy.source);
        renumber(copy.target);
        renumber(copy.device);
        renumber(copy.done);
        renumber(copy.arrive);
        if (copy.stream >= 0 && copy.stream < static_cast<StreamId>(renamed_streams_.size()))
            copy.stream = renamed_streams_[static_cast<std::size_t>(copy.stream)];
    }
    void renumber(Wait& wait) {
        renumber(wait.semaphore);
        if (wait.region) renumber(*wait.region);
        renumber(wait.count);
    }
    void renumber(Signal& signal) {
        renumber(signal.semaphore);
        renumber(signal.device);
        renumber(signal.by);
    }
    void renumber(Barrier& barrier) {
        for (Device& peer : barrier.peers) renumber(peer);
    }
    void renumber(Check& check) { renumber(check.condition); }
    void renumber(Print& print) { renumber(print.values); }

    const Program& from_;
    std::vector<ExprId> renamed_;
    ExprTable exprs_;
    std::vector<StreamId> renamed_streams_;
    Program* result_ = nullptr;
};

}  // namespace

Program canonical(const Program& program) {
    return Renumbering(program).run();
}

}  // namespace slab::schedule
