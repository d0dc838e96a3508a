#include "interp/dot.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "support/rounding.hpp"

namespace slab::interp {

namespace {

// A tile of the result is kept in registers while k passes: `tile_rows` rows of `tile_columns`.
constexpr std::size_t tile_rows = 4;
constexpr std::size_t tile_columns = 8;

template <typename T>
struct Vector4 {
    typedef T type __attribute__((vector_size(16)));
};

/// One matrix product, sizes in elements; right[k][n] is dense, `sums` is overwritten.
struct Sizes {
    std::size_t m = 0, k = 0, n = 0;
};

/// Columns `first` to `first + tile_columns` of the right operand, k after k; past its end zeros.
template <typename T>
void pack(const T* right, const Sizes& size, std::size_t first, std::vector<T>& panel) {
    const std::size_t columns = std::min(tile_columns, size.n - first);
    panel.assign(size.k * tile_columns, T{});
    for (std::size_t k = 0; k < size.k; ++k)
        std::copy_n(right + k * size.n + first, columns, panel.data() + k * tile_columns);
}

/// Rows `row` to `row + count` of the left operand times the panel. Every element of the result is
/// summed along k in ascending order: only independent sums are computed together.
template <typename T, std::size_t count>
void multiply_rows(const T* left, const T* panel, const Sizes& size, std::size_t row,
                   std::size_t column, T* sums) {
    using Vector = typename Vector4<T>::type;
    Vector acc[count][2] = {};
    for (std::size_t k = 0; k < size.k; ++k) {
        Vector b[2];
        __builtin_memcpy(b, panel + k * tile_columns, sizeof b);
        for (std::size_t i = 0; i < count; ++i) {
            const T a = left[(row + i) * size.k + k];
            const Vector spread = {a, a, a, a};
            acc[i][0] += spread * b[0];
            acc[i][1] += spread * b[1];
        }
    }
    const std::size_t columns = std::min(tile_columns, size.n - column);
    for (std::size_t i = 0; i < count; ++i) {
        T line[tile_columns];
        __builtin_memcpy(line, acc[i], sizeof line);
        std::copy_n(line, columns, sums + (row + i) * size.n + column);
    }
}

template <typename T>
void multiply(const T* left, const T* right, const Sizes& size, T* sums) {
    std::vector<T> panel;
    for (std::size_t column = 0; column < size.n; column += tile_columns) {
        pack(right, size, column, panel);
        std::size_t row = 0;
        for (; row + tile_rows <= size.m; row += tile_rows)
            multiply_rows<T, tile_rows>(left, panel.data(), size, row, column, sums);
        for (; row < size.m; ++row)
            multiply_rows<T, 1>(left, panel.data(), size, row, column, sums);
    }
}

/// The bf16 parts of floats: x = x1 + x2 + x3.
std::array<std::vector<float>, 3> parts(const float* values, std::size_t count, int needed) {
    std::array<std::vector<float>, 3> all;
    std::vector<float> rest(values, values + count);
    for (int p = 0; p < needed; ++p) {
        std::vector<float>& part = all[static_cast<std::size_t>(p)];
        part.resize(count);
        for (std::size_t i = 0; i < count; ++i) {
            part[i] = rounded_to_bf16(rest[i]);
            // of an infinity nothing is left
            rest[i] = part[i] - part[i] == 0 ? rest[i] - part[i] : 0;
        }
    }
    return all;
}

/// Pairs of parts by weight, the largest first; a product of 1, 3 or 6 passes takes so many.
constexpr std::array<std::pair<std::size_t, std::size_t>, 6> pairs = {
    {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {2, 0}, {0, 2}}};

void multiply_in_passes(const float* left, const float* right, const Sizes& size, int passes,
                        float* sums) {
    const auto x = parts(left, size.m * size.k, passes > 3 ? 3 : passes > 1 ? 2 : 1);
    const auto y = parts(right, size.k * size.n, passes > 3 ? 3 : passes > 1 ? 2 : 1);
    std::vector<float> pass(size.m * size.n);
    std::fill_n(sums, size.m * size.n, 0.0F);
    for (auto i = static_cast<std::size_t>(passes); i-- > 0;) {
        multiply(x[pairs[i].first].data(), y[pairs[i].second].data(), size, pass.data());
        for (std::size_t at = 0; at < pass.size(); ++at) sums[at] += pass[at];
    }
}

template <typename T>
std::vector<T> transpose(const T* values, std::size_t rows, std::size_t columns) {
    std::vector<T> result(rows * columns);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) result[j * rows + i] = values[i * columns + j];
    return result;
}

/// The first undefined element of each line, lines being `stride` apart and their elements `step`.
std::vector<Trace> first_undefined(const Block& block, std::size_t base, std::size_t lines,
                                   std::size_t stride, std::size_t length, std::size_t step) {
    std::vector<Trace> first(lines);
    if (!block.has_undefined()) return first;
    for (std::size_t line = 0; line < lines; ++line)
        for (std::size_t i = 0; i < length && first[line] == 0; ++i)
            first[line] = block.traces[base + line * stride + i * step];
    return first;
}

}  // namespace

