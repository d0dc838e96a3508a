#include <algorithm>
#include <bit>
#include <cmath>

#include "interp/functions.hpp"
#include "support/elementary.hpp"
#include "support/rounding.hpp"

// Functions of single elements. f32 sums, products and quotients are those of the machine; other
// functions are computed in f64 and rounded once. Integers wrap to their type.
namespace slab::interp {

namespace {

/// The first undefined argument of an element makes it undefined.
void join_traces(Application& of, const std::vector<Block>& args) {
    for (const Block& arg : args) {
        if (!arg.has_undefined()) continue;
        for (Int i = 0; i < arg.count(); ++i)
            if (arg.trace(i) != 0 && of.result.trace(i) == 0) of.result.set_trace(i, arg.trace(i));
    }
}

std::vector<Block> stretched_args(const Application& of) {
    std::vector<Block> args;
    for (const Block* arg : of.args) args.push_back(stretched(*arg, of.result.shape));
    return args;
}

Int integer_at(const Block& block, std::size_t i) {
    const std::int32_t value = block.elements.integers[i];
    if (block.type() == DType::u32) return static_cast<std::uint32_t>(value);
    return value;
}

float rounded_real(DType type, float value) {
    return type == DType::bf16 ? rounded_to_bf16(value) : value;
}
float rounded_real(DType type, double value) {
    return type == DType::f32 ? static_cast<float>(value)
                              : static_cast<float>(rounded(type, value));
}

std::int32_t wrapped(DType type, Int value) {
    if (bits(type) == 32) return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
    return static_cast<std::int32_t>(rounded_integer(type, value));
}

/// Fills the result with `function` of one, two or more arguments' elements, from left to right.
/// `Number` is what it computes in: float, or double for what is rounded once.
template <typename Number, typename F>
void fill_reals(Application& of, const std::vector<Block>& args, F function) {
    const DType type = of.result.type();
    std::vector<float>& out = of.result.elements.reals;
    const std::vector<float>& a = args[0].elements.reals;
    if constexpr (std::is_invocable_v<F, Number>) {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = rounded_real(type, function(static_cast<Number>(a[i])));
    } else {
        out = a;
        for (std::size_t arg = 1; arg < args.size(); ++arg) {
            const std::vector<float>& b = args[arg].elements.reals;
            for (std::size_t i = 0; i < out.size(); ++i)
                out[i] = rounded_real(
                    type, function(static_cast<Number>(out[i]), static_cast<Number>(b[i])));
        }
    }
}

template <typename F>
void fill_integers(Application& of, const std::vector<Block>& args, F function) {
    const DType type = of.result.type();
    std::vector<std::int32_t>& out = of.result.elements.integers;
    for (std::size_t i = 0; i < out.size(); ++i) {
        Int value = integer_at(args[0], i);
        if constexpr (std::is_invocable_v<F, Int>)
            value = function(value);
        else
            for (std::size_t arg = 1; arg < args.size(); ++arg)
                value = wrapped(type, function(value, integer_at(args[arg], i)));
        out[i] = wrapped(type, value);
    }
}

/// A function that exists for reals and integers.
template <typename Reals, typename Integers>
void apply(Application& of, Reals reals, Integers integers) {
    const std::vector<Block> args = stretched_args(of);
    if (of.result.elements.are_reals())
        fill_reals<float>(of, args, reals);
    else
        fill_integers(of, args, integers);
    join_traces(of, args);
}

template <double (*function)(double)>
void elementary(Application& of) {
    const std::vector<Block> args = stretched_args(of);
    fill_reals<double>(of, args, [](double x) { return function(x); });
    join_traces(of, args);
}

void add(Application& of) {
    apply(
        of, [](float x, float y) { return x + y; }, [](Int x, Int y) { return x + y; });
}
void subtract(Application& of) {
    apply(
        of, [](float x, float y) { return x - y; }, [](Int x, Int y) { return x - y; });
}
void multiply(Application& of) {
    apply(
        of, [](float x, float y) { return x * y; },
        [](Int x, Int y) {
            // of two u32 the low bits are those of the wrapped product
            return static_cast<Int>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y));
        });
}

