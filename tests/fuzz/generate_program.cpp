#include <utility>

#include <fmt/format.h>

#include "texts.hpp"

namespace slab::fuzz {

namespace {

using Names = std::vector<std::string>;

std::string indent(int depth) {
    return std::string(static_cast<std::size_t>(depth) * 2, ' ');
}

/// Kernels to launch: of one array, of two, of an optional one with a scalar, in place, and one
/// whose steps an array in SMEM decides.
constexpr std::string_view kernels =
    R"(kernel copied[bm = 8](a: hbm f32[M, N], out c: hbm f32[M, N])
grid (i in M/bm par)
  in x = a[i@bm, :]
  out z = c[i@bm, :]
{
  z = x*2
}

kernel added[bm = 8](a: hbm f32[M, N], b: hbm f32[M, N]?, s: f32, out c: hbm f32[M, N])
grid (i in cdiv(M, bm))
  in x = a[i@bm, :]
  in y = b[i@bm, :]
  out z = c[i@bm, :]
{
  z = x*s
  if has(b) { z += y }
}

kernel grown[bm = 8](inout c: hbm f32[M, N])
grid (i in M/bm seq)
  inout z = c[i@bm, :]
{
  z += 1
}

kernel picked(idx: smem i32[R], t: hbm f32[M, N], out c: hbm f32[M, N])
grid (i in M/8)
  in x = t[(idx[i % R] % 2)@8, :]
  out z = c[i@8, :]
{
  z = x
}

kernel product[bk = 128](a: hbm T[B, M, N], b: hbm T[B, N, N], T: dtype = f32, out c: hbm f32[B, M, N])
grid (h in B par, i in M/8 par, k in N/bk)
  in x = a[h, i@8, k@bk]
  in y = b[h, k@bk, :]
  out z = c[h, i@8, :]
{
  first k { z = 0 }
  z += dot(x, y)
}

)";

class ProgramGenerator {
public:
    explicit ProgramGenerator(Chance& chance) : chance_(chance) {}

    std::string text() {
        constexpr std::string_view rows[] = {"8", "16", "24", "8", "4"};
        constexpr std::string_view columns[] = {"128", "8", "128", "256"};
        std::string text = fmt::format("// set M={},N={},L={}\n", chance_.of(rows),
                                       chance_.of(columns), 1 + chance_.pick(4));
        text += kernels;
        if (chance_.one_in(2)) text += "fn weight(l) = 1.0/(l + 1)\n\n";
        if (chance_.one_in(3)) text += program("inner", false) + "\n";
        text += program("outer", text.find("program inner") != std::string::npos);
        if (chance_.one_in(3)) text += "\n" + reference();
        return text;
    }

private:
    std::string any(const Names& names) { return names.empty() ? "x" : chance_.of(names); }
    std::string fresh(std::string_view stem) { return fmt::format("{}{}", stem, ++names_); }

    std::string program(std::string_view name, bool has_inner) {
        matrices_ = {"x", "y", "y"};
        stacks_ = {"w"};
        writable_ = {"y", "y"};
        integers_ = {"L", "M", "2", "0", "1"};
        has_inner_ = has_inner;
        optional_ = chance_.one_in(3);
        std::string text = fmt::format(
            "program {}(x: hbm f32[M, N], w: hbm f32[L, M, N], idx: hbm i32[4]{}, {} y: hbm f32[M, "
            "N])",
            name, optional_ ? ", bias: hbm f32[M, N]?" : "", chance_.one_in(3) ? "out" : "inout");
        if (optional_) matrices_.push_back("bias");
        if (chance_.one_in(4))
            text += fmt::format("\nrequire L >= {}\n{{\n", 1 + chance_.pick(2));
        else
            text += " {\n";
        text += buffers(1);
        text += statements(1, 2 + chance_.pick(5));
        return text + indent(1) + launch() + "\n}\n";
    }

    std::string buffers(int depth) {
        std::string text;
        for (std::size_t i = chance_.pick(3); i > 0; --i) {
            const std::string name = fresh("t");
            const bool stack = chance_.one_in(4);
            text += fmt::format("{}buffer {}: hbm f32[{}M, N]\n", indent(depth), name,
                                stack ? "L, " : "");
            (stack ? stacks_ : matrices_).push_back(name);
            if (!stack) writable_.push_back(name);
        }
        return text;
    }

    std::string integer(int depth = 0) {
        constexpr std::string_view operators[] = {"+", "-", "*", "/", "%", "<<", "&"};
        if (depth > 1 || chance_.one_in(2)) return any(integers_);
        return fmt::format("({} {} {})", integer(depth + 1), chance_.of(operators),
                           integer(depth + 1));
    }

    std::string number() {
        constexpr std::string_view all[] = {"0.5", "1.0", "2", "weight(1)", "rsqrt(4.0)", "-1.0"};
        return chance_.one_in(3) ? integer() : std::string(chance_.of(all));
    }

    std::string matrix() {
        switch (chance_.pick(7)) {
            case 0:
            case 1:
                return fmt::format("{}[{}]", any(stacks_), integer());
            case 2:
                return fmt::format("{}[0 +: {}, :]", any(matrices_),
                                   chance_.one_in(2) ? "8" : integer());
            default:
                return any(matrices_);
        }
    }

