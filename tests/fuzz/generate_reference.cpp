#include <utility>

#include <fmt/format.h>

#include "texts.hpp"

namespace slab::fuzz {

namespace {

using Names = std::vector<std::string>;

std::string indent(int depth) {
    return std::string(static_cast<std::size_t>(depth) * 2, ' ');
}

/// Whole arrays, most of shape [M, N], so that most expressions conform.
class ReferenceGenerator {
public:
    ReferenceGenerator(Chance& chance, ReferenceNames names, std::string output)
        : chance_(chance), names_(std::move(names)), output_(std::move(output)) {}

    std::string body() {
        std::string text = "{\n";
        if (chance_.one_in(3)) {
            text += "  fn twice(a) = a + a\n";
            functions_.push_back("twice");
        }
        if (chance_.one_in(4)) {
            text += fmt::format("  fn changed(ref r) {{ r = {} }}\n", array(2));
            procedures_.push_back("changed");
        }
        text += statements(1, 1 + chance_.pick(5));
        if (!chance_.one_in(6)) text += fmt::format("  {} = {}\n", output_, array());
        return text + "}\n";
    }

private:
    std::string any(const Names& names) { return names.empty() ? "x" : chance_.of(names); }
    std::string fresh(std::string_view stem) { return fmt::format("{}{}", stem, ++count_); }

    std::string integer(int depth = 0) {
        constexpr std::string_view operators[] = {"+", "-", "*", "/", "%", "<<", "&", "|", "^"};
        if (depth > 1 || chance_.one_in(3)) return std::to_string(chance_.pick(9));
        if (chance_.one_in(2)) return any(names_.integers);
        return fmt::format("({} {} {})", integer(depth + 1), chance_.of(operators),
                           integer(depth + 1));
    }

    std::string list() {
        std::string text = "[";
        for (std::size_t i = chance_.pick(4); i > 0; --i) text += integer(2) + ", ";
        return text + integer(2) + "]";
    }

    std::string whole_integers(int depth) {
        switch (chance_.pick(5)) {
            case 0:
                return fmt::format("i32({})", array(depth + 1));
            case 1:
                return list();
            case 2:
                return fmt::format("argmax({})", array(depth + 1));
            default:
                return fmt::format("iota([M, N], {})", chance_.pick(2));
        }
    }

    std::string mask(int depth) {
        constexpr std::string_view operators[] = {"<", "<=", "==", "!=", ">"};
        if (chance_.one_in(2))
            return fmt::format("iota([M, N], {}) {} {}", chance_.pick(2), chance_.of(operators),
                               integer());
        return fmt::format("{} {} {}", array(depth + 1), chance_.of(operators), array(depth + 1));
    }

    std::string array(int depth = 0) {
        constexpr std::string_view operators[] = {"+", "-", "*", "/", "+", "%"};
        constexpr std::string_view maps[] = {
            "exp",   "abs",   "tanh", "sqrt", "rsqrt", "sigmoid",     "log",    "recip",
            "floor", "round", "exp2", "erf",  "ceil",  "bf16",        "f8e4m3", "f8e5m2",
            "i8",    "f32",   "u32",  "pred", "i4",    "recip_approx"};
        constexpr std::string_view reductions[] = {"rowmax", "rowsum", "colmax",
                                                   "colsum", "rowmin", "colmin"};
        constexpr std::string_view folds[] = {"add", "max", "min", "mul", "and", "or"};
        if (depth > 3) return any(names_.arrays);
        const auto inner = [&] { return array(depth + 1); };
        switch (chance_.pick(29)) {
            case 0:
                return std::string(chance_.of(maps)) + "(" + inner() + ")";
            case 1:
            case 2:
                return fmt::format("({} {} {})", inner(), chance_.of(operators), inner());
            case 3:
                return fmt::format("({} {} {})", inner(), chance_.of(operators), integer());
            case 4:
                return fmt::format("{}({})", chance_.of(reductions), inner());
            case 5:
                return fmt::format("select({}, {}, {})", mask(depth), inner(), inner());
            case 6:
                return fmt::format("dot({}, {}.T)", inner(), any(names_.arrays));
            case 7:
                return fmt::format("dot({}, {})", inner(), inner());
            case 8:
                return fmt::format("reshape({}, [N, M]).T", inner());
            case 9:
                return fmt::format("reshape({}, {})", inner(), list());
            case 10:
                return fmt::format("concat([{}, {}], {})", inner(), inner(), chance_.pick(3));
            case 11:
                return fmt::format("stack([{}, {}])", inner(), inner());
            case 12:
                return fmt::format("repeat({}, {}, {})", inner(), integer(), chance_.pick(2));
            case 13:
                return fmt::format("roll({}, {}, {})", inner(), integer(), chance_.pick(2));
            case 14:
                return fmt::format("permute({}, {})", inner(),
                                   chance_.one_in(2) ? "[1, 0]" : list());
            case 15:
                return fmt::format("gather({}, {}, {})", inner(), whole_integers(depth),
                                   chance_.pick(2));
            case 16:
                return fmt::format("take_along({}, {}, {})", inner(), whole_integers(depth),
                                   chance_.pick(2));
            case 17:
                return fmt::format("sum({}, {})", inner(), chance_.pick(3));
            case 18:
                return fmt::format("cumsum({}, {})", inner(), chance_.pick(2));
            case 19:
                return fmt::format("sort({}, {})", inner(), chance_.pick(2));
            case 20:
                return fmt::format("top_k({}, {})", inner(), integer());
            case 21:
                return fmt::format("fold({}, {}, {})", chance_.of(folds), inner(), chance_.pick(2));
            case 22:
                return fmt::format("clamp({}, -1, {})", inner(), integer());
            case 23:
                return fmt::format("max({}, {})", inner(), integer());
            case 24:
                return fmt::format("{}[{} +: {}, :]", any(names_.arrays), integer(), integer());
            case 25:
                return fmt::format("{}[{}@{}, :]", any(names_.arrays), integer(), integer());
            case 26:
                return fmt::format("{}({})", any(functions_.empty() ? Names{"abs"} : functions_),
                                   inner());
            case 27:
                return fmt::format("pow({}, {})", inner(), integer());
            default:
                return any(names_.arrays);
        }
    }

