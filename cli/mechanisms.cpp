#include "cli/mechanisms.hpp"

namespace slab::cli {

using arch::ChipSpec;

const std::vector<Mechanism>& mechanisms() {
    // what is divided by cannot be 0, and what there is no end of is only very large
    constexpr double no_limit = 1e6;
    static const std::vector<Mechanism> table = {
        {"latency", "a read reaches HBM one latency after its issue",
         [](ChipSpec& chip) { chip.dma.latency_us = 0; }},
        {"write-latency", "a write is acknowledged later",
         [](ChipSpec& chip) { chip.dma.write_latency_fraction = 0; }},
        {"issue", "each copy takes scalar slots",
         [](ChipSpec& chip) { chip.dma.pipeline_issue_us = chip.dma.manual_issue_us = 0; }},
        {"runs", "short contiguous runs waste HBM",
         [](ChipSpec& chip) { chip.dma.run_overhead_bytes = 0; }},
        {"streams", "streams reach a part of the nominal bandwidth",
         [](ChipSpec& chip) { chip.hbm.stream_efficiency = 1; }},
        {"steps", "control of steps, branches and loops",
         [](ChipSpec& chip) {
             chip.scalar.step_us = chip.scalar.branch_us = chip.scalar.loop_iteration_us = 0;
         }},
        {"launch", "a launch costs a fixed time",
         [](ChipSpec& chip) { chip.launch.kernel_us = 0; }},
        {"weights", "weight tiles are loaded before rows stream",
         [](ChipSpec& chip) {
             chip.mxu.weight_load_cycles = chip.mxu.weight_load_transposed_cycles = 0;
         }},
        {"results", "results leave the arrays late",
         [](ChipSpec& chip) { chip.mxu.result_latency_cycles = 0; }},
        {"row-blocks", "dots go through their rows in blocks",
         [](ChipSpec& chip) { chip.mxu.row_block = 1'000'000; }},
        {"accumulation", "partial sums go through VMEM where arrays do not keep them",
         [](ChipSpec& chip) {
             chip.mxu.accumulate_in_place = true;
             chip.mxu.accumulator_rows = 1'000'000;
         }},
        {"spills", "values beyond the register file go through VMEM",
         [](ChipSpec& chip) { chip.vpu.registers = 65536; }},
        {"slots", "bundles leave some slots of loads and stores empty",
         [](ChipSpec& chip) { chip.vpu.slot_efficiency = 1; }},
        {"lookahead", "operations are placed in order, so many ahead",
         [](ChipSpec& chip) { chip.vpu.lookahead_ops = 1'000'000; }},
        {"eup", "exponentials and the like have one unit",
         [](ChipSpec& chip) { chip.vpu.eup_per_cycle = 64; }},
        {"xlu", "lanes are crossed by units of their own",
         [](ChipSpec& chip) { chip.xlu.cycles_per_op = 0.01; }},
        {"vector-latency", "vector results come later",
         [](ChipSpec& chip) {
             chip.vpu.valu_latency_cycles = chip.vpu.eup_latency_cycles = 0;
             chip.xlu.latency_cycles = chip.vmem.load_latency_cycles = 0;
         }},
        {"ports", "copies take ports of VMEM from the core",
         [](ChipSpec& chip) { chip.vmem.dma_bytes_per_cycle = no_limit; }},
        {"power", "long matrix work is slowed by its power",
         [](ChipSpec& chip) {
             chip.mxu.sustained_share_zeros = chip.mxu.sustained_share_random = 1;
         }},
    };
    return table;
}

std::vector<std::string> mechanism_names() {
    std::vector<std::string> names;
    for (const Mechanism& one : mechanisms()) names.push_back(one.name);
    return names;
}

ChipSpec without(const std::string& name, ChipSpec chip) {
    for (const Mechanism& one : mechanisms())
        if (one.name == name) one.remove(chip);
    return chip;
}

}  // namespace slab::cli