    std::string target() {
        return chance_.one_in(6) ? fmt::format("{}[{}@8, :]", any(writable_), integer())
                                 : any(writable_);
    }

    std::string brackets(std::string_view name) {
        if (!chance_.one_in(3)) return "";
        constexpr std::string_view sizes[] = {"8", "4", "16", "M", "M/2", "L", "0"};
        return fmt::format("[{} = {}]", name, chance_.of(sizes));
    }

    std::string launch() {
        switch (chance_.pick(has_inner_ ? 9 : 8)) {
            case 0:
            case 1:
                return fmt::format("copied{}({}, {})", brackets("bm"), matrix(), target());
            case 2:
            case 3:
                return fmt::format("added{}({}, {}, {}, {})", brackets("bm"), matrix(),
                                   chance_.one_in(3) ? "none" : matrix(), number(), target());
            case 4:
                return fmt::format("added({}, s: {}, c: {}{})", matrix(), number(), target(),
                                   chance_.one_in(2) ? ", b: " + matrix() : "");
            case 5:
                return fmt::format("grown{}({})", brackets("bm"), target());
            case 6:
                return fmt::format("picked(idx, {}, {})", matrix(), target());
            case 7:
                return fmt::format("product{}({}, {}, {})", brackets("bk"), any(stacks_),
                                   any(stacks_), any(stacks_));
            default:
                return fmt::format("inner({}, {}, idx{}, {})", matrix(), any(stacks_),
                                   chance_.one_in(2) ? ", none" : "", target());
        }
    }

    std::string condition() {
        constexpr std::string_view operators[] = {"<", "==", "!=", ">="};
        if (optional_ && chance_.one_in(3)) return "has(bias)";
        return fmt::format("{} {} {}", integer(), chance_.of(operators), integer());
    }

    std::string body(int depth) {
        const Names matrices = matrices_, stacks = stacks_, writable = writable_,
                    integers = integers_;
        std::string text = "{\n" + buffers(depth + 1) + statements(depth + 1, 1 + chance_.pick(3)) +
                           indent(depth) + "}";
        matrices_ = matrices, stacks_ = stacks, writable_ = writable, integers_ = integers;
        return text;
    }

    std::string statements(int depth, std::size_t count) {
        std::string text;
        for (std::size_t i = 0; i < count; ++i) text += indent(depth) + statement(depth) + "\n";
        return text;
    }

    std::string statement(int depth) {
        switch (depth > 3 ? chance_.pick(5) : chance_.pick(15)) {
            case 0: {
                const std::string value = integer(), name = fresh("n");
                integers_.push_back(name);
                return fmt::format("{} {} = {}", chance_.one_in(2) ? "let" : "const", name, value);
            }
            case 5:
            case 6:
            case 7:
                return loop(depth);
            case 8:
                return fmt::format("if {} {}{}", condition(), body(depth),
                                   chance_.one_in(2) ? " else " + body(depth) : "");
            case 9: {
                const std::string value = matrix(), name = fresh("v");
                matrices_.push_back(name);
                if (chance_.one_in(2)) writable_.push_back(name);
                return fmt::format("let {} = {}", name, value);
            }
            case 10: {
                const std::string value = integer(), name = fresh("c");
                integers_.push_back(name);
                counters_.push_back(name);
                return fmt::format("var {} = {}", name, value);
            }
            case 11:
                return counters_.empty() ? launch()
                                         : fmt::format("{} {}= {}", any(counters_),
                                                       chance_.one_in(2) ? "+" : "", integer());
            case 12:
                return fmt::format("scope \"part\" {}", body(depth));
            case 13:
                return chance_.one_in(2) ? fmt::format("print \"at\", {}, {}", integer(), number())
                                         : fmt::format("assert {} >= 0", integer());
            default:
                return launch();
        }
    }

    std::string loop(int depth) {
        constexpr std::string_view ends[] = {"L", "2", "3", "L - 1", "M/8", "0"};
        const std::string name = fresh("l");
        std::string text =
            fmt::format("for {} in {}..{}", name, chance_.one_in(3) ? "1" : "0", chance_.of(ends));
        if (chance_.one_in(5)) text += fmt::format(" step {}", 1 + chance_.pick(3));
        integers_.push_back(name);
        text += " " + body(depth);
        integers_.pop_back();
        return text;
    }

    std::string reference() {
        ReferenceNames names{{"x", "w[0]", "w[L - 1, :, :]"}, {"L", "M", "N", "2"}};
        return fmt::format("reference outer(x: [M, N], w: [L, M, N], idx: [4]{}, {} y: [M, N]) {}",
                           optional_ ? ", bias: [M, N]?" : "", chance_.one_in(2) ? "out" : "inout",
                           reference_body(chance_, names, "y"));
    }

    Chance& chance_;
    Names matrices_, stacks_, writable_, integers_, counters_;
    bool has_inner_ = false, optional_ = false;
    int names_ = 0;
};

}  // namespace

std::string random_program(Chance& chance) {
    return ProgramGenerator(chance).text();
}

}  // namespace slab::fuzz
