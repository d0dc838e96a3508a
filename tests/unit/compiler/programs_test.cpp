#include <catch2/catch.hpp>

#include "arch_configs/read_chip.hpp"
#include "compiler/ops/op.hpp"
#include "compiler/program/arrays.hpp"
#include "compiler/program/compile_program.hpp"
#include "dsl/check.hpp"
#include "dsl/parse.hpp"
#include "dsl/visit.hpp"

using namespace slab;
using namespace slab::compiler;

namespace {

const std::string kernels = R"(
kernel double[bm = 8](a: hbm f32[M, N], out c: hbm f32[M, N])
grid (i in M/bm par)
  in x = a[i@bm, :]
  out z = c[i@bm, :]
{ z = x + x }
kernel scaled[T: dtype = f32](a: hbm T[M, N], b: hbm f32[1, N]?, gain: f32, inout c: hbm f32[M, N])
grid (i in M/8 par)
  in x = a[i@8, :]
  in y = b
  inout z = c[i@8, :]
{
  if has(b) { z = z + f32(x)*gain + y } else { z = z + f32(x)*gain }
}
kernel rows[R](n: smem i32[R], a: hbm f32[M, 8], inout c: hbm f32[M, 8])
grid (i in n[0] par)
  in x = a[i@8, :]
  inout z = c[i@8, :]
{ z = x }
)";

/// Knows `n`: the numbers from 1 on.
class CountingData : public DataSource {
public:
    std::optional<std::vector<std::int64_t>> elements(const schedule::Operand& operand,
                                                      const std::vector<Bound>&,
                                                      Diagnostics&) const override {
        if (operand.name != "n") return std::nullopt;
        std::int64_t count = 1;
        for (const std::int64_t size : operand.shape) count *= size;
        std::vector<std::int64_t> numbers;
        for (std::int64_t i = 0; i < count; ++i) numbers.push_back(i / 2 + 1);
        return numbers;
    }
};

struct Made {
    std::optional<CompiledProgram> program;
    std::string messages;  ///< code and headline of each
    std::string kernels;   ///< those that are compiled, with their sizes

    std::string launches() const {
        std::string text;
        for (const Launch& launch : program->launches)
            text += fmt::format("{}{}({})", text.empty() ? "" : " ", launch.kernel,
                                fmt::join(launch.arguments, ","));
        return text;
    }
};

/// Compiles the first program of the text.
Made make(const std::string& text, Settings settings = {}) {
    const SourceFile source("t.slab", kernels + text);
    Diagnostics diags;
    const dsl::ast::File file = dsl::parse(source, diags);
    REQUIRE(render(diags, &source) == "");
    dsl::check(file, op_names(), diags);
    const auto chip = arch::read_chip("toy", {}, diags);
    Made made;
    for (const dsl::ast::Item& item : file.items)
        if (const auto* program = dsl::ast::get_if<dsl::ast::Program>(item)) {
            made.program = compile_program(file, *program, source, settings, chip->spec, diags);
            break;
        }
    for (const Diagnostic& message : diags.messages())
        made.messages += fmt::format("{}{}: {}", made.messages.empty() ? "" : "\n",
                                     message.info().code(), message.headline());
    CHECK(made.program.has_value() == !diags.has_errors());
    if (made.program)
        for (const LaunchedKernel& kernel : made.program->kernels) {
            made.kernels += made.kernels.empty() ? "" : "; ";
            made.kernels += kernel.kernel->name.text;
            for (const Bound& size : kernel.compiled.sizes)
                made.kernels += fmt::format(" {}={}", size.name, to_string(size.value));
        }
    return made;
}

std::string said(const std::string& text) {
    return make(text).messages;
}

}  // namespace

TEST_CASE("sizes of a kernel are those of the arrays it is given, and of the brackets") {
    const Made made =
        make("program p(x: hbm f32[16, 8], out y: hbm f32[16, 8]) { double[bm = 4*2](x, c: y) }");
    CHECK(made.messages == "");
    CHECK(made.kernels == "double M=16 N=8 bm=8");
    CHECK(made.launches() == "0(x,y)");
}

TEST_CASE("launches with the same sizes share one compiled kernel") {
    const Made made = make(R"(
program p(x: hbm f32[4, 16, 8], out y: hbm f32[4, 16, 8]) {
  buffer t: hbm f32[16, 8]
  for i in 0..4 {
    double(x[i], t)
    if i % 2 == 0 { double(t, y[i]) } else { double[bm = 16](t, y[i]) }
  }
})");
    CHECK(made.messages == "");
    CHECK(made.kernels == "double M=16 N=8 bm=8; double M=16 N=8 bm=16");
    CHECK(made.launches() ==
          "0(x[i],t) 0(t,y[i]) 0(x[i],t) 1(t,y[i]) 0(x[i],t) 0(t,y[i]) 0(x[i],t) 1(t,y[i])");
}

