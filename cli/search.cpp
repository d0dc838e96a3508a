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

/// The change of the residuals for each unit of each axis, from steps of a sixteenth.
std::vector<std::vector<double>> slopes(const std::vector<Axis>& axes, const Residuals& residuals,
                                        const std::vector<double>& at,
                                        const std::vector<double>& there) {
    std::vector<std::vector<double>> all;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        std::vector<double> next = at;
        const double step = std::max((axes[i].high - axes[i].low) / 16, axes[i].whole ? 1.0 : 0.0);
        next[i] = on_axis(axes[i], at[i] + step);
        if (next[i] == at[i]) next[i] = on_axis(axes[i], at[i] - step);
        std::vector<double> slope = residuals.of(next);
        for (std::size_t k = 0; k < slope.size(); ++k)
            slope[k] = next[i] == at[i] ? 0 : (slope[k] - there[k]) / (next[i] - at[i]);
        all.push_back(std::move(slope));
    }
    return all;
}

/// Those axes, no further from `at` than a part of their length.
std::vector<Axis> around(const std::vector<Axis>& axes, const std::vector<double>& at,
                         double part) {
    std::vector<Axis> near;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const double reach =
            std::max(part * (axes[i].high - axes[i].low), axes[i].whole ? 1.0 : 0.0);
        near.push_back({at[i], on_axis(axes[i], at[i] - reach), on_axis(axes[i], at[i] + reach),
                        axes[i].whole});
    }
    return near;
}

}  // namespace

double doubling_search(const Axis& axis, const std::function<double(double)>& function) {
    double best = axis.start, least = function(best);
    const auto take = [&](double factor) {
        for (double value = axis.start * factor; value >= axis.low && value <= axis.high;
             value *= factor)
            if (const double here = function(value); here < least) best = value, least = here;
    };
    if (axis.start > 0) {
        take(2);
        take(0.5);
    }
    return best;
}

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

std::vector<double> linear_search(const std::vector<Axis>& axes, const Residuals& residuals,
                                  double finest, double least_gain) {
    std::vector<double> best;
    for (const Axis& axis : axes) best.push_back(axis.start);
    std::vector<double> there = residuals.of(best);
    double least = residuals.cost(there, best);
    double reach = 0.25;
    while (reach >= finest) {
        const auto slope = slopes(axes, residuals, best, there);
        const auto linear = [&](const std::vector<double>& values) {
            std::vector<double> guess = there;
            for (std::size_t i = 0; i < axes.size(); ++i)
                for (std::size_t k = 0; k < guess.size(); ++k)
                    guess[k] += slope[i][k] * (values[i] - best[i]);
            return residuals.cost(guess, values);
        };
        bool moved = false;
        for (; !moved && reach >= finest; reach = moved ? reach : reach / 2) {
            const std::vector<double> next =
                coordinate_search(around(axes, best, reach), linear, 1.0 / 64, 1e-6);
            std::vector<double> found = residuals.of(next);
            const double value = residuals.cost(found, next);
            moved = value < least - least_gain;
            if (!moved) continue;
            best = next;
            there = std::move(found);
            least = value;
        }
    }
    return best;
}

}  // namespace slab::cli