Int floored(Int x, Int y) {
    if (y == 0)
        throw NoResult{Diag::E0009_zero, "an element of the divisor is 0",
                       "integers have no infinity"};
    const Int quotient = x / y;
    return quotient * y != x && (x < 0) != (y < 0) ? quotient - 1 : quotient;
}
void divide(Application& of) {
    apply(
        of, [](float x, float y) { return x / y; }, floored);
}
void modulo(Application& of) {
    const auto reals = [](float x, float y) {
        const float rest = std::fmod(x, y);
        return rest != 0 && (rest < 0) != (y < 0) ? rest + y : rest;
    };
    apply(of, reals, [](Int x, Int y) { return x - floored(x, y) * y; });
}

/// NaN wins.
void maximum(Application& of) {
    apply(
        of, [](float x, float y) { return std::isnan(x) || x > y ? x : y; },
        [](Int x, Int y) { return std::max(x, y); });
}
void minimum(Application& of) {
    apply(
        of, [](float x, float y) { return std::isnan(x) || x < y ? x : y; },
        [](Int x, Int y) { return std::min(x, y); });
}
void absolute(Application& of) {
    apply(
        of, [](float x) { return std::fabs(x); }, [](Int x) { return x < 0 ? 0 - x : x; });
}
void negate(Application& of) {
    apply(
        of, [](float x) { return -x; }, [](Int x) { return 0 - x; });
}
void clamp(Application& of) {
    const std::vector<Block> args = stretched_args(of);
    const auto limited = [&](auto& out, const auto& x, const auto& low, const auto& high) {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = x[i] != x[i] ? x[i] : std::min(std::max(x[i], low[i]), high[i]);
    };
    if (of.result.type() == DType::u32) {
        for (Int i = 0; i < of.result.count(); ++i)
            of.result.elements.set(
                i, std::min(std::max(args[0].elements.number(i), args[1].elements.number(i)),
                            args[2].elements.number(i)));
    } else if (of.result.elements.are_reals()) {
        limited(of.result.elements.reals, args[0].elements.reals, args[1].elements.reals,
                args[2].elements.reals);
    } else {
        limited(of.result.elements.integers, args[0].elements.integers, args[1].elements.integers,
                args[2].elements.integers);
    }
    join_traces(of, args);
}
void power(Application& of) {
    const std::vector<Block> args = stretched_args(of);
    fill_reals<double>(of, args, [](double x, double y) { return std::pow(x, y); });
    join_traces(of, args);
}

template <typename Holds>
void compare(Application& of, Holds holds) {
    // the arguments have one type, whose blocks are stretched over the result's shape
    const std::vector<Block> args = stretched_args(of);
    std::vector<std::int32_t>& out = of.result.elements.integers;
    const Elements &a = args[0].elements, &b = args[1].elements;
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = a.are_reals() ? holds(a.reals[i], b.reals[i])
                               : holds(integer_at(args[0], i), integer_at(args[1], i));
    join_traces(of, args);
}
void equal(Application& of) {
    compare(of, [](auto x, auto y) { return x == y; });
}
void unequal(Application& of) {
    compare(of, [](auto x, auto y) { return x != y; });
}
void less(Application& of) {
    compare(of, [](auto x, auto y) { return x < y; });
}
void less_or_equal(Application& of) {
    compare(of, [](auto x, auto y) { return x <= y; });
}
void greater(Application& of) {
    compare(of, [](auto x, auto y) { return x > y; });
}
void greater_or_equal(Application& of) {
    compare(of, [](auto x, auto y) { return x >= y; });
}

