#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "arch_configs/chip_spec.hpp"
#include "cli/kernel_file.hpp"
#include "cli/sizes.hpp"
#include "compiler/program/compile_program.hpp"
#include "sim/result/program_result.hpp"
#include "sim/simulate.hpp"

/// What `slab run` does once its flags are read.
namespace slab::cli {

enum class Emit { result, program, schedule };

struct RunOptions {
    sim::Options sim;
    Emit emit = Emit::result;
    std::optional<double> perturb = std::nullopt;  ///< by which part numbers of the chip change
    bool json = false;
};

/// What a --hbm says, or nothing after reporting it.
std::optional<sim::HbmModel> hbm_model(const std::string& text, Diagnostics& diags);

/// `M=8192, K=8192, bm=1024 (case full)`
std::string sizes_text(const std::vector<compiler::Bound>& sizes, const std::string& case_name);

/// The events as they come, so that memory does not grow with their number. False once the output
/// cannot be written.
bool print_schedule(const compiler::Compiled& compiled, Diagnostics& diags);

/// A simulation and what there is to say about it: why it stopped early, or what is slow.
struct Ran {
    result::Result result;
    Diagnostics messages;
};
Ran simulate(const compiler::Compiled& compiled, const arch::ChipSpec& chip,
             const sim::Options& options);

/// Each kernel once, however often it is launched; where one stops early, so does the program.
std::vector<Ran> simulate_kernels(const compiler::CompiledProgram& program,
                                  const arch::ChipSpec& chip, const sim::Options& options);

/// The launches one after another, with what `simulate_kernels` found.
result::ProgramResult sum_of(const compiler::CompiledProgram& program, const std::vector<Ran>& ran,
                             const arch::ChipSpec& chip, const sim::Options& options);

/// Prints what is asked for of a program that is compiled. Returns the exit code.
int run_program(const compiler::CompiledProgram& program, const std::string& case_name,
                const arch::ChipSpec& chip, const RunOptions& options, const SourceFile& source,
                Diagnostics& diags);

}  // namespace slab::cli
