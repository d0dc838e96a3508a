#pragma once

#include <string>

#include "dsl/ast.hpp"

namespace slab::dsl {

/// Where statements stand.
enum class Place { kernel, program, reference };

/// A statement as messages name it: "`scratch`", "a call".
std::string construct(const ast::Stmt& stmt);

/// Why a construct cannot stand among the statements of a place; empty if it can.
std::string misplaced(Place place, const std::string& construct);

}  // namespace slab::dsl
