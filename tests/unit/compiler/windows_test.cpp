#include <catch2/catch.hpp>

#include "kernels.hpp"

// Windows against arrays: the block rule, bounds, overhang, revisits and coverage.

using namespace slab;
using namespace slab::compiler::test;

namespace {

std::string first(const Result& result) {
    return result.headlines().empty() ? "" : result.error().substr(0, result.error().find('\n'));
}

/// One input window of an array and one grid.
std::string window(const std::string& type, const std::string& slice,
                   const std::string& grid = "i in 1") {
    return first(compile_text("kernel k(x: hbm " + type + ") grid (" + grid + ") in a = x[" +
                              slice + "] { let b = a }"));
}

/// a: [M, 256] summed, stored or reduced into c, in blocks of 256 rows that overhang.
std::string overhang(const std::string& pad, const std::string& c, const std::string& out,
                     const std::string& body) {
    const Result result =
        compile_text("kernel k(a: hbm f32[1000, 256], b: hbm f32[256, 1000], out c: hbm " + c +
                     ")\ngrid (i in cdiv(1000, 256) seq)\n  in x = a[i@256, :]" + pad +
                     "\n  in y = b[:, i@256]" + pad + "\n  out z = c" + out +
                     "\n  scratch s: vmem f32[256, 256]\n{\n" + body + "\n}");
    return first(result);
}

}  // namespace

TEST_CASE("the last two dimensions of a window are whole tiles or all there is") {
    CHECK(window("f32[96, 384]", "0 +: 8, 0 +: 128") == "");
    CHECK(window("f32[96, 384]", ":, :") == "");
    CHECK(window("f32[100, 300]", ":, :") == "");
    CHECK(window("f32[96, 384]", "3, :") == "");
    CHECK(window("f32[4, 96, 384]", "2 +: 1, :, :") == "");
    CHECK(window("f32[100, 384]", "0 +: 10, :") ==
          "E0501: the second-last dimension of this window is 10, neither a multiple of 8 nor all "
          "100 of `x`");
    CHECK(window("f32[96, 300]", ":, 0 +: 100") ==
          "E0501: the last dimension of this window is 100, neither a multiple of 128 nor all 300 "
          "of `x`");
    CHECK(window("f32[96, 384]", ":, 3").substr(0, 5) == "E0501");
    CHECK(window("f32[96, 384]", "3, 3") == "E0501: this window of `x` is a single element");
    CHECK(window("i8[96, 384]", "0 +: 8, :").substr(0, 5) == "E0501");
    CHECK(window("i8[96, 384]", "0 +: 32, :") == "");
    CHECK(window("bf16[96, 384]", "0 +: 8, :") == "");
    const Result ironwood = compile_text(
        "kernel k(x: hbm bf16[96, 384]) grid (i in 1) in a = x[0 +: 8, :] { }", "", "ironwood");
    CHECK(first(ironwood).substr(0, 5) == "E0501");
    CHECK(ironwood.diags.messages()[0].fixes() ==
          std::vector<std::string>{"a size of 16", "`:`, all 96"});
}

TEST_CASE("a window of a rank-1 array is all of it, 1024s, or a power of two of registers") {
    CHECK(window("f32[5000]", ":") == "");
    CHECK(window("f32[5000]", "0 +: 1024") == "");
    CHECK(window("f32[5000]", "0 +: 3072") == "");
    CHECK(window("f32[5000]", "0 +: 128") == "");
    CHECK(window("f32[5000]", "0 +: 64").substr(0, 5) == "E0501");
    CHECK(window("bf16[5000]", "0 +: 128").substr(0, 5) == "E0501");
    CHECK(window("bf16[5000]", "0 +: 256") == "");
    CHECK(window("f32[5000]", "0 +: 100") ==
          "E0501: this window has 100 elements; of a rank-1 array it takes all 5000, a multiple of "
          "1024, or a power of two of at least 128");
}

TEST_CASE("a window begins inside its array") {
    CHECK(window("f32[1024, 128]", "i@256, :", "i in 4") == "");
    CHECK(window("f32[1024, 128]", "i@256, :", "i in 5") ==
          "E0401: block 4 of `x` starts past its end: dimension 0 has 1024 elements");
    CHECK(window("f32[1024, 128]", "(i - 1)@256, :", "i in 4") ==
          "E0401: a window of `x` starts at -256, before its beginning");
    CHECK(window("f32[1024, 128]", "(3 - i)@256, :", "i in 4") == "");
    CHECK(window("f32[1024, 128]", "(i + 4*j)@64, :", "i in 4, j in 4") == "");
    CHECK(window("f32[1024, 128]", "i@256, :", "i in 5").size() > 0);
    // where steps are dead their windows do not count
    CHECK(
        first(compile_text(
            "kernel k(x: hbm f32[1024, 128]) grid (i in 5) where i < 4 in a = x[i@256, :] { }")) ==
        "");
    const Result result =
        compile_text("kernel k(x: hbm f32[1024, 128]) grid (i in 5) in a = x[i@256, :] { }");
    CHECK(result.diags.messages()[0].fixes() == std::vector<std::string>{"an extent of 4"});
}

