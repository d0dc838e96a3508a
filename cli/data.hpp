#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/cases.hpp"
#include "cli/kernel_file.hpp"
#include "reference/data.hpp"
#include "support/diagnostics.hpp"

namespace slab::cli {

/// The texts of --data, each NAME=VALUE: a number, a list, an object with `file`, `expr` or `gen`
/// as in cases.json, or `@` and the path of an .npy file.
std::vector<reference::Entry> read_data_flags(const std::vector<std::string>& texts,
                                              Diagnostics& diags);

/// Where random data begin, and what fills floats that nothing is said of.
struct DataSeed {
    std::uint64_t seed = 0;
    std::string floats = "normal";
};

/// What the operands of a kernel or program hold: the data of a case, or of none, and over it what
/// is given. A name that is given must be an operand, or stand in the case.
std::shared_ptr<const reference::ArrayData> data_of(const KernelFile& file, const Item& item,
                                                    const Case* one,
                                                    const std::vector<reference::Entry>& given,
                                                    Diagnostics& diags, const DataSeed& seed = {});

}  // namespace slab::cli
