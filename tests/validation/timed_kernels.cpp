#include "timed_kernels.hpp"

#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "tests/fuzz/texts.hpp"

namespace slab::test {

namespace {

using fuzz::Chance;

constexpr std::string_view limit = "limit vmem 60*MiB\n";

class Generator {
public:
    explicit Generator(std::uint64_t seed) : chance_(seed) {}

    std::string stream();
    std::string matmul();
    std::string rows();
    std::string sums();
    std::string attention();
    std::string by_hand();
    std::string ring();
    std::string gather();

private:
    int of(std::initializer_list<int> values) { return data(values)[chance_.pick(values.size())]; }
    std::string_view word(std::initializer_list<std::string_view> words) {
        return data(words)[chance_.pick(words.size())];
    }
    std::string_view type() { return word({"f32", "bf16"}); }
    std::string depth() { return chance_.one_in(3) ? fmt::format(" depth {}", of({1, 3, 4})) : ""; }

    /// f32 of a block, from values of its shape.
    std::string expression(const std::string& value, int size) {
        if (size == 0) return value;
        const std::string inner = expression(value, size - 1);
        switch (chance_.pick(7)) {
            case 0:
                return fmt::format("{}({})", word({"exp", "tanh", "sqrt", "recip", "sigmoid"}),
                                   inner);
            case 1:
                return fmt::format("max({}, {})", inner, value);
            case 2:
                return fmt::format("select({} > 0.5, {}, 1.0)", value, inner);
            case 3:
                return fmt::format("abs({})", inner);
            default:
                return fmt::format("({} {} {})", inner, word({"+", "*", "-"}),
                                   chance_.one_in(2) ? value : "1.5");
        }
    }