TEST_CASE("an output block is visited by consecutive steps") {
    const auto kernel = [](const std::string& grid, const std::string& option = "") {
        return compile_text("kernel rowsum(x: hbm f32[8, M, N], out y: hbm f32[M, N])\ngrid (" +
                                grid +
                                ")\n  in a = x[r, i@256, j@256]\n  out o = y[i@256, j@256] " +
                                option + "\n{ first r { o = 0 } o += a }",
                            "M=2048,N=2048");
    };
    const Result result = kernel("r in 8 seq, i in M/256 par, j in N/256 par");
    CHECK(result.rendered() ==
          "error[E0301]: output block is left and visited again\n"
          "  --> t.slab:2:7\n"
          " 2 | grid (r in 8 seq, i in M/256 par, j in N/256 par)\n"
          "   |       ^ `y` does not depend on `r`, but `i` and `j` run inside it\n"
          " 4 |   out o = y[i@256, j@256] \n"
          "   |           --------------- comes back to the same block after 63 others\n"
          " why: an output block stays in VMEM only while consecutive steps name it\n"
          " fix: make `r` the innermost axis: grid (i in M/256 par, j in N/256 par, r in 8 seq)\n");
    CHECK(first(kernel("i in M/256 par, j in N/256 par, r in 8 seq")) == "");
    CHECK(first(kernel("r in 8 seq, i in M/256 par, j in N/256 par", "revisit")) == "");
    CHECK(first(kernel("i in M/256 par, r in 8 seq, j in N/256 par")) ==
          "E0301: output block is left and visited again");
}

TEST_CASE("`out` windows reach every element") {
    const auto covered = [](const std::string& grid, const std::string& slice,
                            const std::string& direction = "out") {
        return first(compile_text("kernel k(" + direction + " y: hbm f32[1024, 256]) grid (" +
                                  grid + ") " + direction + " z = y[" + slice + "] { z = 1 }"));
    };
    CHECK(covered("i in 4", "i@256, :") == "");
    CHECK(covered("i in 3", "i@256, :") == "E0302: 25 % of `y` is never written");
    CHECK(covered("i in 3", "i@256, :", "inout") == "");
    CHECK(covered("i in 4", "i@256, 0 +: 128") == "E0302: 50 % of `y` is never written");
    CHECK(covered("i in 2, j in 2", "(i + 2*j)@256, :") == "");
    CHECK(covered("i in 2, j in 2", "(i + j)@256, :") == "E0302: 25 % of `y` is never written");
    CHECK(covered("i in 4", "(3 - i)@256, :") == "");
    CHECK(first(compile_text("kernel k(out y: hbm f32[8, 128]) { }")) ==
          "E0302: all of `y` is never written");
    CHECK(first(compile_text(
              "kernel k(out y: hbm f32[16, 128]) { grid (i in 1) out z = y[0@8, :] { z = 1 }\n"
              "grid (i in 1) out z = y[1@8, :] { z = 1 } }")) == "");
}

TEST_CASE("what lies past the end may flow beside what counts, not into it") {
    const std::string message =
        "E0402: `x` reaches past the end of `a`, and what is there is undefined";
    const std::string same = "f32[1000, 256]", cut = "[i@256, :]";
    CHECK(overhang("", same, cut, "z = exp(x) * rowmax(x) + 1") == "");
    CHECK(overhang("", same, cut, "s = x z = s") == "");
    CHECK(overhang("", same, cut, "z = y.T") == "");
    CHECK(overhang("", "f32[1024, 256]", cut, "z = x") == message);
    CHECK(overhang(" pad 0", "f32[1024, 256]", cut, "z = x") == "");
    CHECK(overhang("", "f32[1, 256]", "", "first i { z = 0 } z += colsum(x)") == message);
    CHECK(overhang(" pad 0", "f32[1, 256]", "", "first i { z = 0 } z += colsum(x)") == "");
    CHECK(overhang("", "f32[256, 256]", "", "first i { s = 0 } s += x last i { z = s }") ==
          message);
    CHECK(overhang("", "f32[256, 256]", "",
                   "first i { s = 0 } s += dot(y, x, prec: \"f32\") last i { z = s }") ==
          message.substr(0, 7) + "`y` reaches past the end of `b`, and what is there is undefined");
    CHECK(overhang(" pad 0", "f32[256, 256]", "",
                   "first i { s = 0 } s += dot(y, x, prec: \"f32\") last i { z = s }") == "");
    // a mask says what counts
    CHECK(overhang("", "f32[1, 256]", "",
                   "let live = iota([256, 256], 0) + i*256 < 1000\n"
                   "first i { z = 0 } z += colsum(select(live, x, 0))") == "");
    CHECK(overhang("", same, cut,
                   "z = reshape(fold(add, reshape(x, [2, 128, 256]), 0), [1, 128, 256])")
              .size() > 0);
}

TEST_CASE("padding that fits the reduction is proposed") {
    const auto fix = [](const std::string& reduction) {
        const Result result = compile_text(
            "kernel k(a: hbm f32[1000, 256], out c: hbm f32[1, 256]) grid (i in cdiv(1000, 256) "
            "seq)\n"
            "in x = a[i@256, :] out z = c { first i { z = 0 } z = max(z, " +
            reduction + ") }");
        return result.diags.empty() ? "" : result.diags.messages()[0].edits().at(0).text;
    };
    CHECK(fix("colsum(x)") == " pad 0");
    CHECK(fix("colmax(x)") == " pad -inf");
    CHECK(fix("colmin(x)") == " pad inf");
}
