#include "compiler/constant.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "support/check.hpp"

namespace slab::compiler {
namespace {

using Int = std::int64_t;

std::optional<Constant> overflow(const std::string& op, Int a, Int b, Span span,
                                 Diagnostics& diags) {
    diags.add<Diag::E0009_overflow>(span, a, op, b);
    return std::nullopt;
}

std::optional<Constant> fold_integers(const std::string& op, Int a, Int b, Span span,
                                      Diagnostics& diags) {
    Int result = 0;
    if (op == "+") {
        if (__builtin_add_overflow(a, b, &result)) return overflow(op, a, b, span, diags);
    } else if (op == "-") {
        if (__builtin_sub_overflow(a, b, &result)) return overflow(op, a, b, span, diags);
    } else if (op == "*") {
        if (__builtin_mul_overflow(a, b, &result)) return overflow(op, a, b, span, diags);
    } else if (op == "/" || op == "%") {
        if (b == 0) {
            diags.add<Diag::E0009_zero>(span, fmt::format("{} {} {}", a, op, b));
            return std::nullopt;
        }
        if (b == -1) return op == "/" ? fold_integers("*", a, -1, span, diags) : Constant{Int{0}};
        result = op == "/" ? floor_div(a, b) : floor_mod(a, b);
    } else if (op == "&") {
        result = a & b;
    } else if (op == "|") {
        result = a | b;
    } else if (op == "^") {
        result = a ^ b;
    } else if (op == "<<" || op == ">>") {
        if (b < 0 || b > 62) {
            diags.add<Diag::E0009_shift>(span, b, 62);
            return std::nullopt;
        }
        if (op == ">>") return Constant{a >> b};
        return fold_integers("*", a, Int{1} << b, span, diags);
    } else {
        return std::nullopt;
    }
    return Constant{result};
}

template <typename T>
std::optional<Constant> compare(const std::string& op, const T& a, const T& b) {
    if (op == "==") return Constant{a == b};
    if (op == "!=") return Constant{a != b};
    if constexpr (!std::is_same_v<T, bool> && !std::is_same_v<T, DType>) {
        if (op == "<") return Constant{a < b};
        if (op == "<=") return Constant{a <= b};
        if (op == ">") return Constant{a > b};
        if (op == ">=") return Constant{a >= b};
    }
    return std::nullopt;
}

std::optional<Constant> fold_reals(const std::string& op, double a, double b) {
    if (op == "+") return Constant{a + b};
    if (op == "-") return Constant{a - b};
    if (op == "*") return Constant{a * b};
    if (op == "/") return Constant{a / b};
    if (op == "%") return Constant{a - b * std::floor(a / b)};
    return std::nullopt;
}

/// The nearest bf16, ties to even.
double rounded_to_bf16(double value) {
    if (value == 0 || !std::isfinite(value)) return value;
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    return std::ldexp(std::nearbyint(std::ldexp(fraction, 8)), exponent - 8);
}

using Unary = double (*)(double);

Unary elementary(const std::string& name) {
    static const std::vector<std::pair<std::string, Unary>> table = {
        {"exp", [](double x) { return std::exp(x); }},
        {"exp2", [](double x) { return std::exp2(x); }},
        {"log", [](double x) { return std::log(x); }},
        {"erf", [](double x) { return std::erf(x); }},
        {"tanh", [](double x) { return std::tanh(x); }},
        {"sigmoid", [](double x) { return 1 / (1 + std::exp(-x)); }},
        {"sqrt", [](double x) { return std::sqrt(x); }},
        {"rsqrt", [](double x) { return 1 / std::sqrt(x); }},
        {"recip", [](double x) { return 1 / x; }},
        {"recip_approx", [](double x) { return rounded_to_bf16(1 / x); }},
        {"floor", [](double x) { return std::floor(x); }},
        {"ceil", [](double x) { return std::ceil(x); }},
        {"round", [](double x) { return std::nearbyint(x); }},
    };
    for (const auto& [known, function] : table)
        if (known == name) return function;
    return nullptr;
}

std::optional<Constant> extreme(const std::string& name, const std::vector<Constant>& args) {
    Constant best = args.front();
    for (const Constant& arg : args) {
        if (!arg.is_number()) return std::nullopt;
        const bool both = arg.integer() && best.integer();
        const bool better =
            name == "min" ? (both ? *arg.integer() < *best.integer() : arg.real() < best.real())
                          : (both ? *arg.integer() > *best.integer() : arg.real() > best.real());
        if (better) best = arg;
    }
    return best;
}

}  // namespace

Int floor_div(Int a, Int b) {
    const Int quotient = a / b;
    return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
}

Int floor_mod(Int a, Int b) {
    const Int remainder = a % b;
    return (remainder != 0 && (remainder < 0) != (b < 0)) ? remainder + b : remainder;
}

double Constant::real() const {
    if (const Int* i = integer()) return static_cast<double>(*i);
    const double* r = std::get_if<double>(&value);
    SLAB_CHECK(r, "a constant that is no number was read as one");
    return *r;
}

std::string kind(const Constant& value) {
    static constexpr const char* kinds[] = {"an integer",      "a real",   "a truth value",
                                            "an element type", "a string", "a list"};
    return kinds[value.value.index()];
}

std::string describe(const Constant& value) {
    std::string text = kind(value);
    return "the" + text.substr(text.find(' ')) + " " + to_string(value);
}

std::string to_string(const Constant& value) {
    struct Visitor {
        std::string operator()(Int i) const { return std::to_string(i); }
        std::string operator()(double r) const {
            const std::string text = fmt::format("{}", r);
            return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
        }
        std::string operator()(bool b) const { return b ? "true" : "false"; }
        std::string operator()(DType t) const { return std::string(name(t)); }
        std::string operator()(const std::string& s) const { return fmt::format("\"{}\"", s); }
        std::string operator()(const Constant::List& list) const {
            std::string text = "[";
            for (const Constant& item : list)
                text += (text.size() > 1 ? ", " : "") + to_string(item);
            return text + "]";
        }
    };
    return std::visit(Visitor{}, value.value);
}

std::optional<Constant> fold(const std::string& op, const Constant& a, const Constant& b, Span span,
                             Diagnostics& diags) {
    const std::size_t errors = diags.size();
    std::optional<Constant> result;
    if (a.integer() && b.integer()) {
        result = compare(op, *a.integer(), *b.integer());
        if (!result) result = fold_integers(op, *a.integer(), *b.integer(), span, diags);
    } else if (a.is_number() && b.is_number()) {
        result = compare(op, a.real(), b.real());
        if (!result) result = fold_reals(op, a.real(), b.real());
    } else if (a.truth() && b.truth()) {
        result = op == "and"  ? Constant{*a.truth() && *b.truth()}
                 : op == "or" ? std::optional<Constant>(Constant{*a.truth() || *b.truth()})
                              : compare(op, *a.truth(), *b.truth());
    } else if (a.dtype() && b.dtype()) {
        result = compare(op, *a.dtype(), *b.dtype());
    } else if (a.text() && b.text()) {
        result = compare(op, *a.text(), *b.text());
    }
    if (!result && diags.size() == errors)
        diags.add<Diag::E0102_operator>(span, op, kind(a), kind(b));
    return result;
}

std::optional<Constant> fold_call(const std::string& name, const std::vector<Constant>& args,
                                  Span span, Diagnostics& diags) {
    const bool numbers =
        std::all_of(args.begin(), args.end(), [](const Constant& c) { return c.is_number(); });
    if (args.empty() || !numbers) return std::nullopt;
    if (name == "min" || name == "max") return extreme(name, args);
    if (name == "cdiv" && args.size() == 2 && args[0].integer() && args[1].integer()) {
        if (*args[1].integer() == 0) {
            diags.add<Diag::E0009_zero>(span, fmt::format("cdiv({}, 0)", to_string(args[0])));
            return std::nullopt;
        }
        const auto negated = fold("-", Constant{Int{0}}, args[0], span, diags);
        const auto quotient = negated ? fold("/", *negated, args[1], span, diags) : std::nullopt;
        return quotient ? fold("-", Constant{Int{0}}, *quotient, span, diags) : std::nullopt;
    }
    if (name == "abs" && args.size() == 1) {
        if (const Int* i = args[0].integer())
            return *i < 0 ? fold("-", Constant{Int{0}}, args[0], span, diags) : args[0];
        return Constant{std::abs(args[0].real())};
    }
    if (name == "pow" && args.size() == 2)
        return Constant{std::pow(args[0].real(), args[1].real())};
    if (name == "clamp" && args.size() == 3) {
        const auto low = extreme("max", {args[0], args[1]});
        return extreme("min", {*low, args[2]});
    }
    if (Unary function = elementary(name); function && args.size() == 1)
        return Constant{function(args[0].real())};
    return std::nullopt;
}

}  // namespace slab::compiler
