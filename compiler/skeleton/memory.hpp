#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
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
    bool overlaps(const Box& other) const;
    auto operator<=>(const Box&) const = default;
};

/// The elements that a reference means where the walker stands.
Box box_of(const schedule::MemoryRef& ref, const schedule::Program& program,
           const schedule::Walker& walker);
/// The elements of an operand that the transfer of a window moves.
Box box_of(const schedule::Event& window, const schedule::Stream& stream);

/// Which rows of the scratch buffers of a member have been written, whole rows at a time.
class WrittenRows {
public:
    explicit WrittenRows(const schedule::Program& program) : program_(program) {}

    void write(const Box& box);
    /// The first row of the box that was never written, as an index per dimension but the last.
    std::optional<std::vector<std::int64_t>> missing(const Box& box) const;

private:
    using Key = std::pair<schedule::BufferId, std::int64_t>;
    std::vector<bool>& rows(const Box& box);
    template <typename Visit>
    void each_row(const Box& box, Visit&& visit) const;
    bool is_tracked(const Box& box) const;

    const schedule::Program& program_;
    std::map<Key, std::vector<bool>> written_;
};

}  // namespace slab::skeleton
