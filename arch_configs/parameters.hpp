#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "arch_configs/chip_spec.hpp"

namespace slab::arch {

using NativePairs = std::vector<std::pair<DType, DType>>;

/// Where a parameter lives in a ChipSpec.
using Member = std::variant<double*, int*, std::int64_t*, bool*, NativePairs*>;

/// One line of parameters.def: what a chip file must say under `path`, and where it goes.
struct Parameter {
    std::string path;
    std::string_view unit;
    double least = 0;
    double most = 0;
    bool per_chip_allowed = false;
    bool optional = false;
    Member (*member)(ChipSpec&, DType) = nullptr;
    DType dtype = DType::f32;  ///< which entry of a table by element type

    Member of(ChipSpec& spec) const { return member(spec, dtype); }
    /// Gives a number its value; what counts whole is cut.
    void put(ChipSpec& spec, double value) const;
    bool is_number() const;
    bool is_integer() const;
    bool is_bool() const;
    bool is_pairs() const;
    bool admits(double value) const { return value >= least && value <= most; }
    std::string bounds() const;  ///< `between 0.01 and 64 slots`
};

const std::vector<Parameter>& parameters();
const Parameter* find_parameter(std::string_view path);
std::vector<std::string> parameter_paths();

/// The keys that may stand in the object at `prefix` ("" is the file), in table order.
std::vector<std::string> keys_below(std::string_view prefix);

}  // namespace slab::arch
