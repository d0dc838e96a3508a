#include "arch_configs/print_chip.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "arch_configs/parameters.hpp"

namespace slab::arch {

namespace {

/// Wider values, which are lists, push their own row aside and not the whole column.
constexpr std::size_t widest_column = 36;

using Row = std::vector<std::string>;

std::string align(const std::vector<Row>& rows) {
    std::vector<std::size_t> widths(rows.front().size(), 0);
    for (const Row& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            if (row[i].size() <= widest_column) widths[i] = std::max(widths[i], row[i].size());
    std::string text;
    for (const Row& row : rows) {
        std::string line;
        for (std::size_t i = 0; i + 1 < row.size(); ++i)
            line += fmt::format("{:<{}}  ", row[i], widths[i]);
        text += line + row.back() + "\n";
    }
    return text;
}

std::string peaks(const ChipSpec& spec) {
    std::string text;
    for (const auto& [type, rows] : spec.mxu.rows_per_cycle)
        if (const double peak = spec.peak_flops(type); peak > 0)
            text += fmt::format("{}{} {:.4g}", text.empty() ? "" : ", ", name(type), peak / 1e12);
    return text;
}

std::string heading(const ChipSpec& spec) {
    std::string text = fmt::format("{} ({}", spec.title, spec.name);
    for (const std::string& alias : spec.aliases) text += ", " + alias;
    text +=
        fmt::format(")\n{} per chip; each has:\n",
                    spec.cores_per_chip == 1 ? "1 TensorCore"
                                             : fmt::format("{} TensorCores", spec.cores_per_chip));
    text +=
        fmt::format("  peak TFLOP/s or TOP/s at {} GHz: {}\n", spec.clock.nominal_ghz, peaks(spec));
    text += fmt::format("  HBM {:.4g} GiB, {:.4g} GB/s; VMEM {:.4g} MiB, {:.4g} MiB by default\n",
                        double(spec.hbm.bytes) / (1 << 30), spec.hbm.bandwidth_gb_per_s,
                        double(spec.vmem.bytes) / (1 << 20),
                        double(spec.vmem.scoped_limit_bytes) / (1 << 20));
    return text;
}

const ChipParameter* find(const ChipFile& chip, const std::string& path) {
    const auto found = std::find_if(chip.parameters.begin(), chip.parameters.end(),
                                    [&](const ChipParameter& each) { return each.path == path; });
    return found == chip.parameters.end() ? nullptr : &*found;
}

std::string cell(const ChipParameter* parameter) {
    if (!parameter) return "-";
    std::string text = parameter->value;
    if (parameter->unit.ends_with(" per chip")) text += " per chip";
    if (parameter->range) text += " (" + parameter->range->text() + ")";
    return text + " *" + parameter->status + "*";
}

std::string source(const ChipParameter& parameter) {
    std::string text = parameter.source;
    if (parameter.before_fit) text += fmt::format("; {} before the fit", *parameter.before_fit);
    return parameter.note.empty() ? text : text + "; " + parameter.note;
}

}  // namespace

std::string describe(const ChipFile& chip) {
    std::vector<Row> rows = {{"parameter", "value", "unit", "status", "range", "source"}};
    for (const ChipParameter& each : chip.parameters)
        rows.push_back({each.path, each.value, each.unit, each.status,
                        each.range ? each.range->text() : "", source(each)});
    return heading(chip.spec) + "\n" + align(rows);
}

std::string markdown_table(const std::vector<ChipFile>& chips) {
    std::string text = "| parameter | unit |";
    std::string rule = "\n|---|---|";
    for (const ChipFile& chip : chips) {
        text += " " + chip.spec.name + " |";
        rule += "---|";
    }
    text += rule + "\n";
    for (const Parameter& parameter : parameters()) {
        const bool nowhere = std::none_of(chips.begin(), chips.end(), [&](const ChipFile& chip) {
            return find(chip, parameter.path) != nullptr;
        });
        if (nowhere) continue;
        text += fmt::format("| `{}` | {} |", parameter.path, parameter.unit);
        for (const ChipFile& chip : chips) text += " " + cell(find(chip, parameter.path)) + " |";
        text += "\n";
    }
    return text;
}

}  // namespace slab::arch
