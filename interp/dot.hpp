#pragma once

#include "interp/block.hpp"

namespace slab::interp {

/// The product of two blocks as the matrix units compute it: [batch…, m, k] by [batch…, k, n], or
/// by [batch…, n, k] when `transposed`. Each element is a sum along k in ascending order, of floats
/// in f32, of integers in i32, which wraps. f32 operands are split into bf16 parts; the products of
/// `passes` pairs of parts (1, 3 or 6) are summed apart and added, smallest first. An undefined
/// element of a row or column makes all that it meets undefined.
Block dot(const Block& left, const Block& right, bool transposed, int passes);

}  // namespace slab::interp
