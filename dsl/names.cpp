#include "dsl/names.hpp"

#include "dsl/visit.hpp"

namespace slab::dsl {
namespace {

void collect(const ast::Expr& expr, std::vector<ast::Name>& names);

void collect(const ast::Slice& slice, std::vector<ast::Name>& names) {
    ast::visit(
        slice, [](const ast::WholeSlice&) {},
        [&](const ast::IndexSlice& one) { collect(one.index, names); },
        [&](const ast::BlockSlice& nth) {
            collect(nth.index, names);
            collect(nth.size, names);
        },
        [&](const ast::RangeSlice& range) {
            collect(range.start, names);
            collect(range.size, names);
            if (range.upto) collect(*range.upto, names);
            if (range.step) collect(*range.step, names);
        });
}

void collect(const ast::Suffix& suffix, std::vector<ast::Name>& names) {
    ast::visit(
        suffix, [](const ast::Member&) {},
        [&](const ast::Slices& slices) {
            for (const ast::Slice& slice : slices.items) collect(slice, names);
        },
        [&](const ast::Arguments& arguments) {
            for (const ast::Argument& argument : arguments.items) collect(argument.value, names);
        });
}

void collect(const ast::Expr& expr, std::vector<ast::Name>& names) {
    ast::visit(
        expr, [](const ast::Number&) {}, [](const ast::Text&) {},
        [&](const ast::Name& name) { names.push_back(name); },
        [&](const ast::List& list) {
            for (const ast::Expr& item : list.items) collect(item, names);
        },
        [&](const ast::Postfix& postfix) {
            collect(postfix.base, names);
            for (const ast::Suffix& suffix : postfix.suffixes) collect(suffix, names);
        },
        [&](const ast::Unary& unary) { collect(unary.operand, names); },
        [&](const ast::Chain& chain) {
            collect(chain.first, names);
            for (const ast::Link& link : chain.rest) collect(link.operand, names);
        });
}

}  // namespace

std::vector<ast::Name> names_in(const ast::Expr& expr) {
    std::vector<ast::Name> names;
    collect(expr, names);
    return names;
}

}  // namespace slab::dsl
