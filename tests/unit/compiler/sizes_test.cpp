#include <catch2/catch.hpp>

#include "compiler/ops/op.hpp"
#include "dsl/parse.hpp"
#include "kernels.hpp"

using namespace slab;
using namespace slab::compiler::test;

namespace {

/// A kernel with the brackets given that copies x to y; M and D are its shape names.
std::string copy(const std::string& brackets, const std::string& type = "f32") {
    return "kernel k" + brackets + "(x: hbm " + type + "[M, D], out y: hbm " + type +
           "[M, D]) grid (i in 1) in a = x out z = y { z = a }";
}

/// "M = 64, b = 8", or what is wrong.
std::string bound(const std::string& text, const std::string& set) {
    const Result result = compile_text(text, set);
    if (!result.compiled) return result.error();
    std::string line;
    for (const compiler::Bound& size : result.compiled->sizes)
        line +=
            fmt::format("{}{} = {}", line.empty() ? "" : ", ", size.name, to_string(size.value));
    return line;
}

}  // namespace

TEST_CASE("a default may use shape names and other parameters, in any order of declaration") {
    CHECK(bound(copy("[b = min(M, c), c = 2*d, d = 16]"), "M=64,D=128") ==
          "M = 64, D = 128, d = 16, c = 32, b = 32");
    CHECK(bound(copy("[b = 8]"), "M=64,D=128,b=16") == "M = 64, D = 128, b = 16");
    CHECK(bound(copy("[b = 8]"), "M=64,D=128,b=16,b=32") == "M = 64, D = 128, b = 32");
}

TEST_CASE("values are constant expressions over constants, functions and one another") {
    CHECK(bound("const U = 4 fn twice(x) = 2*x " + copy("[b = twice(U)]"), "M=twice(U)*8,D=128") ==
          "M = 64, D = 128, b = 8");
    CHECK(bound(copy("[b = 8]"), "M=D/2,D=128") == "D = 128, M = 64, b = 8");
    CHECK(bound(copy("[b = 8]"), "M=1 << 6,D=0x80") == "M = 64, D = 128, b = 8");
}

TEST_CASE("a value that depends on itself is named") {
    CHECK(bound(copy("[b = c, c = b]"), "M=64,D=128") ==
          "E0006: the value of `b` depends on itself");
    CHECK(bound(copy("[b = b]"), "M=64,D=128") == "E0006: the value of `b` depends on itself");
    CHECK(bound(copy(""), "M=M,D=128") == "E0006: the value of `M` depends on itself");
}

TEST_CASE("all missing sizes stand in one message, all missing parameters in another") {
    const Result result = compile_text(copy("[b, c = b + M]"));
    CHECK(result.headlines() == std::vector<std::string>{"sizes `M`, `D` without a value",
                                                         "parameter `b` without a value"});
    CHECK(result.diags.exit_code() == 2);
    CHECK(result.diags.messages()[0].fixes() == std::vector<std::string>{"--set M=…,D=…"});
    CHECK(bound(copy(""), "M=64") == "E0006: size `D` without a value");
}

TEST_CASE("names that a kernel does not have are answered with those it has") {
    const Result near = compile_text(copy("[blk = 8]"), "M=64,D=128,blck=4");
    CHECK(near.error() == "E0006: `k` has no size or parameter `blck`");
    CHECK(near.diags.messages()[0].fixes() == std::vector<std::string>{"`blk`"});
    const Result far = compile_text(copy("[bm = 8]"), "M=64,D=128,quux=4");
    CHECK(far.diags.messages()[0].why() == "it has `D`, `M`, `bm`");
    const Result none = compile_text("kernel k() { }", "M=1");
    CHECK(none.diags.messages()[0].why() == "it has none");
    CHECK(bound(copy(""), "M=64,D=128,x=3") ==
          "E0006: `x` is an operand, --set gives sizes and parameters");
}

