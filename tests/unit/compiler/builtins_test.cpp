#include <catch2/catch.hpp>

#include "compiler/ops/op.hpp"
#include "kernels.hpp"

// Result type and work of every built-in function. A block f32[64, 256] fills 64/8 x 256/128 = 16
// registers, its row statistics 8; packed bf16 halves both on v6e.

using namespace slab;
using namespace slab::compiler::test;
using schedule::OpClass;
using schedule::Work;

namespace {

struct Row {
    std::string expression, type;
    Work work;
};

void check(const Row& row) {
    INFO(row.expression);
    const Made made = make(row.expression, row.type);
    CHECK(made.type == row.type);
    CHECK(made.op.work.valu == row.work.valu);
    CHECK(made.op.work.eup == row.work.eup);
    CHECK(made.op.work.xlu == row.work.xlu);
}

/// The first message about an expression.
std::string error(const std::string& expression) {
    const std::string messages = make(expression, "f32[64,256]").type;
    return messages.substr(0, messages.find('\n'));
}

}  // namespace

TEST_CASE("elementwise functions cost their instructions for each register") {
    for (const Row& row : {
             Row{"abs(a)", "f32[64,256]", {16, 0, 0}},
             Row{"exp(a)", "f32[64,256]", {16, 16, 0}},
             Row{"exp2(a)", "f32[64,256]", {0, 16, 0}},
             Row{"log(a)", "f32[64,256]", {16, 16, 0}},
             Row{"pow(a, a)", "f32[64,256]", {48, 32, 0}},
             Row{"erf(a)", "f32[64,256]", {18 * 16, 16, 0}},
             Row{"tanh(a)", "f32[64,256]", {0, 16, 0}},
             Row{"sigmoid(a)", "f32[64,256]", {32, 16, 0}},
             Row{"sqrt(a)", "f32[64,256]", {48, 16, 0}},
             Row{"rsqrt(a)", "f32[64,256]", {0, 16, 0}},
             Row{"recip(a)", "f32[64,256]", {32, 16, 0}},
             Row{"recip_approx(a)", "f32[64,256]", {0, 16, 0}},
             Row{"floor(a)", "f32[64,256]", {16, 0, 0}},
             Row{"ceil(a)", "f32[64,256]", {16, 0, 0}},
             Row{"round(a)", "f32[64,256]", {16, 0, 0}},
             Row{"clamp(a, 0, 1)", "f32[64,256]", {32, 0, 0}},
             Row{"max(a, 0)", "f32[64,256]", {16, 0, 0}},
             Row{"min(a, 1, 2, 3)", "f32[64,256]", {48, 0, 0}},
             Row{"max(h, 0)", "bf16[64,256]", {8, 0, 0}},
             Row{"exp(h)", "bf16[64,256]", {8, 8, 0}},
             Row{"abs(q)", "i32[64,256]", {16, 0, 0}},
             Row{"select(a > 0, a, 0)", "f32[64,256]", {16, 0, 0}},
             Row{"select(q > 0, 1, 0)", "i32[64,256]", {16, 0, 0}},
             Row{"select(n > 3, a, 0)", "f32[64,256]", {16, 0, 0}},
             Row{"select(a > 0, r, r)", "i8[64,256]", {16, 0, 0}},
         })
        check(row);
}

