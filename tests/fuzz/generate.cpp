#include <utility>

#include <fmt/format.h>

#include "texts.hpp"

namespace slab::fuzz {

namespace {

using Names = std::vector<std::string>;

/// What statements may use at a place of the text. Blocks have all the same shape, [bm, bn], so
/// that most expressions conform.
struct Scope {
    Names blocks;      ///< VMEM, to be read and written
    Names read_only;   ///< windows of `in` streams and values
    Names variables;   ///< `var` blocks
    Names scalars;     ///< integers that stay
    Names counters;    ///< integer `var`s
    Names sequential;  ///< axes for `first` and `last`
    Names axes;
    Names semaphores;  ///< `sem dma`
    Names events;      ///< `sem count`
    Names rings;
    Names functions;   ///< of a block
    Names procedures;  ///< of a reference
};

class Generator {
public:
    explicit Generator(Chance& chance) : chance_(chance) {}

    std::string kernel() {
        sizes();
        mesh_ = chance_.one_in(6);
        smem_ = chance_.one_in(2);
        optional_ = chance_.one_in(5);
        typed_ = chance_.one_in(4);
        std::string text = fmt::format("// set {}\n", settings_);
        if (chance_.one_in(4)) text += "const C = 3\n";
        if (chance_.one_in(4)) {
            text += "fn f0(x) = x * 2 + 1\n";
            top_.functions.push_back("f0");
        }
        text += fmt::format("kernel k[{}]({})\n", brackets(), operands());
        text += clauses();
        top_.scalars = {"M", "N", "bm", "bn", "n"};
        if (mesh_) top_.scalars.push_back("me.r");
        if (smem_) top_.scalars.push_back("idx[0]");
        if (chance_.one_in(2)) return text + grid(top_, 0);
        text += "{\n";
        Scope scope = top_;
        text += declarations(scope, 1);
        if (mesh_ && !chance_.one_in(4)) text += "  barrier all r\n";
        text += statements(scope, 1, 3 + chance_.pick(6));
        if (!chance_.one_in(4))
            text += fmt::format("  copy {} -> o[0@bm, 0@bn]\n", any(scope.blocks));
        return text + "}\n";
    }

private:
    // --- sizes and operands

    void sizes() {
        constexpr int rows[] = {8, 8, 16, 32, 64, 1, 24};
        constexpr int columns[] = {128, 128, 256, 64, 8};
        const int bm = chance_.of(rows), bn = chance_.of(columns);
        const int m = bm * static_cast<int>(1 + chance_.pick(5)) + (chance_.one_in(40) ? 3 : 0);
        const int n = bn * static_cast<int>(1 + chance_.pick(3)) + (chance_.one_in(40) ? 5 : 0);
        settings_ = fmt::format("M={},N={},bm={},bn={},n=3", m, n, bm, bn);
    }

    std::string brackets() {
        std::string text = "bm = 8, bn = 128";
        if (typed_) text += ", T: dtype = bf16";
        return text;
    }

    std::string operands() {
        constexpr std::string_view types[] = {"bf16", "f32", "i32", "i8", "f8e4m3", "u16", "i4"};
        const std::string other = typed_ ? "T" : std::string(chance_.of(types));
        std::string text = fmt::format("x: hbm f32[M, N], w: hbm {}[M, N]", other);
        if (optional_) text += ", bias: hbm f32[M, N]?";
        if (smem_) text += ", idx: smem i32[8]";
        text += ", n: i32";
        return text + fmt::format(", {} o: hbm f32[M, N]", chance_.one_in(3) ? "out" : "inout");
    }

    std::string clauses() {
        std::string text;
        if (mesh_) {
            constexpr std::string_view meshes[] = {"(r: 2)", "(r: 4)", "(r: 3)", "(r: 2, s: 2)"};
            text += fmt::format("mesh {}\n", chance_.of(meshes));
        }
        if (chance_.one_in(5)) text += "require M >= bm, N % bn == 0\n";
        if (chance_.one_in(5)) text += "const half = bm/2\n";
        if (chance_.one_in(8)) text += "limit vmem 8*MiB\n";
        return text;
    }

