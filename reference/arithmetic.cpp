#include <algorithm>
#include <cmath>

#include "compiler/constant.hpp"
#include "reference/functions.hpp"
#include "support/elementary.hpp"
#include "support/rounding.hpp"

// Operators and functions that work element by element.
namespace slab::reference {

namespace {

/// Applies a function to the elements of two arrays of one shape, or of an array and a scalar.
template <typename Function>
std::vector<double> zip(const Array& a, const Array& b, const Shape& shape, Function function) {
    std::vector<double> result;
    result.reserve(std::max(a.values.size(), b.values.size()));
    if (a.shape == b.shape) {
        for (std::size_t i = 0; i < a.values.size(); ++i)
            result.push_back(function(a.values[i], b.values[i]));
    } else if (b.values.size() == 1 && a.shape == shape) {
        for (const double value : a.values) result.push_back(function(value, b.values[0]));
    } else if (a.values.size() == 1 && b.shape == shape) {
        for (const double value : b.values) result.push_back(function(a.values[0], value));
    } else {
        const Array x = extract(a, *stretched(a.shape, shape));
        const Array y = extract(b, *stretched(b.shape, shape));
        return zip(x, y, shape, function);
    }
    return result;
}

/// Joins two arrays; their shapes are stretched to one another.
template <typename Function>
Array join(Evaluator& evaluator, const std::string& what, Span span, Kind kind, const Array& a,
           const Array& b, Function function) {
    const auto shape = common_shape(a.shape, b.shape);
    if (!shape)
        evaluator.fail<Diag::E0101_shapes>(span, what, to_string(a.shape), to_string(b.shape));
    if (!shape->empty()) evaluator.check_size(*shape, what, span);
    return {kind, *shape, zip(a, b, *shape, function)};
}

double remainder_of(double a, double b) {
    return a - b * std::floor(a / b);
}

bool compare(const std::string& op, double a, double b) {
    if (op == "==") return a == b;
    if (op == "!=") return a != b;
    if (op == "<") return a < b;
    if (op == "<=") return a <= b;
    if (op == ">") return a > b;
    return a >= b;
}

bool is_comparison(const std::string& op) {
    return op == "==" || op == "!=" || op == "<" || op == "<=" || op == ">" || op == ">=";
}

Array comparison(Evaluator& evaluator, const std::string& op, const Array& a, const Array& b,
                 Span span) {
    // one loop per operator, so that the choice is not made for every element
    const auto with = [&](auto function) {
        return join(evaluator, op, span, Kind::truth, a, b, function);
    };
    if (op == "<") return with([](double x, double y) { return double(x < y); });
    if (op == "==") return with([](double x, double y) { return double(x == y); });
    return with([&](double x, double y) { return double(compare(op, x, y)); });
}

double exact(Evaluator& evaluator, double value, Span span) {
    if (std::fabs(value) > largest_exact)
        evaluator.fail<Diag::E0009_range>(span, fmt::format("{:.0f}", value),
                                          "an integer of a reference, at most 2^53");
    return value;
}

double shifted(Evaluator& evaluator, const std::string& op, double a, double by, Span span) {
    if (by < 0 || by > 62) evaluator.fail<Diag::E0009_shift>(span, by, 62);
    const double result = std::ldexp(a, static_cast<int>(op == "<<" ? by : -by));
    return exact(evaluator, std::floor(result), span);
}

Int bitwise(const std::string& op, Int a, Int b) {
    return op == "&" ? a & b : op == "|" ? a | b : a ^ b;
}

std::optional<Array> on_integers(Evaluator& evaluator, const std::string& op, const Array& a,
                                 const Array& b, Span span) {
    const auto with = [&](auto function) {
        return join(evaluator, op, span, Kind::integer, a, b, function);
    };
    const auto divided = [&](auto function) {
        return with([&, function](double x, double y) {
            if (y == 0) evaluator.fail<Diag::E0009_zero>(span, fmt::format("{} {} 0", x, op));
            return static_cast<double>(function(static_cast<Int>(x), static_cast<Int>(y)));
        });
    };
    if (op == "+") return with([&](double x, double y) { return exact(evaluator, x + y, span); });
    if (op == "-") return with([&](double x, double y) { return exact(evaluator, x - y, span); });
    if (op == "*") return with([&](double x, double y) { return exact(evaluator, x * y, span); });
    if (op == "/") return divided([](Int x, Int y) { return compiler::floor_div(x, y); });
    if (op == "%") return divided([](Int x, Int y) { return compiler::floor_mod(x, y); });
    if (op == "<<" || op == ">>")
        return with([&](double x, double y) { return shifted(evaluator, op, x, y, span); });
    if (op == "&" || op == "|" || op == "^")
        return with([&](double x, double y) {
            return static_cast<double>(bitwise(op, static_cast<Int>(x), static_cast<Int>(y)));
        });
    return std::nullopt;
}

std::optional<Array> on_reals(Evaluator& evaluator, const std::string& op, const Array& a,
                              const Array& b, Span span) {
    const auto with = [&](auto function) {
        return join(evaluator, op, span, Kind::real, a, b, function);
    };
    if (op == "+") return with([](double x, double y) { return x + y; });
    if (op == "-") return with([](double x, double y) { return x - y; });
    if (op == "*") return with([](double x, double y) { return x * y; });
    if (op == "/") return with([](double x, double y) { return x / y; });
    if (op == "%") return with(remainder_of);
    return std::nullopt;
}

std::optional<Array> on_conditions(Evaluator& evaluator, const std::string& op, const Array& a,
                                   const Array& b, Span span) {
    const auto with = [&](auto function) {
        return join(evaluator, op, span, Kind::truth, a, b, function);
    };
    if (op == "and") return with([](double x, double y) { return x * y; });
    if (op == "or") return with([](double x, double y) { return std::max(x, y); });
    if (op == "==" || op == "!=") return comparison(evaluator, op, a, b, span);
    return std::nullopt;
}

}  // namespace

Value Evaluator::rounded_result(Value value) const {
    const Array* array = value.array();
    if (!rounding_ || !array || array->kind != Kind::real) return value;
    Array result = *array;
    for (double& element : result.values) element = rounded(*rounding_, element);
    return result;
}

Value Evaluator::unary(const std::string& op, const Value& operand, Span span) {
    const Value held = array(operand, span, fmt::format("the operand of `{}`", op));
    Array result = *held.array();
    spend(static_cast<double>(result.values.size()), span);
    const bool negates = op == "-";
    if (negates == (result.kind == Kind::truth))
        fail<Diag::E0004_value>(span, fmt::format("the operand of `{}`", op),
                                negates ? "a number" : "a condition", describe(held));
    const bool integers = result.kind == Kind::integer;
    for (double& value : result.values)
        value = !negates ? double(value == 0) : integers ? 0 - value : -value;
    return result;  // a sign rounds to itself
}

Value Evaluator::binary(const std::string& op, const Value& a, const Value& b, Span span) {
    if (a.dtype() && b.dtype() && (op == "==" || op == "!="))
        return scalar(Kind::truth, (*a.dtype() == *b.dtype()) == (op == "=="));
    const auto is_array = [](const Value& value) { return value.array() || value.list(); };
    if (is_array(a) && is_array(b)) {
        const Value x = array(a, span, "a list"), y = array(b, span, "a list");
        const Array &p = *x.array(), &q = *y.array();
        const bool truths = p.kind == Kind::truth && q.kind == Kind::truth;
        const bool numbers = p.kind != Kind::truth && q.kind != Kind::truth;
        const bool integers = p.kind == Kind::integer && q.kind == Kind::integer;
        std::optional<Array> result;
        if (truths)
            result = on_conditions(*this, op, p, q, span);
        else if (numbers && is_comparison(op))
            result = comparison(*this, op, p, q, span);
        else if (numbers)
            result =
                integers ? on_integers(*this, op, p, q, span) : on_reals(*this, op, p, q, span);
        if (result) return rounded_result(*result);
    }
    fail<Diag::E0102_operator>(span, op, describe(a), describe(b));
}

namespace {

/// A function of one real.
template <double (*function)(double)>
Value elementary(Call& call) {
    Array result = call.numbers(0);
    result.kind = Kind::real;
    for (double& value : result.values) value = function(value);
    return result;
}

/// One that leaves integers as they are, such as `floor`.
template <double (*function)(double)>
Value rounding(Call& call) {
    Array result = call.numbers(0);
    if (result.kind == Kind::real)
        for (double& value : result.values) value = function(value);
    return result;
}

Value absolute(Call& call) {
    Array result = call.numbers(0);
    for (double& value : result.values) value = std::fabs(value);
    return result;
}

Kind common_kind(const Array& a, const Array& b) {
    return a.kind == b.kind ? a.kind : Kind::real;
}

/// The smaller or larger one; NaN wins.
Array extreme(Call& call, bool larger, const Array& a, const Array& b) {
    return join(call.evaluator, call.name, call.span, common_kind(a, b), a, b,
                [larger](double x, double y) {
                    const bool first = std::isnan(x) || (larger ? x > y : x < y);
                    return first ? x : y;
                });
}

template <bool larger>
Value extremes(Call& call) {
    Array best = call.numbers(0);
    for (std::size_t i = 1; i < call.args.size(); ++i)
        best = extreme(call, larger, best, call.numbers(i));
    return best;
}

Value clamp(Call& call) {
    const Array low = extreme(call, true, call.numbers(0), call.numbers(1));
    return extreme(call, false, low, call.numbers(2));
}

Value power(Call& call) {
    return join(call.evaluator, call.name, call.span, Kind::real, call.numbers(0), call.numbers(1),
                [](double x, double y) { return std::pow(x, y); });
}

Value ceiling_division(Call& call) {
    const Array &a = call.numbers(0), &b = call.numbers(1);
    for (std::size_t i = 0; i < 2; ++i)
        if (call.args[i].array()->kind != Kind::integer)
            call.wrong(i, "the argument", "an integer");
    return join(call.evaluator, call.name, call.span, Kind::integer, a, b, [&](double x, double y) {
        if (y == 0) call.fail<Diag::E0009_zero>(call.span, fmt::format("cdiv({}, 0)", x));
        return 0.0 -
               static_cast<double>(compiler::floor_div(-static_cast<Int>(x), static_cast<Int>(y)));
    });
}

Value select(Call& call) {
    const Array& condition = call.array(0);
    if (condition.kind != Kind::truth) call.wrong(0, "the first argument", "conditions");
    const Array &a = call.array(1), &b = call.array(2);
    if (a.kind != b.kind && (a.kind == Kind::truth || b.kind == Kind::truth))
        call.fail<Diag::E0102_mixed>(call.span, "select", describe(call.args[1]),
                                     describe(call.args[2]));
    auto shape = common_shape(a.shape, b.shape);
    if (!shape)
        call.fail<Diag::E0101_shapes>(call.span, "select", to_string(a.shape), to_string(b.shape));
    const auto whole = common_shape(*shape, condition.shape);
    if (!whole)
        call.fail<Diag::E0101_shapes>(call.span, "select", to_string(condition.shape),
                                      to_string(*shape));
    call.evaluator.check_size(*whole, "select", call.span);
    Array result = extract(b, *stretched(b.shape, *whole));
    result.kind = common_kind(a, b);
    const Array chosen = extract(condition, *stretched(condition.shape, *whole));
    const Array taken = extract(a, *stretched(a.shape, *whole));
    for (std::size_t i = 0; i < result.values.size(); ++i)
        if (chosen.values[i] != 0) result.values[i] = taken.values[i];
    return result;
}

Value aligned(Call& call) {
    const Int value = call.integer(0, "the value");
    const Int multiple = call.integer(1, "the multiple");
    if (multiple < 1) call.wrong(1, "the multiple", "at least 1");
    if (value % multiple != 0) call.fail<Diag::E0404>(call.span, value, multiple);
    return scalar(Kind::integer, static_cast<double>(value));
}

}  // namespace

const std::vector<BuiltIn>& arithmetic_functions() {
    static const std::vector<BuiltIn> functions = {
        {"max", 2, 64, extremes<true>},
        {"min", 2, 64, extremes<false>},
        {"abs", 1, 1, absolute},
        {"exp", 1, 1, elementary<exp_of>},
        {"exp2", 1, 1, elementary<exp2_of>},
        {"log", 1, 1, elementary<log_of>},
        {"pow", 2, 2, power},
        {"erf", 1, 1, elementary<erf_of>},
        {"tanh", 1, 1, elementary<tanh_of>},
        {"sigmoid", 1, 1, elementary<sigmoid_of>},
        {"sqrt", 1, 1, elementary<sqrt_of>},
        {"rsqrt", 1, 1, elementary<rsqrt_of>},
        {"recip", 1, 1, elementary<recip_of>},
        {"recip_approx", 1, 1, elementary<recip_approx_of>},
        {"floor", 1, 1, rounding<floor_of>},
        {"ceil", 1, 1, rounding<ceil_of>},
        {"round", 1, 1, rounding<round_of>},
        {"clamp", 3, 3, clamp},
        {"select", 3, 3, select},
        {"cdiv", 2, 2, ceiling_division},
        {"aligned", 2, 2, aligned},
    };
    return functions;
}

}  // namespace slab::reference