TEST_CASE("a size is an integer from 1 to 2^31 - 1") {
    CHECK(bound(copy(""), "M=0,D=128") == "E0006: `M` is 0, a size is at least 1");
    CHECK(bound(copy(""), "M=-8,D=128") == "E0006: `M` is -8, a size is at least 1");
    CHECK(bound(copy(""), "M=1000000000000,D=1") ==
          "E0006: `M` is 1000000000000, the largest is 2147483647");
    CHECK(bound(copy(""), "M=1.5,D=128") == "E0006: `M` must be an integer, `1.5` is a real");
    CHECK(bound(copy(""), "M=true,D=128") ==
          "E0006: `M` must be an integer, `true` is a truth value");
    CHECK(bound(copy(""), "M=bf16,D=128") ==
          "E0006: `M` must be an integer, `bf16` is an element type");
    CHECK(bound(copy(""), "M=\"x\",D=128") == "E0006: `M` must be an integer, `\"x\"` is a string");
    CHECK(bound(copy("[b: int = 8]"), "M=8,D=128,b=-3000000000") ==
          "E0006: `b` is -3000000000, the smallest is -2147483647");
    CHECK(bound(copy("[b: int = 8]"), "M=8,D=128,b=-3") == "M = 8, D = 128, b = -3");
}

TEST_CASE("parameters have the types they declare") {
    const std::string kernel =
        copy("[T: dtype = f32, c: bool = true, e: f32 = 1, p: pred = false]");
    CHECK(bound(kernel, "M=8,D=128") == "M = 8, D = 128, T = f32, c = true, e = 1.0, p = false");
    CHECK(bound(kernel, "M=8,D=128,T=bf16,c=false,e=0.5,p=true") ==
          "M = 8, D = 128, T = bf16, c = false, e = 0.5, p = true");
    CHECK(bound(kernel, "M=8,D=128,T=3") ==
          "E0006: `T` must be an element type, `3` is an integer");
    CHECK(bound(kernel, "M=8,D=128,c=1") == "E0006: `c` must be true or false, `1` is an integer");
    CHECK(bound(kernel, "M=8,D=128,e=true") ==
          "E0006: `e` must be a number, `true` is a truth value");
}

TEST_CASE("a dtype parameter types operands") {
    const Result result = compile_text(copy("[T: dtype = f32]", "T"), "M=8,D=128,T=bf16");
    REQUIRE(result.compiled);
    CHECK(result.program().operands[0].type == DType::bf16);
    CHECK(compile_text(copy("[T = 3]", "T"), "M=8,D=128").headlines()[0] ==
          "`T` must be an element type, this is the integer 3");
}

TEST_CASE("what --set gives must be one constant expression") {
    CHECK(bound(copy(""), "M=,D=128").substr(0, 20) == "E0006: --set M=: exp");
    CHECK(bound(copy(""), "M=1/0,D=128") == "E0006: --set M=1/0: `1 / 0` divides by 0");
    CHECK(bound(copy(""), "M=x,D=128") == "E0006: --set M=x: no value named `x`");
    CHECK(bound(copy(""), "M=8 8,D=128").substr(0, 18) == "E0006: --set M=8 8");
}

TEST_CASE("run-time scalars take their values from --set and are no compile-time values") {
    const std::string kernel =
        "kernel k[b = 1](n: i32, s: f32, p: pred, out y: hbm f32[8, 128]) grid (i in 1) out z = y {"
        " if p { z = s } else { z = f32(n) } }";
    const Result result = compile_text(kernel, "n=-5,s=2,p=true");
    REQUIRE(result.compiled);
    const auto& slots = result.program().slots;
    CHECK(slots[0].integer == -5);
    CHECK(slots[1].real == 2);
    CHECK(slots[2].integer == 1);
    CHECK(control(result.program()) == "grid{if{r0}else{r1}}");
    CHECK(bound(kernel, "n=1,s=2") == "E0006: parameter `p` without a value");
    CHECK(compile_text("kernel k[b = n](n: i32) { }", "n=3").error() ==
          "E0008: the default of `b` must be known at compile time");
    CHECK(compile_text("kernel k(n: bf16) { }", "n=3").error() ==
          "E0004: the type of a run-time scalar must be i32, f32 or pred, this is bf16");
    CHECK(compile_text("kernel k(x: hbm f32[n, 128], n: i32) { }", "n=3").error() ==
          "E0008: a size of `x` must be known at compile time");
}