    // --- names

    std::string fresh(std::string_view stem) { return fmt::format("{}{}", stem, ++names_); }
    std::string any(const Names& names) { return names.empty() ? "x" : chance_.of(names); }

    // --- expressions

    std::string scalar(const Scope& scope, int depth = 0) {
        constexpr std::string_view literals[] = {"0", "1", "2", "3", "4", "7", "8"};
        constexpr std::string_view operators[] = {"+", "-", "*", "/",  "%",
                                                  "&", "|", "^", "<<", ">>"};
        switch (depth > 2 ? chance_.pick(5) : chance_.pick(10)) {
            case 0:
            case 1:
                return std::string(chance_.of(literals));
            case 2:
            case 3:
                if (!scope.axes.empty()) return any(scope.axes);
                [[fallthrough]];
            case 4:
                return chance_.one_in(2) && !scope.counters.empty() ? any(scope.counters)
                                                                    : any(scope.scalars);
            case 5:
                return fmt::format("{}({}, {})", chance_.one_in(2) ? "min" : "max",
                                   scalar(scope, depth + 1), scalar(scope, depth + 1));
            case 6:
                return smem_ ? fmt::format("idx[({}) % 8]", scalar(scope, depth + 1)) : "2";
            case 7:
                return fmt::format("cdiv({}, {})", scalar(scope, depth + 1), 1 + chance_.pick(8));
            case 8:
                return fmt::format("select({}, {}, {})", condition(scope, depth + 1),
                                   scalar(scope, depth + 1), scalar(scope, depth + 1));
            default:
                return fmt::format("({} {} {})", scalar(scope, depth + 1), chance_.of(operators),
                                   scalar(scope, depth + 1));
        }
    }

    std::string condition(const Scope& scope, int depth = 0) {
        constexpr std::string_view operators[] = {"<", "<=", ">", ">=", "==", "!="};
        const std::string simple = fmt::format("{} {} {}", scalar(scope, depth + 1),
                                               chance_.of(operators), scalar(scope, depth + 1));
        if (depth > 1) return simple;
        switch (chance_.pick(5)) {
            case 0:
                return fmt::format("{} and {}", simple, condition(scope, depth + 1));
            case 1:
                return fmt::format("({} or not {})", simple, condition(scope, depth + 2));
            default:
                return simple;
        }
    }

    std::string leaf(const Scope& scope) {
        Names all = scope.blocks;
        all.insert(all.end(), scope.read_only.begin(), scope.read_only.end());
        all.insert(all.end(), scope.variables.begin(), scope.variables.end());
        return all.empty() ? "f32(iota([bm, bn], 1))" : any(all);
    }

    /// A value that broadcasts to a block.
    std::string column(const Scope& scope, int depth) {
        constexpr std::string_view reductions[] = {"rowmax", "rowsum", "colmax",
                                                   "colsum", "rowmin", "colmin"};
        if (chance_.one_in(4)) return fmt::format("f32({})", scalar(scope));
        return fmt::format("{}({})", chance_.of(reductions), block(scope, depth + 1));
    }

    std::string mask(const Scope& scope, int depth) {
        if (chance_.one_in(2))
            return fmt::format("iota([bm, bn], {}) < {}", chance_.pick(2), scalar(scope));
        return fmt::format("{} > {}", block(scope, depth + 1), block(scope, depth + 1));
    }

