#include <catch2/catch.hpp>

#include "kernels.hpp"

// Operators, literals, broadcasting and casts, on constants, scalars and blocks.

using namespace slab;
using namespace slab::compiler::test;

namespace {

std::string type_of(const std::string& expression, const std::string& type) {
    return make(expression, type).type;
}

/// The first message about an expression.
std::string error(const std::string& expression) {
    const std::string messages = make(expression, "f32[64,256]").type;
    return messages.substr(0, messages.find('\n'));
}

std::string scalar_error(const std::string& expression) {
    return compile_body("let w = " + expression).error();
}

}  // namespace

TEST_CASE("arithmetic of blocks costs its instructions for each register") {
    struct Row {
        std::string expression, type;
        double valu, eup;
    };
    for (const Row& row : {Row{"a + a", "f32[64,256]", 16, 0},
                           Row{"a - 1", "f32[64,256]", 16, 0},
                           Row{"2 * a", "f32[64,256]", 16, 0},
                           Row{"1 / a", "f32[64,256]", 48, 16},
                           Row{"a % 2", "f32[64,256]", 80, 16},
                           Row{"-a", "f32[64,256]", 16, 0},
                           Row{"h + h", "bf16[64,256]", 8, 0},
                           Row{"q / 3", "i32[64,256]", 48, 16},
                           Row{"q & 7", "i32[64,256]", 16, 0},
                           Row{"q | 7", "i32[64,256]", 16, 0},
                           Row{"q ^ q", "i32[64,256]", 16, 0},
                           Row{"q << 3", "i32[64,256]", 16, 0},
                           Row{"q >> n", "i32[64,256]", 16, 0},
                           Row{"a < 0", "pred[64,256]", 16, 0},
                           Row{"a == a", "pred[64,256]", 16, 0},
                           Row{"q != 3", "pred[64,256]", 16, 0},
                           Row{"not (a < 0)", "pred[64,256]", 16, 0},
                           Row{"a < 0 and a > -1", "pred[64,256]", 16, 0},
                           Row{"a < 0 or a > 1", "pred[64,256]", 16, 0},
                           Row{"a * s", "f32[64,256]", 16, 0},
                           Row{"q + n", "i32[64,256]", 16, 0}}) {
        INFO(row.expression);
        const Made made = make(row.expression, row.type);
        CHECK(made.type == row.type);
        CHECK(made.op.work.valu == row.valu);
        CHECK(made.op.work.eup == row.eup);
    }
}

TEST_CASE("operators name the types they cannot join") {
    CHECK(error("a + h") == "E0102: `+` needs equal types, these are f32 and bf16");
    CHECK(error("a + q") == "E0102: `+` needs equal types, these are f32 and i32");
    CHECK(error("a & 3") == "E0205: `&` does not exist for f32");
    CHECK(error("a and a") == "E0205: `and` does not exist for f32");
    CHECK(error("not a") ==
          "E0004: the operand of `not` must be a condition, this is a block "
          "f32[64,256] in VMEM");
    CHECK(error("-(a < 0)") == "E0205: `-` does not exist for pred");
    CHECK(error("(a < 0) + (a < 0)") == "E0205: `+` does not exist for pred");
    CHECK(error("exp(q)") == "E0205: `exp` does not exist for i32");
    CHECK(error("r + r") == "E0205: no `+` arithmetic on i8 in TPU v6e");
    CHECK(error("-r") == "E0205: no `-` arithmetic on i8 in TPU v6e");
    CHECK(make("h + h", "bf16[64,256]", "v5e").type ==
          "E0205: no `+` arithmetic on bf16 in TPU v5e");
    CHECK(error("a + \"x\"") == "E0102: the string \"x\" does not fit f32");
    CHECK(error("a + f32") == "E0102: the element type f32 does not fit f32");
    CHECK(error("a + i") == "f32[64,256]");
}

