#pragma once

#include <vector>

#include "arch_configs/chip_spec.hpp"
#include "sim/simulate.hpp"

namespace slab::sim {

/// What HBM achieves when nothing else holds the copies up, in GB/s, for contiguous runs of one
/// length.
struct HbmRates {
    double run_bytes = 0;
    double read = 0;
    double write = 0;
    double copy = 0;   ///< inside HBM: bytes read and written
    double pages = 0;  ///< reads, with a copy for each run
};

/// The rates of runs from 64 B to 1 MiB, by the copies of a DMA engine.
std::vector<HbmRates> hbm_rates(const arch::ChipSpec& chip, HbmModel model);

}  // namespace slab::sim