    std::string block(const Scope& scope, int depth = 0) {
        constexpr std::string_view operators[] = {"+", "-", "*", "/", "+", "*"};
        constexpr std::string_view functions[] = {"exp",   "abs",     "tanh",  "sqrt",
                                                  "rsqrt", "sigmoid", "log",   "recip",
                                                  "floor", "exp2",    "round", "erf"};
        if (depth > 3) return leaf(scope);
        const auto inner = [&] { return block(scope, depth + 1); };
        switch (chance_.pick(22)) {
            case 0:
            case 1:
            case 2:
            case 3:
                return leaf(scope);
            case 4:
            case 5:
            case 6:
                return fmt::format("({} {} {})", inner(), chance_.of(operators), inner());
            case 7:
                return fmt::format("{}({})", chance_.of(functions), inner());
            case 8:
                return fmt::format("({} {} {})", inner(), chance_.of(operators),
                                   column(scope, depth));
            case 9:
                return fmt::format("select({}, {}, {})", mask(scope, depth), inner(),
                                   chance_.one_in(2) ? "0" : inner());
            case 10:
                return fmt::format("max({}, {})", inner(), column(scope, depth));
            case 11:
                return fmt::format("f32(bf16({}))", inner());
            case 12:
                return fmt::format("f32(iota([bm, bn], {}) + {})", chance_.pick(2), scalar(scope));
            case 13:
                return fmt::format("dot({}, dot(({}).T, {}, prec: \"f32\"), prec: \"bf16x3\")",
                                   inner(), inner(), inner());
            case 14:
                return fmt::format("rowmax(dot(bf16({}), bf16({}).T)) + f32(iota([bm, bn], 1))",
                                   inner(), inner());
            case 15:
                return fmt::format("roll({}, {}, {})", inner(), chance_.pick(9), chance_.pick(2));
            case 16:
                return fmt::format("reshape(reshape({}, [1, bm, bn]), [bm, bn])", inner());
            case 17:
                return fmt::format("transpose(transpose({}))", inner());
            case 18:
                return fmt::format("clamp({}, -1.0, {}.5)", inner(), chance_.pick(4));
            case 19:
                return scope.functions.empty()
                           ? inner()
                           : fmt::format("{}({})", any(scope.functions), inner());
            case 20:
                return fmt::format("fold(add, stack([{}, {}]), 0)", inner(), inner());
            default:
                return special(scope, depth);
        }
    }

    std::string special(const Scope& scope, int depth) {
        const std::string inner = block(scope, depth + 1);
        switch (chance_.pick(7)) {
            case 0:
                return fmt::format("bits(f32, bits(i32, {}))", inner);
            case 1:
                return fmt::format("repeat({}, 1, {})", inner, chance_.pick(2));
            case 2:
                return fmt::format("concat([{}, {}], 0)[0 +: bm, :]", inner, inner);
            case 3:
                return fmt::format("f32(argmax({}))", inner);
            case 4:
                return fmt::format("take_along({}, iota([bm, bn], 0), 0)", inner);
            case 5:
                return fmt::format("f32(i8({}))", inner);
            default:
                return fmt::format("pow({}, 2.0)", inner);
        }
    }

    /// A part of an array in HBM as large as a block.
    std::string part(const Scope& scope) {
        constexpr std::string_view arrays[] = {"x", "x", "x", "x", "x", "o", "o", "w"};
        switch (chance_.pick(5)) {
            case 0:
                return fmt::format("{}[({}) % (M/bm)@bm, 0@bn]", chance_.of(arrays), scalar(scope));
            case 1:
                return fmt::format("{}[0 +: bm, 0 +: bn]", chance_.of(arrays));
            case 2:
                return fmt::format("{}[{}@bm, {}@bn]", chance_.of(arrays), scalar(scope),
                                   scalar(scope));
            default:
                return fmt::format("{}[0@bm, 0@bn]", chance_.of(arrays));
        }
    }

    // --- statements

    std::string indent(int depth) { return std::string(static_cast<std::size_t>(depth) * 2, ' '); }

