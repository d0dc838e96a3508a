#pragma once

#include <utility>

#include <boost/fusion/include/adapt_struct.hpp>
#include <boost/spirit/home/x3.hpp>

#include "dsl/ast.hpp"

/// The two places where what is read first has a simpler shape than the AST. An operand without
/// operators around it is no chain, and the kind of a slice shows only behind its first expression.
namespace slab::dsl::grammar {

struct RangeTail {
    ast::Expr size;
    ast::Optional<ast::Expr> upto;
    ast::Optional<ast::Expr> step;
};
struct MeasuredSlice : ast::Located {
    ast::Expr first;
    ast::Optional<ast::Expr> block;
    ast::Optional<RangeTail> range;
};

inline ast::Slice collapsed(MeasuredSlice&& read) {
    if (read.block)
        return ast::Slice(
            ast::BlockSlice{{read.span}, std::move(read.first), std::move(*read.block)});
    if (read.range)
        return ast::Slice(ast::RangeSlice{{read.span},
                                          std::move(read.first),
                                          std::move(read.range->size),
                                          std::move(read.range->upto),
                                          std::move(read.range->step)});
    return ast::Slice(ast::IndexSlice{{read.span}, std::move(read.first)});
}
inline ast::Expr collapsed(ast::Chain&& chain) {
    return chain.rest.empty() ? std::move(chain.first) : ast::Expr(std::move(chain));
}
inline ast::Expr collapsed(ast::Unary&& unary) {
    return unary.op.empty() ? std::move(unary.operand) : ast::Expr(std::move(unary));
}
inline ast::Expr collapsed(ast::Postfix&& postfix) {
    return postfix.suffixes.empty() ? std::move(postfix.base) : ast::Expr(std::move(postfix));
}

/// Reads a `Node` where the grammar wants a `Target`.
template <typename Target, typename Node>
struct Collapsing {
    using type = Node;
    static Node pre(Target&) { return {}; }
    static void post(Target& target, Node&& node) { target = collapsed(std::move(node)); }
};

}  // namespace slab::dsl::grammar

BOOST_FUSION_ADAPT_STRUCT(slab::dsl::grammar::RangeTail, size, upto, step)
BOOST_FUSION_ADAPT_STRUCT(slab::dsl::grammar::MeasuredSlice, first, block, range)

namespace boost::spirit::x3::traits {

template <>
struct transform_attribute<slab::dsl::ast::Expr, slab::dsl::ast::Chain, parser_id>
    : slab::dsl::grammar::Collapsing<slab::dsl::ast::Expr, slab::dsl::ast::Chain> {};
template <>
struct transform_attribute<slab::dsl::ast::Expr, slab::dsl::ast::Unary, parser_id>
    : slab::dsl::grammar::Collapsing<slab::dsl::ast::Expr, slab::dsl::ast::Unary> {};
template <>
struct transform_attribute<slab::dsl::ast::Expr, slab::dsl::ast::Postfix, parser_id>
    : slab::dsl::grammar::Collapsing<slab::dsl::ast::Expr, slab::dsl::ast::Postfix> {};
template <>
struct transform_attribute<slab::dsl::ast::Slice, slab::dsl::grammar::MeasuredSlice, parser_id>
    : slab::dsl::grammar::Collapsing<slab::dsl::ast::Slice, slab::dsl::grammar::MeasuredSlice> {};

}  // namespace boost::spirit::x3::traits
