#include "compiler/schedule/expressions.hpp"

#include <algorithm>

namespace slab::schedule {

namespace {

/// The expression and those it is made of, each once, until `visit` answers true.
template <typename Visit>
bool any_part(const Program& program, ExprId id, Visit&& visit) {
    if (id == none) return false;
    std::vector<ExprId> open = {id};
    std::vector<bool> seen(static_cast<std::size_t>(id) + 1, false);
    while (!open.empty()) {
        const ExprId next = open.back();
        open.pop_back();
        if (next == none || seen[static_cast<std::size_t>(next)]) continue;
        seen[static_cast<std::size_t>(next)] = true;
        const ScalarExpr& expr = program.exprs[static_cast<std::size_t>(next)];
        if (visit(expr)) return true;
        open.push_back(expr.copy);
        open.insert(open.end(), expr.args.begin(), expr.args.end());
    }
    return false;
}

}  // namespace

void collect_slots(const Program& program, ExprId id, std::vector<bool>& slots) {
    any_part(program, id, [&](const ScalarExpr& expr) {
        if (expr.op == ScalarOp::slot) slots[static_cast<std::size_t>(expr.slot)] = true;
        return false;
    });
}

bool reads_element(const Program& program, ExprId id,
                   const std::function<bool(BufferId)>& matches) {
    return any_part(program, id, [&](const ScalarExpr& expr) {
        return expr.op == ScalarOp::element && matches(expr.buffer);
    });
}

namespace {

/// Calls `visit` with what statements evaluate.
struct ExprVisitor {
    const Program& program;
    const std::function<void(ExprId)>& visit;

    void dims(const std::vector<RefDim>& dims) const {
        for (const RefDim& dim : dims) {
            visit(dim.start);
            visit(dim.live);
        }
    }
    void memory(const MemoryRef& ref) const {
        visit(ref.copy);
        dims(ref.dims);
        for (const View& view : ref.views) dims(view.dims);
    }
    void all(const std::vector<ExprId>& exprs) const {
        for (const ExprId expr : exprs) visit(expr);
    }
    void operator()(const Pipeline& n) const {
        for (const Axis& axis : n.axes) {
            visit(axis.lo);
            visit(axis.hi);
        }
        visit(n.where);
    }
    void operator()(const Loop& n) const {
        visit(n.lo);
        visit(n.hi);
        visit(n.step);
    }
    void operator()(const Branch& n) const { visit(n.condition); }
    void operator()(const SetSlot& n) const { visit(n.value); }
    void operator()(const While& n) const {
        visit(n.condition);
        visit(n.at_most);
    }
    void operator()(const SetElement& n) const {
        visit(n.copy);
        all(n.index);
        visit(n.value);
    }
    void operator()(const StartCopy& n) const {
        const Copy& copy = program.copies[static_cast<std::size_t>(n.copy)];
        memory(copy.source);
        memory(copy.target);
        all(copy.done.index);
        all(copy.device);
        all(copy.arrive.index);
    }
    void operator()(const Await& n) const {
        const Wait& wait = program.waits[static_cast<std::size_t>(n.wait)];
        all(wait.semaphore.index);
        if (wait.region) memory(*wait.region);
        visit(wait.count);
    }
    void operator()(const SendSignal& n) const {
        const Signal& signal = program.signals[static_cast<std::size_t>(n.signal)];
        all(signal.semaphore.index);
        all(signal.device);
        visit(signal.by);
    }
    void operator()(const MeetPeers& n) const {
        for (const Device& peer : program.barriers[static_cast<std::size_t>(n.barrier)].peers)
            all(peer);
    }
    void operator()(const MakeSure& n) const {
        visit(program.checks[static_cast<std::size_t>(n.check)].condition);
    }
    void operator()(const PrintValues& n) const {
        all(program.prints[static_cast<std::size_t>(n.print)].values);
    }
    void operator()(const RunRegion& n) const {
        for (const Op& op : program.regions[static_cast<std::size_t>(n.region)].ops) {
            if (op.ref) memory(*op.ref);
            all(op.scalars);
        }
    }
    void operator()(const Scope&) const {}
    void operator()(const UseRing&) const {}
};

}  // namespace

void for_each_expr(const Program& program, const Block& block,
                   const std::function<void(ExprId)>& visit) {
    for (const Stmt& stmt : block) {
        std::visit(ExprVisitor{program, visit}, stmt.node);
        for_each_block(stmt, [&](const Block& body) { for_each_expr(program, body, visit); });
    }
}

bool decides_by_values(const Program& program) {
    const auto is_smem = [&](const MemoryRef& ref) {
        return ref.buffer != none &&
               program.buffers[static_cast<std::size_t>(ref.buffer)].space == Space::smem;
    };
    return std::any_of(program.copies.begin(), program.copies.end(), [&](const Copy& copy) {
        const bool is_input =
            copy.source.operand != none &&
            program.operands[static_cast<std::size_t>(copy.source.operand)].direction ==
                Direction::in;
        return is_smem(copy.target) && !is_smem(copy.source) && !is_input;
    });
}

}  // namespace slab::schedule