    std::string declarations(Scope& scope, int depth) {
        std::string text;
        for (std::size_t i = 1 + chance_.pick(3); i > 0; --i) {
            const std::string name = fresh("s");
            text += fmt::format("{}scratch {}: vmem f32[bm, bn]{}\n", indent(depth), name,
                                chance_.one_in(8) ? "" : " = 0");
            scope.blocks.push_back(name);
        }
        if (chance_.one_in(2)) {
            const std::string name = fresh("sem");
            text += fmt::format("{}scratch {}: sem dma{}\n", indent(depth), name,
                                chance_.one_in(3) ? "[2]" : "");
            scope.semaphores.push_back(name + (text.ends_with("[2]\n") ? "[0]" : ""));
        }
        if (chance_.one_in(3)) {
            const std::string name = fresh("ev");
            text += fmt::format("{}scratch {}: sem count\n", indent(depth), name);
            scope.events.push_back(name);
        }
        if (chance_.one_in(3)) {
            const std::string name = fresh("ring");
            text += fmt::format("{}ring {}: vmem f32[bm, bn] depth {}\n", indent(depth), name,
                                1 + chance_.pick(3));
            scope.rings.push_back(name);
        }
        if (chance_.one_in(5)) {
            const std::string name = fresh("fn");
            text += fmt::format("{}fn {}(a) = a + {}\n", indent(depth), name, block(scope, 2));
            scope.functions.push_back(name);
        }
        if (chance_.one_in(6)) {
            const std::string name = fresh("proc");
            text +=
                fmt::format("{}fn {}(ref r) {{ r = {} }}\n", indent(depth), name, block(scope, 2));
            scope.procedures.push_back(name);
        }
        return text;
    }

    std::string statements(Scope scope, int depth, std::size_t count) {
        std::string text;
        for (std::size_t i = 0; i < count; ++i) text += statement(scope, depth);
        return text;
    }

    std::string body(const Scope& scope, int depth) {
        return "{\n" + statements(scope, depth + 1, 1 + chance_.pick(3)) + indent(depth) + "}";
    }

    std::string statement(Scope& scope, int depth) {
        const std::string in = indent(depth);
        switch (depth > 4 ? chance_.pick(7) : chance_.pick(24)) {
            case 0:
            case 1:
            case 2:
                return assignment(scope, in);
            case 3: {
                const std::string value = block(scope), name = fresh("v");
                scope.read_only.push_back(name);
                return fmt::format("{}let {} = {}\n", in, name, value);
            }
            case 4: {
                const std::string value = block(scope), name = fresh("u");
                scope.variables.push_back(name);
                return fmt::format("{}var {} = {}\n", in, name, value);
            }
            case 5: {
                const std::string value = scalar(scope), name = fresh("n");
                scope.scalars.push_back(name);
                return fmt::format("{}let {} = {}\n", in, name, value);
            }
            case 6: {
                if (!scope.counters.empty() && chance_.one_in(2))
                    return fmt::format("{}{} {}= {}\n", in, any(scope.counters),
                                       chance_.one_in(2) ? "+" : "", scalar(scope));
                const std::string value = scalar(scope), name = fresh("c");
                scope.counters.push_back(name);
                return fmt::format("{}var {} = {}\n", in, name, value);
            }
            case 7:
            case 8:
                return in + branch(scope, depth);
            case 9:
            case 10:
                return in + loop(scope, depth);
            case 11:
                return while_loop(scope, depth);
            case 12:
            case 13:
                if (!scope.sequential.empty())
                    return fmt::format("{}{} {} {}\n", in, chance_.one_in(2) ? "first" : "last",
                                       any(scope.sequential), body(scope, depth));
                return assignment(scope, in);
            case 14:
            case 15:
                return copy(scope, in);
            case 16:
            case 17:
                return ring(scope, depth);
            case 18:
                return depth < 3 ? nested(scope, depth) : assignment(scope, in);
            case 19:
                return fmt::format("{}scope \"part\" {}\n", in, body(scope, depth));
            case 20:
                return mesh_ ? remote(scope, in) : signals(scope, in);
            case 21:
                return fmt::format(
                    "{}{} {}\n", in,
                    chance_.one_in(2) ? "print \"at\"," : "assert 0 <=", scalar(scope));
            case 22:
                if (!scope.procedures.empty() && !scope.blocks.empty())
                    return fmt::format("{}{}({})\n", in, any(scope.procedures), any(scope.blocks));
                return view(scope, in);
            default:
                return view(scope, in);
        }
    }