    Chance chance_;
};

std::string Generator::stream() {
    const int b = of({32, 64, 128, 256, 512}), w = of({128, 256, 512, 1024});
    const int m = of({1, 1, 2, 3}), n = of({1, 1, 2, 5});
    const int inputs = of({1, 1, 2, 3});
    const std::string_view out = type();
    std::string operands, windows, sum = "f32(a0)";
    for (int i = 0; i < inputs; ++i) {
        operands += fmt::format("x{}: hbm {}[O, {}, {}], ", i, type(), m * b, n * w);
        windows += fmt::format("  in a{} = x{}[o, i@{}, j@{}]{}\n", i, i, b, w, depth());
        if (i > 0) sum += fmt::format(" {} f32(a{})", word({"+", "*"}), i);
    }
    std::string body = fmt::format("  var v = {}\n", sum);
    if (chance_.one_in(4)) body += fmt::format("  for t in 0..{} {{ v += f32(a0) }}\n", of({2, 3}));
    if (chance_.one_in(4)) body += "  if i + o > 2 { v = v * 0.5 }\n";
    body += fmt::format("  z = {}({})\n", out, expression("v", of({0, 2, 5, 20})));
    return fmt::format(
        "kernel timed({}out y: hbm {}[O, {}, {}])\n{}"
        "grid (o in O par, i in {} par, j in {} par)\n{}  out z = y[o, i@{}, j@{}]{}\n{{\n{}}}\n",
        operands, out, m * b, n * w, limit, m, n, windows, b, w, depth(), body);
}

std::string Generator::matmul() {
    const int bm = of({64, 128, 256, 512}), bn = of({128, 256, 512, 1024});
    const int bk = of({128, 256, 512, 1024});
    const int m = of({1, 2}), n = of({1, 2}), k = of({1, 2, 4});
    const bool wide = chance_.one_in(4), turned = chance_.one_in(3), shared = chance_.one_in(3);
    const std::string_view in = wide ? "f32" : "bf16", out = type();
    const std::string precision = wide ? fmt::format(", prec: \"{}\"", word({"bf16", "f32"})) : "";
    const std::string lead = shared ? "" : "o, ";
    const std::string array =
        turned ? fmt::format("{}, {}", n * bn, k * bk) : fmt::format("{}, {}", k * bk, n * bn);
    const std::string window =
        turned ? fmt::format("j@{}, k@{}", bn, bk) : fmt::format("k@{}, j@{}", bk, bn);
    return fmt::format(
        "kernel timed(x: hbm {0}[O, {1}, {2}], w: hbm {0}[{3}{4}], out y: hbm {5}[O, {1}, {6}])\n"
        "{7}grid (o in O par, i in {8} par, j in {9} par, k in {10} seq)\n"
        "  in a = x[o, i@{11}, k@{12}]{13}\n  in b = w[{14}{15}]{16}\n  out z = y[o, i@{11}, "
        "j@{17}]\n"
        "  scratch acc: vmem f32[{11}, {17}]\n{{\n  first k {{ acc = 0 }}\n"
        "  acc += dot(a, b{18}{19})\n  last k {{ z = {5}({20}) }}\n}}\n",
        in, m * bm, k * bk, shared ? "" : "O, ", array, out, n * bn, limit, m, n, k, bm, bk,
        depth(), lead, window, depth(), bn, turned ? ".T" : "", precision,
        expression("acc", of({0, 0, 1, 4})));
}

std::string Generator::rows() {
    const int b = of({32, 64, 128, 256}), w = of({128, 512, 1024, 2048}), m = of({1, 2, 4});
    const std::string_view in = type(), out = type();
    const std::string_view body = word(
        {"  let e = exp(v - rowmax(v))\n  let r = e * recip(rowsum(e))\n",
         "  let r = v * rsqrt(rowsum(v*v) * 0.001 + 0.00001)\n",
         "  let c = v - rowsum(v) * 0.001\n  let r = c * rsqrt(rowsum(c*c) * 0.001 + 0.00001)\n",
         "  let r = v / (rowsum(abs(v)) * 0.001)\n"});
    return fmt::format(
        "kernel timed(x: hbm {0}[O, {1}, {2}], out y: hbm {3}[O, {1}, {2}])\n{4}"
        "grid (o in O par, i in {5} par)\n  in a = x[o, i@{6}, :]{7}\n  out z = y[o, i@{6}, :]{8}\n"
        "{{\n  let v = f32(a)\n{9}  z = {3}(r)\n}}\n",
        in, m * b, w, out, limit, m, b, depth(), depth(), body);
}

std::string Generator::sums() {
    const int b = of({32, 64, 256, 512}), w = of({128, 512, 1024});
    const int m = of({2, 3, 6}), n = of({1, 2});
    return fmt::format(
        "kernel timed(x: hbm {0}[O, {1}, {2}], out y: hbm f32[O, 1, {2}])\n{3}"
        "grid (o in O par, j in {4} par, i in {5} seq)\n  in a = x[o, i@{6}, j@{7}]{8}\n"
        "  out z = y[o, :, j@{7}]\n{{\n  first i {{ z = 0 }}\n  let v = f32(a)\n"
        "  z += colsum({9})\n}}\n",
        type(), m * b, n * w, limit, n, m, b, w, depth(), expression("v", of({0, 1, 4})));
}

std::string Generator::attention() {
    const int q = of({128, 256, 512}), k = of({128, 256, 512}), d = of({64, 128, 256});
    const int keys = of({2, 3, 4}) * k, queries = of({1, 2}) * q;
    const std::string where =
        chance_.one_in(2) ? fmt::format("  where j*{} < (i + 1)*{}\n", k, q) : "";
    const std::string_view precision = word({"bf16", "f32"});
    return fmt::format(
        "kernel timed(q: hbm bf16[O, {0}, {1}], k: hbm bf16[O, {2}, {1}], "
        "v: hbm bf16[O, {2}, {1}], out y: hbm bf16[O, {0}, {1}])\n{3}"
        "grid (o in O par, i in {4} par, j in {5} seq)\n{6}"
        "  in qb = q[o, i@{7}, :]\n  in kb = k[o, j@{8}, :]{9}\n  in vb = v[o, j@{8}, :]\n"
        "  out z = y[o, i@{7}, :]\n"
        "  scratch m: vmem f32[{7}, 1], l: vmem f32[{7}, 1], acc: vmem f32[{7}, {1}]\n{{\n"
        "  first j {{\n    m = -inf\n    l = 0\n    acc = 0\n  }}\n"
        "  let s = dot(qb, kb.T) * 0.09\n  let m1 = max(m, rowmax(s))\n  let c = exp(m - m1)\n"
        "  let p = exp(s - m1)\n  l = c*l + rowsum(p)\n"
        "  acc = c*acc + dot({10}, {11}, prec: \"{12}\")\n  m = m1\n"
        "  last j {{ z = bf16(acc / l) }}\n}}\n",
        queries, d, keys, limit, queries / q, keys / k, where, q, k, depth(),
        precision == "f32" ? "p" : "bf16(p)", precision == "f32" ? "f32(vb)" : "vb", precision);
}

std::string Generator::by_hand() {
    const int b = of({8, 32, 128, 512}), w = of({128, 512, 1024}), n = of({3, 4, 8});
    const std::string_view priority = word({"", "", " prio 1"});
    return fmt::format(
        "kernel timed(x: hbm f32[O, {0}, {1}], out y: hbm f32[O, {0}, {1}])\n{2}"
        "grid (o in O par)\n{{\n"
        "  scratch buf: vmem f32[2, {3}, {1}], res: vmem f32[2, {3}, {1}]\n"
        "  scratch arrived: sem dma[2], written: sem dma[2]\n"
        "  copy x[o, 0@{3}, :] -> buf[0] done arrived[0]\n"
        "  for i in 0..{4} {{\n    let slot = i % 2\n"
        "    if i + 1 < {4} {{ copy x[o, (i + 1)@{3}, :] -> buf[1 - slot] done arrived[1 - "
        "slot]{5} }}\n"
        "    wait arrived[slot] for buf[slot]\n"
        "    if i > 1 {{ wait written[slot] for res[slot] }}\n"
        "    let v = buf[slot]\n    res[slot] = {6}\n"
        "    copy res[slot] -> y[o, i@{3}, :] done written[slot]\n  }}\n"
        "  wait written[{7}] for res[{7}]\n  wait written[{8}] for res[{8}]\n}}\n",
        n * b, w, limit, b, n, priority, expression("v", of({1, 3, 10})), n % 2, 1 - n % 2);
}

std::string Generator::ring() {
    const int b = of({8, 32, 128, 256}), w = of({128, 512, 1024}), n = of({4, 6, 9});
    const int ahead = of({1, 2, 3});
    return fmt::format(
        "kernel timed(x: hbm f32[O, {0}, {1}], out y: hbm f32[O, {0}, {1}])\n{2}"
        "grid (o in O par)\n{{\n  ring rows: vmem f32[{3}, {1}] depth {4}\n"
        "  ring results: vmem f32[{3}, {1}] depth {5}\n"
        "  fn load(i) {{ fill rows as d {{ copy x[o, i@{3}, :] -> d }} }}\n"
        "  for i in 0..{6} unroll {{ load(i) }}\n"
        "  for i in 0..{7} {{\n    if i + {6} < {7} {{ load(i + {6}) }}\n"
        "    take rows as v {{\n      put results as d {{\n        d = {8}\n"
        "        copy d -> y[o, i@{3}, :]\n      }}\n    }}\n  }}\n}}\n",
        n * b, w, limit, b, ahead + 1, of({1, 2, 3}), ahead, n, expression("v", of({1, 3, 10})));
}

std::string Generator::gather() {
    const int b = of({8, 16, 32}), w = of({128, 256, 1024}), n = of({1, 2, 4});
    return fmt::format(
        "kernel timed(t: hbm f32[512, {0}], out y: hbm f32[O, {1}, {0}])\n{2}"
        "grid (o in O par, i in {3} par)\n  in rows: vmem f32[{4}, {0}] fetch {{\n"
        "    for r in 0..{4} unroll 4 {{ copy t[(o*7 + i*5 + r*13) % 512, :] -> rows[r, :] }}\n"
        "  }} depth {5}\n  out z = y[o, i@{4}, :]\n{{\n  let v = rows\n  z = {6}\n}}\n",
        w, n * b, limit, n, b, of({2, 3}), expression("v", of({0, 2, 5})));
}

}  // namespace

TimedKernel timed_kernel(std::uint64_t seed) {
    struct Family {
        const char* name;
        std::string (Generator::*text)();
    };
    constexpr Family families[] = {
        {"stream", &Generator::stream},       {"matmul", &Generator::matmul},
        {"rows", &Generator::rows},           {"sums", &Generator::sums},
        {"attention", &Generator::attention}, {"by_hand", &Generator::by_hand},
        {"ring", &Generator::ring},           {"gather", &Generator::gather}};
    const Family& family = families[seed % std::size(families)];
    Generator generator(seed);
    return {family.name, (generator.*family.text)()};
}

}  // namespace slab::test
