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

/// Reports a part that cannot be read and goes on with the next one.
template <Part part>
struct Recovers {
    template <typename Ctx>
    x3::error_handler_result on_error(Iterator& first, Iterator,
                                      const x3::expectation_failure<Iterator>& failure,
                                      const Ctx& ctx) {
        ParseContext& context = x3::get<parse_context_tag>(ctx);
        const Iterator construct = part == Part::statement ? first : context.head_of(first);
        context.report(construct, failure.where(), failure.which());
        const Iterator next = context.after(part, first, failure.where());
        if (next == nullptr) return x3::error_handler_result::rethrow;
        first = next;
        return x3::error_handler_result::accept;
    }
};

template <typename Node>
struct NodeTag : WithSpan {};
template <typename Node>
struct PlainTag {};

/// An element of a list that is given up alone.
template <typename Node>
struct ElementTag : WithSpan, Recovers<Part::element> {};

/// A rule for a node of the AST, which gets its span; for a choice of nodes; for several of a kind.
template <typename Node>
using node_rule = x3::rule<NodeTag<Node>, Node>;
template <typename Node>
using element_rule = x3::rule<ElementTag<Node>, Node>;
template <typename Variant>
using choice_rule = x3::rule<PlainTag<Variant>, Variant>;
template <typename Node>
using list_rule = x3::rule<PlainTag<std::vector<Node>>, std::vector<Node>>;

}  // namespace slab::dsl::grammar
