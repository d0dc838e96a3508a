#pragma once

#include <string>
#include <vector>

#include "reference/evaluator.hpp"

namespace slab::reference {

/// A call of a built-in function, its arguments evaluated.
struct Call {
    Evaluator& evaluator;
    const std::string& name;
    Span span;
    std::vector<Value> args;
    std::vector<Span> spans;
    std::optional<int> bf16_parts = std::nullopt;  ///< of a dot with `prec`

    /// Argument i as what the function needs, or an error.
    const Array& array(std::size_t i);
    const Array& numbers(std::size_t i);
    Int integer(std::size_t i, const std::string& what);
    /// A list of integers, such as a shape.
    Shape integers(std::size_t i, const std::string& what);
    Int axis(std::size_t i, const Array& array);

    /// The result, unless it holds integers beyond 2^53, of which f64 knows only some.
    Array exact(Array result);

    template <Diag id, typename... Args>
    [[noreturn]] void fail(Span place, Args&&... values) {
        evaluator.fail<id>(place, std::forward<Args>(values)...);
    }
    /// Says what argument i must be.
    [[noreturn]] void wrong(std::size_t i, const std::string& what, const std::string& needed);
};

struct BuiltIn {
    const char* name;
    std::size_t min_args;
    std::size_t max_args;
    Value (*apply)(Call&);
};

/// The built-in function of that name, or null. Those of kernels, and `sum cumsum sort top_k
/// gather`, which take whole arrays.
const BuiltIn* find_built_in(const std::string& name);
std::vector<std::string> built_in_names();

// One table per family: arithmetic.cpp, reductions.cpp, moves.cpp.
const std::vector<BuiltIn>& arithmetic_functions();
const std::vector<BuiltIn>& reduction_functions();
const std::vector<BuiltIn>& move_functions();

}  // namespace slab::reference
