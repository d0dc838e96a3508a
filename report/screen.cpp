#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "report/bound.hpp"
#include "report/cores.hpp"
#include "report/numbers.hpp"
#include "report/report.hpp"
#include "report/sections.hpp"
#include "report/sensitivity.hpp"
#include "report/table.hpp"

namespace slab::report {
namespace {

constexpr std::size_t screen_columns = 100;
constexpr std::size_t screen_lines = 45;
constexpr std::size_t headline_lines = 3;

std::string bold(const std::string& text, const Style& style) {
    return style.colour && !text.empty() ? "\x1b[1m" + text + "\x1b[0m" : text;
}

std::string dim(const std::string& text, const Style& style) {
    return style.colour && !text.empty() ? "\x1b[2m" + text + "\x1b[0m" : text;
}

/// `matmul on v6e at 1.75 GHz (nominal clock)`, and `, banked HBM` where that is so
std::string headline(const result::Result& result) {
    std::string text = result.kernel;
    if (!result.chip.empty()) text += " on " + result.chip;
    if (result.clock_ghz > 0) text += fmt::format(" at {} GHz", given(result.clock_ghz));
    if (!result.clock.empty()) text += fmt::format(" ({} clock)", result.clock);
    if (!result.hbm_model.empty()) text += fmt::format(", {} HBM", result.hbm_model);
    return cut(text, screen_columns);
}

/// The sizes follow the headline where they fit, else on lines of their own.
Lines headline_and_sizes(const result::Result& result, const Style& style) {
    const std::string head = headline(result);
    if (style.sizes.empty()) return {head};
    const std::string both = head + ": " + style.sizes;
    if (width(both) <= screen_columns) return {both};
    Lines lines = wrapped(style.sizes, screen_columns);
    lines.insert(lines.begin(), head);
    if (lines.size() > headline_lines) {
        lines.resize(headline_lines);
        lines.back() = cut(lines.back(), screen_columns - 2) + " …";
    }
    return lines;
}

std::string fault_text(const result::Result& result) {
    return fmt::format("stopped early: {}; below is the part that ran", result.fault);
}

std::string steps_text(const result::Result& result) {
    if (result.steps == 0) return {};  // a body without a grid
    const std::int64_t dead = dead_steps(result);
    std::string text = ", " + grouped(static_cast<double>(result.steps));
    text += result.steps == 1 ? " step" : " steps";
    if (dead > 0) text += fmt::format(", {} of them dead", grouped(static_cast<double>(dead)));
    return text;
}

/// How far the fastest core is ahead of the slowest.
std::string cores_text(const result::Result& result) {
    if (result.cores.size() < 2) return {};
    const auto first = std::ranges::min_element(result.cores, {}, &result::CoreResult::cycles);
    const double us = ratio(first->cycles, result.cycles) * result.time_us;
    return fmt::format("; first of {} cores at {}", result.cores.size(), text(duration(us)));
}

std::string share_of_peak(double value, double peak, std::string_view unit) {
    if (peak <= 0) return {};
    return fmt::format("{:>7} of the peak of {} {}", percent(value / peak), given(peak), unit);
}

std::string roofline_text(const result::Result& result) {
    const result::Roofline& roofline = result.roofline;
    std::string text = fmt::format("{:>7} reached", percent(roofline.fraction));
    if (!roofline.bound.empty()) text += ", bound by " + roofline.bound;
    if (result.hbm_bytes <= 0) return text + "; no HBM traffic";
    if (result.flops == 0) return text + "; no matrix work";
    const double intensity = roofline.intensity_flop_per_byte;
    const double ridge = roofline.ridge_flop_per_byte;
    return text + fmt::format("; {} FLOP/B, {} the ridge at {}", given(intensity),
                              intensity < ridge ? "below" : "above", given(ridge));
}

std::vector<std::string> summary_row(std::string_view what, const Quantity& quantity,
                                     const std::string& meaning) {
    return {std::string(what), fmt::format("{:>9} {}", quantity.number, quantity.unit), meaning};
}

Lines summary(const result::Result& result) {
    const result::Roofline& roofline = result.roofline;
    std::vector<std::vector<std::string>> rows;
    rows.push_back(summary_row("time", duration(result.time_us),
                               fmt::format("{} cycles{}{}", grouped(result.cycles),
                                           steps_text(result), cores_text(result))));
    if (result.flops > 0)
        rows.push_back(summary_row("compute", {measured(result.tflops), "TFLOP/s"},
                                   share_of_peak(result.tflops, roofline.peak_tflops, "TFLOP/s")));
    if (result.hbm_bytes > 0)
        rows.push_back(
            summary_row("HBM", {measured(result.hbm_gb_per_s), "GB/s"},
                        share_of_peak(result.hbm_gb_per_s, roofline.peak_gb_per_s, "GB/s")));
    if (roofline.time_us > 0)
        rows.push_back(summary_row("roofline", duration(roofline.time_us), roofline_text(result)));
    Lines lines = table({{""}, {""}, {""}}, rows);
    for (std::string& line : lines) line = cut(line, screen_columns);
    return lines;
}

void add_section(Lines& lines, Lines section, const Style& style) {
    if (section.empty()) return;
    for (std::string& line : section) line = cut(line, screen_columns);
    section.front() = dim(section.front(), style);
    lines.emplace_back();
    lines.insert(lines.end(), section.begin(), section.end());
}

std::string joined(const Lines& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + '\n';
    return text;
}

}  // namespace

std::string render_screen(const result::Result& result, const Style& style) {
    Lines lines;
    for (const std::string& line : headline_and_sizes(result, style))
        lines.push_back(bold(line, style));
    if (!result.fault.empty())
        lines.push_back(bold(cut(fault_text(result), screen_columns), style));
    lines.emplace_back();
    for (const std::string& line : summary(result)) lines.push_back(line);
    if (const std::string bound = bound_sentence(result); !bound.empty()) {
        lines.emplace_back();
        lines.push_back(bold(cut(bound, screen_columns), style));
    }
    if (style.sensitivity)
        add_section(lines, sensitivity_section(*style.sensitivity, result.time_us), style);
    add_section(lines, unit_section(result), style);
    add_section(lines, wait_section(result), style);
    add_section(lines, traffic_section(result), style);
    // this table takes the lines that are left, but for the blank one above it
    add_section(lines, vmem_section(result.vmem, screen_lines - lines.size() - 1), style);
    add_section(lines, print_section(result), style);
    return joined(lines);
}

}  // namespace slab::report
