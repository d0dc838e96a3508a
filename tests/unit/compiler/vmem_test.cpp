#include <catch2/catch.hpp>

#include "kernels.hpp"

// What VMEM holds: windows, scratch, and values from their definition to their last use.

using namespace slab;
using namespace slab::compiler::test;

namespace {

constexpr double mib = 1 << 20;

const std::string flash = R"(kernel flash_attention[bq = 512, bk = 512, scale: f32 = 0.0884](
    q: hbm bf16[B, H, S, D],  k: hbm bf16[B, G, S, D],  v: hbm bf16[B, G, S, D],
    out o: hbm bf16[B, H, S, D])
grid (b in B par, h in H par, i in S/bq par, j in S/bk seq)
  where j*bk < (i + 1)*bq
  in  qb = q[b, h, i@bq, :]
  in  kb = k[b, h/(H/G), j@bk, :]
  in  vb = v[b, h/(H/G), j@bk, :]
  out ob = o[b, h, i@bq, :]
  scratch m: vmem f32[bq, 1],  l: vmem f32[bq, 1],  acc: vmem f32[bq, D]
{
  first j { m = -inf  l = 0  acc = 0 }
  var s = dot(qb, kb.T) * scale
  if (j + 1)*bk > i*bq + 1 {
    let row = iota([bq, bk], 0) + i*bq
    let col = iota([bq, bk], 1) + j*bk
    s = select(col <= row, s, -inf)
  }
  let m1 = max(m, rowmax(s))
  let a  = exp(m - m1)
  let p  = exp(s - m1)
  l   = a*l + rowsum(p)
  acc = a*acc + dot(bf16(p), vb)
  m   = m1
  last j { ob = bf16(acc / l) }
}
)";
const std::string sizes = "B=4,H=64,G=64,S=4096,D=128,bq=2048,";

}  // namespace

TEST_CASE("attention with blocks of 2048 needs 41 MiB: the budget names every part") {
    for (const std::string chip : {"v6e", "ironwood"}) {
        const Result result = compile_text(flash, sizes + "bk=2048", chip);
        REQUIRE(result.headlines() ==
                std::vector<std::string>{"kernel needs 41.0 MiB of VMEM, the limit is 32.0 MiB"});
        const Diagnostic& message = result.diags.messages()[0];
        CHECK(
            message.table() ==
            std::vector<std::string>{
                "budget in MiB:  live values s f32[2048,2048] 16.0   m1 f32[2048,1] 1.0   a "
                "f32[2048,1] 1.0   p f32[2048,2048] 16.0",
                "                streams     qb 1.0   kb 1.0   vb 1.0   ob 1.0   (two buffers each "
                "unless said)",
                "                scratch     m 1.0   l 1.0   acc 1.0"});
        CHECK(message.fixes().at(0) == "bk = 1024 needs 24.0 MiB");
        CHECK(message.fixes().at(1) ==
              fmt::format("`limit vmem 41*MiB` (the core has {} MiB)", chip == "v6e" ? 128 : 64));
        const Result fits = compile_text(flash, sizes + "bk=1024", chip);
        REQUIRE(fits.compiled);
        CHECK(fits.program().vmem_bytes == 24 * mib);
    }
}

TEST_CASE(
    "a value used once fuses with its user: used twice it is held from definition to last use") {
    const auto live = [](const std::string& statements) {
        const Result result = compile_body(statements, "o: vmem f32[64, 256]");
        REQUIRE(result.compiled);
        std::string names;
        for (const schedule::Buffer& each : result.program().buffers)
            if (each.role == schedule::BufferRole::live)
                names += fmt::format("{}{}", names.empty() ? "" : " ", each.name);
        return names;
    };
    CHECK(live("let b = exp(a) o = b") == "");
    CHECK(live("let b = exp(a) o = b * b") == "b");
    CHECK(live("let b = exp(a) o = b o += b") == "b");
    CHECK(live("let b = iota([64, 256], 0) o = f32(b) * f32(b)") == "");
    CHECK(live("let b = exp(a) let c = exp(b) o = c + b") == "b");
    CHECK(live("let b = exp(a) if n > 3 { o = b }") == "b");
    CHECK(live("var b = a for t in 0..n { b += a } o = b") == "b");
}

TEST_CASE("values that do not live at the same time share bytes") {
    const Result result = compile_body(
        "let b = exp(a) o = b * b\nlet c = exp(o) o = c * c\nlet d = a + 1 let e = d * d + d o = e "
        "* e",
        "o: vmem f32[64, 256]");
    REQUIRE(result.compiled);
    CHECK(buffer(result.program(), "b")->offset == buffer(result.program(), "c")->offset);
    CHECK(buffer(result.program(), "e")->offset != buffer(result.program(), "d")->offset);
}

