#include "compiler/scalars.hpp"

#include <catch2/catch.hpp>

#include "compiler/schedule/print.hpp"
#include "kernels.hpp"

using namespace slab;
using compiler::affine;
using compiler::multiple_of;
using compiler::range_of;
using compiler::Scalars;
using schedule::collect_slots;
using schedule::ExprId;
using schedule::ScalarOp;
using schedule::ScalarType;
using Int = std::int64_t;

namespace {

/// A unit with slots i in 0..9 (exact), j in 0..3, and v, of which nothing is known.
struct Fixture {
    dsl::ast::File file;
    dsl::ast::Kernel kernel;
    arch::ChipSpec chip;
    compiler::Settings settings;
    SourceFile source;
    compiler::Unit unit{file, kernel, chip, settings, source};
    Scalars scalars{unit.program};
    ExprId i = slot("i", {0, 9, true, true});
    ExprId j = slot("j", {0, 3, true, false});
    ExprId v = slot("v", {});

    ExprId slot(const std::string& name, compiler::Range range) {
        unit.program.slots.push_back({name, ScalarType::i32, 0, 0});
        unit.ranges.push_back(range);
        return scalars.slot(static_cast<schedule::SlotId>(unit.program.slots.size()) - 1);
    }
    ExprId c(Int value) { return scalars.constant(value); }
    ExprId make(ScalarOp op, ExprId a, ExprId b) {
        return scalars.make(op, ScalarType::i32, {a, b});
    }
    std::pair<Int, Int> range(ExprId id) {
        const compiler::Range r = range_of(unit, id);
        REQUIRE(r.known);
        return {r.lo, r.hi};
    }
};

}  // namespace

TEST_CASE_METHOD(Fixture,
                 "equal expressions are one, and constants fold as the scalar unit would") {
    CHECK(make(ScalarOp::add, i, c(3)) == make(ScalarOp::add, i, c(3)));
    CHECK(make(ScalarOp::add, c(2), c(3)) == c(5));
    CHECK(make(ScalarOp::div, c(-7), c(2)) == c(-4));
    CHECK(make(ScalarOp::mod, c(-7), c(2)) == c(1));
    CHECK(make(ScalarOp::shl, c(3), c(4)) == c(48));
    CHECK(make(ScalarOp::mul, c(2147483647), c(2)) == c(-2));
    CHECK(c(Int{1} << 32) == c(0));
    CHECK(scalars.make(ScalarOp::lt, ScalarType::pred, {c(1), c(2)}) == scalars.truth(true));
    CHECK(scalars.make(ScalarOp::lnot, ScalarType::pred, {scalars.truth(true)}) ==
          scalars.truth(false));
    CHECK(scalars.make(ScalarOp::add, ScalarType::f32, {scalars.real(1.5), scalars.real(2)}) ==
          scalars.real(3.5));
    CHECK(scalars.make(ScalarOp::cast, ScalarType::i32, {scalars.real(-2.7)}) == c(-2));
}

TEST_CASE_METHOD(Fixture, "a division by the constant zero is left to the run") {
    CHECK_FALSE(scalars.known(make(ScalarOp::div, c(1), c(0))));
    CHECK_FALSE(scalars.known(make(ScalarOp::mod, c(1), c(0))));
}

TEST_CASE_METHOD(Fixture, "neutral operands vanish") {
    CHECK(make(ScalarOp::add, i, c(0)) == i);
    CHECK(make(ScalarOp::add, c(0), i) == i);
    CHECK(make(ScalarOp::sub, i, c(0)) == i);
    CHECK(make(ScalarOp::mul, i, c(1)) == i);
    CHECK(make(ScalarOp::mul, c(0), i) == c(0));
    CHECK(make(ScalarOp::div, i, c(1)) == i);
    CHECK(make(ScalarOp::mod, i, c(1)) == c(0));
    const ExprId test = scalars.make(ScalarOp::lt, ScalarType::pred, {i, j});
    const auto join = [&](ScalarOp op, bool value) {
        return scalars.make(op, ScalarType::pred, {test, scalars.truth(value)});
    };
    CHECK(join(ScalarOp::land, true) == test);
    CHECK(join(ScalarOp::land, false) == scalars.truth(false));
    CHECK(join(ScalarOp::lor, false) == test);
    CHECK(join(ScalarOp::lor, true) == scalars.truth(true));
    CHECK(scalars.make(ScalarOp::select, ScalarType::i32, {scalars.truth(true), i, j}) == i);
}

