#pragma once

#include <string>

#include "dsl/ast.hpp"

namespace slab::mutation {

/// What an edit takes out of a kernel and what it puts there, as Slab text.
struct Edit {
    enum class Part { expression, statements, streams, axes };
    Part part;
    std::string from;
    std::string to;
    int match;  ///< which of the places that are equal to `from`, counted from 1
};

inline Edit expression(std::string from, std::string to, int match = 1) {
    return {Edit::Part::expression, std::move(from), std::move(to), match};
}
/// Statements that follow one another. `to` may have more of them, others, or none.
inline Edit statements(std::string from, std::string to, int match = 1) {
    return {Edit::Part::statements, std::move(from), std::move(to), match};
}
/// The same of the streams and scratch buffers of a grid.
inline Edit streams(std::string from, std::string to, int match = 1) {
    return {Edit::Part::streams, std::move(from), std::move(to), match};
}
/// The same of the axes of a grid.
inline Edit axes(std::string from, std::string to, int match = 1) {
    return {Edit::Part::axes, std::move(from), std::move(to), match};
}

/// Changes the kernels and programs of a file, never its references. What matches is decided on the
/// AST, spans aside. Empty, or why the edit cannot be made: it cannot be read, nothing is equal to
/// it, or it would change nothing.
std::string apply(const Edit& edit, dsl::ast::File& file);

}  // namespace slab::mutation
