#pragma once

#include <utility>

#include "dsl/ast.hpp"

namespace slab::dsl::ast {

/// Lambdas as one visitor: visit(expr, [](const Number& n) {…}, [](const auto& other) {…}).
template <typename... Cases>
struct Overloaded : Cases... {
    using Cases::operator()...;
};

template <typename Node>
const Node& unwrap(const Node& node) {
    return node;
}
template <typename Node>
const Node& unwrap(const x3::forward_ast<Node>& node) {
    return node.get();
}

/// Calls the case that fits what the variant holds; the cases return the same type.
template <typename Variant, typename... Cases>
decltype(auto) visit(const Variant& variant, Cases&&... cases) {
    const Overloaded<std::decay_t<Cases>...> overloaded{std::forward<Cases>(cases)...};
    return boost::apply_visitor(
        [&](const auto& node) -> decltype(auto) { return overloaded(unwrap(node)); },
        variant.get());
}

/// What the variant holds if it is a `Node`, else null.
template <typename Node, typename Variant>
const Node* get_if(const Variant& variant) {
    return visit(variant, [](const auto& held) -> const Node* {
        if constexpr (std::is_same_v<decltype(held), const Node&>)
            return &held;
        else
            return nullptr;
    });
}

}  // namespace slab::dsl::ast
