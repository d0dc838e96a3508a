#pragma once

#include <cstdint>

#include "arch_configs/chip_spec.hpp"
#include "support/dtype.hpp"

namespace slab::sim::timing {

/// A dot of `batch` products [m, k] x [k, n] as the matrix units see it.
struct DotShape {
    std::int64_t batch = 1;
    std::int64_t m = 0, k = 0, n = 0;
    DType lhs = DType::bf16, rhs = DType::bf16;
    bool transposed = false;
    int passes = 1;
};

struct DotTime {
    double cycles = 0;  ///< weight loads and row streams over all units, without the result latency
    double first_load = 0;     ///< the load that nothing hides
    double latency = 0;        ///< last row in to last result out
    std::int64_t k_tiles = 0;  ///< partial results per output element
    std::int64_t n_tiles = 0;
};

/// Weight tiles of dim x dim, padded, shared by the units; rows stream through each; the load of
/// the next tile hides behind the stream of the previous one when that is longer. A single tile's
/// rows are split over the units.
DotTime dot_time(const DotShape& dot, const arch::MxuSpec& mxu);

}  // namespace slab::sim::timing
