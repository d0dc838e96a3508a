#include <numeric>

#include "interp/run.hpp"

namespace slab::interp {

using schedule::ExprId;
using schedule::ScalarExpr;
using schedule::ScalarOp;

namespace {

/// SplitMix64.
std::uint64_t next(std::uint64_t& state) {
    std::uint64_t z = state += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

std::optional<Int> constant(const schedule::Program& program, ExprId id) {
    const ScalarExpr& expr = program.exprs[static_cast<std::size_t>(id)];
    if (expr.op != ScalarOp::constant) return std::nullopt;
    return expr.integer;
}

/// Every use of the axis variable becomes lo + (a (x - lo) + b) mod n; the axis itself counts on.
void shuffle(schedule::Program& program, const schedule::Axis& axis, std::uint64_t& random) {
    const auto lo = constant(program, axis.lo), hi = constant(program, axis.hi);
    if (!lo || !hi || *hi - *lo < 2 || *hi - *lo > 30000) return;
    const Int n = *hi - *lo;
    Int a = 1 + static_cast<Int>(next(random) % static_cast<std::uint64_t>(n));
    while (std::gcd(a, n) != 1) a = a % n + 1;
    const Int b = static_cast<Int>(next(random) % static_cast<std::uint64_t>(n));
    const std::size_t uses = program.exprs.size();
    const auto add = [&](ScalarExpr expr) {
        program.exprs.push_back(std::move(expr));
        return static_cast<ExprId>(program.exprs.size()) - 1;
    };
    const auto number = [&](Int value) {
        ScalarExpr expr;
        expr.integer = value;
        return add(expr);
    };
    const auto joined = [&](ScalarOp op, ExprId left, ExprId right) {
        ScalarExpr expr;
        expr.op = op;
        expr.args = {left, right};
        return expr;
    };
    ScalarExpr count;
    count.op = ScalarOp::slot;
    count.slot = axis.slot;
    const ExprId from_zero = add(joined(ScalarOp::sub, add(count), axis.lo));
    const ExprId line =
        add(joined(ScalarOp::add, add(joined(ScalarOp::mul, from_zero, number(a))), number(b)));
    const ExprId place = add(joined(ScalarOp::mod, line, number(n)));
    for (std::size_t i = 0; i < uses; ++i)
        if (program.exprs[i].op == ScalarOp::slot && program.exprs[i].slot == axis.slot)
            program.exprs[i] = joined(ScalarOp::add, place, axis.lo);
}

void shuffle(schedule::Program& program, const schedule::Block& block, std::uint64_t& random) {
    for (const schedule::Stmt& stmt : block) {
        if (const auto* grid = std::get_if<schedule::Pipeline>(&stmt.node))
            for (const schedule::Axis& axis : grid->axes)
                if (axis.parallel) shuffle(program, axis, random);
        schedule::for_each_block(
            stmt, [&](const schedule::Block& inner) { shuffle(program, inner, random); });
    }
}

}  // namespace

schedule::Program shuffled(const schedule::Program& program, std::uint64_t seed) {
    schedule::Program result = program;
    if (seed != 0) shuffle(result, program.body, seed);
    return result;
}

}  // namespace slab::interp
