#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dsl/ast.hpp"
#include "support/diagnostics.hpp"
#include "support/source.hpp"

namespace slab::cli {

/// A .slab file as read.
struct KernelFile {
    SourceFile source;
    dsl::ast::File ast;
};

/// Reads and parses. Where that fails it is in `diags`, and the source is there to show the place.
KernelFile read_kernel_file(const std::string& path, Diagnostics& diags);

/// The same, and all that can be said of the file without sizes and a chip, also of the items that
/// could be read where others have syntax errors.
KernelFile read_checked_file(const std::string& path, Diagnostics& diags);

/// What can be run: a kernel, or a program, which is a sequence of launches.
struct Item {
    std::string name;
    Span span;
    const dsl::ast::Kernel* kernel = nullptr;    ///< null for a program
    const dsl::ast::Program* program = nullptr;  ///< null for a kernel
};
std::vector<Item> items_of(const dsl::ast::File& file);

/// The kernel or program called `name`; without a name the only one, or the one named like the
/// file.
std::optional<Item> choose_item(const KernelFile& file, const std::string& name,
                                Diagnostics& diags);

/// The same where only a kernel will do; null for a program, which is reported.
const dsl::ast::Kernel* choose_kernel(const KernelFile& file, const std::string& name,
                                      Diagnostics& diags);

}  // namespace slab::cli