Block dot(const Block& left, const Block& right, bool transposed, int passes) {
    const std::size_t rank = left.shape.size();
    Shape shape = left.shape;
    shape[rank - 1] = right.shape[transposed ? rank - 2 : rank - 1];
    const bool reals = left.elements.are_reals();
    Block result(reals ? DType::f32 : DType::i32, shape);
    const Sizes size{static_cast<std::size_t>(shape[rank - 2]),
                     static_cast<std::size_t>(left.shape[rank - 1]),
                     static_cast<std::size_t>(shape[rank - 1])};
    const std::size_t batches = result.elements.count() / std::max<Int>(size.m * size.n, 1);
    const bool split = left.type() == DType::f32 || right.type() == DType::f32;
    for (std::size_t batch = 0; batch < batches; ++batch) {
        const std::size_t a = batch * size.m * size.k, b = batch * size.k * size.n;
        const std::size_t c = batch * size.m * size.n;
        if (reals) {
            const float* x = left.elements.reals.data() + a;
            const float* y = right.elements.reals.data() + b;
            const std::vector<float> turned =
                transposed ? transpose(y, size.n, size.k) : std::vector<float>{};
            if (transposed) y = turned.data();
            float* sums = result.elements.reals.data() + c;
            if (split)
                multiply_in_passes(x, y, size, passes, sums);
            else
                multiply(x, y, size, sums);
        } else {
            // unsigned, because i32 wraps
            const auto as_unsigned = [](const std::int32_t* values, std::size_t count) {
                return std::vector<std::uint32_t>(values, values + count);
            };
            const auto x = as_unsigned(left.elements.integers.data() + a, size.m * size.k);
            auto y = as_unsigned(right.elements.integers.data() + b, size.k * size.n);
            if (transposed) y = transpose(y.data(), size.n, size.k);
            std::vector<std::uint32_t> sums(size.m * size.n);
            multiply(x.data(), y.data(), size, sums.data());
            std::copy(sums.begin(), sums.end(),
                      result.elements.integers.begin() + static_cast<std::ptrdiff_t>(c));
        }
        if (!left.has_undefined() && !right.has_undefined()) continue;
        const auto rows = first_undefined(left, a, size.m, size.k, size.k, 1);
        const auto columns = first_undefined(right, b, size.n, transposed ? size.k : 1, size.k,
                                             transposed ? 1 : size.n);
        for (std::size_t i = 0; i < size.m; ++i)
            for (std::size_t j = 0; j < size.n; ++j)
                if (const Trace trace = rows[i] != 0 ? rows[i] : columns[j])
                    result.set_trace(static_cast<Int>(c + i * size.n + j), trace);
    }
    return result;
}

}  // namespace slab::interp
