#pragma once

#include <functional>
#include <vector>

namespace slab::cli {

/// A number to be chosen between two ends.
struct Axis {
    double start = 0;
    double low = 0;
    double high = 0;
    bool whole = false;
};

/// Searches the minimum of a function of as many numbers as there are axes, from their starts on:
/// one axis after the other, up and down by a fourth of its length, then by halves of that down to
/// `finest`, and a step is taken where it gains more than `least_gain`. Values are rounded to three
/// digits. Finds a local minimum, the same one every time.
std::vector<double> coordinate_search(
    const std::vector<Axis>& axes,
    const std::function<double(const std::vector<double>&)>& function, double finest,
    double least_gain);

/// The least of a function among the start of an axis and what doubling and halving it reaches.
double doubling_search(const Axis& axis, const std::function<double(double)>& function);

/// What a search of many numbers minimises: a cost of residuals that are slow to find.
struct Residuals {
    std::function<std::vector<double>(const std::vector<double>&)> of;
    std::function<double(const std::vector<double>& residuals, const std::vector<double>& values)>
        cost;
};

/// The same for functions of that kind, with few evaluations: where the search stands it takes
/// residuals for linear, finds the minimum of the cost of those by coordinate_search no further
/// away than a fourth of each axis, and goes there if the true cost is less by `least_gain`;
/// otherwise it tries half as far, down to `finest`.
std::vector<double> linear_search(const std::vector<Axis>& axes, const Residuals& residuals,
                                  double finest, double least_gain);

}  // namespace slab::cli
