#pragma once

#include <optional>
#include <string>
#include <vector>

#include "arch_configs/chip_spec.hpp"
#include "compiler/schedule/walker.hpp"
#include "compiler/unit.hpp"
#include "dsl/ast.hpp"
#include "support/diagnostics.hpp"

namespace slab::compiler {

struct Compiled {
    schedule::Program program;
    std::vector<Bound> sizes;  ///< every size and parameter with its value
    schedule::Data data;       ///< of the arrays that control flow reads
};

/// Compiles one kernel for one chip. All errors found are reported; nothing is returned if there is
/// one.
std::optional<Compiled> compile(const dsl::ast::File& file, const dsl::ast::Kernel& kernel,
                                const SourceFile& source, const Settings& settings,
                                const arch::ChipSpec& chip, Diagnostics& diags);

/// Compiles the kernel for meshes of 2, 3, 4 and 8 members per axis whose extent is a size name,
/// and reports what is wrong with its synchronisation on the smallest of them. Nothing for a kernel
/// without such an axis.
void check_meshes(const dsl::ast::File& file, const dsl::ast::Kernel& kernel,
                  const SourceFile& source, const Settings& settings, const arch::ChipSpec& chip,
                  Diagnostics& diags);

/// VMEM the kernel would need with these settings, or nothing when they are wrong in another way.
/// `work` grows by what finding out has cost.
std::optional<std::int64_t> vmem_needed(const Unit& like, const Settings& settings,
                                        std::int64_t& work);

/// Sizes and parameters of a kernel, in the order they are bound, shape names first.
struct ParameterName {
    std::string name;
    bool is_shape = false;
    bool has_default = false;
};
std::vector<ParameterName> parameters(const dsl::ast::File& file, const dsl::ast::Kernel& kernel);

}  // namespace slab::compiler
