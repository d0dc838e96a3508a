#include "compiler/schedule/scalar.hpp"

#include <cmath>
#include <limits>

#include "support/check.hpp"

namespace slab::schedule {

namespace {

Word rounded(double value) {
    return word_of(static_cast<float>(value));
}

Word shift_left(Word a, Word amount) {
    if (amount < 0 || amount > 31) return 0;
    return wrap_i32(static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << amount));
}

Word shift_right(Word a, Word amount) {
    if (amount < 0 || amount > 31) return a < 0 ? -1 : 0;
    return a >> amount;
}

Word floor_div(Word a, Word b, bool& divided_by_zero) {
    if (b == 0) {
        divided_by_zero = true;
        return 0;
    }
    const Word quotient = a / b;
    return wrap_i32(quotient - (a % b != 0 && (a < 0) != (b < 0)));
}

Word floor_mod(Word a, Word b, bool& divided_by_zero) {
    if (b == 0) {
        divided_by_zero = true;
        return 0;
    }
    const Word rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

Word on_integers(ScalarOp op, Word a, Word b, bool& divided_by_zero) {
    switch (op) {
        case ScalarOp::add:
            return wrap_i32(a + b);
        case ScalarOp::sub:
            return wrap_i32(a - b);
        case ScalarOp::mul:
            return wrap_i32(a * b);
        case ScalarOp::div:
            return floor_div(a, b, divided_by_zero);
        case ScalarOp::mod:
            return floor_mod(a, b, divided_by_zero);
        case ScalarOp::min:
            return a < b ? a : b;
        case ScalarOp::max:
            return a > b ? a : b;
        case ScalarOp::neg:
            return wrap_i32(-a);
        case ScalarOp::abs:
            return wrap_i32(a < 0 ? -a : a);
        case ScalarOp::eq:
            return a == b;
        case ScalarOp::ne:
            return a != b;
        case ScalarOp::lt:
            return a < b;
        case ScalarOp::le:
            return a <= b;
        case ScalarOp::gt:
            return a > b;
        case ScalarOp::ge:
            return a >= b;
        case ScalarOp::land:
            return a != 0 && b != 0;
        case ScalarOp::lor:
            return a != 0 || b != 0;
        case ScalarOp::lnot:
            return a == 0;
        case ScalarOp::band:
            return a & b;
        case ScalarOp::bor:
            return a | b;
        case ScalarOp::bxor:
            return a ^ b;
        case ScalarOp::shl:
            return shift_left(a, b);
        case ScalarOp::shr:
            return shift_right(a, b);
        case ScalarOp::aligned:
            return a;
        default:
            break;
    }
    report_bug(__FILE__, __LINE__, "a scalar operation without a meaning on integers");
}

Word on_reals(ScalarOp op, double a, double b) {
    switch (op) {
        case ScalarOp::add:
            return rounded(a + b);
        case ScalarOp::sub:
            return rounded(a - b);
        case ScalarOp::mul:
            return rounded(a * b);
        case ScalarOp::div:
            return rounded(a / b);
        case ScalarOp::mod:
            return rounded(a - std::floor(a / b) * b);
        case ScalarOp::min:
            return word_of(std::isnan(a) || a < b ? a : b);
        case ScalarOp::max:
            return word_of(std::isnan(a) || a > b ? a : b);
        case ScalarOp::neg:
            return word_of(-a);
        case ScalarOp::abs:
            return word_of(std::fabs(a));
        case ScalarOp::eq:
            return a == b;
        case ScalarOp::ne:
            return a != b;
        case ScalarOp::lt:
            return a < b;
        case ScalarOp::le:
            return a <= b;
        case ScalarOp::gt:
            return a > b;
        case ScalarOp::ge:
            return a >= b;
        default:
            break;
    }
    report_bug(__FILE__, __LINE__, "a scalar operation without a meaning on f32");
}

Word truncated(double value) {
    if (std::isnan(value)) return 0;
    if (value <= std::numeric_limits<std::int32_t>::min())
        return std::numeric_limits<std::int32_t>::min();
    if (value >= std::numeric_limits<std::int32_t>::max())
        return std::numeric_limits<std::int32_t>::max();
    return static_cast<Word>(value);
}

Word cast(ScalarType to, ScalarType from, Word value) {
    if (to == from) return value;
    if (from == ScalarType::f32)
        return to == ScalarType::i32 ? truncated(real_of(value)) : real_of(value) != 0;
    if (to == ScalarType::f32) return rounded(static_cast<double>(value));
    return to == ScalarType::pred ? value != 0 : value;
}

}  // namespace

int arity(ScalarOp op) {
    switch (op) {
        case ScalarOp::constant:
        case ScalarOp::slot:
            return 0;
        case ScalarOp::neg:
        case ScalarOp::abs:
        case ScalarOp::lnot:
        case ScalarOp::cast:
            return 1;
        case ScalarOp::select:
            return 3;
        default:
            return 2;
    }
}

Word apply(ScalarOp op, ScalarType type, ScalarType arg_type, Word a, Word b, Word c,
           bool& divided_by_zero) {
    if (op == ScalarOp::select) return a != 0 ? b : c;
    if (op == ScalarOp::cast) return cast(type, arg_type, a);
    if (arg_type == ScalarType::f32) return on_reals(op, real_of(a), real_of(b));
    return on_integers(op, a, b, divided_by_zero);
}

Word constant_word(const ScalarExpr& expr) {
    if (expr.type == ScalarType::f32) return rounded(expr.real);
    return expr.type == ScalarType::pred ? expr.integer != 0 : wrap_i32(expr.integer);
}

Word initial_word(const Slot& slot) {
    if (slot.type == ScalarType::f32) return rounded(slot.real);
    return slot.type == ScalarType::pred ? slot.integer != 0 : wrap_i32(slot.integer);
}

}  // namespace slab::schedule