TEST_CASE("a variable in memory and a value it had before have bytes of their own") {
    const Result result = compile_body(
        "var b = exp(a)\nlet c = b\nscope \"s\" { o = b }\n"
        "for t in 0..n { b = b + c }\no = b * c",
        "o: vmem f32[64, 256]");
    REQUIRE(result.compiled);
    std::vector<std::int64_t> offsets;
    for (const schedule::Buffer& each : result.program().buffers)
        if (each.role == schedule::BufferRole::live) offsets.push_back(each.offset);
    REQUIRE(offsets.size() == 2);
    CHECK(offsets[0] != offsets[1]);
    const Result twice = compile_body(
        "var b = exp(a)\nscope \"s\" { o = b }\nb = b * 2\nscope \"t\" { o += b }\no = b",
        "o: vmem f32[64, 256]");
    CHECK(twice.compiled);
}

TEST_CASE("what a loop uses lives until its end") {
    const Result result =
        compile_body("let b = exp(a)\nfor t in 0..n {\n  o += b\n  let c = exp(o)\n  o = c * c\n}",
                     "o: vmem f32[64, 256] = 0");
    REQUIRE(result.compiled);
    CHECK(buffer(result.program(), "b")->offset != buffer(result.program(), "c")->offset);
}

TEST_CASE("buffers lie one after the other, rounded to tiles") {
    const Result result = compile_text(
        "kernel k(x: hbm f32[64, 200], out y: hbm bf16[64, 200]) grid (i in 8)\n"
        "in a = x[i@8, :] out z = y[i@8, :] scratch s: vmem f32[8, 1], t: vmem f32[3, 200]\n"
        "{ s = rowsum(a) t = a[0 +: 3, :] z = bf16(a * s) + bf16(colsum(t)) }");
    REQUIRE(result.compiled);
    const schedule::Program& program = result.program();
    CHECK(buffer(program, "a")->bytes == 8 * 256 * 4);
    CHECK(buffer(program, "z")->bytes == 8 * 256 * 2);
    CHECK(buffer(program, "s")->bytes == 8 * 128 * 4);
    CHECK(buffer(program, "t")->bytes == 8 * 256 * 4);
    CHECK(buffer(program, "z")->offset == 2 * buffer(program, "a")->bytes);
    CHECK(program.vmem_bytes == 2 * 8192 + 2 * 4096 + 4096 + 8192);
}

TEST_CASE("scratch that no code is left to touch costs nothing") {
    const Result result =
        compile_body("if 1 > 2 { t = a } o = a", "t: vmem f32[512, 512], o: vmem f32[64, 256]");
    REQUIRE(result.compiled);
    CHECK(buffer(result.program(), "t") == nullptr);
    CHECK(buffer(result.program(), "o") != nullptr);
}

TEST_CASE("the limit is the chip's default, or what the kernel asks for up to the capacity") {
    const auto limited = [](const std::string& limit, const std::string& chip = "v6e") {
        const Result result = compile_text("kernel k() " + limit + " { }", "", chip);
        return result.compiled ? fmt::format("{} MiB", result.program().vmem_limit_bytes / mib)
                               : result.error();
    };
    CHECK(limited("") == "32 MiB");
    CHECK(limited("limit vmem 64*MiB") == "64 MiB");
    CHECK(limited("limit vmem 128*MiB") == "128 MiB");
    CHECK(limited("limit vmem 129*MiB") ==
          "E0601: `limit vmem` asks for 129.0 MiB, the core has 128.0 MiB");
    CHECK(limited("limit vmem 128*MiB", "ironwood") ==
          "E0601: `limit vmem` asks for 128.0 MiB, the core has 64.0 MiB");
    CHECK(limited("limit vmem 0").substr(0, 5) == "E0601");
    CHECK(limited("limit vmem true") ==
          "E0004: `limit vmem` must be an integer, this is the truth value true");
}

TEST_CASE("when no single block can be halved enough, several are") {
    const Result result = compile_text(
        "kernel k[b = 4096, c = 4096](x: hbm f32[4096, 4096], out y: hbm f32[4096, 4096])\n"
        "grid (i in 4096/b, j in 4096/c) in a = x[i@b, j@c] out z = y[i@b, j@c] { z = a }");
    REQUIRE(result.headlines().size() == 1);
    CHECK(result.headlines()[0] == "kernel needs 128.0 MiB of VMEM, the limit is 32.0 MiB");
    const Result tight = compile_text(
        "kernel k[b = 128, c = 65536](x: hbm f32[65536, 65536], out y: hbm f32[65536, 65536]) "
        "limit vmem 4*KiB*3\n"
        "grid (i in 65536/b, j in 65536/c) in a = x[i@b, j@c] out z = y[i@b, j@c] { z = a }");
    REQUIRE_FALSE(tight.compiled);
    CHECK(tight.headlines()[0] == "kernel needs 128.0 MiB of VMEM, the limit is 12.0 KiB");
}
