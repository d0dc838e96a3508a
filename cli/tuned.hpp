#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/workload.hpp"
#include "support/diagnostics.hpp"
#include "support/source.hpp"

namespace slab::cli {

/// A parameter of a kernel that a sweep on hardware chose.
struct TunedParameter {
    std::string name;
    std::int64_t value = 0;                 ///< the choice
    std::int64_t from = 0, to = 0;          ///< the tile of the chip and the extent that is cut
    std::vector<std::int64_t> all() const;  ///< see read_tuned
};

/// A problem and its best blocks on hardware: an entry of a file of the schema `slab.tuned/1`.
struct TunedRow : Workload {
    std::vector<TunedParameter> tuned;
    std::string origin;  ///< how the choice was made
};

/// Reads a text of the schema, as strictly as read_points. The candidates of a parameter are the
/// powers of two of its range, the extent and the choice.
std::optional<std::vector<TunedRow>> read_tuned(const SourceFile& text, Diagnostics& diags);

/// The rows of those files, or of all that come with slab.
std::vector<TunedRow> tuned_of(const std::vector<std::string>& files, Diagnostics& diags);

/// Every combination of the candidates of a row, in ascending order, the first parameter slowest.
std::vector<std::vector<std::int64_t>> combinations(const TunedRow& row);

/// `bq=512, bk=1024`
std::string spelled(const TunedRow& row, const std::vector<std::int64_t>& values);

/// The values that the sweep chose.
std::vector<std::int64_t> choice(const TunedRow& row);

}  // namespace slab::cli
