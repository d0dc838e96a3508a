#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "arch_configs/chip_spec.hpp"
#include "cli/kernel_file.hpp"
#include "cli/workload.hpp"
#include "compiler/compile.hpp"
#include "sim/simulate.hpp"
#include "support/diagnostics.hpp"

namespace slab::cli {

/// A kernel, and how often it is launched.
struct Launched {
    compiler::Compiled compiled;
    std::int64_t times = 0;
};

/// Compiles workloads; files and chips are read once.
class WorkloadCompiler {
public:
    explicit WorkloadCompiler(std::vector<std::string> set_chip) : set_chip_(std::move(set_chip)) {}

    /// Null where something is wrong with it.
    const arch::ChipSpec* chip(const std::string& name, Diagnostics& diags);
    /// What a workload launches; none where something is wrong. The text of its kernel is not at
    /// hand where that is reported, so messages have no places in it.
    std::vector<Launched> compile(const Workload& workload, Diagnostics& diags);

private:
    struct ReadFile {
        KernelFile file;
        Diagnostics found;
    };
    const KernelFile& file(const std::string& path, Diagnostics& diags);

    std::vector<std::string> set_chip_;
    std::map<std::string, ReadFile> files_;
    std::map<std::string, arch::ChipSpec> chips_;
};

/// What all launches of a workload come to.
struct Simulated {
    double time_us = 0;
    double flops = 0;
    double hbm_bytes = 0;
};
/// Simulates them one after another; nothing where one of them stops, which is said in `stop`.
std::optional<Simulated> simulate(const Workload& workload, const std::vector<Launched>& kernels,
                                  const arch::ChipSpec& chip, sim::HbmModel hbm, std::string& stop);

}  // namespace slab::cli