template <typename F>
void on_integers(Application& of, F function) {
    const std::vector<Block> args = stretched_args(of);
    fill_integers(of, args, function);
    join_traces(of, args);
}
void both(Application& of) {
    on_integers(of, [](Int x, Int y) { return x & y; });
}
void either(Application& of) {
    on_integers(of, [](Int x, Int y) { return x | y; });
}
void exclusive(Application& of) {
    on_integers(of, [](Int x, Int y) { return x ^ y; });
}
void negation(Application& of) {
    on_integers(of, [](Int x) { return Int{x == 0}; });
}
/// More than all bits move every bit out.
void shift_left(Application& of) {
    const int width = bits(of.result.type());
    on_integers(of, [width](Int x, Int y) { return y < 0 || y >= width ? 0 : x << y; });
}
void shift_right(Application& of) {
    const int width = bits(of.result.type());
    on_integers(of,
                [width](Int x, Int y) { return y < 0 || y >= width ? (x < 0 ? -1 : 0) : x >> y; });
}

/// Only the branch that is taken counts.
void select(Application& of) {
    const std::vector<Block> args = stretched_args(of);
    const std::vector<std::int32_t>& chosen = args[0].elements.integers;
    visit_elements(
        [&](auto& out, const auto& a, const auto& b) {
            for (std::size_t i = 0; i < out.size(); ++i) out[i] = chosen[i] != 0 ? a[i] : b[i];
        },
        of.result.elements, args[1].elements, args[2].elements);
    if (std::none_of(args.begin(), args.end(), [](const Block& b) { return b.has_undefined(); }))
        return;
    for (Int i = 0; i < of.result.count(); ++i) {
        const Trace condition = args[0].trace(i);
        of.result.set_trace(
            i, condition != 0 ? condition
                              : args[chosen[static_cast<std::size_t>(i)] != 0 ? 1 : 2].trace(i));
    }
}

void cast(Application& of) {
    const Block& from = *of.args[0];
    const DType type = of.result.type();
    Elements& out = of.result.elements;
    if (from.elements.are_reals() && (type == DType::bf16 || type == DType::f32)) {
        for (std::size_t i = 0; i < out.reals.size(); ++i)
            out.reals[i] = rounded_real(type, from.elements.reals[i]);
    } else {
        for (Int i = 0; i < from.count(); ++i)
            out.set(i, from.elements.are_reals()
                           ? rounded(type, from.elements.number(i))
                           : rounded_integer(type, integer_at(from, static_cast<std::size_t>(i))));
    }
    of.result.traces = from.traces;
}

void splat(Application& of) {
    const double value = of.scalars[0];
    const DType type = of.result.type();
    for (Int i = 0; i < of.result.count(); ++i)
        of.result.elements.set(i, is_float(type) ? rounded(type, value) : value);
}

}  // namespace

const std::vector<NamedFunction>& elementwise_functions() {
    static const std::vector<NamedFunction> functions = {
        {"add", add},
        {"sub", subtract},
        {"mul", multiply},
        {"div", divide},
        {"mod", modulo},
        {"min", minimum},
        {"max", maximum},
        {"abs", absolute},
        {"neg", negate},
        {"not", negation},
        {"eq", equal},
        {"ne", unequal},
        {"lt", less},
        {"le", less_or_equal},
        {"gt", greater},
        {"ge", greater_or_equal},
        {"and", both},
        {"or", either},
        {"band", both},
        {"bor", either},
        {"bxor", exclusive},
        {"shl", shift_left},
        {"shr", shift_right},
        {"exp", elementary<exp_of>},
        {"exp2", elementary<exp2_of>},
        {"log", elementary<log_of>},
        {"pow", power},
        {"erf", elementary<erf_of>},
        {"tanh", elementary<tanh_of>},
        {"sigmoid", elementary<sigmoid_of>},
        {"sqrt", elementary<sqrt_of>},
        {"rsqrt", elementary<rsqrt_of>},
        {"recip", elementary<recip_of>},
        {"recip_approx", elementary<recip_approx_of>},
        {"floor", elementary<floor_of>},
        {"ceil", elementary<ceil_of>},
        {"round", elementary<round_of>},
        {"clamp", clamp},
        {"select", select},
        {"cast", cast},
        {"splat", splat},
    };
    return functions;
}

}  // namespace slab::interp