    std::string assignment(const Scope& scope, const std::string& in) {
        constexpr std::string_view operators[] = {"=", "=", "+=", "*=", "-="};
        const Names& targets =
            scope.variables.empty() || chance_.one_in(2) ? scope.blocks : scope.variables;
        return fmt::format("{}{} {} {}\n", in, any(targets.empty() ? scope.blocks : targets),
                           chance_.of(operators), block(scope));
    }

    std::string branch(const Scope& scope, int depth) {
        std::string text = fmt::format("if {} {}", condition(scope), body(scope, depth));
        if (chance_.one_in(3))
            text += fmt::format(" else if {} {}", condition(scope), body(scope, depth));
        if (chance_.one_in(2)) text += fmt::format(" else {}", body(scope, depth));
        return text + "\n";
    }

    std::string loop(Scope scope, int depth) {
        const std::string name = fresh("t");
        constexpr std::string_view ends[] = {"2", "3", "4", "M/bm", "min(4, bm)", "7"};
        const std::string end =
            chance_.one_in(4) ? scalar(scope) + " % 4" : std::string(chance_.of(ends));
        std::string head =
            fmt::format("for {} in {}..{}", name, chance_.one_in(4) ? "1" : "0", end);
        if (chance_.one_in(5)) head += " step 2";
        if (chance_.one_in(4) && end.size() <= 4)
            head += chance_.one_in(2) ? " unroll" : " unroll 2";
        scope.axes.push_back(name);
        return fmt::format("{} {}\n", head, body(scope, depth));
    }

    std::string while_loop(Scope scope, int depth) {
        const std::string in = indent(depth), name = fresh("w");
        const std::string step = fmt::format("{}{} += 1\n", indent(depth + 1), name);
        Scope inner = scope;
        inner.scalars.push_back(name);
        return fmt::format("{}var {} = 0\n{}while {} < {} atmost {} {{\n{}{}{}}}\n", in, name, in,
                           name, scalar(scope, 2), 1 + chance_.pick(9),
                           statements(inner, depth + 1, 1 + chance_.pick(2)), step, in);
    }

    std::string copy(const Scope& scope, const std::string& in) {
        if (scope.blocks.empty()) return "";
        const std::string to = any(scope.blocks);
        if (scope.semaphores.empty() || chance_.one_in(3)) {
            if (chance_.one_in(3)) return fmt::format("{}copy {} -> o[0@bm, 0@bn]\n", in, to);
            return fmt::format("{}copy {} -> {}\n", in, part(scope), to);
        }
        const std::string done = any(scope.semaphores);
        std::string text = fmt::format("{}copy {} -> {} done {}\n", in, part(scope), to, done);
        if (!chance_.one_in(6)) text += fmt::format("{}wait {} for {}\n", in, done, to);
        return text;
    }

    std::string ring(const Scope& scope, int depth) {
        const std::string in = indent(depth);
        if (scope.rings.empty()) return assignment(scope, in);
        const std::string name = any(scope.rings), slot = fresh("d");
        if (chance_.one_in(4))
            return fmt::format("{}put {} as {} {{ {} = {}  copy {} -> o[0@bm, 0@bn] }}\n", in, name,
                               slot, slot, block(scope), slot);
        Scope inner = scope;
        inner.read_only.push_back(slot);
        std::string text =
            fmt::format("{}fill {} as {} {{ copy {} -> {} }}\n", in, name, slot, part(scope), slot);
        if (!chance_.one_in(8))
            text += fmt::format("{}take {} as {} {}\n", in, name, slot, body(inner, depth));
        return text;
    }

