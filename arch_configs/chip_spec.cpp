#include "arch_configs/chip_spec.hpp"

#include <algorithm>

namespace slab::arch {

int TilingSpec::rows(DType type) const {
    switch (bits(type)) {
        case 4:
            return rows_4bit;
        case 8:
            return rows_8bit;
        case 16:
            return rows_16bit;
        default:
            return rows_32bit;
    }
}

bool ChipSpec::multiplies(DType lhs, DType rhs) const {
    const auto& pairs = mxu.native_pairs;
    return std::find(pairs.begin(), pairs.end(), std::pair(lhs, rhs)) != pairs.end();
}

double ChipSpec::peak_flops(DType type) const {
    const auto rows = mxu.rows_per_cycle.find(type);
    if (!multiplies(type, type) || rows == mxu.rows_per_cycle.end()) return 0;
    const double macs_per_cycle = rows->second * mxu.count * mxu.dim * mxu.dim;
    return 2 * macs_per_cycle * clock.nominal_ghz * 1e9;
}

}  // namespace slab::arch
