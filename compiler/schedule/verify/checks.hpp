#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "compiler/schedule/program.hpp"

namespace slab::schedule {

/// What the parts of the verifier have found wrong so far.
class Findings {
public:
    explicit Findings(const Program& source) : program(source) {}

    template <typename... Args>
    void add(fmt::format_string<Args...> format, Args&&... args) {
        sentences_.push_back(fmt::format(format, std::forward<Args>(args)...));
    }
    /// Says so and returns false unless `holds`. The arguments are evaluated in any case: what
    /// costs something to say belongs behind an `if`.
    template <typename... Args>
    bool require(bool holds, fmt::format_string<Args...> format, Args&&... args) {
        if (!holds) add(format, std::forward<Args>(args)...);
        return holds;
    }
    /// An expression of this type; `what` says of what.
    bool require_type(ExprId expr, ScalarType type, const std::string& what);

    std::vector<std::string> take() { return std::move(sentences_); }
    bool empty() const { return sentences_.empty(); }

    const Program& program;

private:
    std::vector<std::string> sentences_;
};

template <typename Item>
bool in_range(std::int32_t id, const std::vector<Item>& items) {
    return id >= 0 && id < static_cast<std::int32_t>(items.size());
}
template <typename Item>
const Item& item(const std::vector<Item>& items, std::int32_t id) {
    return items[static_cast<std::size_t>(id)];
}
inline bool all_positive(const std::vector<std::int64_t>& extents) {
    for (std::int64_t extent : extents)
        if (extent < 1) return false;
    return true;
}
/// `512 x 128`
inline std::string extents(const std::vector<std::int64_t>& shape) {
    return fmt::format("{}", fmt::join(shape, " x "));
}
/// The extents that remain once dropped dimensions are gone; one of 1 if none does.
template <typename Dim>
std::vector<std::int64_t> kept_extents(const std::vector<Dim>& dims) {
    std::vector<std::int64_t> shape;
    for (const Dim& dim : dims)
        if (!dim.dropped) shape.push_back(dim.size);
    if (shape.empty()) shape.push_back(1);
    return shape;
}

/// Looks at a part of a memory and says what elements it has; nothing if that cannot be told.
/// `who` begins the sentences about it.
std::optional<BlockType> verify_ref(Findings& findings, const MemoryRef& ref,
                                    const std::string& who);
/// An element of an SMEM buffer, read or written.
void verify_element(Findings& findings, BufferId buffer, ExprId copy,
                    const std::vector<ExprId>& index, const std::string& who);
/// The slots that an expression reads, and the buffers it reads elements of.
struct Reads {
    std::vector<SlotId> slots;
    std::vector<BufferId> buffers;
};
Reads reads_of(const Program& program, ExprId root);

/// What statements change, by slot and by buffer: variables and elements in SMEM.
struct Changes {
    std::vector<bool> slots;
    std::vector<bool> buffers;
};
/// What the body and the streams of a grid change.
Changes changes_of(const Program& program, const Pipeline& grid);
/// What a grid evaluates ahead of its steps must not be changed in between.
void verify_untouched(Findings& findings, ExprId expr, const Pipeline& grid,
                      const Changes& changes);
void verify_stream(Findings& findings, const Stream& stream, const Pipeline& grid,
                   const Changes& changes);

// Each looks at one part of the program. Later ones take what earlier ones checked for granted.
void verify_expressions(Findings& findings);
void verify_memory(Findings& findings);
void verify_regions(Findings& findings);
void verify_transfers(Findings& findings);
void verify_statements(Findings& findings);

}  // namespace slab::schedule
