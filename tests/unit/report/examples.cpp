#include "examples.hpp"

#include <string>

namespace slab::report::examples {
namespace {

constexpr std::int64_t mib = 1 << 20;

result::CoreResult flash_core() {
    return {
        .cycles = 8'750'000,
        .launch_cycles = 2'625,
        .steps = 8'192,
        .dead_steps = 3'584,
        .flops = 1'374'389'534'720,
        .hbm_bytes = 1'074 * mib,
        .units = {{"mxu", "matrix units", 4'812'500, 0.55},
                  {"vpu", "vector arithmetic (VALU)", 7'262'500, 0.83},
                  {"eup", "exp, log, reciprocal", 2'450'000, 0.28},
                  {"xlu", "lane reductions, transposes", 1'050'000, 0.12},
                  {"load", "vector loads", 3'500'000, 0.4},
                  {"store", "vector stores", 2'187'500, 0.25},
                  {"scalar", "control and addresses", 3'500, 0.0004},
                  {"ici", "links between chips", 0, 0},
                  {"hbm", "device memory", 1'050'000, 0.12}},
        .waits = {{"vector", 962'500, 0.11},
                  {"fetch of k", 175'000, 0.02},
                  {"launch", 2'625, 0.0003},
                  {"write of o", 0, 0}},
        .traffic = {{"q", 128 * mib, 0, 512, 128 * mib},
                    {"k", 409 * mib, 0, 4'608, 128 * mib},
                    {"v", 409 * mib, 0, 4'608, 128 * mib},
                    {"o", 0, 128 * mib, 512, 128 * mib}},
    };
}

result::Roofline flash_roofline() {
    return {
        .bound = "vpu",
        .time_us = 4'150,
        .fraction = 0.83,
        .intensity_flop_per_byte = 1220.4,
        .ridge_flop_per_byte = 559.8,
        .peak_tflops = 918,
        .peak_gb_per_s = 1640,
        .terms = {{"vpu", "vector operations", 4'150},
                  {"mxu", "passes of the array", 2'750},
                  {"hbm", "bytes over bandwidth", 600}},
    };
}

result::VmemUse flash_vmem() {
    return {
        .bytes = 18 * mib,
        .limit = 32 * mib,
        .rows = {{"q", "window", "bf16[1024, 128]", 2, mib / 2, 0},
                 {"k", "window", "bf16[1024, 128]", 2, mib / 2, 0},
                 {"acc", "scratch", "f32[1024, 128]", 1, mib / 2, 0},
                 {"m", "scratch", "f32[1024, 1]", 1, mib / 2, 0.9921875},
                 {"s", "live", "f32[2048, 1024]", 1, 8 * mib, 0},
                 {"p", "live", "f32[2048, 1024]", 1, 8 * mib, 0},
                 {"unused", "ring", "f32[0, 1]", 0, 0, 0}},
    };
}

result::CoreResult copy_core(double cycles, double hbm_busy, double waiting) {
    return {
        .cycles = cycles,
        .steps = 4,
        .flops = 4096,
        .hbm_bytes = 2048,
        .units = {{"mxu", "matrix units", 90, 0.09},
                  {"hbm", "device memory", 1000 * hbm_busy, hbm_busy}},
        .waits = {{"fetch of a", 1000 * waiting, waiting}},
        .traffic = {{"a", 1024, 0, 4, 1024}, {"c", 0, 1024, 4, 2048}},
    };
}

result::Roofline copy_roofline() {
    return {
        .bound = "hbm",
        .time_us = 0.8,
        .fraction = 0.8,
        .intensity_flop_per_byte = 2,
        .ridge_flop_per_byte = 25,
        .peak_tflops = 0.128,
        .peak_gb_per_s = 5.12,
        .terms = {{"hbm", "bytes over bandwidth", 0.8}},
    };
}

}  // namespace

result::Result flash_attention() {
    result::Result result;
    result.kernel = "flash_attention";
    result.chip = "v6e";
    result.clock = "nominal";
    result.clock_ghz = 1.75;
    result.time_us = 5'000;
    result.cycles = 8'750'000;
    result.tflops = 274.877907;
    result.hbm_gb_per_s = 225.234124;
    result.steps = 8'192;
    result.flops = 1'374'389'534'720;
    result.hbm_bytes = 1'074 * mib;
    result.events = 91'203;
    result.roofline = flash_roofline();
    result.vmem = flash_vmem();
    result.cores = {flash_core()};
    return result;
}

result::Result two_cores() {
    result::Result result;
    result.kernel = "copy";
    result.chip = "toy";
    result.clock = "nominal";
    result.clock_ghz = 1;
    result.time_us = 1;
    result.cycles = 1000;
    result.tflops = 0.008192;
    result.hbm_gb_per_s = 4.096;
    result.steps = 8;
    result.flops = 8192;
    result.hbm_bytes = 4096;
    result.events = 80;
    result.roofline = copy_roofline();
    result.vmem = {4096, 65536, {{"a", "window", "f32[8, 64]", 2, 4096, 0}}};
    result.cores = {copy_core(900, 0.7, 0.81), copy_core(1000, 0.8, 0.91)};
    result.cores[1].dead_steps = 1;
    return result;
}

result::Result crowded() {
    result::Result result = flash_attention();
    const std::string long_name(60, 'n');
    result.steps = 1'000'000'000'000;
    result.cycles = 4e18;
    result.time_us = 3e12;
    result.roofline.peak_tflops = 1e-7;
    result::CoreResult& core = result.cores.front();
    for (int i = 0; i < 12; ++i) {
        const std::string name = long_name + std::to_string(i);
        core.units.push_back({name, long_name, 1e17 + i, 0.025});
        core.waits.push_back({name, 1e17 + i, 0.025});
        core.traffic.push_back({name, std::int64_t{1} << 60, 1 << i, 1 << 30, 3});
        result.vmem.rows.push_back({name, "scratch", long_name, 1 << 20, 1000 + i, 0.5});
    }
    return result;
}

}  // namespace slab::report::examples