TEST_CASE("an optional operand is passed, left out or none, and scalars are arguments") {
    const std::string head =
        "program p(x: hbm bf16[8, 8], b: hbm f32[1, 8], s: f32, inout y: hbm f32[8, 8]) { ";
    const auto kernels_of = [&](const std::string& launch) {
        Settings settings;
        settings.set = {{"s", "0.5"}};
        return make(head + launch + " }", settings);
    };
    const Made with = kernels_of("scaled[T = bf16](x, b, s, y)");
    CHECK(with.kernels == "scaled M=8 N=8 T=bf16 gain=0.5");
    CHECK(with.program->kernels[0].with == std::vector<std::string>{"b"});
    const Made without = kernels_of("scaled[T = bf16](x, none, s*2, y)");
    CHECK(without.kernels == "scaled M=8 N=8 T=bf16 gain=1.0");
    CHECK(without.program->kernels[0].with.empty());
    CHECK(without.messages == "W05: operand `b` is never used");
    CHECK(kernels_of("scaled[T = bf16](x, gain: s, c: y)").kernels ==
          "scaled M=8 N=8 T=bf16 gain=0.5");
}

TEST_CASE("an operand that the program lacks is lacking in its launches") {
    const std::string text = R"(
program p(x: hbm f32[8, 8], b: hbm f32[1, 8]?, inout y: hbm f32[8, 8]) { scaled(x, b, 1.0, y) })";
    CHECK(make(text).program->kernels[0].with.empty());
    Settings settings;
    settings.with = {"b"};
    CHECK(make(text, settings).program->kernels[0].with == std::vector<std::string>{"b"});
}

TEST_CASE("a program may launch programs, each with buffers of its own") {
    const Made made = make(R"(
program p(x: hbm f32[2, 8, 8], out y: hbm f32[2, 8, 8]) { for i in 0..2 { q(x[i], y[i]) } }
program q[n = 1](x: hbm f32[M, N], out y: hbm f32[M, N]) {
  buffer t: hbm f32[M, N]
  double(x, t)
  double(t, y)
})");
    CHECK(made.messages == "");
    CHECK(made.launches() == "0(x,t) 0(t,y) 0(x,t) 0(t,y)");
    CHECK(made.program->operand_bytes == 2 * 2 * 256);
    CHECK(made.program->peak_bytes == 2 * 2 * 256 + 256);
}

TEST_CASE("a buffer takes HBM to the end of its block") {
    const Made made = make(R"(
program p(x: hbm f32[8, 8], out y: hbm f32[8, 8]) {
  buffer t: hbm f32[8, 8]
  scope "first" {
    buffer u: hbm f32[8, 8], v: hbm f32[8, 8]
    double(x, u)
    double(u, v)
    double(v, t)
  }
  buffer w: hbm f32[8, 8]
  double(t, w)
  double(w, y)
})");
    CHECK(made.messages == "");
    CHECK(made.program->peak_bytes == 5 * 256);
    CHECK(made.program->peak_launch == 0);
}

TEST_CASE("a variable changes from launch to launch") {
    const Made made = make(R"(
program p(x: hbm f32[8, 8], inout y: hbm f32[8, 8]) {
  var gain: f32 = 1
  for i in 0..3 {
    scaled(x, none, gain, y)
    gain *= 2
  }
  print "gain", gain, i32
})");
    CHECK(made.kernels ==
          "scaled M=8 N=8 T=f32 gain=1.0; scaled M=8 N=8 T=f32 gain=2.0; scaled M=8 N=8 T=f32 "
          "gain=4.0");
    CHECK(made.program->prints == std::vector<std::string>{"gain 8.0 i32"});
}

TEST_CASE("data of a kernel are those of the part of the operand that it is given") {
    const CountingData data;
    Settings settings;
    settings.data = &data;
    const Made made = make(R"(
program p(n: hbm i32[3, 2], x: hbm f32[32, 8], inout y: hbm f32[32, 8]) {
  for l in 0..3 { q(n[l], x, y) }
  q(n[1], x, y)
}
program q(m: hbm i32[2], x: hbm f32[32, 8], inout y: hbm f32[32, 8]) { rows[R = 2](m, x, y) })",
                           settings);
    REQUIRE(made.messages == "");
    CHECK(made.launches() == "0(m,x,y) 1(m,x,y) 2(m,x,y) 1(m,x,y)");
    for (std::int64_t i = 0; i < 3; ++i)
        CHECK(made.program->kernels[i].compiled.data.operands[0] ==
              std::vector<std::int64_t>{i + 1, i + 1});
}

TEST_CASE("data that launches compute are not known") {
    const CountingData data;
    Settings settings;
    settings.data = &data;
    const Made made = make(R"(
program p(n: hbm i32[8, 8], x: hbm f32[32, 8], inout y: hbm f32[32, 8]) {
  buffer t: hbm i32[8, 8]
  numbers(n, t)
  rows[R = 8](t[0], x, y)
}
kernel numbers(a: hbm i32[8, 8], out c: hbm i32[8, 8])
grid (i in 1)
  in x = a
  out z = c
{ z = x })",
                           settings);
    CHECK(made.messages == "E0006: `t[0]` i32[8] without values");
}

