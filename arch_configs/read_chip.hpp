#pragma once

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "arch_configs/chip_spec.hpp"
#include "support/diagnostics.hpp"

namespace slab::arch {

/// Names of the chips that come with slab, in the order they are listed.
std::vector<std::string> shipped_chips();

/// The lowest and highest value that may be true.
struct Range {
    double low = 0, high = 0;
    std::string text() const { return fmt::format("{} to {}", low, high); }
    bool operator==(const Range&) const = default;
};

/// One number of a chip file, for `slab chips NAME`.
struct ChipParameter {
    std::string path;  ///< `hbm.bandwidth_gb_per_s`, what --set-chip takes
    std::string value, unit, status, source, note;
    std::optional<Range> range = std::nullopt;
    std::optional<double> before_fit = std::nullopt;  ///< of a fitted number: what it was before
};

struct ChipFile {
    ChipSpec spec;
    std::vector<ChipParameter> parameters;  ///< in the order of the file
};

/// Reads a shipped chip by name or alias, or a user's chip from a path that ends in .json. Every
/// wrong thing is reported with its JSON path: unknown or missing keys, wrong types, values out of
/// their physical range, a chip name nobody knows (with the nearest). `overrides` are `path=value`
/// texts of --set-chip and are applied before the checks.
std::optional<ChipFile> read_chip(const std::string& name_or_path,
                                  const std::vector<std::string>& overrides, Diagnostics& diags);

/// The chip with its fitted numbers as they were before.
ChipSpec before_fit(const ChipFile& file);

}  // namespace slab::arch
