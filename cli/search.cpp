#include "cli/search.hpp"

#include <algorithm>
#include <cmath>

namespace slab::cli {

namespace {

double three_digits(double value) {
    if (value == 0) return 0;
    const double unit = std::pow(10, std::floor(std::log10(std::fabs(value))) - 2);
    // divided by a whole number where there is one, so that 0.65 is 0.65
    return unit < 1 ? std::round(value / unit) / std::round(1 / unit)
                    : std::round(value / unit) * unit;
}

double on_axis(const Axis& axis, double value) {
    const double rounded = axis.whole ? std::round(value) : three_digits(value);
    return std::clamp(rounded, axis.low, axis.high);
}

}  // namespace

std::vector<double> coordinate_search(
    const std::vector<Axis>& axes,
    const std::function<double(const std::vector<double>&)>& function, double finest,
    double least_gain) {
    std::vector<double> best;
    for (const Axis& axis : axes) best.push_back(axis.start);
    double least = function(best);
    // true if a step of one axis is taken
    const auto improve = [&](std::size_t i, double step) {
        std::vector<double> next = best;
        next[i] = on_axis(axes[i], best[i] + step * (axes[i].high - axes[i].low));
        if (next[i] == best[i]) return false;
        const double value = function(next);
        if (value > least - least_gain) return false;
        least = value;
        best = next;
        return true;
    };
    for (double step = 0.25; step >= finest; step /= 2) {
        bool moved = true;
        while (moved) {
            moved = false;
            for (std::size_t i = 0; i < axes.size(); ++i) {
                const double towards = improve(i, step) ? step : improve(i, -step) ? -step : 0;
                if (towards == 0) continue;
                moved = true;
                while (improve(i, towards)) {
                }
            }
        }
    }
    return best;
}

}  // namespace slab::cli
