#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/diagnostics.hpp"

/// What a simulation found, as plain numbers: the reports print it, the scorer compares it. No host
/// time is in it.
namespace slab::result {

/// A unit of the core and the cycles it was busy.
struct UnitUse {
    /// mxu vpu eup xlu load store; scalar: control; dma: issue of copies; hbm: payload at the
    /// nominal bandwidth; ici: the busiest link of a core in a mesh
    std::string name;
    std::string description;  ///< one phrase, e.g. "matrix units"
    double busy_cycles = 0;
    double busy_fraction = 0;  ///< of the kernel's time
    bool operator==(const UnitUse&) const = default;
};

/// What the core stood still for.
struct Wait {
    /// `fetch of a`, `write of c`, `copy of pages`, `ring kv`, `semaphore arrived`, `barrier`, and
    /// `copies at the end`, which nobody waits for; `launch`; `chain`: a region beyond its longest
    /// unit; `vmem ports`: DMA traffic held up loads or stores; `power`: the limit of sustained
    /// matrix work
    std::string cause;
    double cycles = 0;
    double fraction = 0;
    bool operator==(const Wait&) const = default;
};

/// What the kernel would take if one thing alone limited it.
struct RooflineTerm {
    std::string name;  ///< mxu vpu eup xlu load store hbm ici dma latency chain launch
    std::string description;
    double time_us = 0;
    bool operator==(const RooflineTerm&) const = default;
};

struct Roofline {
    std::string bound;    ///< the term that limits
    double time_us = 0;   ///< max(flops / peak, HBM bytes / bandwidth, executed work of each unit):
                          ///< nothing is faster
    double fraction = 0;  ///< time_us / simulated time
    double intensity_flop_per_byte = 0;
    double ridge_flop_per_byte = 0;  ///< where peak flops and HBM bandwidth meet
    double peak_tflops = 0;
    double peak_gb_per_s = 0;
    std::vector<RooflineTerm> terms;  ///< longest first
    bool operator==(const Roofline&) const = default;
};

struct VmemRow {
    std::string name;
    std::string role;  ///< window scratch ring live
    std::string type;  ///< `bf16[1024, 1024]`
    std::int64_t copies = 1;
    std::int64_t bytes = 0;       ///< all copies, in tiles
    double padding_fraction = 0;  ///< of the bytes that hold no element
    bool operator==(const VmemRow&) const = default;
};

struct VmemUse {
    std::int64_t bytes = 0;
    std::int64_t limit = 0;
    std::vector<VmemRow> rows;
    std::int64_t smem_bytes = 0;
    std::int64_t smem_limit = 0;
    bool operator==(const VmemUse&) const = default;
};

/// Bytes one operand moved.
struct Traffic {
    std::string operand;
    std::int64_t read_bytes = 0;
    std::int64_t written_bytes = 0;
    std::int64_t copies = 0;
    std::int64_t array_bytes = 0;
    std::int64_t small_copies = 0;  ///< below 4 KiB, but not empty
    std::int64_t empty_copies = 0;
    bool operator==(const Traffic&) const = default;
};

struct CoreResult {
    double cycles = 0;
    double launch_cycles = 0;
    std::int64_t steps = 0;
    std::int64_t dead_steps = 0;
    std::int64_t flops = 0;
    std::int64_t hbm_bytes = 0;
    std::vector<UnitUse> units;
    std::vector<Wait> waits;  ///< longest first
    std::vector<Traffic> traffic;
    bool operator==(const CoreResult&) const = default;
};

/// What ended the kernel early, as a message with its place.
struct Stop {
    Diag id = Diag::kernel_fault;
    Span span;
    std::string headline;
    std::string why;  ///< may be empty
    bool operator==(const Stop&) const = default;
};

struct Result {
    std::string kernel;
    std::string chip;
    std::string clock;  ///< nominal or sustained
    double clock_ghz = 0;
    std::string hbm_model;  ///< `banked`; empty for the default
    double time_us = 0;
    double cycles = 0;
    double tflops = 0;  ///< per core, as is the next
    double hbm_gb_per_s = 0;
    std::int64_t steps = 0;
    std::int64_t flops = 0;
    std::int64_t hbm_bytes = 0;
    std::int64_t events = 0;   ///< activations of the simulation kernel plus events of the schedule
    std::string fault;         ///< what ended the kernel early, e.g. a division by zero; else empty
    std::optional<Stop> stop;  ///< the same with its place, where it has one
    std::vector<std::string> prints;  ///< what the kernel prints, the first lines of it
    std::int64_t print_count = 0;     ///< all of them
    Roofline roofline;
    VmemUse vmem;
    std::vector<CoreResult> cores;
    bool operator==(const Result&) const = default;
};

/// The entry with this name, or null.
const UnitUse* find_unit(const CoreResult& core, std::string_view name);
const Wait* find_wait(const CoreResult& core, std::string_view cause);
const Traffic* find_traffic(const CoreResult& core, std::string_view operand);
const RooflineTerm* find_term(const Roofline& roofline, std::string_view name);

}  // namespace slab::result
