#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/unit.hpp"
#include "dsl/ast.hpp"
#include "reference/array.hpp"
#include "support/diagnostics.hpp"

namespace slab::reference {

/// What an operand holds, as written: an entry of `data` in cases.json, or of --data.
struct Entry {
    std::string name;
    std::string json;    ///< a number, a list, or an object with `file`, `expr` or `gen`, checked
    std::string place;   ///< how messages name it
    std::string folder;  ///< what the path of a file is relative to
};

/// The arrays a kernel or program is run with. An entry that is no operand helps others, whose
/// `expr` may use it.
class ArrayData final : public compiler::DataSource {
public:
    /// `file` and the parameters and clauses, which are those of one of its items, must outlive it.
    ArrayData(const dsl::ast::File& file, const std::vector<dsl::ast::Param>& params,
              const std::vector<dsl::ast::Clause>& clauses, std::vector<Entry> entries,
              std::uint64_t seed = 0, std::string floats = "normal");

    /// Of operands with an entry; without one there is nothing, and whoever asks says so.
    std::optional<std::vector<std::int64_t>> elements(const schedule::Operand& operand,
                                                      const std::vector<compiler::Bound>& sizes,
                                                      Diagnostics& diags) const override;

    /// The same as an array, with values that the type holds exactly. Floats without an entry are
    /// filled by the generator `floats`.
    std::optional<Array> array(const std::string& name, DType type, const Shape& shape,
                               const std::vector<compiler::Bound>& sizes, Diagnostics& diags) const;

    bool has(const std::string& name) const;

private:
    class Resolver;

    const dsl::ast::File& file_;
    const std::vector<dsl::ast::Param>& params_;
    const std::vector<dsl::ast::Clause>& clauses_;
    std::vector<Entry> entries_;
    std::uint64_t seed_;
    std::string floats_;
};

}  // namespace slab::reference
