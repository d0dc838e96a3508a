#include "cli/calibrating.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "arch_configs/parameters.hpp"

namespace slab::cli {

namespace {

double number(const std::string& text) {
    double value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

bool may_be_chosen(const arch::ChipParameter& parameter) {
    const bool open = parameter.status == "unknown" || parameter.status == "inferred" ||
                      parameter.status == "fitted";
    return open && parameter.range;
}

bool is_of(const Unknown& unknown, const arch::ChipSpec& chip) {
    return std::find(unknown.chips.begin(), unknown.chips.end(), chip.name) != unknown.chips.end();
}

}  // namespace

std::vector<Unknown> unknowns_of(const std::vector<arch::ChipFile>& chips) {
    std::vector<Unknown> all;
    for (const arch::ChipFile& chip : chips)
        for (const arch::ChipParameter& parameter : chip.parameters) {
            if (!may_be_chosen(parameter)) continue;
            const double value = number(parameter.value);
            const Axis axis{parameter.before_fit.value_or(value), parameter.range->low,
                            parameter.range->high,
                            arch::find_parameter(parameter.path)->is_integer()};
            const auto same = std::find_if(all.begin(), all.end(), [&](const Unknown& known) {
                return known.path == parameter.path && known.value == value &&
                       known.is_fitted == (parameter.status == "fitted") &&
                       known.axis.start == axis.start && known.axis.low == axis.low &&
                       known.axis.high == axis.high;
            });
            if (same == all.end())
                all.push_back(
                    {parameter.path, {chip.spec.name}, axis, value, parameter.status == "fitted"});
            else
                same->chips.push_back(chip.spec.name);
        }
    return all;
}

Calibration::Calibration(std::vector<CompiledPoint> points, std::vector<Unknown> unknowns)
    : unknowns_(std::move(unknowns)) {
    for (CompiledPoint& point : points)
        if (!point.kernels.empty() && point.point.trust != "low")
            points_.push_back({std::move(point), {}, {}});
}

std::vector<double> Calibration::before() const {
    std::vector<double> values;
    for (const Unknown& unknown : unknowns_) values.push_back(unknown.axis.start);
    return values;
}

arch::ChipSpec Calibration::chip_of(const Member& member, const std::vector<double>& values) const {
    arch::ChipSpec chip = member.compiled.chip;
    for (std::size_t i = 0; i < unknowns_.size(); ++i) {
        if (is_of(unknowns_[i], chip))
            arch::find_parameter(unknowns_[i].path)->put(chip, values[i]);
    }
    return chip;
}

double Calibration::error(const Member& member, const std::vector<double>& values) const {
    Diagnostics ignored;  // it ran before, and no number here can stop it
    return validate(member.compiled, chip_of(member, values), ignored).error;
}

double Calibration::known_error(Member& member, const std::vector<double>& values) {
    std::vector<double> key;
    for (const std::size_t i : member.acting) key.push_back(values[i]);
    const auto known = member.known.find(key);
    if (known != member.known.end()) return known->second;
    return member.known.emplace(std::move(key), error(member, values)).first->second;
}

std::map<std::string, std::vector<double>> Calibration::errors(
    const std::vector<double>& values) const {
    std::map<std::string, std::vector<double>> groups;
    for (const Member& member : points_)
        if (member.compiled.point.trust == "high")
            groups[member.compiled.point.group].push_back(error(member, values));
    return groups;
}

void Calibration::keep_those_that_matter() {
    const std::vector<double> start = before();
    std::vector<bool> matters(start.size());
    for (Member& member : points_) {
        const double without = error(member, start);
        for (std::size_t i = 0; i < start.size(); ++i) {
            if (!is_of(unknowns_[i], member.compiled.chip)) continue;
            const auto changes = [&](double end) {
                std::vector<double> values = start;
                values[i] = end;
                return error(member, values) != without;
            };
            if (!changes(unknowns_[i].axis.low) && !changes(unknowns_[i].axis.high)) continue;
            matters[i] = true;
            member.acting.push_back(i);
        }
    }
    std::vector<Unknown> kept;
    std::vector<std::size_t> place(start.size());
    for (std::size_t i = 0; i < start.size(); ++i) {
        place[i] = kept.size();
        if (matters[i]) kept.push_back(std::move(unknowns_[i]));
    }
    for (Member& member : points_)
        for (std::size_t& i : member.acting) i = place[i];
    unknowns_ = std::move(kept);
}

std::vector<double> Calibration::weights(const std::string& without) const {
    std::map<std::string, double> counts;
    for (const Member& member : points_)
        if (member.compiled.point.group != without) ++counts[member.compiled.point.group];
    std::vector<double> all;
    for (const Member& member : points_) {
        const auto count = counts.find(member.compiled.point.group);
        all.push_back(
            count == counts.end() ? 0 : 1 / count->second / static_cast<double>(counts.size()));
    }
    return all;
}

std::vector<double> Calibration::fit(const std::string& without) {
    std::vector<Axis> axes;
    for (const Unknown& unknown : unknowns_) axes.push_back(unknown.axis);
    const std::vector<double> weight = weights(without);
    const auto residuals = [&](const std::vector<double>& values) {
        std::vector<double> all;
        for (std::size_t i = 0; i < points_.size(); ++i)
            all.push_back(weight[i] == 0 ? 0 : std::log1p(known_error(points_[i], values)));
        return all;
    };
    const auto cost = [&](const std::vector<double>& logs, const std::vector<double>& values) {
        double sum = 0;
        for (std::size_t i = 0; i < logs.size(); ++i) {
            const double beyond = std::fabs(std::expm1(logs[i])) - far;
            sum += weight[i] * (std::fabs(logs[i]) + cost_of_far * std::clamp(beyond, 0.0, lost));
        }
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double part = (values[i] - axes[i].start) / (axes[i].high - axes[i].low);
            sum += pull * part * part;
        }
        return sum;
    };
    // Whole numbers change what is cut into how many parts, which no slope tells: they are doubled
    // and halved first, with the others as the files have them, and stay where the cost is least.
    std::vector<Axis> rest = axes;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (!axes[i].whole) continue;
        std::vector<double> values;
        for (const Unknown& unknown : unknowns_) values.push_back(unknown.value);
        const auto cost_at = [&](double value) {
            values[i] = value;
            return cost(residuals(values), values);
        };
        const double found = doubling_search(axes[i], cost_at);
        rest[i] = {found, found, found, true};
    }
    return linear_search(rest, {residuals, cost}, finest_step, least_gain);
}

}  // namespace slab::cli