    std::string statements(int depth, std::size_t count) {
        std::string text;
        for (std::size_t i = 0; i < count; ++i) text += indent(depth) + statement(depth) + "\n";
        return text;
    }

    std::string block(int depth) {
        const ReferenceNames names = names_;
        const Names variables = variables_;
        std::string text = "{\n" + statements(depth + 1, 1 + chance_.pick(3)) + indent(depth) + "}";
        names_ = names;
        variables_ = variables;
        return text;
    }

    std::string statement(int depth) {
        switch (depth > 3 ? chance_.pick(5) : chance_.pick(10)) {
            case 0: {
                const std::string value = array(), name = fresh("v");
                names_.arrays.push_back(name);
                return fmt::format("let {} = {}", name, value);
            }
            case 1: {
                const std::string value = chance_.one_in(3) ? "0" : array(), name = fresh("u");
                names_.arrays.push_back(name);
                variables_.push_back(name);
                return fmt::format("var {} = {}", name, value);
            }
            case 2:
                return fmt::format("{} {}= {}", variables_.empty() ? output_ : any(variables_),
                                   chance_.one_in(2) ? "+" : "", array());
            case 3:
                return fmt::format("{}[{}, :] = {}", output_, integer(), array(2));
            case 4:
                return fmt::format("{}[{} +: {}, 0 +: {}] = {}", output_, integer(), integer(),
                                   integer(), array(2));
            case 5:
            case 6: {
                const std::string name = fresh("t");
                names_.integers.push_back(name);
                std::string text = fmt::format("for {} in 0..{} {}", name,
                                               chance_.one_in(2) ? "M" : integer(), block(depth));
                return text;
            }
            case 7:
                return fmt::format("if {} > {} {}{}", integer(), integer(), block(depth),
                                   chance_.one_in(2) ? " else " + block(depth) : "");
            case 8:
                if (procedures_.empty() || variables_.empty()) break;
                return fmt::format("{}({})", any(procedures_), any(variables_));
            default:
                break;
        }
        return fmt::format("{} = {}", output_, array());
    }

    Chance& chance_;
    ReferenceNames names_;
    std::string output_;
    Names variables_, functions_, procedures_;
    int count_ = 0;
};

}  // namespace

std::string reference_body(Chance& chance, const ReferenceNames& names, const std::string& output) {
    return ReferenceGenerator(chance, names, output).body();
}

std::string random_reference(Chance& chance) {
    constexpr std::string_view rows[] = {"8", "3", "1", "16", "2", "0"};
    constexpr std::string_view columns[] = {"128", "8", "5", "1"};
    const ReferenceNames names{{"x", "x", "w", "idx"}, {"M", "N", "n", "idx[0]"}};
    return fmt::format(
        "// set M={0},N={2},n=2\n"
        "kernel k(x: hbm f32[M, N], w: hbm bf16[M, N], idx: hbm i32[4], n: i32, {1} o: hbm f32[M, "
        "N])\n{{\n  scratch s: vmem f32[8, 128] = 0\n  assert n >= 0\n}}\n\n"
        "reference k(x: [M, N], w: [M, N], idx: [4], n: i32, {1} o: [M, N]) {3}",
        chance.of(rows), chance.one_in(2) ? "out" : "inout", chance.of(columns),
        reference_body(chance, names, "o"));
}

}  // namespace slab::fuzz
