#include "cli/plots.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "cli/tables.hpp"
#include "report/numbers.hpp"
#include "report/svg.hpp"

namespace slab::cli {

namespace {

using report::Anchor;
using report::Mark;
using report::Place;
using report::Svg;

constexpr double band = 0.15;
constexpr std::string_view band_colour = "#e8eef4", grid_colour = "#ddd";
constexpr Svg::Stroke grid_line{grid_colour, 1, false}, exact_line{"#444", 1.2, true};
constexpr Svg::Letters heading{Anchor::start, 16, true, false, "#222"};
constexpr Svg::Letters small{Anchor::start, 11, false, false, "#222"};

/// A kind of work, by words in the name of a group; the last takes what is left.
struct Kind {
    const char* name;
    std::vector<std::string_view> words;
    Mark shape;
    std::string_view colour;  ///< tell apart for every kind of sight
};
const std::vector<Kind> kinds = {
    {"matrix products", {"gemm", "matmul", "dot"}, Mark::circle, "#0072b2"},
    {"attention", {"attention", "flash", "paged"}, Mark::square, "#d55e00"},
    {"streams and rows",
     {"elementwise", "stream", "copy", "norm", "reduce"},
     Mark::triangle,
     "#009e73"},
    {"other", {}, Mark::diamond, "#aa3377"}};

const Kind& kind_of(const std::string& group) {
    const auto named = [&](std::string_view word) { return group.find(word) != std::string::npos; };
    const auto found = std::find_if(kinds.begin(), kinds.end() - 1, [&](const Kind& kind) {
        return std::any_of(kind.words.begin(), kind.words.end(), named);
    });
    return *found;
}

bool is_trusted(const Validated& one) {
    return one.point.trust == "high";
}

/// Where a positive value lies on a logarithmic axis.
struct Axis {
    double least = 1, most = 10;
    double from = 0, to = 100;  ///< pixels