TEST_CASE("optional operands are named by --with") {
    const std::string kernel =
        "kernel k(x: hbm f32[8, 128], b: hbm f32[8, 128]?, out y: hbm f32[8, 128])"
        " grid (i in 1) in a = x in c = b out z = y { if has(b) { z = a + c } else { z = a } }";
    CHECK(operations(compile_text(kernel).program()) == "load:a store:z");
    CHECK(operations(compile_text(kernel, "", "v6e", "b").program()) ==
          "load:a load:c add store:z");
    CHECK(compile_text(kernel, "", "v6e", "x").error() == "E0006: `k` has no optional operand `x`");
    CHECK(compile_text("kernel k() { }", "", "v6e", "x").diags.messages()[0].why() ==
          "it has none");
}

TEST_CASE("`require` names the sizes that it finds wrong") {
    const std::string kernel = "kernel k[b = 6](x: hbm f32[M, 128]) require M % b == 0, b > 0 { }";
    CHECK(compile_text(kernel, "M=12").compiled);
    CHECK(compile_text(kernel, "M=8").error() ==
          "E0005: `require M % b == 0` does not hold: M = 8, b = 6");
    CHECK(compile_text("kernel k[b = 6]() require b { }").error() ==
          "E0102: a condition is needed here, this is the integer 6");
    CHECK(compile_text("kernel k(n: i32) require n > 0 { }", "n=3").error() ==
          "E0008: a `require` must be known at compile time");
}

TEST_CASE("sizes and parameters are listed with what gives them a value") {
    const SourceFile source("t.slab", copy("[b, c = 3]"));
    Diagnostics diags;
    const dsl::ast::File file = dsl::parse(source, diags);
    const auto names =
        compiler::parameters(file, boost::get<dsl::ast::Kernel>(file.items[0].get()));
    REQUIRE(names.size() == 4);
    CHECK(names[0].name == "M");
    CHECK(names[0].is_shape);
    CHECK(names[2].name == "b");
    CHECK_FALSE(names[2].has_default);
    CHECK(names[3].has_default);
}

TEST_CASE("a thousand parameters that depend on one another are ordered at once") {
    std::string brackets = "p0 = 1";
    for (int i = 1; i < 1000; ++i) brackets = fmt::format("p{} = p{} + 1, {}", i, i - 1, brackets);
    const Result result = compile_text("kernel k[" + brackets + "]() { }");
    REQUIRE(result.compiled);
    CHECK(result.compiled->sizes.back().name == "p999");
    CHECK(result.compiled->sizes.back().value == compiler::Constant{std::int64_t{1000}});
}

TEST_CASE("operands have 1 to 6 dimensions and lie in HBM together") {
    CHECK(compile_text("kernel k(x: hbm f32[1, 1, 1, 1, 1, 1, 1]) { }").error() ==
          "E0004: the rank of `x` must be 1 to 6, this is 7");
    CHECK(compile_text("kernel k(x: hbm f32[0, 8]) { }").error() ==
          "E0006: `0` is 0, a size is at least 1");
    CHECK(compile_text("kernel k(x: hbm f32[1 << 31]) { }").error() ==
          "E0006: `1 << 31` is 2147483648, the largest is 2147483647");
    CHECK(compile_text("kernel k(x: hbm f32[M, M], y: hbm f32[M, M]) { }", "M=70000").error() ==
          "E0604: operands need 36.5 GiB of HBM, a core has 32.0 GiB");
}
