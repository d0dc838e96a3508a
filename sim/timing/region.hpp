#pragma once

#include "arch_configs/chip_spec.hpp"
#include "compiler/schedule/program.hpp"

namespace slab::sim::timing {

/// Cycles per unit of a core's vector side; each is the time the unit needs at its full rate.
struct UnitCycles {
    double mxu = 0;
    double vpu = 0;
    double eup = 0;
    double xlu = 0;
    double load = 0;
    double store = 0;

    double longest() const;
    UnitCycles& operator+=(const UnitCycles& other);
};

struct RegionTime {
    double cycles = 0;  ///< from the first instruction to the last result
    UnitCycles busy;
    double spilled_registers = 0;  ///< values stored and loaded because the register file is full
};

/// Schedules one region as the core's compiler would, without DMA or waiting: dots on the matrix
/// units, everything else as passes over register tiles, overlapping where dependences and units
/// allow. The cost of this function does not depend on the block size.
RegionTime schedule_region(const schedule::Region& region, const schedule::Program& program,
                           const arch::ChipSpec& chip);

}  // namespace slab::sim::timing
