#include "cli/points.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <set>

#include <nlohmann/json.hpp>

#include "arch_configs/chip_json.hpp"
#include "arch_configs/read_chip.hpp"
#include "cli/cases_check.hpp"
#include "cli/cases_data.hpp"
#include "cli/library.hpp"
#include "cli/text_file.hpp"

namespace slab::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* schema = "slab.points/1";
const std::vector<std::string> point_keys = {
    "id",     "chip",   "file", "kernel", "program",   "set",    "with",     "data",
    "metric", "value",  "unit", "band",   "timer",     "clock",  "activity", "group",
    "sweep",  "ladder", "step", "trust",  "trust_why", "source", "note"};

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

/// Reads one entry; `path` is `points[0]`.
class PointReader {
public:
    PointReader(const Json& json, std::string path, const fs::path& folder, CasesCheck& check)
        : json_(json), path_(std::move(path)), folder_(folder), check_(check) {}

    Point read() {
        Point out;
        out.path = path_;
        if (!check_.is_object(path_, json_)) return out;
        check_.known_keys(path_, json_, point_keys);
        check_.required_keys(path_, json_,
                             {"id", "chip", "metric", "value", "unit", "group", "trust", "source"});
        out.id = text("id");
        out.chip = text("chip");
        const std::vector<std::string> shipped = arch::shipped_chips();
        if (!out.chip.empty()) check_.known_chip(below("chip"), out.chip, shipped);
        out.group = text("group");
        out.sweep = text("sweep");
        out.ladder = text("ladder");
        out.trust_why = text("trust_why");
        out.source = text("source");
        out.trust = one_of("trust", {"high", "medium", "low"}, "");
        out.wall = one_of("timer", {"device", "wall"}, "device") == "wall";
        out.sustained = one_of("clock", {"nominal", "sustained"}, "nominal") == "sustained";
        out.zeros = one_of("activity", {"zeros", "random"}, "random") == "zeros";
        read_item(out);
        read_set(out);
        read_with(out);
        read_value(out);
        if (const Json* step = find("step"); step && step->is_number_integer())
            out.step = step->get<std::int64_t>();
        else if (step)
            check_.wrong_kind(below("step"), *step, "a whole number");
        if (const Json* data = find("data")) out.data = read_data(*data, below("data"), check_);
        return out;
    }

private:
    /// Null stands for a key that is not there.
    const Json* find(const char* key) const {
        const auto found = json_.find(key);
        return found == json_.end() || found->is_null() ? nullptr : &*found;
    }
    std::string below(const std::string& key) const { return path_ + "." + key; }

    std::string text(const char* key) {
        const Json* value = find(key);
        return value ? check_.text(below(key), *value) : "";
    }

    std::string one_of(const char* key, const std::vector<std::string>& words,
                       const std::string& otherwise) {
        const Json* value = find(key);
        if (!value) return otherwise;
        const std::string word = value->is_string() ? value->get<std::string>() : "";
        if (std::find(words.begin(), words.end(), word) == words.end())
            check_.wrong_kind(below(key), *value, fmt::format("one of {}", fmt::join(words, ", ")));
        return word;
    }

    void read_item(Point& out) {
        const std::string kernel = text("kernel"), program = text("program");
        if (kernel.empty() == program.empty()) {
            check_.report<Diag::points_item>(path_);
            return;
        }
        out.item = kernel + program;
        std::string file = text("file");
        if (file.empty()) file = fmt::format("kernels/{0}/{0}.slab", out.item);
        const fs::path root = fs::path(library_folder()).parent_path();
        std::error_code error;
        out.file = (fs::exists(folder_ / file, error) ? folder_ / file : root / file)
                       .lexically_normal()
                       .string();
    }

    void read_set(Point& out) {
        if (const Json* set = find("set")) out.set = check_.settings(below("set"), *set);
    }

    void read_with(Point& out) {
        const Json* with = find("with");
        if (!with) return;
        if (!with->is_array()) return check_.wrong_kind(below("with"), *with, "a list of texts");
        for (std::size_t i = 0; i < with->size(); ++i)
            out.with.push_back(check_.text(element(below("with"), i), (*with)[i]));
    }

    void read_value(Point& out) {
        const std::string metric = one_of("metric", {"time", "flop_rate", "byte_rate"}, "");
        const std::string unit = one_of("unit", {"us", "ms", "TFLOP/s", "GB/s"}, "");
        const auto* row = std::find_if(std::begin(units), std::end(units),
                                       [&](const Unit& one) { return one.name == unit; });
        if (row == std::end(units) || metric.empty()) return;
        if (metric != row->metric_name) {
            check_.report<Diag::points_unit>(below("unit"), unit, metric);
            return;
        }
        out.metric = row->metric;
        if (const Json* value = find("value")) out.value = number("value", *value) * row->factor;
        const Json* band = find("band");
        if (!band) return;
        if (!band->is_array() || band->size() != 2)
            return check_.wrong_kind(below("band"), *band, "a list of two numbers");
        out.band = std::pair(number("band", (*band)[0]) * row->factor,
                             number("band", (*band)[1]) * row->factor);
    }

    double number(const char* key, const Json& json) {
        const double value = json.is_number() ? json.get<double>() : 0;
        if (!(value > 0) || !std::isfinite(value))
            check_.wrong_kind(below(key), json, "a number above 0");
        return value;
    }

    const Json& json_;
    std::string path_;
    const fs::path& folder_;
    CasesCheck& check_;
};

/// The files of points that come with slab, by name.
std::vector<std::string> shipped_points() {
    std::vector<std::string> files;
    std::error_code error;
    const fs::path folder = fs::path(library_folder()).parent_path() / "validation";
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
        if (entry.path().extension() == ".json") files.push_back(entry.path().string());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

std::optional<std::vector<Point>> read_points(const SourceFile& text, Diagnostics& diags) {
    Diagnostics found;
    std::vector<Point> points;
    if (const auto json = arch::parse_json(text.name(), std::string(text.text()), found)) {
        CasesCheck check(text.name(), found);
        const Json* list = check.list_of(*json, schema, "points");
        const fs::path folder = fs::path(text.name()).parent_path();
        std::set<std::string> ids;
        for (std::size_t i = 0; list && i < list->size(); ++i) {
            points.push_back(PointReader((*list)[i], element("points", i), folder, check).read());
            if (!ids.insert(points.back().id).second && !points.back().id.empty())
                check.report<Diag::points_same_id>(element("points", i), points.back().id);
        }
    }
    diags.append(found);
    if (found.has_errors()) return std::nullopt;
    return points;
}

std::vector<Point> points_of(const std::vector<std::string>& files, Diagnostics& diags) {
    const std::vector<std::string> paths = files.empty() ? shipped_points() : files;
    std::vector<Point> all;
    for (const std::string& path : paths) {
        const auto text = read_text_file(path, diags);
        auto points = text ? read_points(*text, diags) : std::nullopt;
        if (points) std::move(points->begin(), points->end(), std::back_inserter(all));
    }
    return all;
}

}  // namespace slab::cli
