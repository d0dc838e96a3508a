#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/dtype.hpp"

/// What a chip is: plain numbers per unit, all per TensorCore, as arch_configs/<chip>.json gives
/// them. Each number's meaning, unit, status and source stand in the JSON and in
/// arch_configs/README.md; here are only the shapes.
namespace slab::arch {

struct ClockSpec {
    double nominal_ghz = 0;    ///< the clock of the vendor's peak figures
    double sustained_ghz = 0;  ///< what measured long runs show; equal to nominal where unknown
};

/// The matrix units of one core: `count` arrays of `dim` x `dim`.
struct MxuSpec {
    int count = 0;
    int dim = 0;
    /// LHS rows one array takes per cycle, by the wider operand type of a native pair.
    std::map<DType, double> rows_per_cycle;
    /// Operand pairs (lhs, rhs) the arrays multiply without conversion.
    std::vector<std::pair<DType, DType>> native_pairs;
    double weight_load_cycles = 0;  ///< one dim x dim tile of a 16-bit type into the array
    double weight_load_transposed_cycles = 0;  ///< the same for a transposed right operand
    double result_latency_cycles = 0;          ///< from the last row in to its result out
    /// True: partial sums over k stay in the array's accumulators and are popped once. False: each
    /// k tile's result is popped, added by the VPU and stored.
    bool accumulate_in_place = false;
    int row_block = 0;  ///< rows that go through all tiles of a dot before the next rows do
    int accumulator_rows =
        0;  ///< rows of `dim` f32 one array can hold (0 without in-place accumulation)
    int passes_bf16x3 = 0;  ///< bf16 passes of an f32 dot at prec "bf16x3"
    int passes_f32 = 0;     ///< bf16 passes of an f32 dot at prec "f32"
    /// The share of the peak that power allows for long at the sustained clock, by what the
    /// operands hold. A floor under the time of a region, not a slower clock.
    double sustained_share_zeros = 0;
    double sustained_share_random = 0;
};

/// Vector slots of one instruction bundle. An operation covers one (sublanes, lanes) register of
/// 32-bit elements.
struct VpuSpec {
    int lanes = 0;
    int sublanes = 0;
    int registers = 0;
    bool native_16bit = false;  ///< arithmetic on packed 16-bit registers
    double valu_slots = 0;
    double valu_latency_cycles = 0;
    double load_slots = 0;
    double store_slots = 0;
    double result_pop_slots = 0;
    double slot_efficiency = 0;  ///< the share of load and store slots a schedule can fill
    double resident_share = 0;   ///< of the register file: whole values that stay between passes
    double held_share = 0;       ///< of the register file: rows that wait for the next pass
    double eup_per_cycle = 0;
    double eup_latency_cycles = 0;
    int lookahead_ops =
        0;  ///< how many block operations ahead of the oldest unfinished one may issue
};

struct XluSpec {
    int count = 0;
    double cycles_per_op = 0;  ///< one register in one unit
    double latency_cycles =
        0;  ///< until the result of a lane reduction, broadcast or transpose can be used
};

struct VmemSpec {
    std::int64_t bytes = 0;
    std::int64_t scoped_limit_bytes =
        0;  ///< the compiler's default limit; `limit vmem` may raise it to `bytes`
    double load_latency_cycles = 0;
    int banks = 0;
    double dma_bytes_per_cycle = 0;  ///< what a DMA takes of a load or store port
};

struct SmemSpec {
    std::int64_t bytes = 0;
};

/// Control on the core's own time.
struct ScalarSpec {
    double step_us = 0;    ///< loop control and window evaluation of one grid step
    double branch_us = 0;  ///< a branch on a run-time scalar
    double loop_iteration_us = 0;
};

struct DmaSpec {
    double latency_us = 0;  ///< from issue to the first byte
    double write_latency_fraction =
        0;  ///< the share of `latency_us` a write to HBM takes until it is seen complete
    double pipeline_issue_us = 0;   ///< core time of one descriptor in a pipeline
    double manual_issue_us = 0;     ///< core time of one hand-written copy, start and wait together
    double run_overhead_bytes = 0;  ///< a run of r bytes costs as much as r + this
};

struct HbmSpec {
    std::int64_t bytes = 0;
    double bandwidth_gb_per_s = 0;
    double stream_efficiency =
        0;  ///< the share long streams reach (refresh, read/write turnaround)
};

/// The banks behind HBM, for `--hbm banked`: pseudo-channels that work side by side, each with rows
/// that are opened (activated), read or written in bursts, and closed (precharged).
struct DramSpec {
    int channels = 0;  ///< pseudo-channels; together they make the bandwidth of HBM
    double burst_bytes = 0;
    double row_bytes = 0;         ///< of one bank
    double interleave_bytes = 0;  ///< so many consecutive bytes lie in one channel
    int banks = 0;                ///< of a channel
    int bank_groups = 0;          ///< of a channel; bursts in one group follow more slowly
    double queue_bursts = 0;      ///< that a channel may reorder, of each direction
    double tccd_l_ns = 0;         ///< from burst to burst in one bank group
    double trcd_ns = 0;           ///< from an activation to its first burst
    double trp_ns = 0;            ///< from a precharge to the next activation
    double trc_ns = 0;            ///< from activation to activation in one bank
    double trrd_ns = 0;           ///< from activation to activation in a channel
    double tfaw_ns = 0;           ///< in which a channel makes at most four activations
    double trtp_ns = 0;           ///< from a read to the precharge
    double twr_ns = 0;            ///< from the end of written data to the precharge
    double trl_ns = 0;            ///< from a read to its data
    double twl_ns = 0;            ///< from a write to its data
    double twtr_ns = 0;           ///< from the end of written data to a read
    double trtw_ns = 0;           ///< from the end of read data to written data
    double trfc_ns = 0;           ///< a refresh of all banks
    double trefi_ns = 0;          ///< from refresh to refresh
};

struct LaunchSpec {
    double kernel_us = 0;  ///< fixed cost of a kernel besides its first DMA
};

struct IciSpec {
    int links = 0;
    int dimensions = 0;        ///< of the torus
    double link_gb_per_s = 0;  ///< usable, one way
    double hop_latency_us = 0;
};

/// Rows of an HBM and VMEM tile (rows x lanes) by element width.
struct TilingSpec {
    int rows_32bit = 0;
    int rows_16bit = 0;
    int rows_8bit = 0;
    int rows_4bit = 0;

    int rows(DType type) const;
};

struct ChipSpec {
    std::string name;
    std::string title;  ///< as messages spell it
    std::vector<std::string> aliases;
    int generation = 0;
    int cores_per_chip = 0;
    ClockSpec clock;
    MxuSpec mxu;
    VpuSpec vpu;
    XluSpec xlu;
    VmemSpec vmem;
    SmemSpec smem;
    ScalarSpec scalar;
    DmaSpec dma;
    HbmSpec hbm;
    DramSpec dram;
    LaunchSpec launch;
    IciSpec ici;
    TilingSpec tiling;

    bool multiplies(DType lhs, DType rhs) const;
    /// Nominal peak of one core for a native operand type, in flop/s; 0 when the type is not
    /// native.
    double peak_flops(DType type) const;
};

}  // namespace slab::arch
