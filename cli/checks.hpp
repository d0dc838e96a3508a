#pragma once

#include <string>
#include <vector>

#include "arch_configs/chip_spec.hpp"
#include "cli/kernel_file.hpp"
#include "cli/sizes.hpp"

namespace slab::cli {

/// A kernel or program compiled with one set of sizes.
struct Outcome {
    std::string case_name;  ///< empty for sizes that were given, or where none are needed
    std::string expect;     ///< code of the error it must end in; empty where it must compile
    bool fine = false;
    Diagnostics messages;
};

struct KernelOutcomes {
    std::string kernel;
    std::string not_checked;  ///< why nothing was compiled, else empty
    std::vector<Outcome> outcomes;
};

/// Compiles every kernel and program of the file, or the one the flags name, with the sizes that
/// are given, else with each `check` case for the chip. Values that are given change those of the
/// cases; they belong to one kernel. Mistakes in the flags and in cases.json go to `diags`.
std::vector<KernelOutcomes> check_file(const KernelFile& file, const KernelFlags& flags,
                                       const arch::ChipSpec& chip, Diagnostics& diags);

/// The codes of errors, each once: `E0701, E0802`.
std::string codes_of(const Diagnostics& diags);

/// 0 where all is fine, else that of the worst outcome.
int exit_code(const std::vector<KernelOutcomes>& kernels);

}  // namespace slab::cli
