#include "reading.hpp"

using namespace slab::dsl;

TEST_CASE("parentheses are kept where they change the tree and dropped where not") {
    CHECK(expression("((a + b)) * (c)") == "(a + b) * c");
    CHECK(expression("(a * b) + c") == "a*b + c");
    CHECK(expression("a + (b + c)") == "a + (b + c)");
    CHECK(expression("(a + b) + c") == "(a + b) + c");
    CHECK(expression("not (a == b)") == "not a == b");
    CHECK(expression("not (not a)") == "not (not a)");
    CHECK(expression("(not a) == b") == "(not a) == b");
    CHECK(expression("-(a + b)") == "-(a + b)");
    CHECK(expression("-(-a)") == "-(-a)");
    CHECK(expression("a - (-b)") == "a - -b");
    CHECK(expression("(a < b) == c") == "(a < b) == c");
    CHECK(expression("(a.x)[0]") == "(a.x)[0]");
    CHECK(expression("(-a).T") == "(-a).T");
    CHECK(expression("(a + b)[0]") == "(a + b)[0]");
    CHECK(expression("(1).x") == "(1).x");
    CHECK(expression("a and (b or c)") == "a and (b or c)");
    CHECK(expression("x[(i + 1)@b]") == "x[(i + 1)@b]");
    CHECK(expression("x[i + 1@(b)]") == "x[(i + 1)@b]");
}

TEST_CASE("products are tight inside sums, comparisons and brackets, and spaced elsewhere") {
    CHECK(expression("a * b") == "a * b");
    CHECK(expression("f(a*b)") == "f(a * b)");
    CHECK(expression("a * b + c") == "a*b + c");
    CHECK(expression("x[a * b]") == "x[a*b]");
    CHECK(expression("a * b < c") == "a*b < c");
    CHECK(expression("H%G==0") == "H % G == 0");
    CHECK(expression("x[2*g+1 , s+:n*2 upto C]") == "x[2*g + 1, s +: n*2 upto C]");
}

TEST_CASE("number literals keep their spelling") {
    CHECK(expression("0x10 + 1e-05 + 1.500") == "0x10 + 1e-05 + 1.500");
}

TEST_CASE("comments stay: alone above what follows them, trailing on their line") {
    const std::string text =
        "// the file\n"
        "\n"
        "// a constant\n"
        "const a = 1  // one\n"
        "\n"
        "kernel k(\n"
        "    // operands\n"
        "    a: hbm f32[M],  // first\n"
        "    // the result\n"
        "    out b: hbm f32[M])  // second\n"
        "// a clause\n"
        "require M > 1  // really\n"
        "grid (i in M/8 par)  // steps\n"
        "  // the window\n"
        "  in x = a[i@8]  // one block\n"
        "  scratch s: vmem f32[8],  // scratch\n"
        "      t: vmem f32[8]\n"
        "{  // body\n"
        "  // first\n"
        "  if x {  // why\n"
        "    // inside\n"
        "    y = 1\n"
        "    // at the end\n"
        "  } else {  // why not\n"
        "    y = 2  // two\n"
        "  }  // done\n"
        "\n"
        "  for i in 0..2 { y = 3 }  // short\n"
        "  // last in body\n"
        "}  // end\n"
        "// last in file\n";
    const Reading reading(text);
    INFO(reading.errors());
    CHECK(reading.printed() == text);
}

TEST_CASE("a comment inside a statement moves above it") {
    CHECK(statements("let a = b +  // b\n  c  // c\nd = 1") ==
          "// b\nlet a = b + c  // c\nd = 1\n");
    CHECK(statements("if a  // why\n{ b = 1 }") == "// why\nif a { b = 1 }\n");
}

TEST_CASE("a comment in a short block opens it") {
    CHECK(statements("first k { // start\n acc = 0 }") == "first k {  // start\n  acc = 0\n}\n");
    CHECK(statements("first k { acc = 0 // start\n }") == "first k {\n  acc = 0  // start\n}\n");
    CHECK(statements("if a {\n// nothing\n}") == "if a {\n  // nothing\n}\n");
}

TEST_CASE("one blank line is kept where the author left some") {
    CHECK(statements("a = 1\n\n\n\nb = 2\nc = 3\n\n// d\n\nd = 4\n\n") ==
          "a = 1\n\nb = 2\nc = 3\n\n// d\n\nd = 4\n");
}

TEST_CASE("items are set apart, short ones may stand together") {
    CHECK(Reading(
              "const a = 1\nconst b = 2\nfn f(x) = x\nkernel k() { }\nkernel l() { }\nconst c = 1")
              .printed() ==
          "const a = 1\nconst b = 2\nfn f(x) = x\n\nkernel k()\n{\n}\n\nkernel l()\n{\n}\n\nconst "
          "c = 1\n");
}

TEST_CASE("without a source there are no comments and no blank lines") {
    const Reading reading(in_kernel("// c\na = 1\n\nb = 2"));
    CHECK(print(reading.file) == "kernel k()\n{\n  a = 1\n  b = 2\n}\n");
}

TEST_CASE("long lists are filled into lines of at most 100 columns") {
    const std::string name(40, 'a');
    const Reading reading("reference r(x" + name + ": [M], y" + name + ": [M], out z" + name +
                          ": [M]) { }");
    CHECK(reading.printed() == "reference r(\n    x" + name + ": [M], y" + name +
                                   ": [M],\n    out z" + name + ": [M]) {\n}\n");
}
