#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/compile.hpp"
#include "compiler/program/arrays.hpp"

namespace slab::compiler {

/// A kernel as a program launches it: launches with the same sizes and data share one.
struct LaunchedKernel {
    const dsl::ast::Kernel* kernel = nullptr;
    std::vector<std::pair<std::string, std::string>> set;
    std::vector<std::string> with;
    Compiled compiled;
};

struct Launch {
    std::size_t kernel = 0;              ///< index into CompiledProgram::kernels
    std::vector<std::string> arguments;  ///< as written, one per operand and scalar of the kernel
    std::vector<ArrayPart> parts;        ///< one per operand of the compiled kernel
    Span span;
};

/// A program, its loops and conditions carried out: the kernels it launches, in order.
struct CompiledProgram {
    std::string name;
    std::vector<Bound> sizes;
    std::vector<LaunchedKernel> kernels;
    std::vector<Launch> launches;
    std::vector<Array> arrays;  ///< operands, then buffers; the parts of launches are of them
    std::vector<std::string> prints;
    std::int64_t operand_bytes = 0;
    std::int64_t peak_bytes = 0;  ///< of operands and buffers that live at one launch
    std::size_t peak_launch = 0;
};

/// Carries out a program item for one chip and compiles each kernel that it launches. All errors
/// found are reported, those inside a kernel with the place of the launch; nothing is returned if
/// there is one.
std::optional<CompiledProgram> compile_program(const dsl::ast::File& file,
                                               const dsl::ast::Program& program,
                                               const SourceFile& source, const Settings& settings,
                                               const arch::ChipSpec& chip, Diagnostics& diags);

/// What stands above the body, which is that of a kernel: names, sizes, operands and clauses.
dsl::ast::Kernel head_of(const dsl::ast::Program& program);

}  // namespace slab::compiler