TEST_CASE("a literal takes the type of the other operand, or does not fit it") {
    CHECK(type_of("h + 1", "bf16[64,256]") == "bf16[64,256]");
    CHECK(type_of("h + 1.5", "bf16[64,256]") == "bf16[64,256]");
    CHECK(type_of("q + 1", "i32[64,256]") == "i32[64,256]");
    CHECK(error("q + 1.5") == "E0102: the real 1.5 does not fit i32");
    CHECK(error("q + 3000000000") == "E0102: 3000000000 does not fit i32");
    CHECK(type_of("u32(q) + 3000000000", "u32[64,256]") == "u32[64,256]");
    CHECK(error("u32(q) + -1") == "E0102: -1 does not fit u32");
    CHECK(type_of("select(a > 0, r, 127)", "i8[64,256]") == "i8[64,256]");
    CHECK(error("select(a > 0, r, 128)") == "E0102: 128 does not fit i8");
    CHECK(error("a + 1e999") == "E0009: 1e999 does not fit a 64-bit real");
    CHECK(error("a + 9223372036854775808") ==
          "E0009: 9223372036854775808 does not fit a 64-bit integer");
    CHECK(type_of("a + 1e-999", "f32[64,256]") == "f32[64,256]");
    CHECK(type_of("a + 0x10", "f32[64,256]") == "f32[64,256]");
    CHECK(type_of("select(a > 0, 1, 0)", "i32[64,256]") == "i32[64,256]");
    CHECK(type_of("select(a > 0, 1.0, 0)", "f32[64,256]") == "f32[64,256]");
    CHECK(type_of("select(a > 0, true, false)", "pred[64,256]") == "pred[64,256]");
}

TEST_CASE("shapes broadcast right-aligned over sizes 1 and missing dimensions") {
    CHECK(type_of("a + v", "f32[64,256]") == "f32[64,256]");
    CHECK(type_of("v + a", "f32[64,256]") == "f32[64,256]");
    CHECK(type_of("rowmax(a) + colmax(a)", "f32[64,256]") == "f32[64,256]");
    CHECK(type_of("reshape(a, [4, 16, 256]) + a[0 +: 16, :]", "f32[4,16,256]") == "f32[4,16,256]");
    CHECK(type_of("reshape(a, [64, 1, 256]) + a", "f32[64,64,256]") == "f32[64,64,256]");
    CHECK(error("a + a.T") == "E0101: `+` cannot join [64,256] and [256,64]");
    CHECK(error("max(a, a.T)") == "E0101: `max` cannot join [64,256] and [256,64]");
    CHECK(error("select(a > 0, a, a.T)") == "E0101: `select` cannot join [64,256] and [256,64]");
}

TEST_CASE("a value in one lane is spread by the XLU once, statistics of rows are spread already") {
    const Made once = make("a * a[:, 0 +: 1]", "f32[64,256]");
    CHECK(once.op.work.xlu == 8);
    CHECK(make("a * rowmax(a)", "f32[64,256]").op.work.xlu == 0);
    const Result twice =
        compile_body("let b = a[:, 0 +: 1] o = a * b + (a - b)", "o: vmem f32[64, 256]");
    double xlu = 0;
    for (const schedule::Op& op : twice.program().regions[0].ops) xlu += op.work.xlu;
    CHECK(xlu == 8);
}

TEST_CASE("casts convert blocks, scalars and literals: nothing else converts") {
    CHECK(make("bf16(a)", "bf16[64,256]").op.work.valu == 8);
    CHECK(make("f32(h)", "f32[64,256]").op.work.valu == 16);
    CHECK(make("i8(a)", "i8[64,256]").op.work.valu == 4);
    CHECK(make("f32(r)", "f32[64,256]").op.work.valu == 16);
    CHECK(make("i32(a)", "i32[64,256]").type == "i32[64,256]");
    CHECK(make("f8e4m3(a)", "f8e4m3[64,256]").op.work.valu == 4);
    CHECK(make("f32(a > 0)", "f32[64,256]").type == "f32[64,256]");
    CHECK(make("f32(a)", "f32[64,256]").op.name == "load");
    CHECK(error("pred(a)") == "E0102: a block f32[64,256] does not fit pred");
    CHECK(error("h") == "E0102: cannot store bf16 into f32 block `o`");
    CHECK(error("f64(a)") == "E0201: TPU has no f64 vectors");
    CHECK(error("f16") == "E0201: TPU has no f16 vectors");
    CHECK(error("bf16(a, a)") == "E0004: `bf16` takes 1 argument, 2 given");
    CHECK(scalar_error("bf16(n)") == "E0102: a scalar does not fit bf16");
    CHECK(scalar_error("f32(true)") == "E0102: the truth value true does not fit f32");
    CHECK(scalar_error("pred(true)") == "");
    CHECK(scalar_error("i32(\"3\")") == "E0102: the string \"3\" does not fit i32");
}

