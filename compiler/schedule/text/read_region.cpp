#include <fmt/format.h>

#include "compiler/schedule/text/reader.hpp"

namespace slab::schedule {

void Reader::region() {
    tokens_.expect("region");
    const Token number = tokens_.current();
    const auto next = static_cast<std::int32_t>(program_.regions.size());
    if (tokens_.numbered('r', "the number of a region, such as `r0`") != next)
        Tokens::fail(number.span, fmt::format("regions are numbered in order, this is r{}", next));
    Region region;
    region.name = tokens_.name("the name of the region");
    region.flops = field("flops");
    tokens_.expect("{");
    std::map<std::int32_t, ValueId> values;
    while (!tokens_.accept("}")) region.ops.push_back(operation_line(region, values));
    program_.regions.push_back(std::move(region));
}

Op Reader::operation_line(Region& region, std::map<std::int32_t, ValueId>& values) {
    Op op;
    const Token first = tokens_.current();
    std::int32_t defined = none;
    if (first.kind == Token::Kind::value) {
        defined = tokens_.numbered('%', "a value");
        tokens_.expect("=");
    }
    op.name = tokens_.name("an operation");
    if (tokens_.accept(".")) {
        op.cls = word<OpClass>("a class of operations");
    } else {
        const auto cls = from_name<OpClass>(op.name);
        if (!cls)
            Tokens::fail(first.span, fmt::format("operation `{}` needs its class, as in `{}.map`",
                                                 op.name, op.name));
        op.cls = *cls;
    }
    operands(op, values);
    attributes(op);
    if (defined == none) return op;
    tokens_.expect(":");
    op.result = static_cast<ValueId>(region.values.size());
    region.values.push_back(block_type("the type of the value"));
    if (!values.emplace(defined, op.result).second)
        Tokens::fail(first.span, fmt::format("value %{} is defined twice", defined));
    return op;
}

void Reader::operands(Op& op, const std::map<std::int32_t, ValueId>& values) {
    const auto starts_ref = [&] {
        return tokens_.current().kind == Token::Kind::word ||
               tokens_.current().kind == Token::Kind::quoted;
    };
    const auto operand = [&] {
        const Token token = tokens_.current();
        if (token.kind == Token::Kind::value) {
            const auto value = values.find(tokens_.numbered('%', "a value"));
            if (value == values.end())
                Tokens::fail(token.span, fmt::format("no value {} before this", token.text));
            op.args.push_back(value->second);
        } else if (tokens_.accept("(")) {
            op.scalars.push_back(expression());
            tokens_.expect(")");
        } else if (starts_ref() && !op.ref) {
            op.ref = memory_ref();
        } else {
            tokens_.expected("a value, a buffer or a scalar in brackets");
        }
    };
    // A bracket follows the name of a buffer, and no attribute or other line begins like that: `of`
    // and `hbm` are nobody's name.
    const auto follows = [&] {
        if (tokens_.current().kind == Token::Kind::value) {
            Tokens after = tokens_;
            after.take();
            return !after.at("=");
        }
        if (tokens_.at("(")) return true;
        if (!starts_ref()) return false;
        Tokens after = tokens_;
        after.take();
        return after.at("[") || (after.at("{") && !tokens_.at("of")) || tokens_.at("hbm");
    };
    if (!follows()) return;
    do operand();
    while (tokens_.accept(","));
}

void Reader::attributes(Op& op) {
    while (true) {
        if (tokens_.accept("of"))
            list("{", "}", [&] { op.integers.push_back(tokens_.integer("a number")); });
        else if (tokens_.accept("transposed"))
            op.transposed = true;
        else if (tokens_.at("passes"))
            op.passes = static_cast<int>(field("passes"));
        else if (tokens_.accept("valu"))
            op.work.valu = tokens_.real("instructions of the VALU");
        else if (tokens_.accept("eup"))
            op.work.eup = tokens_.real("instructions of the EUP");
        else if (tokens_.accept("xlu"))
            op.work.xlu = tokens_.real("instructions of the XLU");
        else
            return;
    }
}

}  // namespace slab::schedule
