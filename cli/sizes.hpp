#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/cases.hpp"
#include "cli/data.hpp"
#include "cli/flags.hpp"
#include "cli/kernel_file.hpp"
#include "compiler/compile.hpp"
#include "reference/data.hpp"
#include "support/diagnostics.hpp"

namespace slab::cli {

/// What --set, --with, --data and --case ask for, read but not yet looked up.
struct Asked {
    NamedValues set;
    std::vector<std::string> with;
    std::string case_name;
    std::vector<reference::Entry> data = {};
};
Asked read_asked(const KernelFlags& flags, Diagnostics& diags);

/// A kernel or program and the sizes and data to compile it with. The settings point to the data.
struct Job {
    Item item;
    compiler::Settings settings;
    std::string case_name;  ///< the case they come from; empty when all are given
    std::shared_ptr<const reference::ArrayData> data = {};
};

/// The item with the sizes and data of a case, or of none, and what is given put over them.
Job job_of(const KernelFile& file, const Item& item, const Case* one, const Asked& asked,
           Diagnostics& diags, const DataSeed& seed = {});

/// Which kernel or program with which sizes a run means. A case that is named decides both, where
/// the flags do not. Else all shape names are given, or none: then they are those of the first
/// `full` case for the chip. Values that are given change those of the case.
std::optional<Job> choose_job(const KernelFile& file, const KernelFlags& flags,
                              const std::string& chip, Diagnostics& diags);

/// Whether the flags speak of one kernel: it is named, or sizes, values or a case are given.
bool chooses_one(const KernelFlags& flags);

/// Compiles a kernel, or a program with all that it launches.
void compile_item(const KernelFile& file, const Item& item, const compiler::Settings& settings,
                  const arch::ChipSpec& chip, Diagnostics& diags);

/// The other errors of a text in which dsl::check has found some, so that one run shows them all:
/// those of the kernel or program that the flags choose, or of all, where their sizes are known.
void add_errors_of_kernels(const KernelFile& file, const KernelFlags& flags, Diagnostics& diags);

/// Whether any of the names the operands take their shapes from is given; of an item
/// without such names, whether all that needs a value is.
bool gives_shapes(const Asked& asked, const KernelFile& file, const Item& item);

/// The sizes and parameters of an item that must be given.
std::vector<std::string> needed_sizes(const KernelFile& file, const Item& item);

/// The case with this name, or null after reporting it.
const Case* find_case(const std::vector<Case>& cases, const std::string& name,
                      const std::string& slab_file, Diagnostics& diags);

}  // namespace slab::cli