    std::string signals(const Scope& scope, const std::string& in) {
        if (scope.events.empty()) return assignment(scope, in);
        return fmt::format("{}wait {} for {}\n", in, any(scope.events), chance_.pick(2));
    }

    std::string remote(const Scope& scope, const std::string& in) {
        const std::string peer =
            fmt::format("(r: {})", chance_.one_in(3) ? scalar(scope) : "(me.r + 1) % 2");
        if (!scope.events.empty() && chance_.one_in(2))
            return fmt::format("{}signal {} at {}{}\n{}wait {} for 1\n", in, any(scope.events),
                               peer, chance_.one_in(3) ? " by 2" : "", in, any(scope.events));
        if (scope.semaphores.empty() || scope.blocks.empty())
            return chance_.one_in(2) ? fmt::format("{}barrier all r\n", in)
                                     : fmt::format("{}barrier {}\n", in, peer);
        const std::string block = any(scope.blocks), sem = any(scope.semaphores);
        const std::string other = any(scope.semaphores);
        return fmt::format(
            "{}send {} -> {} at {} done {} arrive {}\n{}wait {} for {}\n{}wait {} for "
            "{}\n",
            in, block, any(scope.blocks), peer, sem, other, in, sem, block, in, other, block);
    }

    std::string view(Scope& scope, const std::string& in) {
        if (scope.blocks.empty()) return "";
        const std::string name = fresh("r"), of = any(scope.blocks);
        switch (chance_.pick(5)) {
            case 0:
                scope.blocks.push_back(name);
                return fmt::format("{}ref {} = {}\n", in, name, of);
            case 1:
                return fmt::format("{}{}[0 +: 1, :] = colsum({})\n", in, of, block(scope, 2));
            case 2:
                return fmt::format("{}{}[({}) % bm, :] *= 2\n", in, of, scalar(scope));
            case 3:
                return fmt::format("{}{}[:, 0 +: 1] = rowmax({})\n", in, of, block(scope, 2));
            default:
                return fmt::format("{}{}[0 +: ({}) % 8 upto 8, :] += 1\n", in, of, scalar(scope));
        }
    }

    // --- grids

    std::string nested(const Scope& scope, int depth) {
        Scope inner = scope;
        for (Names* blocks : {&inner.axes, &inner.sequential}) blocks->clear();
        return grid(inner, depth);
    }

    std::string grid(Scope scope, int depth) {
        const std::string in = indent(depth), i = fresh("i"), j = fresh("j");
        const bool par = chance_.one_in(2), dynamic = chance_.one_in(6);
        std::string rows = dynamic ? fmt::format("min({}, M/bm)", scalar(scope)) : "M/bm";
        std::string text =
            fmt::format("{}grid ({} in {} {}, {} in {} {}{})\n", in, i, rows, par ? "par" : "seq",
                        j, chance_.one_in(6) ? "0.." + i + " + 1" : "N/bn",
                        chance_.one_in(3) ? "par" : "seq", chance_.one_in(3) ? ", k in 2" : "");
        const bool has_k = text.ends_with("k in 2)\n");
        const bool j_par = text.find(" par", text.find(j)) != std::string::npos;
        for (const std::string& axis : {i, j}) scope.axes.push_back(axis);
        if (has_k) scope.axes.push_back("k"), scope.sequential.push_back("k");
        if (!par) scope.sequential.push_back(i);
        if (!j_par) scope.sequential.push_back(j);
        if (chance_.one_in(5)) text += fmt::format("{}  where {}\n", in, condition(scope));
        text += streams(scope, in, i, j);
        text += fmt::format("{}{{\n", in);
        for (const std::string& block : scope.blocks)
            if (block.starts_with("z") && !chance_.one_in(6))
                text += fmt::format("{}  {} = {}\n", in, block, any(scope.read_only));
        if (has_k && chance_.one_in(2))
            text += fmt::format("{}  first k {{ {} = 0 }}\n", in, any(scope.blocks));
        text += statements(scope, depth + 1, 2 + chance_.pick(4));
        if (!chance_.one_in(5))
            text += fmt::format("{}  {} = {}\n", in, any(scope.blocks), block(scope));
        return text + in + "}\n";
    }

