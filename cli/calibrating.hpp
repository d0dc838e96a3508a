#pragma once

#include <map>
#include <string>
#include <vector>

#include "arch_configs/read_chip.hpp"
#include "cli/search.hpp"
#include "cli/validating.hpp"

namespace slab::cli {

/// A number of chip files that may be chosen: its status is `unknown`, `inferred` or `fitted`, and
/// it has a range. Files that give it the same default and range mean one number.
struct Unknown {
    std::string path;
    std::vector<std::string> chips;
    Axis axis;               ///< starts at the value before any fit
    double value = 0;        ///< in the files
    bool is_fitted = false;  ///< the files say that it was chosen
};
std::vector<Unknown> unknowns_of(const std::vector<arch::ChipFile>& chips);

/// Points whose trust is not low, every group of which counts once, and how well they are met. The
/// less trusted among them keep a fit honest: what suits the trusted ones alone must not ruin them.
class Calibration {
public:
    Calibration(std::vector<CompiledPoint> points, std::vector<Unknown> unknowns);

    const std::vector<Unknown>& unknowns() const { return unknowns_; }
    std::vector<double> before() const;  ///< a value per unknown: before any fit
    /// Leaves out what changes no time from one end of its range to the other, and finds which
    /// points the rest acts on, so that `fit` simulates no other.
    void keep_those_that_matter();

    /// The values with the least cost: per group the mean of |ln(simulated / measured)|, and of
    /// `cost_of_far` times what of an error lies beyond `far`, up to `lost`, since one point far
    /// off is worse than many a little off, but what no value mends should not pull; of that the
    /// mean over groups but `without`; and `pull` times the squared distances from the values
    /// before, in parts of the ranges, so that what the points say little of stays where it was.
    /// Whole numbers are chosen first, with the others as the files have them.
    std::vector<double> fit(const std::string& without = "");

    /// Errors of the trusted points with those values, by group.
    std::map<std::string, std::vector<double>> errors(const std::vector<double>& values) const;

private:
    struct Member {
        CompiledPoint compiled;
        std::vector<std::size_t> acting;              ///< unknowns that change its time
        std::map<std::vector<double>, double> known;  ///< errors by the values of those
    };
    arch::ChipSpec chip_of(const Member& member, const std::vector<double>& values) const;
    double error(const Member& member, const std::vector<double>& values) const;
    double known_error(Member& member, const std::vector<double>& values);
    std::vector<double> weights(const std::string& without) const;

    std::vector<Unknown> unknowns_;
    std::vector<Member> points_;
};

inline constexpr double far = 0.12, lost = 0.1, cost_of_far = 3;
inline constexpr double pull = 0.002, finest_step = 1.0 / 32, least_gain = 1e-4;

}  // namespace slab::cli