TEST_CASE("launches that do not fit are explained") {
    const std::string head =
        "program p(x: hbm f32[8, 8], v: hbm f32[8], h: hbm bf16[8, 8],"
        " w: hbm f32[16, 8], out y: hbm f32[8, 8]) { ";
    const auto first = [&](const std::string& launch) {
        const std::string all = said(head + launch + " }");
        return all.substr(0, all.find('\n'));
    };
    CHECK(first("double(x)") == "E0004: `double` takes 2 arguments, 1 given");
    CHECK(first("double(x, y, y)") == "E0004: `double` takes 2 arguments, 3 given");
    CHECK(first("double(x, d: y)") == "E0004: `double` has no argument `d`");
    CHECK(first("duble[bm = 8](x, y)") == "E0002: no kernel named `duble`");
    CHECK(first("double[bn = 8](x, y)") == "E0004: `double` has no argument `bn`");
    CHECK(first("double(v, y)") == "E0101: `v` is f32[8], `double` takes hbm f32[M, N]");
    CHECK(first("double(h, y)") == "E0101: `h` is bf16[8,8], `double` takes f32[8,8]");
    CHECK(first("double(w, y)") == "E0101: `M` is 16 in `a` and 8 in `c`");
    CHECK(first("double(x, v)").substr(0, 5) == "E0101");
    CHECK(first("double(y, x)") == "E0307: `x` is read-only, the write would be lost");
    CHECK(first("double(3, y)").substr(0, 5) == "E0204");
    CHECK(first("double(w[0 +: 8 step 2, :], y)").substr(0, 5) == "E0004");
    CHECK(first("double(w[1@8, :], w[0@8, :])").substr(0, 5) == "E0307");
    CHECK(first("double(w[2@8, :], y)") ==
          "E0401: dimension 0 of `w` has 16 elements, this is number 23");
    CHECK(first("rows(v, x, y)") == "E0006: parameter `R` of `rows` without a value");
    CHECK(first("p(x, v, h, w, y)") == "E0901: `p` calls itself");
}

TEST_CASE("what an array holds is followed element gain element") {
    const std::string head = "program p(x: hbm f32[8, 8], out y: hbm f32[2, 8, 8]) { ";
    CHECK(said(head + "double(x, y[0])  double(y[0], y[1]) }") == "");
    CHECK(said(head + "double(x, y[0]) }") == "E0302: a part of `y` is never written");
    CHECK(said(head + "}") == "E0302: all of `y` is never written\nW05: operand `x` is never used");
    CHECK(said(head + "double(y[0], y[1]) double(x, y[0]) }").substr(0, 57) ==
          "E0306: `y[0]` is read before a launch writes it");
    CHECK(said(head + "buffer t: hbm f32[8, 8] scaled(x, none, 1.0, t) }").substr(0, 5) == "E0306");
}

TEST_CASE("programs end: there are limits to launches and to rounds of loops") {
    const std::string head = "program p(x: hbm f32[8, 8], out y: hbm f32[8, 8]) { ";
    CHECK(said(head + "for i in 0..100000 { double(x, y) } }") == "");
    CHECK(said(head + "for i in 0..100001 { double(x, y) } }") ==
          "E0902: `p` makes more than 100000 launches");
    CHECK(said(head + "double(x, y) for i in 0..1000001 { } }") ==
          "E0902: this loop runs 1000001 times in all, more than the limit of 1000000 steps");
}

TEST_CASE("ranges of elements join, split and are found") {
    Coverage coverage;
    coverage.add(0, 10);
    coverage.add(20, 30);
    CHECK_FALSE(coverage.covers(5, 25));
    CHECK(coverage.touches(5, 25));
    CHECK_FALSE(coverage.touches(10, 20));
    coverage.add(10, 20);
    CHECK(coverage.covers(0, 30));
    coverage.remove(12, 15);
    CHECK(coverage.covers(0, 12));
    CHECK(coverage.covers(15, 30));
    CHECK_FALSE(coverage.touches(12, 15));
    CHECK_FALSE(coverage.covers(11, 13));
}

TEST_CASE("a program ends at a number of launches, rounds or expressions") {
    const auto with_launches = [](std::int64_t most, const std::string& body) {
        Settings settings;
        settings.max_launches = most;
        return make("program p(x: hbm f32[8, 8], out y: hbm f32[8, 8]) { double(x, y)  " + body +
                        " }",
                    settings)
            .messages;
    };
    CHECK(with_launches(3, "double(x, y)  double(x, y)") == "");
    CHECK(with_launches(2, "double(x, y)  double(x, y)") ==
          "E0902: `p` makes more than 2 launches");
    CHECK(with_launches(2, "for i in 0..21 { }") ==
          "E0902: this loop runs 21 times in all, more than the limit of 20 steps");
    CHECK(with_launches(2, "for i in 0..20 { let a = i*2  let b = a + 1  let c = b + a }") ==
          "E0902: `p` makes more than 200 statements and expressions");
}
