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

}  // namespace slab::cli
