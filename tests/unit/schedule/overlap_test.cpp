#include "compiler/schedule/overlap.hpp"

#include <catch2/catch.hpp>

using namespace slab::schedule;

namespace {

struct Refs {
    Program program;

    ExprId constant(std::int64_t value) {
        ScalarExpr expr;
        expr.integer = value;
        program.exprs.push_back(expr);
        return static_cast<ExprId>(program.exprs.size()) - 1;
    }
    ExprId slot(SlotId id) {
        ScalarExpr expr;
        expr.op = ScalarOp::slot;
        expr.slot = id;
        program.exprs.push_back(expr);
        return static_cast<ExprId>(program.exprs.size()) - 1;
    }
    ExprId add(ExprId a, ExprId b) {
        ScalarExpr expr;
        expr.op = ScalarOp::add;
        expr.args = {a, b};
        program.exprs.push_back(expr);
        return static_cast<ExprId>(program.exprs.size()) - 1;
    }
    static MemoryRef rows(ExprId start, std::int64_t size, BufferId buffer = 0) {
        MemoryRef ref;
        ref.buffer = buffer;
        ref.dims = {{start, slab::schedule::none, size}};
        return ref;
    }
};

}  // namespace

TEST_CASE("references with constant starts are compared as ranges") {
    Refs r;
    const MemoryRef low = Refs::rows(r.constant(0), 8);
    CHECK(overlap(low, Refs::rows(r.constant(0), 8), r.program) == Overlap::same);
    CHECK(overlap(low, Refs::rows(r.constant(8), 8), r.program) == Overlap::apart);
    CHECK(overlap(low, Refs::rows(r.constant(7), 8), r.program) == Overlap::some);
    CHECK(overlap(low, Refs::rows(r.constant(0), 4), r.program) == Overlap::some);
    CHECK(overlap(low, Refs::rows(r.constant(0), 8, 1), r.program) == Overlap::apart);
}

TEST_CASE("an unknown start overlaps everything but itself plus a constant") {
    Refs r;
    const ExprId i = r.slot(0);
    const MemoryRef at_i = Refs::rows(i, 8);
    CHECK(overlap(at_i, Refs::rows(i, 8), r.program) == Overlap::same);
    CHECK(overlap(at_i, Refs::rows(r.constant(64), 8), r.program) == Overlap::some);
    CHECK(overlap(at_i, Refs::rows(r.slot(1), 8), r.program) == Overlap::some);
    CHECK(overlap(at_i, Refs::rows(r.add(i, r.constant(8)), 8), r.program) == Overlap::apart);
    CHECK(overlap(at_i, Refs::rows(r.add(r.constant(4), i), 8), r.program) == Overlap::some);
}
