#pragma once

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

// Each looks at one part of the program. Later ones take what earlier ones checked for granted.
void verify_expressions(Findings& findings);
void verify_memory(Findings& findings);
void verify_regions(Findings& findings);
void verify_statements(Findings& findings);

}  // namespace slab::schedule
