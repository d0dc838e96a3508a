#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compiler/unit.hpp"
#include "dsl/ast.hpp"
#include "reference/array.hpp"
#include "support/diagnostics.hpp"

namespace slab::reference {

class Evaluator;
using Arrays = std::map<std::string, Array>;

constexpr double ordinary_work = 4e10;  ///< elements touched: about a minute

struct Limits {
    /// Every result is rounded to that type: how far a straightforward evaluation in it comes out
    /// from the exact one is what a kernel can be measured by.
    std::optional<DType> rounding = std::nullopt;
    double most_work = ordinary_work;
};

/// Computes what a kernel or program should: runs the `reference` on whole arrays, in f64, and
/// returns its outputs. `inputs` holds every operand but the outputs; optional ones that are
/// missing are not passed. An error is reported with its place, and nothing is returned; too much
/// work is one.
std::optional<Arrays> run(const dsl::ast::File& file, const dsl::ast::Reference& reference,
                          const std::vector<compiler::Bound>& sizes, const Arrays& inputs,
                          Diagnostics& diags, const Limits& limits = {});

/// The reference of that name, or null.
const dsl::ast::Reference* find_reference(const dsl::ast::File& file, const std::string& name);

/// Makes the sizes and parameters of a kernel or program known, and the constants it declares.
void define_sizes(Evaluator& evaluator, const std::vector<compiler::Bound>& sizes,
                  const std::vector<dsl::ast::Clause>& clauses);

}  // namespace slab::reference