TEST_CASE_METHOD(Fixture, "an affine form collects what a slot is multiplied with") {
    const ExprId sum = make(ScalarOp::sub, make(ScalarOp::mul, make(ScalarOp::add, i, c(2)), c(8)),
                            make(ScalarOp::add, i, j));
    const auto form = affine(unit.program, sum);
    REQUIRE(form);
    CHECK(form->constant == 16);
    CHECK(form->terms == std::map<schedule::SlotId, Int>{{0, 7}, {1, -1}});
    CHECK(affine(unit.program, make(ScalarOp::sub, i, i))->terms.empty());
    CHECK_FALSE(affine(unit.program, make(ScalarOp::mul, i, j)));
    CHECK_FALSE(affine(unit.program, make(ScalarOp::div, i, c(2))));
    CHECK_FALSE(affine(unit.program, make(ScalarOp::mod, i, c(2))));
}

TEST_CASE_METHOD(Fixture, "coefficients that leave 64 bits are no affine form") {
    ExprId expr = i;
    for (int round = 0; round < 3; ++round) expr = make(ScalarOp::mul, expr, c(2000000000));
    CHECK_FALSE(affine(unit.program, expr));
    CHECK_FALSE(range_of(unit, expr).known);
}

TEST_CASE_METHOD(Fixture, "ranges follow the arithmetic") {
    CHECK(range(make(ScalarOp::add, i, j)) == std::pair<Int, Int>{0, 12});
    CHECK(range(make(ScalarOp::sub, i, j)) == std::pair<Int, Int>{-3, 9});
    CHECK(range(make(ScalarOp::mul, i, c(-8))) == std::pair<Int, Int>{-72, 0});
    CHECK(range(make(ScalarOp::mul, i, j)) == std::pair<Int, Int>{0, 27});
    CHECK(range(make(ScalarOp::min, i, c(4))) == std::pair<Int, Int>{0, 4});
    CHECK(range(make(ScalarOp::max, i, c(4))) == std::pair<Int, Int>{4, 9});
    CHECK(range(make(ScalarOp::div, i, c(4))) == std::pair<Int, Int>{0, 2});
    CHECK(range(make(ScalarOp::mod, i, c(4))) == std::pair<Int, Int>{0, 3});
    CHECK(range(make(ScalarOp::mod, j, c(8))) == std::pair<Int, Int>{0, 3});
    CHECK_FALSE(range_of(unit, make(ScalarOp::add, i, v)).known);
    CHECK_FALSE(range_of(unit, make(ScalarOp::div, i, j)).known);
}

TEST_CASE_METHOD(Fixture, "multiples come from factors and from promises") {
    CHECK(multiple_of(unit, c(48)) == 48);
    CHECK(multiple_of(unit, c(0)) == 0);
    CHECK(multiple_of(unit, v) == 1);
    CHECK(multiple_of(unit, make(ScalarOp::mul, v, c(24))) == 24);
    CHECK(multiple_of(unit, make(ScalarOp::add, make(ScalarOp::mul, v, c(24)), c(16))) == 8);
    CHECK(multiple_of(unit, make(ScalarOp::div, make(ScalarOp::mul, v, c(24)), c(2))) == 1);
    unit.aligned[v] = 16;
    CHECK(multiple_of(unit, v) == 16);
    CHECK(multiple_of(unit, make(ScalarOp::mul, v, c(3))) == 48);
}

TEST_CASE_METHOD(Fixture, "expressions that share their parts are looked at once") {
    ExprId shared = make(ScalarOp::mul, i, j);
    for (int round = 0; round < 200; ++round)
        shared = make(ScalarOp::max, shared, make(ScalarOp::min, shared, v));
    CHECK_FALSE(range_of(unit, shared).known);
    CHECK(multiple_of(unit, shared) == 1);
    CHECK_FALSE(affine(unit.program, shared));
    std::vector<bool> slots(unit.program.slots.size(), false);
    collect_slots(unit.program, shared, slots);
    CHECK(slots == std::vector<bool>{true, true, true});
    CHECK(scalars.depth(shared) == 401);
}