TEST_CASE("reductions keep their dimension, along lanes on the XLU, along rows on the VALU") {
    for (const Row& row : {
             Row{"rowmax(a)", "f32[64,1]", {8, 0, 8}}, Row{"rowmin(a)", "f32[64,1]", {8, 0, 8}},
             Row{"rowsum(a)", "f32[64,1]", {8, 0, 8}}, Row{"rowsum(q)", "i32[64,1]", {8, 0, 8}},
             Row{"argmax(a)", "i32[64,1]", {48, 0, 16}},
             Row{"colmax(a)", "f32[1,256]", {14 + 12, 0, 0}},
             Row{"colmin(a)", "f32[1,256]", {14 + 12, 0, 0}},
             Row{"colsum(a)", "f32[1,256]", {14 + 12, 0, 0}}, Row{"rowsum(v)", "f32[1]", {1, 0, 1}},
             Row{"fold(add, reshape(a, [4, 16, 256]), 0)", "f32[16,256]", {12, 0, 0}},
             Row{"fold(max, reshape(a, [2, 2, 16, 256]), 1)", "f32[2,16,256]", {8, 0, 0}},
             Row{"rowsum(a[:, 0 +: 100])", "f32[64,1]", {8, 0, 8}},  // lanes past 100 are masked
         })
        check(row);
    CHECK(error("colsum(v)") ==
          "E0004: the argument of `colsum` must be a block of rank 2 or more, this is f32[256]");
    CHECK(error("rowsum(r)") == "E0205: `rowsum` does not exist for i8");
    CHECK(error("rowsum(a > 0)") == "E0205: `rowsum` does not exist for pred");
    CHECK(error("fold(add, a, 0)").substr(0, 40) == "E0004: the argument of `fold` must be a ");
    CHECK(
        error("fold(sub, reshape(a, [4, 16, 256]), 0)") ==
        "E0004: the operation of `fold` must be add, mul, max or min, this is the string \"sub\"");
    CHECK(error("fold(add, reshape(a, [4, 16, 256]), 1)") ==
          "E0004: the axis of `fold` must be a leading dimension, 0 to 0, this is the integer 1");
}

TEST_CASE("functions that move elements, and when moving is free") {
    for (const Row& row : {
             Row{"iota([64, 256], 0)", "i32[64,256]", {8, 0, 0}},
             Row{"iota([64, 256], 1)", "i32[64,256]", {16, 0, 0}},
             Row{"reshape(a, [4, 16, 256])", "f32[4,16,256]", {0, 0, 0}},
             Row{"reshape(a, [16, 4, 256])", "f32[16,4,256]", {16 + 32, 0, 0}},
             Row{"reshape(a, [1, 64, 256])", "f32[1,64,256]", {0, 0, 0}},
             Row{"transpose(reshape(a, [4, 16, 256]), [1, 0, 2])", "f32[16,4,256]", {64, 0, 0}},
             Row{"transpose(reshape(a, [2, 2, 16, 256]), [1, 0, 2, 3])", "f32[2,2,16,256]", {}},
             Row{"transpose(a, [1, 0])", "f32[256,64]", {0, 0, 32}},
             Row{"concat([a, a], 0)", "f32[128,256]", {0, 0, 0}},
             Row{"concat([a, a], 1)", "f32[64,512]", {0, 0, 0}},
             Row{"concat([a[:, 0 +: 100], a], 1)", "f32[64,356]", {24, 0, 24}},
             Row{"stack([a, a, a])", "f32[3,64,256]", {0, 0, 0}},
             Row{"repeat(a, 2, 0)", "f32[128,256]", {0, 0, 0}},
             Row{"repeat(a, 2, 1)", "f32[64,512]", {0, 0, 0}},
             Row{"repeat(a[:, 0 +: 1], 256, 1)", "f32[64,256]", {0, 0, 16}},
             Row{"roll(a, 1, 0)", "f32[64,256]", {32, 0, 0}},
             Row{"roll(a, n, 1)", "f32[64,256]", {16, 0, 16}},
             Row{"take_along(a, iota([64, 128], 1), 1)", "f32[64,128]", {16, 0, 16}},
             Row{"take_along(a, q, 0)", "f32[64,256]", {128, 0, 128}},
             Row{"bits(i32, a)", "i32[64,256]", {0, 0, 0}},
             Row{"bits(bf16, a)", "bf16[128,256]", {0, 0, 0}},
             Row{"bits(u32, h)", "u32[32,256]", {0, 0, 0}},
         })
        check(row);
}

