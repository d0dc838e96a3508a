#pragma once

#include <string>
#include <vector>

namespace slab::cli {

/// The folder of the kernels that come with slab: that of the source tree it was built from, or one
/// beside the program where that is gone.
std::string library_folder();

/// `<name>/<name>.slab` of each folder in `folder`, by name.
std::vector<std::string> library_files(const std::string& folder);

}  // namespace slab::cli
