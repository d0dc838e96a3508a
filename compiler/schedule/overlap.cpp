#include "compiler/schedule/overlap.hpp"

#include <algorithm>

namespace slab::schedule {

namespace {

/// `base` + `offset`; base is `none` for a constant.
struct Start {
    ExprId base = none;
    std::int64_t offset = 0;
};

Start start_of(ExprId id, const Program& program) {
    Start start{id, 0};
    while (start.base != none) {
        const ScalarExpr& expr = program.exprs[start.base];
        if (expr.op == ScalarOp::constant) return {none, start.offset + expr.integer};
        if (expr.op != ScalarOp::add || expr.args.size() != 2) break;
        const bool right = program.exprs[expr.args[1]].op == ScalarOp::constant;
        const bool left = program.exprs[expr.args[0]].op == ScalarOp::constant;
        if (!left && !right) break;
        start.offset += program.exprs[expr.args[right ? 1 : 0]].integer;
        start.base = expr.args[right ? 0 : 1];
    }
    return start;
}

Overlap overlap(const RefDim& a, const RefDim& b, const Program& program) {
    if (a.live != none || b.live != none) return Overlap::some;
    const Start from = start_of(a.start, program);
    const Start to = start_of(b.start, program);
    if (from.base != to.base) return Overlap::some;
    if (from.offset == to.offset && a.size == b.size && (a.step == b.step || a.size == 1))
        return a.dropped == b.dropped ? Overlap::same : Overlap::some;
    const std::int64_t a_last = from.offset + (a.size - 1) * a.step;
    const std::int64_t b_last = to.offset + (b.size - 1) * b.step;
    return a_last < to.offset || b_last < from.offset ? Overlap::apart : Overlap::some;
}

}  // namespace

Overlap overlap(const MemoryRef& a, const MemoryRef& b, const Program& program) {
    if (a.buffer != b.buffer) return Overlap::apart;
    if (a.dims.size() != b.dims.size() || a.copy != b.copy) return Overlap::some;
    Overlap result = a.views == b.views ? Overlap::same : Overlap::some;
    for (std::size_t d = 0; d < a.dims.size(); ++d)
        result = std::min(result, overlap(a.dims[d], b.dims[d], program));
    return result;
}

}  // namespace slab::schedule
