#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "compiler/schedule/walker.hpp"

namespace slab::skeleton {

/// Elements of a memory of one member: per dimension those from `begin` to before `end`, `step`
/// apart. Views are left out: what they show lies inside.
struct Box {
    schedule::OperandId operand = schedule::none;
    schedule::BufferId buffer = schedule::none;
    std::int64_t copy = 0;
    std::size_t rank = 0;
    std::array<std::int64_t, schedule::max_rank> begin{};
    std::array<std::int64_t, schedule::max_rank> end{};
    std::array<std::int64_t, schedule::max_rank> step{};

    bool empty() const;
    bool same_memory(const Box& other) const {
        return operand == other.operand && buffer == other.buffer && copy == other.copy;
    }
    /// May they have an element in common? Combs of two pitches are taken to, unless they cannot.
    bool overlaps(const Box& other) const;
    /// The first element of a dimension at a place or after it.
    std::int64_t first_from(std::int64_t place, std::size_t d) const;
    auto operator<=>(const Box&) const = default;
};

/// The elements that a reference means where the walker stands.
Box box_of(const schedule::MemoryRef& ref, const schedule::Program& program,
           const schedule::Walker& walker);
/// The elements of an operand that the transfer of a window moves.
Box box_of(const schedule::Event& window, const schedule::Stream& stream);

/// Which parts of the scratch buffers and of the `out` operands of a member have been written. A
/// part is what a row has in one tile of lanes, and counts as written once any element of it is.
/// Memories of too many parts are not followed, and operands no longer after too much work.
class WrittenParts {
public:
    explicit WrittenParts(const schedule::Program& program) : program_(program) {}

    void write(const Box& box);
    /// Where in the box the first part is that was never written, as an index per dimension but the
    /// last.
    std::optional<std::vector<std::int64_t>> missing(const Box& box) const;
    /// How much of an operand was never written, from 0 to 1; 0 too where nobody knows.
    double share_missing(schedule::OperandId operand) const;

private:
    struct Memory {
        schedule::OperandId operand = schedule::none;
        schedule::BufferId buffer = schedule::none;
        std::int64_t copy = 0;
        auto operator<=>(const Memory&) const = default;
    };
    const std::vector<std::int64_t>& shape_of(const Box& box) const;
    std::int64_t parts_of(const std::vector<std::int64_t>& shape) const;
    bool is_followed(const Box& box) const;
    template <typename Visit>
    void each_run(const Box& box, Visit&& visit) const;

    const schedule::Program& program_;
    std::map<Memory, std::vector<bool>> written_;
    std::int64_t work_ = 0;  ///< runs of parts of operands that were looked at
};

}  // namespace slab::skeleton
