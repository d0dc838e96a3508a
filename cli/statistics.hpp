#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace slab::cli {

/// An error with the weight it counts with.
struct Weighted {
    double value = 0;
    double weight = 1;
};

/// The value that a share of the weight does not exceed (0.5: the median), between values where it
/// falls between; 0 without values.
double quantile(std::vector<Weighted> values, double share);

struct ErrorSummary {
    std::size_t count = 0;
    double median = 0;  ///< of the absolute errors
    double p90 = 0;
    double bias = 0;   ///< the median of the signed ones
    double worst = 0;  ///< the largest, with its sign
};
ErrorSummary summary(const std::vector<Weighted>& errors);

/// Of groups of errors, each of which counts once, however many it has.
ErrorSummary group_summary(const std::map<std::string, std::vector<double>>& groups);

/// A configuration of a sweep, or a rewrite of a ladder: what was measured and simulated, in one
/// unit.
struct Compared {
    double measured = 0;
    double simulated = 0;
};

struct RankSummary {
    std::size_t pairs = 0;    ///< whose measured times differ by more than the threshold
    std::size_t ordered = 0;  ///< of them in the same order when simulated
    double tau = 0;           ///< Kendall's, over all pairs
    double regret = 0;  ///< measured time of the simulated best over the best measured one, less 1
};
/// Of the configurations of one problem.
RankSummary ranking(const std::vector<Compared>& sweep, double threshold);

/// Where one of several candidates stands by its time.
struct Placing {
    std::size_t rank = 0;     ///< 1 and those that are strictly faster
    bool among_best = false;  ///< its rank is within a tenth of them, rounded up
    double regret = 0;        ///< its time over the best one
    std::size_t best = 0;     ///< the fastest, the first of equals
};
Placing placing(const std::vector<double>& times, std::size_t chosen);

struct LadderSummary {
    std::size_t steps = 0;   ///< that change the measured time by more than the threshold
    std::size_t agreed = 0;  ///< of them the simulation moves the same way
};
/// Of the rewrites of one kernel, in their order.
LadderSummary ladder(const std::vector<Compared>& rewrites, double threshold);

}  // namespace slab::cli
