#include "cli/points.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace slab::cli {

namespace {

/// A unit of a metric and what it is in ours.
struct Unit {
    const char* name;
    Metric metric;
    const char* metric_name;
    double factor;
};
constexpr Unit units[] = {{"us", Metric::time, "time", 1},
                          {"ms", Metric::time, "time", 1000},
                          {"TFLOP/s", Metric::flop_rate, "flop_rate", 1},
                          {"GB/s", Metric::byte_rate, "byte_rate", 1}};

void read_value(WorkloadReader& entry, Point& out) {
    const std::string metric = entry.one_of("metric", {"time", "flop_rate", "byte_rate"}, "");
    const std::string unit = entry.one_of("unit", {"us", "ms", "TFLOP/s", "GB/s"}, "");
    const auto* row = std::find_if(std::begin(units), std::end(units),
                                   [&](const Unit& one) { return one.name == unit; });
    if (row == std::end(units) || metric.empty()) return;
    if (metric != row->metric_name) {
        entry.check().report<Diag::points_unit>(entry.below("unit"), unit, metric);
        return;
    }
    out.metric = row->metric;
    if (const Json* value = entry.find("value"))
        out.value = entry.number("value", *value) * row->factor;
    const Json* band = entry.find("band");
    if (!band) return;
    if (!band->is_array() || band->size() != 2)
        return entry.check().wrong_kind(entry.below("band"), *band, "a list of two numbers");
    out.band = std::pair(entry.number("band", (*band)[0]) * row->factor,
                         entry.number("band", (*band)[1]) * row->factor);
}

Point read_point(WorkloadReader& entry) {
    Point out;
    if (!entry.read(out,
                    {"metric", "value", "unit", "band", "timer", "sweep", "ladder", "step", "trust",
                     "trust_why"},
                    {"metric", "value", "unit", "trust"}))
        return out;
    out.sweep = entry.text("sweep");
    out.ladder = entry.text("ladder");
    out.trust_why = entry.text("trust_why");
    out.trust = entry.one_of("trust", {"high", "medium", "low"}, "");
    out.wall = entry.one_of("timer", {"device", "wall"}, "device") == "wall";
    read_value(entry, out);
    if (const Json* step = entry.find("step"); step && step->is_number_integer())
        out.step = step->get<std::int64_t>();
    else if (step)
        entry.check().wrong_kind(entry.below("step"), *step, "a whole number");
    return out;
}

}  // namespace

std::optional<std::vector<Point>> read_points(const SourceFile& text, Diagnostics& diags) {
    std::vector<Point> points;
    const auto add = [&](WorkloadReader& entry) -> const Workload& {
        return points.emplace_back(read_point(entry));
    };
    if (!read_workloads(text, "slab.points/1", "points", add, diags)) return std::nullopt;
    return points;
}

std::vector<Point> points_of(const std::vector<std::string>& files, Diagnostics& diags) {
    return entries_of(files, "validation", read_points, diags);
}

}  // namespace slab::cli
