#pragma once

#include <bit>
#include <cstdint>

#include "compiler/schedule/program.hpp"

namespace slab::schedule {

/// A scalar at run time in one 64-bit word: i32 and pred as an integer, f32 as the bits of a double
/// that holds a float.
using Word = std::int64_t;

inline double real_of(Word word) {
    return std::bit_cast<double>(word);
}
inline Word word_of(double real) {
    return std::bit_cast<Word>(real);
}
/// The i32 that an integer wraps to.
inline std::int64_t wrap_i32(std::int64_t value) {
    return static_cast<std::int32_t>(static_cast<std::uint64_t>(value));
}

/// What an element of an SMEM buffer is as a scalar.
constexpr ScalarType scalar_type(DType type) {
    if (type == DType::pred) return ScalarType::pred;
    return is_float(type) ? ScalarType::f32 : ScalarType::i32;
}

/// How many arguments an operation takes; 0 for constants and slots. Those of `element` depend on
/// its buffer.
int arity(ScalarOp op);

/// The value of `op` with result type `type` on arguments of type `arg_type` (that of the last one:
/// the first of `select` is a pred). i32 wraps, `div` floors, `mod` has the sign of the divisor, a
/// shift by less than 0 or more than 31 moves every bit out, f32 rounds each result, and a cast to
/// i32 truncates and saturates. An integer division by zero gives 0 and sets `divided_by_zero`.
/// Whether `aligned` keeps its promise is for the caller to see.
Word apply(ScalarOp op, ScalarType type, ScalarType arg_type, Word a, Word b, Word c,
           bool& divided_by_zero);

/// The value a constant has at run time.
Word constant_word(const ScalarExpr& expr);
/// The value a slot starts with.
Word initial_word(const Slot& slot);

}  // namespace slab::schedule
