#include "sim/memory/hbm.hpp"

#include "sim/memory/banked_hbm.hpp"
#include "sim/memory/fluid_hbm.hpp"

namespace slab::sim {

std::unique_ptr<Hbm> make_hbm(const char* name, const arch::ChipSpec& chip, HbmModel model) {
    if (model == HbmModel::banked) return std::make_unique<BankedHbm>(name, chip.hbm, chip.dram);
    return std::make_unique<FluidHbm>(name, chip.hbm, chip.dma.run_overhead_bytes);
}

}  // namespace slab::sim
