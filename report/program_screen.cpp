#include <algorithm>

#include <fmt/format.h>

#include "report/numbers.hpp"
#include "report/program_report.hpp"
#include "report/sensitivity.hpp"
#include "report/table.hpp"

namespace slab::report {
namespace {

constexpr std::size_t screen_columns = 100;
constexpr std::size_t most_rows = 30;

using result::LaunchRow;
using result::ProgramResult;
using Lines = std::vector<std::string>;

std::string bold(const std::string& text, const Style& style) {
    return style.colour && !text.empty() ? "\x1b[1m" + text + "\x1b[0m" : text;
}

std::string dim(const std::string& text, const Style& style) {
    return style.colour && !text.empty() ? "\x1b[2m" + text + "\x1b[0m" : text;
}

std::string headline(const ProgramResult& program) {
    std::string text = "program " + program.program;
    if (!program.chip.empty()) text += " on " + program.chip;
    if (program.clock_ghz > 0) text += fmt::format(" at {} GHz", given(program.clock_ghz));
    if (!program.clock.empty()) text += fmt::format(" ({} clock)", program.clock);
    if (!program.hbm_model.empty()) text += fmt::format(", {} HBM", program.hbm_model);
    return text;
}

std::vector<std::string> summary_row(const char* what, const Quantity& quantity,
                                     const std::string& meaning) {
    return {what, fmt::format("{:>9} {}", quantity.number, quantity.unit), meaning};
}

Lines summary(const ProgramResult& program) {
    std::vector<std::vector<std::string>> rows;
    rows.push_back(summary_row(
        "time", duration(program.time_us),
        fmt::format("{} {}; launching costs {}", grouped(static_cast<double>(program.launches)),
                    program.launches == 1 ? "launch" : "launches, one after another",
                    text(duration(program.launch_us)))));
    if (program.flops > 0)
        rows.push_back(summary_row("compute", {measured(program.tflops), "TFLOP/s"},
                                   grouped(static_cast<double>(program.flops)) + " FLOP"));
    if (program.hbm_bytes > 0)
        rows.push_back(summary_row("HBM", {measured(program.hbm_gb_per_s), "GB/s"},
                                   bytes(program.hbm_bytes) + " moved"));
    if (program.roofline_us > 0)
        rows.push_back(
            summary_row("roofline", duration(program.roofline_us),
                        fmt::format("{:>7} reached, launch by launch",
                                    percent(ratio(program.roofline_us, program.time_us)))));
    Lines lines = table({{""}, {""}, {""}}, rows);
    const std::string at =
        program.peak_kernel.empty() ? "" : fmt::format(", at `{}`", program.peak_kernel);
    lines.push_back(fmt::format("arrays take up to {} of the {} of HBM{}; operands are {} of it",
                                bytes(program.peak_hbm_bytes), bytes(program.hbm_limit_bytes), at,
                                bytes(program.operand_bytes)));
    return lines;
}

std::vector<std::string> cells(const LaunchRow& row) {
    return {row.kernel,
            row.count == 1 ? "" : grouped(static_cast<double>(row.count)),
            text(duration(row.time_us)),
            percent(row.fraction),
            percent(ratio(row.roofline_us, row.time_us)),
            row.bound,
            bytes(row.hbm_bytes),
            row.sizes};
}

/// Launches beyond the space are one row.
LaunchRow others(const std::vector<LaunchRow>& rows, std::size_t from) {
    LaunchRow sum;
    sum.kernel = fmt::format("{} others", rows.size() - from);
    for (std::size_t i = from; i < rows.size(); ++i) {
        sum.count += rows[i].count;
        sum.time_us += rows[i].time_us;
        sum.fraction += rows[i].fraction;
        sum.roofline_us += rows[i].roofline_us;
        sum.hbm_bytes += rows[i].hbm_bytes;
    }
    return sum;
}

Lines launches(const ProgramResult& program) {
    const bool fits = program.rows.size() <= most_rows;
    const std::size_t shown = fits ? program.rows.size() : most_rows - 1;
    std::vector<std::vector<std::string>> rows;
    for (std::size_t i = 0; i < shown; ++i) rows.push_back(cells(program.rows[i]));
    if (!fits) rows.push_back(cells(others(program.rows, shown)));
    return table({{"launch", Align::left, 0, 24},
                  {"times", Align::right},
                  {"time", Align::right},
                  {"share", Align::right},
                  {"roofline", Align::right},
                  {"bound"},
                  {"HBM bytes", Align::right},
                  {"sizes"}},
                 rows);
}

Lines prints(const ProgramResult& program) {
    constexpr std::size_t most_lines = 10;
    Lines lines;
    if (program.prints.empty()) return lines;
    lines.emplace_back("printed");
    for (std::size_t i = 0; i < std::min(program.prints.size(), most_lines); ++i)
        lines.push_back("  " + program.prints[i]);
    if (program.prints.size() > most_lines)
        lines.push_back(fmt::format("  and {} more lines", program.prints.size() - most_lines));
    return lines;
}

}  // namespace

std::string render_program_screen(const ProgramResult& program, const Style& style) {
    Lines lines;
    const std::string head = headline(program);
    if (style.sizes.empty() || width(head + ": " + style.sizes) <= screen_columns) {
        lines.push_back(bold(style.sizes.empty() ? head : head + ": " + style.sizes, style));
    } else {
        lines.push_back(bold(cut(head, screen_columns), style));
        for (const std::string& line : wrapped(style.sizes, screen_columns))
            lines.push_back(bold(line, style));
    }
    if (!program.fault.empty())
        lines.push_back(
            bold(cut(fmt::format("stopped early: {}; below is the part that ran", program.fault),
                     screen_columns),
                 style));
    const auto add = [&](Lines section, bool has_header) {
        if (section.empty()) return;
        for (std::string& line : section) line = cut(line, screen_columns);
        if (has_header) section.front() = dim(section.front(), style);
        lines.emplace_back();
        lines.insert(lines.end(), section.begin(), section.end());
    };
    add(summary(program), false);
    if (style.sensitivity) add(sensitivity_section(*style.sensitivity, program.time_us), true);
    if (!program.rows.empty()) add(launches(program), true);
    add(prints(program), true);
    std::string all;
    for (const std::string& line : lines) all += line + '\n';
    return all;
}

}  // namespace slab::report
