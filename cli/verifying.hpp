#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "arch_configs/chip_spec.hpp"
#include "cli/comparison.hpp"
#include "cli/kernel_file.hpp"
#include "cli/sizes.hpp"

namespace slab::cli {

struct VerifyOptions {
    std::int64_t seeds = 0;  ///< 0: as many as the case says
    bool sync_copies = false;
    std::int64_t max_steps = 20'000'000;  ///< of grids and loops, per member (E0902)
    std::string inputs;                   ///< a folder of .npy files, or empty
    std::string outputs;                  ///< a folder for those of the first seed, or empty
    bool force = false;                   ///< overwrite files there
};

/// An output of one run beside its reference.
struct VerifiedOutput {
    std::string operand;
    Comparison comparison;
};

/// One set of sizes, run with the data of each seed.
struct Verified {
    std::string kernel;
    std::string case_name;  ///< empty for sizes that were given
    std::string expect;     ///< code of the error it must end in; empty where it must pass
    bool has_reference = false;
    bool fine = false;
    std::int64_t seeds = 0;               ///< that were run
    std::vector<VerifiedOutput> outputs;  ///< the worst of all seeds
    Diagnostics messages;                 ///< of the first seed that fails
};

/// Runs kernels and programs of a file with values: the one the flags name, with the sizes that are
/// given or every `check` case for the chip. Seeds take turns in what they fill floats with that
/// nothing is said of: normal, constant_rows, ties, tiny. Mistakes in flags and cases.json go to
/// `diags`.
std::vector<Verified> verify_file(const KernelFile& file, const KernelFlags& flags,
                                  const VerifyOptions& options, const arch::ChipSpec& chip,
                                  Diagnostics& diags);

}  // namespace slab::cli