TEST_CASE("functions that move elements say what they need") {
    CHECK(error("reshape(a, [64, 2, 128])") ==
          "E0502: reshape of [64,256] to [64,2,128] would move data between lanes");
    CHECK(error("reshape(a, [64, 255])") ==
          "E0101: reshape of [64,256] to [64,255]: 16384 elements do not make 16320");
    CHECK(error("iota([0, 8], 0)") ==
          "E0004: the shape of `iota` must be a list of one to six constant sizes, such as [8, "
          "128], this is the list [0, 8]");
    CHECK(error("iota([8, 128], 2)") ==
          "E0004: the axis of `iota` must be a constant from 0 to 1, this is the integer 2");
    CHECK(error("concat([a, h], 0)") == "E0101: `concat` cannot join f32[64,256] and bf16[64,256]");
    CHECK(error("concat([a, v], 0)") == "E0101: `concat` cannot join f32[64,256] and f32[256]");
    CHECK(error("transpose(a, [0, 0])") ==
          "E0004: the order of `transpose` must be the dimensions 0 to 1, each once, this is the "
          "list [0, 0]");
    CHECK(error("repeat(a, 0, 0)") ==
          "E0004: the number of copies of `repeat` must be a constant from 1 to 65536, this is the "
          "integer 0");
    CHECK(error("roll(a, 0.5, 0)") ==
          "E0004: the amount must be an integer scalar, this is the real 0.5");
    CHECK(error("take_along(a, iota([32, 128], 1), 1)") ==
          "E0101: `take_along` cannot join [64,256] and [32,128]");
    CHECK(error("take_along(a, a, 1)").substr(0, 44) ==
          "E0004: the indices of `take_along` must be i");
    CHECK(error("bits(pred, a)").substr(0, 34) == "E0004: the type of `bits` must be ");
    CHECK(error("bits(i32, h[0 +: 1, :])").substr(0, 35) == "E0004: the block of `bits` must be ");
    CHECK(error("bits(3, a)") ==
          "E0004: the type of `bits` must be an element type, this is the integer 3");
    CHECK(error("f32(iota([1000000, 1], 0)) * f32(iota([1, 1000000], 1))") ==
          "E0601: f32[1000000,1000000] has 1e+12 elements, which no VMEM holds");
}

TEST_CASE("dot contracts, keeps batch dimensions and loads a transposed right operand for free") {
    const Made plain = make("dot(a, a.T, prec: \"bf16\")", "f32[64,64]");
    CHECK(plain.type == "f32[64,64]");
    CHECK(plain.op.cls == OpClass::dot);
    CHECK(plain.op.transposed);
    CHECK(plain.op.passes == 1);
    CHECK(make("dot(a, a.T, prec: \"bf16x3\")", "f32[64,64]").op.passes == 3);
    CHECK(make("dot(a, a.T, prec: \"f32\")", "f32[64,64]").op.passes == 6);
    CHECK(make("dot(h, h.T)", "f32[64,64]").op.passes == 1);
    CHECK(make("dot(h, h.T, prec: \"f32\")", "f32[64,64]").op.passes == 1);
    CHECK(make("dot(r, r.T)", "i32[64,64]").type == "i32[64,64]");
    const Made batch =
        make("dot(reshape(h, [4, 16, 256]), reshape(h, [4, 256, 16].T))", "f32[4,16,16]");
    CHECK(batch.type.substr(0, 5) == "E0004");
    CHECK(make("dot(reshape(h, [4, 16, 256]), reshape(h, [4, 16, 256]).T)", "f32[4,16,16]").type ==
          "f32[4,16,16]");
}

