#pragma once

#include "dsl/ast_adapted.hpp"
#include "dsl/grammar/collapse.hpp"
#include "dsl/grammar/expression.hpp"

// clang-format off
namespace slab::dsl::grammar {

// The levels of precedence, loosest first. Each is a chain of the next, which collapses without links.
template <int level>
struct LevelTag : WithSpan {};
template <int level>
using chain_rule = x3::rule<LevelTag<level>, ast::Chain>;
template <int level>
using link_rule = x3::rule<LevelTag<-level>, ast::Link>;

const chain_rule<1> disjunction = "an expression";
const chain_rule<2> conjunction = "an expression";
const x3::rule<struct NegationTag, ast::Unary> negation = "an expression";
const chain_rule<3> relation = "an expression";
const chain_rule<4> bits = "an expression";
const chain_rule<5> shift = "an expression";
const chain_rule<6> sum = "an expression";
const chain_rule<7> term = "an expression";
const node_rule<ast::Unary> unary = "an expression";
const node_rule<ast::Postfix> postfix = "an expression";
const x3::rule<struct AtomTag, ast::Expr> atom = "an expression";

const link_rule<1> or_link = "`or`";
const link_rule<2> and_link = "`and`";
const link_rule<3> relation_link = "a comparison";
const link_rule<4> bits_link = "`&`";
const link_rule<5> shift_link = "`<<`";
const link_rule<6> sum_link = "`+`";
const link_rule<7> term_link = "`*`";

struct NegationTag : WithSpan {};

const auto single_comparison =
    next_is_not("one comparison, not a chain", "==", "!=", "<=", ">=", "<", ">");

const auto or_link_def = one_of("or") > conjunction;
const auto and_link_def = one_of("and") > negation;
const auto relation_link_def = one_of("==", "!=", "<=", ">=", "<", ">") > bits > single_comparison;
const auto bits_link_def = one_of("&", "|", "^") > shift;
const auto shift_link_def = one_of("<<", ">>") > sum;
const auto sum_link_def = one_of("+", "-") > term;
const auto term_link_def = one_of("*", "/", "%") > unary;

const auto disjunction_def = conjunction >> *or_link;
const auto conjunction_def = negation >> *and_link;
const auto negation_def = maybe("not") >> relation;
const auto relation_def = bits >> *relation_link;
const auto bits_def = shift >> *bits_link;
const auto shift_def = sum >> *shift_link;
const auto sum_def = term >> *sum_link;
const auto term_def = unary >> *term_link;
const auto unary_def = maybe("-") >> postfix;

const node_rule<ast::List> list = "a list";
const x3::rule<struct ParenthesesTag, ast::Expr> parentheses = "`(`";
const auto list_def = sign("[") > expressions > sign("]");
const auto parentheses_def = sign("(") > expression > sign(")");
const auto atom_def = number | text | value_name | parentheses | list;

const node_rule<ast::Member> member = "a member";
const node_rule<ast::Slices> slices = "`[`";
const choice_rule<ast::Suffix> suffix = "a suffix";
const list_rule<ast::Slice> slice_list = "a slice";
const choice_rule<ast::Slice> slice = "a slice";
const node_rule<ast::WholeSlice> whole = "`:`";
const x3::rule<struct MeasuredTag, ast::Slice> measured = "a slice";
const node_rule<MeasuredSlice> measured_parts = "a slice";
const x3::rule<struct RangeTag, RangeTail> range = "`+:`";
const list_rule<ast::Argument> argument_list = "an argument";
const node_rule<ast::Argument> argument = "an argument";
const x3::rule<struct ArgumentNameTag, std::string> argument_name = "a name";

const auto member_def = sign(".") > identifier;
const auto slices_def = sign("[") > slice_list > sign("]");
const auto slice_list_def = list_of(slice);
const auto slice_def = whole | measured;
const auto whole_def = colon >> x3::attr(ast::WholeSlice{});
const auto measured_def = measured_parts;
const auto measured_parts_def = expression >> -(sign("@") > expression) >> -range;
const auto range_def = sign("+:") > expression > -(sign("upto") > expression)
                                  > -(sign("step") > expression);
const auto arguments_def = sign("(") > -argument_list > sign(")");
const auto argument_list_def = list_of(argument);
const auto argument_def = -argument_name >> expression;
// Looks before it reads: a name that turns out to be a value must not stay behind in the attribute.
const auto argument_name_def = second_is(":") >> identifier >> colon;
const auto suffix_def = member | slices | arguments;
const auto postfix_def = atom >> *suffix;

const auto expression_def = disjunction;
const auto region_def = postfix;
const auto expressions_def = list_of(expression);
const auto dims_def = sign("[") > expressions > sign("]");

// A path is a postfix without calls.
const x3::rule<struct PathSuffixTag, ast::Suffix> path_suffix = "a suffix";
const x3::rule<struct PathPartsTag, ast::Postfix> path_parts = "a name";
struct PathPartsTag : WithSpan {};
const auto path_suffix_def = member | slices;
const auto path_parts_def = name >> *path_suffix;
const auto path_def = path_parts;

BOOST_SPIRIT_DEFINE(disjunction, conjunction, negation, relation, bits, shift, sum, term, unary)
BOOST_SPIRIT_DEFINE(or_link, and_link, relation_link, bits_link, shift_link, sum_link, term_link)
BOOST_SPIRIT_DEFINE(postfix, atom, list, parentheses, suffix, member, slices, slice_list, slice, whole)
BOOST_SPIRIT_DEFINE(measured, measured_parts, range, arguments, argument_list, argument, argument_name)
BOOST_SPIRIT_DEFINE(expression, region, expressions, dims, path, path_parts, path_suffix)

}  // namespace slab::dsl::grammar
// clang-format on
