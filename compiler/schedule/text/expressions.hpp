#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "compiler/schedule/program.hpp"
#include "compiler/schedule/text/words.hpp"

namespace slab::schedule {

/// How tightly operators bind, loosest first; the grammar of the language's expressions.
enum class Binding { disjunction, conjunction, negation, relation, bit, shift, sum, term, unary };

struct Infix {
    ScalarOp op;
    std::string_view sign;
    Binding binding;
};
/// The infix operator with this sign, or of this operation.
std::optional<Infix> infix(std::string_view sign);
std::optional<Infix> infix(ScalarOp op);

struct Function {
    ScalarOp op;
    std::string_view name;
};
/// Operations written as calls: `min max abs select`. Casts are written with the type's name.
std::optional<Function> function(std::string_view name);
std::optional<Function> function(ScalarOp op);

/// An expression as infix text with no parentheses but those it needs.
std::string print(ExprId id, const Program& program, const ProgramNames& names);

}  // namespace slab::schedule
