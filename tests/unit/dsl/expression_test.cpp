#include "reading.hpp"

using namespace slab::dsl;

namespace {

/// The tree with all its parentheses.
std::string tree(const ast::Expr& expr) {
    return visit(
        expr, [](const ast::Number& number) { return number.spelling; },
        [](const ast::Text& text) { return '"' + text.value + '"'; },
        [](const ast::Name& name) { return name.text; },
        [](const ast::List& list) {
            std::string all = "[";
            for (const ast::Expr& item : list.items) all += tree(item) + ";";
            return all + "]";
        },
        [](const ast::Postfix& postfix) {
            return "<" + tree(postfix.base) + " " + std::to_string(postfix.suffixes.size()) + ">";
        },
        [](const ast::Unary& unary) { return "(" + unary.op + " " + tree(unary.operand) + ")"; },
        [](const ast::Chain& chain) {
            std::string all = "(" + tree(chain.first);
            for (const ast::Link& link : chain.rest)
                all += " " + link.op + " " + tree(link.operand);
            return all + ")";
        });
}

std::string tree(const std::string& text) {
    const slab::SourceFile source("t.slab", text);
    slab::Diagnostics diags;
    const auto expr = parse_expression(source, diags);
    INFO(render(diags, &source));
    REQUIRE(expr);
    return tree(*expr);
}

}  // namespace

TEST_CASE("an operator binds tighter than those before it") {
    CHECK(tree("a or b and not c == d | e << f + g * -h.T") ==
          "(a or (b and (not (c == (d | (e << (f + (g * (- <h 1>)))))))))");
    CHECK(tree("a * b + c << d & e < f and g or h") ==
          "(((((((a * b) + c) << d) & e) < f) and g) or h)");
}

TEST_CASE("a chain of one level is flat and keeps its order") {
    CHECK(tree("a - b + c - d") == "(a - b + c - d)");
    CHECK(tree("a / b * c % d") == "(a / b * c % d)");
    CHECK(tree("a and b and c") == "(a and b and c)");
    CHECK(tree("a - (b - c)") == "(a - (b - c))");
    CHECK(tree("(a - b) - c") == "((a - b) - c)");
}

TEST_CASE("an atom alone is the atom") {
    CHECK(tree("((a))") == "a");
    CHECK(tree("0x10") == "0x10");
    CHECK(tree("-inf") == "(- inf)");
    CHECK(tree("\"bf16x3\"") == "\"bf16x3\"");
    for (const char* word : {"inf", "true", "false", "me", "none", "f32", "bf16", "any", "pred"})
        CHECK(tree(word) == word);
}

TEST_CASE("suffixes follow their atom in order") {
    CHECK(tree("x[i@b, :].T") == "<x 2>");
    CHECK(tree("f(x)(y)[0]") == "<f 3>");
    CHECK(tree("[a, b + c, [d]]") == "[a;(b + c);[d;];]");
    CHECK(tree("bf16(acc / l)") == "<bf16 1>");
}

TEST_CASE("a value is not taken for the name of an argument") {
    const slab::SourceFile source("t.slab", "f(x, y: z, g(w))");
    slab::Diagnostics diags;
    const auto expr = parse_expression(source, diags);
    REQUIRE(expr);
    const auto* postfix = ast::get_if<ast::Postfix>(*expr);
    REQUIRE(postfix);
    const auto* arguments = ast::get_if<ast::Arguments>(postfix->suffixes[0]);
    REQUIRE(arguments);
    REQUIRE(arguments->items.size() == 3);
    CHECK(arguments->items[0].name.empty());
    CHECK(arguments->items[1].name == "y");
    CHECK(arguments->items[2].name.empty());
}

TEST_CASE("each kind of slice is read as what it is") {
    const slab::SourceFile source("t.slab",
                                  "x[:, i, i + 1@b, s +: n, s +: n upto m, s +: n step k, "
                                  "s +: n upto m step k]");
    slab::Diagnostics diags;
    const auto expr = parse_expression(source, diags);
    REQUIRE(expr);
    const auto* slices = ast::get_if<ast::Slices>(ast::get_if<ast::Postfix>(*expr)->suffixes[0]);
    REQUIRE(slices);
    REQUIRE(slices->items.size() == 7);
    CHECK(ast::get_if<ast::WholeSlice>(slices->items[0]));
    CHECK(ast::get_if<ast::IndexSlice>(slices->items[1]));
    REQUIRE(ast::get_if<ast::BlockSlice>(slices->items[2]));
    CHECK(tree(ast::get_if<ast::BlockSlice>(slices->items[2])->index) == "(i + 1)");
    for (std::size_t i = 3; i < 7; ++i) {
        const auto* range = ast::get_if<ast::RangeSlice>(slices->items[i]);
        REQUIRE(range);
        CHECK(range->upto.has_value() == (i == 4 || i == 6));
        CHECK(range->step.has_value() == (i >= 5));
    }
}

TEST_CASE("a node knows its bytes") {
    const slab::SourceFile source("t.slab", " a + f( b )[0] ");
    slab::Diagnostics diags;
    const auto expr = parse_expression(source, diags);
    REQUIRE(expr);
    CHECK(source.text(expr->span()) == "a + f( b )[0]");
    const auto& operand = ast::get_if<ast::Chain>(*expr)->rest[0].operand;
    CHECK(source.text(operand.span()) == "f( b )[0]");
}

TEST_CASE("equality ignores places and sees everything else") {
    const auto read = [](const char* text) {
        const slab::SourceFile source("t.slab", text);
        slab::Diagnostics diags;
        return *parse_expression(source, diags);
    };
    CHECK(read("a+f(b)") == read(" a + f( b )"));
    CHECK_FALSE(read("a + b") == read("a - b"));
    CHECK_FALSE(read("x[0]") == read("x[:]"));
    CHECK_FALSE(read("1") == read("a"));
    CHECK_FALSE(read("1.0") == read("1.00"));
}

TEST_CASE("a text that is more or less than an expression is refused") {
    for (const char* text :
         {"", "a b", "a +", "a < b < c", "f(", "(a", "a..b", "let", "x[]", "- - a"}) {
        const slab::SourceFile source("t.slab", text);
        slab::Diagnostics diags;
        INFO(text);
        CHECK_FALSE(parse_expression(source, diags));
        CHECK(diags.size() == 1);
        CHECK_FALSE(render(diags, &source).empty());
    }
}
