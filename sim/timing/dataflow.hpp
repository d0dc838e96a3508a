#pragma once

#include <cstdint>
#include <vector>

#include "arch_configs/chip_spec.hpp"
#include "compiler/schedule/program.hpp"

namespace slab::sim::timing {

using Shape = std::vector<std::int64_t>;

/// How much of an input a part of an operation's domain needs.
enum class Relation {
    rows,   ///< the same rows of the input
    tiles,  ///< of the right operand of a dot: the weight tiles so far
    whole   ///< all of it
};

/// An access that must come after another one to the same memory, by indices into Region::ops.
struct Order {
    int before = 0;
    int after = 0;
    bool by_rows = false;  ///< the references are the same, so rows follow rows
};

/// The code of a region as a vector compiler leaves it (schedule::forward_stores, cut_values), and
/// who makes and who uses each of its values.
struct Dataflow {
    schedule::Region region;
    std::vector<int> definition;          ///< per value: its op
    std::vector<std::vector<int>> users;  ///< per value, in program order
    std::vector<Order> orders;            ///< sorted by `after`

    const schedule::Op& defining(schedule::ValueId value) const {
        return region.ops[definition[value]];
    }
    const Shape& shape(schedule::ValueId value) const { return region.values[value].shape; }
    /// Registers and constants have no stage of their own: whoever uses them makes or loads them.
    bool is_free(schedule::ValueId value) const;
};

Dataflow dataflow(const schedule::Region& region, const schedule::Program& program,
                  const arch::MxuSpec& mxu);

bool is_reduction(const schedule::Op& op);

bool is_slice(const schedule::Op& op);

/// What an operation iterates over: its result, for reductions their input, for stores the value.
const Shape& domain(const schedule::Op& op, const Dataflow& flow);

/// Rows of a shape: everything but the last dimension.
bool same_rows(const Shape& a, const Shape& b);

/// A row of it fits in one register.
bool is_narrow(const Shape& shape, const arch::VpuSpec& vpu);

Relation relation(const schedule::Op& op, schedule::ValueId arg, const Dataflow& flow);

/// Packed registers of 32-bit sublanes that hold a block.
std::int64_t registers(const schedule::BlockType& type, const arch::VpuSpec& vpu);

/// Groups of sublanes of a shape: what a pass can be cut into.
std::int64_t row_groups(const Shape& shape, const arch::VpuSpec& vpu);

}  // namespace slab::sim::timing
