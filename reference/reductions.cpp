#include <algorithm>
#include <cmath>
#include <numeric>

#include "reference/functions.hpp"
#include "support/rounding.hpp"

// Products, and functions that combine the elements along an axis.
namespace slab::reference {

namespace {

double add(double a, double b) {
    return a + b;
}
double multiply(double a, double b) {
    return a * b;
}
double larger(double a, double b) {
    return std::isnan(a) || a > b ? a : b;
}
double smaller(double a, double b) {
    return std::isnan(a) || a < b ? a : b;
}

using Combine = double (*)(double, double);

/// Combines along an axis in ascending order; the dimension stays with size 1 or is dropped.
Array reduced(Call& call, const Array& source, Int axis, Combine combine, bool keeps) {
    Shape shape = source.shape;
    const Along loops = along(shape, axis);
    if (loops.size == 0 && combine != add)
        call.fail<Diag::E0004_value>(
            call.span, fmt::format("the dimension `{}` combines", call.name), "at least 1", "0");
    if (keeps)
        shape[axis] = 1;
    else
        shape.erase(shape.begin() + axis);
    Array result = array_of(source.kind, std::move(shape));
    for (Int o = 0; o < loops.outer; ++o)
        for (Int k = 0; k < loops.size; ++k)
            for (Int i = 0; i < loops.inner; ++i) {
                double& total = result.values[o * loops.inner + i];
                const double value = source.values[(o * loops.size + k) * loops.inner + i];
                total = k == 0 ? value : combine(total, value);
            }
    return call.exact(std::move(result));
}

/// The last dimension of rows, the second-last of columns.
template <Combine combine, int from_right>
Value rows_or_columns(Call& call) {
    const Array& source = call.numbers(0);
    if (source.rank() < from_right)
        call.wrong(0, "the argument", fmt::format("of rank {} or more", from_right));
    return reduced(call, source, source.rank() - from_right, combine, true);
}

Value sum(Call& call) {
    const Array& source = call.numbers(0);
    return reduced(call, source, call.axis(1, source), add, false);
}

Value fold(Call& call) {
    const std::string& op = *call.args[0].text();
    const Combine combine = op == "add"   ? add
                            : op == "mul" ? multiply
                            : op == "max" ? larger
                            : op == "min" ? smaller
                                          : nullptr;
    if (!combine)
        call.fail<Diag::E0004_value>(call.spans[0], "the operation of `fold`",
                                     "`add`, `mul`, `max` or `min`", "`" + op + "`");
    const Array& source = call.numbers(1);
    return reduced(call, source, call.axis(2, source), combine, false);
}

Value cumulative_sum(Call& call) {
    Array result = call.numbers(0);
    const Along loops = along(result.shape, call.axis(1, result));
    for (Int o = 0; o < loops.outer; ++o)
        for (Int k = 1; k < loops.size; ++k)
            for (Int i = 0; i < loops.inner; ++i) {
                const Int at = (o * loops.size + k) * loops.inner + i;
                result.values[at] += result.values[at - loops.inner];
            }
    return call.exact(std::move(result));
}

/// NaN stands behind all numbers.
bool before(double a, double b) {
    return std::isnan(b) ? !std::isnan(a) : a < b;
}

Value sort(Call& call) {
    Array result = call.numbers(0);
    const Along loops = along(result.shape, call.axis(1, result));
    std::vector<double> line(loops.size);
    for (Int o = 0; o < loops.outer; ++o)
        for (Int i = 0; i < loops.inner; ++i) {
            const auto at = [&](Int k) -> double& {
                return result.values[(o * loops.size + k) * loops.inner + i];
            };
            for (Int k = 0; k < loops.size; ++k) line[k] = at(k);
            std::stable_sort(line.begin(), line.end(), before);
            for (Int k = 0; k < loops.size; ++k) at(k) = line[k];
        }
    return result;
}

/// Positions of the largest `count` elements of each row, the lowest first among equal ones.
Array largest_positions(const Array& source, Int count) {
    const Int size = source.shape.back();
    Shape shape = source.shape;
    shape.back() = count;
    Array result = array_of(Kind::integer, std::move(shape));
    result.values.clear();
    std::vector<Int> order(size);
    for (std::size_t row = 0; row < source.values.size(); row += size) {
        std::iota(order.begin(), order.end(), Int{0});
        std::partial_sort(order.begin(), order.begin() + count, order.end(), [&](Int a, Int b) {
            const double x = source.values[row + a], y = source.values[row + b];
            return before(y, x) || (!before(x, y) && a < b);
        });
        result.values.insert(result.values.end(), order.begin(), order.begin() + count);
    }
    return result;
}

Value top_k(Call& call) {
    const Array& source = call.numbers(0);
    const Int count = call.integer(1, "the number of elements");
    if (source.rank() < 1) call.wrong(0, "the argument", "of rank 1 or more");
    if (count < 1 || count > source.shape.back())
        call.fail<Diag::E0004_value>(call.spans[1], "the number of elements of `top_k`",
                                     fmt::format("1 to {}", source.shape.back()),
                                     std::to_string(count));
    return largest_positions(source, count);
}

Value arg_max(Call& call) {
    const Array& source = call.numbers(0);
    if (source.rank() < 1 || source.shape.back() < 1)
        call.wrong(0, "the argument", "of rank 1 or more, with elements");
    return largest_positions(source, 1);
}

/// out[m, n] += x[m, k] * y[k, n], k ascending
void multiply_add(const double* x, const double* y, double* out, Int rows, Int depth, Int columns) {
    for (Int m = 0; m < rows; ++m)
        for (Int k = 0; k < depth; ++k) {
            const double factor = x[m * depth + k];
            for (Int n = 0; n < columns; ++n) out[m * columns + n] += factor * y[k * columns + n];
        }
}

/// The shape of the leading dimensions, which are those of a batch.
Shape batch_of(const Array& array) {
    return {array.shape.begin(), array.shape.end() - 2};
}

/// A factor of a dot as the sum of what it is multiplied in: in the evaluation in f32 the bf16
/// parts that `prec` asks for, the largest first.
std::vector<Array> parts(const Call& call, Array rest) {
    if (!call.bf16_parts || call.evaluator.rounding() != DType::f32) return {std::move(rest)};
    std::vector<Array> all;
    for (int part = 0; part < *call.bf16_parts; ++part) {
        all.push_back(rest);
        for (std::size_t i = 0; i < rest.values.size(); ++i) {
            double &value = all.back().values[i], &left = rest.values[i];
            value = rounded(DType::bf16, left);
            left = std::isfinite(value) ? left - value : 0;
        }
    }
    return all;
}

Array batched(Call& call, const Array& array, const Shape& batch) {
    Shape shape = batch;
    shape.insert(shape.end(), array.shape.end() - 2, array.shape.end());
    call.evaluator.check_size(shape, "dot", call.span);
    return extract(array, *stretched(array.shape, shape));
}

Value dot(Call& call) {
    const Array &left = call.numbers(0), &right = call.numbers(1);
    const bool ranks = left.rank() >= 2 && right.rank() >= 2;
    const auto batch = ranks ? common_shape(batch_of(left), batch_of(right)) : std::nullopt;
    if (!batch)
        call.fail<Diag::E0103_rank>(call.span, to_string(left.shape), to_string(right.shape));
    const Int rows = left.shape[left.rank() - 2], depth = left.shape.back();
    const Int columns = right.shape.back();
    if (depth != right.shape[right.rank() - 2])
        call.fail<Diag::E0103>(call.span, depth, right.shape[right.rank() - 2]);
    Shape shape = *batch;
    shape.insert(shape.end(), {rows, columns});
    call.evaluator.check_size(shape, "dot", call.span);
    Array result = array_of(left.kind == right.kind ? left.kind : Kind::real, std::move(shape));
    call.evaluator.spend(static_cast<double>(result.values.size()) * static_cast<double>(depth),
                         call.span);
    const std::vector<Array> xs = parts(call, batched(call, left, *batch));
    const std::vector<Array> ys = parts(call, batched(call, right, *batch));
    const Int count = element_count(*batch).value_or(0);
    for (std::size_t i = 0; i < xs.size(); ++i)
        for (std::size_t j = 0; i + j < ys.size(); ++j)
            for (Int b = 0; b < count; ++b)
                multiply_add(xs[i].values.data() + b * rows * depth,
                             ys[j].values.data() + b * depth * columns,
                             result.values.data() + b * rows * columns, rows, depth, columns);
    return call.exact(std::move(result));
}

}  // namespace

const std::vector<BuiltIn>& reduction_functions() {
    static const std::vector<BuiltIn> functions = {
        {"dot", 2, 2, dot},
        {"rowmax", 1, 1, rows_or_columns<larger, 1>},
        {"rowmin", 1, 1, rows_or_columns<smaller, 1>},
        {"rowsum", 1, 1, rows_or_columns<add, 1>},
        {"colmax", 1, 1, rows_or_columns<larger, 2>},
        {"colmin", 1, 1, rows_or_columns<smaller, 2>},
        {"colsum", 1, 1, rows_or_columns<add, 2>},
        {"fold", 3, 3, fold},
        {"argmax", 1, 1, arg_max},
        {"sum", 2, 2, sum},
        {"cumsum", 2, 2, cumulative_sum},
        {"sort", 2, 2, sort},
        {"top_k", 2, 2, top_k},
    };
    return functions;
}

}  // namespace slab::reference