TEST_CASE("dot says which operands do not fit, and what would") {
    CHECK(error("dot(a, a, prec: \"f32\")") == "E0103: `dot` contracts 256 with 64");
    CHECK(error("dot(a, v, prec: \"f32\")").substr(0, 30) == "E0103: `dot` needs two blocks ");
    CHECK(error("dot(a, a.T)") == "E0202: f32 `dot` would round to bf16");
    CHECK(error("dot(h, r.T)") == "E0203: TPU v6e has no bf16 by i8 matrix unit");
    CHECK(error("dot(q, q.T)") == "E0203: TPU v6e has no i32 by i32 matrix unit");
    CHECK(error("dot(a, a.T, prec: \"f64\")") ==
          "E0004: `prec` of `dot` must be \"bf16\", \"bf16x3\" or \"f32\", this is the string "
          "\"f64\"");
    CHECK(error("dot(a, a.T, precision: \"f32\")") == "E0004: `dot` has no argument `precision`");
    CHECK(error("dot(a)") == "E0004: `dot` takes 2 arguments, 1 given");
    CHECK(error("dot(a, 1)") ==
          "E0004: the argument of `dot` must be a block, this is the integer 1");
}

TEST_CASE("every pair of types is either multiplied or refused, on every chip") {
    const std::vector<std::string> blocks = {
        "a", "h", "q", "r", "f8e4m3(a)", "f8e5m2(a)", "u8(a)", "i4(a)", "u4(a)", "i16(a)", "a > 0"};
    for (const std::string chip : {"v6e", "ironwood", "v5e", "v5p", "toy"})
        for (const std::string& x : blocks)
            for (const std::string& y : blocks) {
                const Result result = compile_body(
                    fmt::format("let d = dot({}, ({}).T, prec: \"bf16\")", x, y), "", chip);
                INFO(chip << " " << x << " " << y << " " << result.error());
                const bool refused = result.error().substr(0, 5) == "E0203";
                CHECK(result.compiled.has_value() != refused);
            }
    CHECK(compile_body("let d = dot(r, r.T)", "", "ironwood").error() ==
          "E0203: Ironwood has no integer matrix unit");
}

TEST_CASE("scalar arguments stay on the scalar unit") {
    const auto value = [](const std::string& expression) {
        return compile_body("let w = " + expression).error();
    };
    for (const char* fine :
         {"max(n, 3)", "min(n, 3, i)", "max(s, 1.5)", "clamp(n, 0, 4)", "abs(n)", "abs(s)",
          "select(n > 3, n, 4)", "select(n > 3, 1.0, s)", "select(true, 1, 2)", "cdiv(n, 8)",
          "aligned(n, 8)", "f32(n)", "i32(s)", "i32(n > 3)"})
        CHECK(value(fine) == "");
    CHECK(value("exp(s)") ==
          "E0004: the argument of `exp` must be a number or a block, this is an f32 scalar");
    CHECK(value("min(n, s)") ==
          "E0102: `min` needs equal types, these are an i32 scalar and an f32 scalar");
    CHECK(value("cdiv(n, 0)") == "E0009: `cdiv(n, 0)` divides by 0");
    CHECK(value("cdiv(s, 2)") ==
          "E0004: the argument of `cdiv` must be an integer scalar, this is an f32 scalar");
    CHECK(value("aligned(5, 8)") ==
          "E0004: the value of `aligned` must be a multiple of 8, this is the integer 5");
    CHECK(value("rowmax(n)") ==
          "E0004: the argument of `rowmax` must be a block, this is an i32 scalar");
    CHECK(value("select(n > 3, n, s)") == "E0102: an f32 scalar does not fit i32");
}

TEST_CASE("every built-in refuses a wrong number of arguments and wrong kinds of them") {
    for (const std::string& name : compiler::op_names()) {
        INFO(name);
        CHECK(error(name + "()").substr(0, 5) == "E0004");
        if (compiler::find_op(name)->max_args < 6)
            CHECK(error(name + "(a, a, a, a, a, a)").substr(0, 5) == "E0004");
        for (const char* argument : {"true", "\"x\"", "f32", "[1, 2]", "n > 3", "none"}) {
            const compiler::OpDef* op = compiler::find_op(name);
            std::string call = name + "(" + argument;
            for (int i = 1; i < op->min_args; ++i) call += std::string(", ") + argument;
            const std::string message = error(call + ")");
            INFO(call << ": " << message);
            CHECK(message[0] == 'E');
        }
    }
}
