#include "reading.hpp"

using namespace slab::dsl;

namespace {

std::string same(const std::string& text) {
    const Reading reading(text);
    INFO(reading.errors());
    CHECK(reading.diags.empty());
    return reading.printed();
}

}  // namespace

TEST_CASE("an item prints as it was written") {
    for (const std::string& text : std::vector<std::string>{
             "const C = 4\n",
             "fn silu(x) = x * sigmoid(x)\n",
             "kernel k[a, b = 2, c: int, d: f32 = 0.5, e: dtype = bf16, f: bool = true, g: T](\n"
             "    x: hbm f32[M, N], out y: vmem T[M]?, inout z: smem i32[1], s: sem dma[2]?, n: "
             "i32, t: T,\n"
             "    e: sem count)\n"
             "mesh (r: N, c: 2)\n"
             "require N > 1, S % 16 == 0\n"
             "const h = S / 2\n"
             "limit vmem 64 * MiB\n"
             "{\n"
             "  y = x\n"
             "}\n",
             "kernel k()\n{\n}\n",
             "reference r(x: [M, N], out y: []?, inout z: [M]?, n: i32) {\n  y = x\n}\n",
             "program p[a = 1](x: hbm f32[N], n: i32) {\n  k[b = a](x)\n}\n",
             "program p(x: hbm f32[N])\nrequire N > 1\n{\n  k(x)\n}\n",
             "",
         })
        CHECK(same(text) == text);
}

TEST_CASE("a file without items parses to nothing") {
    CHECK(Reading("").file.items.empty());
    CHECK(Reading(" \r\n\t\n").file.items.empty());
    const Reading comments("// only\n\n// comments");
    CHECK(comments.diags.empty());
    CHECK(comments.printed() == "// only\n\n// comments\n");
}

TEST_CASE("an item knows its bytes") {
    const Reading reading("const a = 1 // c\n\nfn f(x) = x\n");
    REQUIRE(reading.file.items.size() == 2);
    CHECK(reading.source.text(reading.file.items[0].span()) == "const a = 1");
    CHECK(reading.source.text(reading.file.items[1].span()) == "fn f(x) = x");
}

TEST_CASE("LF and CRLF mean the same") {
    const std::string text = "// c\nkernel k(a: hbm f32[M])\n{\n  // d\n  let x = 1  // e\n}\n";
    std::string windows;
    for (char c : text) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
    const Reading reading(windows);
    CHECK(reading.diags.empty());
    CHECK(reading.printed() == text);
}