TEST_CASE("a cast of a constant keeps low bits of integers and saturates reals") {
    const auto holds = [](const std::string& condition) {
        return compile_body("assert " + condition).error();
    };
    CHECK(holds("i8(300) == 44") == "");
    CHECK(holds("i8(200) == 0 - 56") == "");
    CHECK(holds("u8(-1) == 255") == "");
    CHECK(holds("i4(8) == 0 - 8") == "");
    CHECK(holds("i32(1 << 32) == 0") == "");
    CHECK(holds("i32(1e30) == 2147483647") == "");
    CHECK(holds("i32(0 - 1e30) == 0 - 2147483648") == "");
    CHECK(holds("i32(inf - inf) == 0") == "");
    CHECK(holds("i32(-2.7) == -2") == "");
    CHECK(holds("u8(-2.7) == 0") == "");
    CHECK(holds("f32(3) / 2 == 1.5") == "");
    CHECK(holds("1/3 == 0 and 1.0/4 == 0.25") == "");
}

TEST_CASE("scalar operators check their types") {
    for (const char* fine : {"n + 1",
                             "n - n",
                             "n * 2",
                             "n / 3",
                             "n % 3",
                             "-n",
                             "-s",
                             "n & 3",
                             "n | 3",
                             "n ^ 3",
                             "n << 3",
                             "n >> 3",
                             "n < 3",
                             "s <= 2",
                             "s + 1",
                             "s / 0",
                             "n > 3 and s > 1.0",
                             "n > 3 or true",
                             "not (n > 3)",
                             "(n > 3) == (n > 4)",
                             "(n > 3) != true",
                             "s % 2"}) {
        INFO(fine);
        CHECK(scalar_error(fine) == "");
    }
    CHECK(scalar_error("n + s") ==
          "E0102: `+` needs equal types, these are an i32 scalar and an f32 scalar");
    CHECK(scalar_error("n + 1.5") ==
          "E0102: `+` needs equal types, these are an i32 scalar and the real 1.5");
    CHECK(scalar_error("n and 3") == "E0102: `and` does not join an i32 scalar and the integer 3");
    CHECK(scalar_error("(n > 3) + 1") == "E0102: `+` does not join a condition and the integer 1");
    CHECK(scalar_error("(n > 3) < true") ==
          "E0102: `<` does not join a condition and the truth value true");
    CHECK(scalar_error("s & 3") == "E0102: `&` does not join an f32 scalar and the integer 3");
    CHECK(scalar_error("-(n > 3)") ==
          "E0004: the operand of `-` must be a number or a block, this is a condition");
    CHECK(scalar_error("not n") ==
          "E0004: the operand of `not` must be a condition, this is an i32 scalar");
    CHECK(scalar_error("n + 3000000000") == "E0102: 3000000000 does not fit i32");
}

TEST_CASE("division by zero and shifts out of range are found wherever they are known") {
    CHECK(scalar_error("1 / 0") == "E0009: `1 / 0` divides by 0");
    CHECK(scalar_error("n / 0") == "E0009: `n / 0` divides by 0");
    CHECK(scalar_error("n % (3 - 3)") == "E0009: `n % (3 - 3)` divides by 0");
    CHECK(error("f32(q / 0)") == "E0009: `q / 0` divides by 0");
    CHECK(error("f32(q % 0)") == "E0009: `q % 0` divides by 0");
    CHECK(error("a / 0") == "f32[64,256]");
    CHECK(scalar_error("1 << 100") == "E0009: a shift by 100 is not between 0 and 62");
    CHECK(scalar_error("n << 32") == "E0009: a shift by 32 is not between 0 and 31");
    CHECK(error("f32(q << 32)") == "E0009: a shift by 32 is not between 0 and 31");
    CHECK(error("f32(q >> -1)") == "E0009: a shift by -1 is not between 0 and 31");
}

TEST_CASE("a transpose is seen in the shape and moves elements where they are used") {
    CHECK(make("a.T", "f32[256,64]").op.work.xlu == 32);
    CHECK(make("a.T.T", "f32[64,256]").op.name == "load");
    CHECK(make("(a + 1).T", "f32[256,64]").op.name == "transpose");
    CHECK(make("rowmax(a.T)", "f32[256,1]").type == "f32[256,1]");
    CHECK(make("transpose(a)", "f32[256,64]").type == "f32[256,64]");
    CHECK(error("v.T") ==
          "E0004: what is transposed must be a block of rank 2 or more, this is a block f32[256] "
          "in VMEM");
    CHECK(error("n.T") ==
          "E0004: what is transposed must be a block of rank 2 or more, this is an i32 scalar");
    CHECK(error("a.S") == "E0002: no member named `S`");
    CHECK(make("a.T[0 +: 128, :]", "f32[128,64]").type == "f32[128,64]");
    CHECK(error("a.T[0 +: 8, 64@1]").substr(0, 5) == "E0401");
    CHECK(error("(a + 1).T[0 +: 64, :]").substr(0, 5) == "E0101");
}

