#include "sim/timing/region.hpp"

#include <algorithm>

#include "sim/timing/jobs.hpp"

namespace slab::sim::timing {

double UnitCycles::longest() const {
    return std::max({mxu, vpu, eup, xlu, load, store});
}

UnitCycles& UnitCycles::operator+=(const UnitCycles& other) {
    mxu += other.mxu;
    vpu += other.vpu;
    eup += other.eup;
    xlu += other.xlu;
    load += other.load;
    store += other.store;
    return *this;
}

RegionTime schedule_region(const schedule::Region& region, const schedule::Program& program,
                           const arch::ChipSpec& chip) {
    const Dataflow flow = dataflow(region, program, chip.mxu);
    const Stages stages = fuse(flow, chip.vpu);
    const RegionTraffic traffic = region_traffic(flow, stages, program, chip);

    RegionTime time;
    time.cycles = list_schedule(make_jobs(flow, stages, traffic, chip), chip.vpu);
    time.busy = busy_cycles(traffic, chip);
    for (const Traffic& stage : traffic.stages) time.spilled_registers += stage.spilled_registers;
    return time;
}

}  // namespace slab::sim::timing