    double operator()(double value) const {
        return from + (to - from) * std::log(value / least) / std::log(most / least);
    }
};

void draw(Svg& svg, Place at, const Validated& one) {
    const Kind& kind = kind_of(one.point.group);
    svg.mark(at, kind.shape, kind.colour, is_trusted(one),
             fmt::format("{}: {}, measured {}, {}", one.point.group, one.point.id,
                         report::text(report::duration(one.measured_us)), percent(one.error)));
}

void draw_legend(Svg& svg, Place at, const std::vector<const Validated*>& points) {
    const auto entry = [&](const std::string& text) {
        svg.text({at.x + 12, at.y + 4}, text, small);
        at.y += 18;
    };
    for (const Kind& kind : kinds) {
        const auto count = std::count_if(points.begin(), points.end(), [&](const Validated* one) {
            return &kind_of(one->point.group) == &kind;
        });
        if (count == 0) continue;
        svg.mark(at, kind.shape, kind.colour, true);
        entry(fmt::format("{} ({})", kind.name, count));
    }
    svg.mark(at, Mark::circle, "#444", true);
    entry("trusted");
    svg.mark(at, Mark::circle, "#444", false);
    entry("less trusted");
    svg.area(
        {{at.x - 6, at.y - 5}, {at.x + 6, at.y - 5}, {at.x + 6, at.y + 5}, {at.x - 6, at.y + 5}},
        band_colour);
    svg.line({at.x - 6, at.y}, {at.x + 6, at.y}, exact_line);
    entry(fmt::format("exact, ±{:.0f} %", 100 * band));
}

/// Those that have a place on logarithmic axes, the trusted ones last and so in front.
std::vector<const Validated*> shown(const std::vector<Validated>& points) {
    std::vector<const Validated*> result;
    for (const Validated& one : points)
        if (!one.failed && one.measured_us > 0 && one.simulated_us > 0) result.push_back(&one);
    std::stable_partition(result.begin(), result.end(),
                          [](const Validated* one) { return !is_trusted(*one); });
    return result;
}

double median(std::vector<const Validated*> points) {
    std::vector<Weighted> errors;
    for (const Validated* one : points) errors.push_back({one->error});
    return quantile(std::move(errors), 0.5);
}

}  // namespace

std::string times_plot(const std::vector<Validated>& points) {
    constexpr double left = 84, top = 56, side = 540;
    const auto all = shown(points);
    Axis x{1e300, 0, left, left + side};
    for (const Validated* one : all) {
        x.least = std::min({x.least, one->measured_us, one->simulated_us});
        x.most = std::max({x.most, one->measured_us, one->simulated_us});
    }
    if (all.empty()) x.least = x.most = 1;
    x.least = std::pow(10, std::floor(std::log10(x.least)));
    x.most = std::pow(10, std::floor(std::log10(x.most)) + 1);
    const Axis y{x.least, x.most, top + side, top};

    Svg svg(left + side + 24, top + side + 60, "Simulated and measured times");
    svg.text({left, 32}, "Simulated against measured time", heading);
    const double low = 1 - band, high = 1 + band;
    svg.area({{x(x.least), y(x.least)},
              {x(x.least), y(x.least * high)},
              {x(x.most / high), y(x.most)},
              {x(x.most), y(x.most)},
              {x(x.most), y(x.most * low)},
              {x(x.least / low), y(x.least)}},
             band_colour);
    for (double tick = x.least; tick < x.most * 1.01; tick *= 10) {
        svg.line({x(tick), top}, {x(tick), top + side}, grid_line);
        svg.line({left, y(tick)}, {left + side, y(tick)}, grid_line);
        const report::Quantity time = report::duration(tick);
        const std::string label = fmt::format("{:g} {}", std::stod(time.number), time.unit);
        svg.text({x(tick), top + side + 18}, label, {Anchor::middle, 11, false, false, "#222"});
        svg.text({left - 8, y(tick) + 4}, label, {Anchor::end, 11, false, false, "#222"});
    }
    svg.line({x(x.least), y(x.least)}, {x(x.most), y(x.most)}, exact_line);
    svg.text({left + side / 2, top + side + 44}, "measured",
             {Anchor::middle, 13, false, false, "#222"});
    svg.text({22, top + side / 2}, "simulated", {Anchor::middle, 13, false, true, "#222"});
    for (const Validated* one : all) draw(svg, {x(one->measured_us), y(one->simulated_us)}, *one);
    draw_legend(svg, {left + 18, top + 20}, all);
    return svg.finish();
}

std::string errors_plot(const std::vector<Validated>& points) {
    constexpr double left = 210, top = 84, row = 20, side = 560, legend = 176;
    constexpr double ticks[] = {-0.9, -0.8, -0.65, -0.5, -0.3, -band, 0, band, 0.5, 1, 2, 4};
    const auto all = shown(points);
    // the trusted groups first, then by name
    std::map<std::pair<bool, std::string>, std::vector<const Validated*>> groups;
    Axis x{1 / 1.6, 1.6, left, left + side};
    for (const Validated* one : all) {
        groups[{!is_trusted(*one), one->point.group}].push_back(one);
        x.least = std::min(x.least, (1 + one->error) / 1.08);
        x.most = std::max(x.most, (1 + one->error) * 1.08);
    }
    const double bottom = top + row * static_cast<double>(groups.size());

    Svg svg(left + side + legend, bottom + 60, "Errors by group");
    svg.text({left, 32}, "Errors by group", heading);
    svg.text({left, 52}, "a mark for each point, a bar at the median of the group", small);
    svg.area({{x(1 - band), top}, {x(1 + band), top}, {x(1 + band), bottom}, {x(1 - band), bottom}},
             band_colour);
    for (const double tick : ticks) {
        if (1 + tick < x.least || 1 + tick > x.most) continue;
        svg.line({x(1 + tick), top}, {x(1 + tick), bottom}, tick == 0 ? exact_line : grid_line);
        svg.text({x(1 + tick), bottom + 18}, tick == 0 ? "0" : fmt::format("{:+.0f} %", 100 * tick),
                 {Anchor::middle, 11, false, false, "#222"});
    }
    svg.text({left + side / 2, bottom + 44}, "simulated time over measured time, less 1",
             {Anchor::middle, 13, false, false, "#222"});
    double y = top + row / 2;
    bool was_trusted = true;
    for (const auto& [name, members] : groups) {
        if (std::exchange(was_trusted, !name.first) && name.first && y > top + row)
            svg.line({left - 200, y - row / 2}, {left + side, y - row / 2}, {"#999", 1, false});
        svg.text({left - 34, y + 4}, name.second, {Anchor::end, 12, false, false, "#222"});
        svg.text({left - 8, y + 4}, fmt::format("{}", members.size()),
                 {Anchor::end, 11, false, false, "#777"});
        for (const Validated* one : members) draw(svg, {x(1 + one->error), y}, *one);
        const double middle = x(1 + median(members));
        svg.line({middle, y - 8}, {middle, y + 8}, {"#111", 2.5, false});
        y += row;
    }
    draw_legend(svg, {left + side + 22, top + 12}, all);
    return svg.finish();
}

}  // namespace slab::cli
