#pragma once

#include <vector>

#include "dsl/grammar/config.hpp"

namespace slab::dsl::grammar {

/// Gives a node the bytes of its tokens.
struct WithSpan {
    template <typename Node, typename Ctx>
    void on_success(Iterator first, Iterator last, Node& node, const Ctx&) {
        node.span = {first->span.begin, first == last ? first->span.begin : last[-1].span.end};
    }
};

/// Reports a statement that cannot be read and goes on with the next one.
struct Recovers {
    template <typename Ctx>
    x3::error_handler_result on_error(Iterator& first, Iterator,
                                      const x3::expectation_failure<Iterator>& failure,
                                      const Ctx& ctx) {
        ParseContext& context = x3::get<parse_context_tag>(ctx);
        context.report(first, failure.where(), failure.which());
        first = context.after_statement(first, failure.where());
        return x3::error_handler_result::accept;
    }
};

template <typename Node>
struct NodeTag : WithSpan {};
template <typename Node>
struct PlainTag {};

/// A rule for a node of the AST, which gets its span; for a choice of nodes; for several of a kind.
template <typename Node>
using node_rule = x3::rule<NodeTag<Node>, Node>;
template <typename Variant>
using choice_rule = x3::rule<PlainTag<Variant>, Variant>;
template <typename Node>
using list_rule = x3::rule<PlainTag<std::vector<Node>>, std::vector<Node>>;

}  // namespace slab::dsl::grammar