    std::string options() {
        constexpr std::string_view all[] = {
            "", "", "", " depth 1", " depth 3", " pad 0", " depth 3 ahead", " depth 2 pad -inf"};
        return std::string(chance_.of(all));
    }

    std::string window(const Scope& scope, const std::string& i, const std::string& j) {
        switch (chance_.pick(9)) {
            case 0:
                return fmt::format("[{}@bm, 0@bn]", i);
            case 1:
                return fmt::format("[({}) % 3@bm, {}@bn]", scalar(scope), j);
            case 2:
                return fmt::format("[{}*bm +: ({}) % bm upto bm, {}@bn]", i, scalar(scope), j);
            case 3:
                return fmt::format("[aligned({}, 8) +: bm, {}@bn]", scalar(scope), j);
            default:
                return fmt::format("[{}@bm, {}@bn]", i, j);
        }
    }

    std::string streams(Scope& scope, const std::string& in, const std::string& i,
                        const std::string& j) {
        const std::string a = fresh("a"), z = fresh("z"), acc = fresh("acc");
        std::string text =
            fmt::format("{}  in {} = x{}{}\n", in, a, window(scope, i, j), options());
        scope.read_only.push_back(a);
        if (chance_.one_in(3)) {
            const std::string b = fresh("b");
            text += fmt::format("{}  in {} = w{}{}\n", in, b, window(scope, i, j), options());
            scope.read_only.push_back(fmt::format("f32({})", b));
        }
        if (chance_.one_in(5)) {
            const std::string c = fresh("g");
            text += fmt::format("{}  in {}: vmem f32[bm, bn] fetch {{ copy {} -> {} }}{}\n", in, c,
                                part(scope), c, options());
            scope.read_only.push_back(c);
        }
        if (optional_ && chance_.one_in(2)) {
            const std::string c = fresh("h");
            text += fmt::format("{}  in {} = bias[{}@bm, {}@bn]\n", in, c, i, j);
            scope.read_only.push_back(
                chance_.one_in(2) ? c : fmt::format("select(has(bias), {}, 0)", c));
        }
        if (!chance_.one_in(6)) {
            if (chance_.one_in(6))
                text += fmt::format(
                    "{}  out {}: vmem f32[bm, bn] flush {{ copy {} -> o[{}@bm, {}@bn] }}{}\n", in,
                    z, z, i, j, options());
            else
                text += fmt::format("{}  {} {} = o[{}@bm, {}@bn]{}\n", in,
                                    chance_.one_in(4) ? "inout" : "out", z, i, j,
                                    chance_.one_in(6) ? " revisit" : "");
            scope.blocks.push_back(z);
        }
        if (chance_.one_in(2)) {
            text += fmt::format("{}  scratch {}: vmem f32[bm, bn]{}\n", in, acc,
                                chance_.one_in(8) ? "" : " = 0");
            scope.blocks.push_back(acc);
        }
        if (scope.blocks.empty()) {
            text += fmt::format("{}  scratch {}: vmem f32[bm, bn]\n", in, acc);
            scope.blocks.push_back(acc);
        }
        return text;
    }

    Chance& chance_;
    Scope top_;
    std::string settings_;
    bool mesh_ = false, smem_ = false, optional_ = false, typed_ = false;
    int names_ = 0;
};

}  // namespace

std::string random_kernel(Chance& chance) {
    return Generator(chance).kernel();
}

std::string random_text(Chance& chance) {
    switch (chance.pick(6)) {
        case 0:
            return random_program(chance);
        case 1:
            return random_reference(chance);
        default:
            return random_kernel(chance);
    }
}

}  // namespace slab::fuzz
