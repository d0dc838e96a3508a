#include "sim/core_totals.hpp"

#include <map>
#include <vector>

namespace slab::sim {

namespace {

using schedule::OpClass;

/// The type at whose rate the arrays multiply: the wider of the two operands, or bf16, in which
/// other types are multiplied in passes.
DType rate_type(const schedule::Region& region, const schedule::Op& dot,
                const arch::ChipSpec& chip) {
    const DType lhs = region.values[static_cast<std::size_t>(dot.args[0])].type;
    const DType rhs = region.values[static_cast<std::size_t>(dot.args[1])].type;
    const DType wider = bits(lhs) >= bits(rhs) ? lhs : rhs;
    return chip.peak_flops(wider) > 0 ? wider : DType::bf16;
}

/// 2 m n k, times the batch.
double dot_flops(const schedule::Region& region, const schedule::Op& dot) {
    const auto& lhs = region.values[static_cast<std::size_t>(dot.args[0])].shape;
    const auto& result = region.values[static_cast<std::size_t>(dot.result)].shape;
    double flops = 2.0 * static_cast<double>(lhs.back());
    for (std::int64_t size : result) flops *= static_cast<double>(size);
    return flops;
}

/// Adds the flops of the regions that ran, and what they would take at the peak.
void add_flops(CoreTotals& totals, const std::vector<std::int64_t>& executions, const Job& job) {
    std::map<DType, double> by_type;
    for (std::size_t i = 0; i < executions.size(); ++i) {
        const schedule::Region& region = job.program.regions[i];
        totals.flops += executions[i] * region.flops;
        for (const schedule::Op& op : region.ops)
            if (op.cls == OpClass::dot)
                by_type[rate_type(region, op, job.chip)] +=
                    static_cast<double>(executions[i]) * dot_flops(region, op);
    }
    totals.peak_flops = job.chip.peak_flops(DType::bf16);
    double most = 0;
    for (const auto& [type, flops] : by_type) {
        const double peak = job.chip.peak_flops(type);
        if (peak > 0) totals.peak_flop_time_us += flops / peak * 1e6;
        if (flops <= most) continue;
        totals.peak_flops = peak;
        most = flops;
    }
}

}  // namespace

CoreTotals totals(const TensorCore& core, const Hbm& hbm, const Ici& ici, std::int32_t member,
                  const Job& job) {
    CoreTotals totals;
    const Sequencer& sequencer = core.sequencer;
    totals.time = sequencer.local_time();
    totals.launch = CoreClock::from_us(job.chip.launch.kernel_us);
    totals.control = sequencer.control_time();
    totals.issue = sequencer.issue_time();
    totals.hbm_service = hbm.service_time();
    totals.units = core.units.use();
    totals.copy_wait = sequencer.waited();
    if (sequencer.finished() && !sequencer.stop() && core.dma.last_done() > totals.time) {
        totals.tail = core.dma.last_done() - totals.time;
        totals.copy_wait += totals.tail;
        totals.time = core.dma.last_done();
    }
    if (!job.program.mesh.empty()) totals.ici = ici.busiest_link(member);
    for (const Sequencer::CopyUse& stream : sequencer.streams()) totals.hbm_bytes += stream.bytes;
    for (std::size_t i = 0; i < job.program.copies.size(); ++i) {
        const schedule::Copy& copy = job.program.copies[i];
        const std::int64_t bytes = sequencer.copies()[i].bytes;
        if (copy.source.operand != schedule::none) totals.hbm_bytes += bytes;
        if (copy.target.operand != schedule::none)
            totals.hbm_bytes +=
                copy.is_remote() ? core.dma.received(static_cast<schedule::CopyId>(i)) : bytes;
    }
    add_flops(totals, core.units.executions(), job);
    return totals;
}

}  // namespace slab::sim