TEST_CASE("slices of values and of memory: what is inside, aligned and bounded") {
    CHECK(type_of("a[8 +: 16, :]", "f32[16,256]") == "f32[16,256]");
    CHECK(type_of("a[1@16, 1@128]", "f32[16,128]") == "f32[16,128]");
    CHECK(type_of("a[3, :]", "f32[256]") == "f32[256]");
    CHECK(type_of("a[3]", "f32[256]") == "f32[256]");
    CHECK(type_of("a[n, :]", "f32[256]") == "f32[256]");
    CHECK(type_of("a[0 +: 8 step 2, :]", "f32[8,256]") == "f32[8,256]");
    CHECK(type_of("(a + 1)[8 +: 16, :]", "f32[16,256]") == "f32[16,256]");
    CHECK(make("(a + 1)[3 +: 16, :]", "f32[16,256]").op.work.xlu == 4);
    CHECK(error("(a + 1)[n +: 8, :]").substr(0, 5) == "E0503");
    CHECK(error("(a + 1)[n*8 +: 8, :]") ==
          "E0008: the place of a slice of a value must be known at compile time");
    CHECK(error("a[0 +: 65, :]") == "E0401: this slice of `a` ends at 65, past its 64 elements");
    CHECK(error("a[64, :]") == "E0401: this slice of `a` ends at 65, past its 64 elements");
    CHECK(error("a[-1, :]") == "E0401: this slice of `a` starts at -1, before its beginning");
    CHECK(error("a[0 +: 33 step 2, :]").substr(0, 5) == "E0401");
    CHECK(error("a[0 +: 8 step 0, :]") ==
          "E0401: the step of a slice of `a` is 0, it must be 1 to 2147483647");
    CHECK(error("a[0 +: 0, :]") == "E0401: a slice of `a` has size 0, it must be 1 to 2147483647");
    CHECK(error("a[2000000000@2, :]") ==
          "E0401: this slice of `a` starts at 4000000000, it has 64 elements");
    CHECK(error("a[0, 0, 0]") == "E0101: `a` has 2 dimensions, 3 are indexed");
    CHECK(error("a[0 +: n, :]") == "E0403: the length of this slice has no upper bound");
    CHECK(type_of("a[0 +: n upto 8, :]", "f32[8,256]") == "f32[8,256]");
    CHECK(error("a[n +: 8, :]") == "E0503: the start of this slice must be a multiple of 8");
    CHECK(error("a[n*4 +: 8, :]") == "E0503: the start of this slice must be a multiple of 8");
    CHECK(type_of("a[aligned(n, 8) +: 8, :]", "f32[8,256]") == "f32[8,256]");
    CHECK(type_of("a[n*8 +: 8, :]", "f32[8,256]") == "f32[8,256]");
    CHECK(error("a[:, n +: 128]") == "E0503: the start of this slice must be a multiple of 128");
    CHECK(error("a[0, 0]") == "E0204: `a` is one element, VMEM is read and written in blocks");
    CHECK(error("(a + 1)[0, 0]").substr(0, 5) == "E0204");
    CHECK(error("a[0.5, :]") == "E0004: an index must be an integer scalar, this is the real 0.5");
    CHECK(error("n[0]") ==
          "E0004: what is indexed must be a block or memory, this is an i32 scalar");
    CHECK(error("x") == "E0204: `x` is in HBM and cannot be read as a value");
}

TEST_CASE("names that mean nothing here are answered with the nearest") {
    const Result value = compile_body("let w = exq + 1", "exp1: vmem f32[8, 128]");
    CHECK(value.error() == "E0002: no value named `exq`");
    const Result function = compile_body("let w = rowmx(a)");
    CHECK(function.error() == "E0002: no function named `rowmx`");
    CHECK(function.diags.messages()[0].edits().at(0).text == "rowmax");
    CHECK(scalar_error("exp") ==
          "E0004: the function `exp` cannot stand here: a function is not a value");
    CHECK(scalar_error("n(3)") == "E0004: `n` is an i32 scalar, it cannot be called");
    CHECK(scalar_error("(1 + 2)(3)") == "E0004: `(1 + 2)` is the integer 3, it cannot be called");
    CHECK(scalar_error("me") == "E0004: `me` cannot stand here: a coordinate of it is a value");
    CHECK(scalar_error("me.r") == "E0603: no mesh axis `r`");
    CHECK(scalar_error("[n]") == "E0008: an item of a list must be known at compile time");
}
