#include "report/sections.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "report/cores.hpp"
#include "report/numbers.hpp"
#include "report/table.hpp"

namespace slab::report {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr std::size_t unit_rows = 9;
constexpr std::size_t wait_rows = 5;
constexpr std::size_t traffic_rows = 6;
constexpr std::size_t bar_columns = 28;

/// Keeps the first rows; those beyond the limit become one, which `absorb` fills.
template <typename Row, typename Absorb>
std::vector<Row> folded(std::vector<Row> rows, std::size_t limit, std::string Row::*name,
                        Absorb absorb) {
    if (rows.size() <= limit) return rows;
    Row rest;
    rest.*name = fmt::format("{} more", rows.size() - limit + 1);
    for (std::size_t i = limit - 1; i < rows.size(); ++i) absorb(rest, rows[i]);
    rows.resize(limit - 1);
    rows.push_back(rest);
    return rows;
}

Lines table_or_nothing(const std::vector<Column>& columns, const Rows& rows) {
    return rows.empty() ? Lines{} : table(columns, rows);
}

/// A bar in eighths of a column, and a mark where it would be full.
std::string bar(double fraction) {
    constexpr std::string_view eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    if (!std::isfinite(fraction)) return {};
    const double part = std::clamp(fraction, 0.0, 1.0);
    const auto filled = static_cast<std::size_t>(std::lround(part * 8 * bar_columns));
    std::string text;
    for (std::size_t i = 0; i < filled / 8; ++i) text += "█";
    text += eighths[filled % 8];
    text.append(bar_columns - (filled + 7) / 8, ' ');
    return text + "▏";
}

/// Units and waits share their columns, so that their bars can be compared.
std::vector<Column> busy_columns(const std::string& what, const std::string& share) {
    return {{what, Align::left, 38, 38},
            {share, Align::right, 8},
            {"cycles", Align::right, 17},
            {"", Align::left}};
}

std::vector<std::string> busy_row(const std::string& what, double fraction, double cycles) {
    return {what, percent(fraction), grouped(cycles), bar(fraction)};
}

std::vector<result::UnitUse> busiest_units(std::vector<result::UnitUse> units) {
    std::erase_if(units, [](const result::UnitUse& unit) {
        return unit.busy_cycles == 0 && unit.busy_fraction == 0;
    });
    std::ranges::stable_sort(units, std::greater<>{}, &result::UnitUse::busy_fraction);
    return folded(std::move(units), unit_rows, &result::UnitUse::name,
                  [](result::UnitUse& rest, const result::UnitUse& unit) {
                      rest.description = "at most";
                      rest.busy_cycles = std::max(rest.busy_cycles, unit.busy_cycles);
                      rest.busy_fraction = std::max(rest.busy_fraction, unit.busy_fraction);
                  });
}

std::vector<result::Wait> longest_waits(std::vector<result::Wait> waits) {
    std::erase_if(waits,
                  [](const result::Wait& wait) { return wait.cycles == 0 && wait.fraction == 0; });
    std::ranges::stable_sort(waits, std::greater<>{}, &result::Wait::cycles);
    return folded(std::move(waits), wait_rows, &result::Wait::cause,
                  [](result::Wait& rest, const result::Wait& wait) {
                      rest.cycles += wait.cycles;
                      rest.fraction += wait.fraction;
                  });
}

std::int64_t moved(const result::Traffic& traffic) {
    return traffic.read_bytes + traffic.written_bytes;
}

std::vector<result::Traffic> largest_traffic(std::vector<result::Traffic> operands) {
    std::erase_if(operands, [](const result::Traffic& traffic) { return moved(traffic) == 0; });
    std::ranges::stable_sort(operands, std::greater<>{}, moved);
    return folded(std::move(operands), traffic_rows, &result::Traffic::operand,
                  [](result::Traffic& rest, const result::Traffic& traffic) {
                      rest.read_bytes += traffic.read_bytes;
                      rest.written_bytes += traffic.written_bytes;
                      rest.array_bytes += traffic.array_bytes;
                      rest.copies += traffic.copies;
                  });
}

double padding_bytes(const result::VmemRow& row) {
    return row.padding_fraction * static_cast<double>(row.bytes);
}

std::vector<result::VmemRow> largest_vmem(std::vector<result::VmemRow> rows, std::size_t limit) {
    std::erase_if(rows, [](const result::VmemRow& row) { return row.bytes == 0; });
    std::ranges::stable_sort(rows, std::greater<>{}, &result::VmemRow::bytes);
    return folded(std::move(rows), limit, &result::VmemRow::name,
                  [](result::VmemRow& rest, const result::VmemRow& row) {
                      const double padding = padding_bytes(rest) + padding_bytes(row);
                      rest.bytes += row.bytes;
                      rest.padding_fraction = ratio(padding, static_cast<double>(rest.bytes));
                      rest.copies = 0;
                  });
}

std::string bytes_or_blank(std::int64_t size) {
    return size == 0 ? std::string() : bytes(size);
}

/// `3.2 x`: how often the whole array was moved.
std::string times(std::int64_t size, std::int64_t array) {
    if (size == 0 || array == 0) return {};
    return rounded(static_cast<double>(size) / static_cast<double>(array)) + " x";
}

std::vector<std::string> traffic_row(const result::Traffic& traffic) {
    return {traffic.operand,
            bytes_or_blank(traffic.array_bytes),
            bytes_or_blank(traffic.read_bytes),
            times(traffic.read_bytes, traffic.array_bytes),
            bytes_or_blank(traffic.written_bytes),
            times(traffic.written_bytes, traffic.array_bytes),
            grouped(static_cast<double>(traffic.copies))};
}

std::vector<std::string> vmem_row(const result::VmemRow& row) {
    const std::string copies = row.copies > 0 ? grouped(static_cast<double>(row.copies)) : "";
    return {row.name, row.role, row.type, copies, bytes(row.bytes), percent(row.padding_fraction)};
}

/// Blank without a limit.
std::string share_text(std::int64_t size, std::int64_t limit) {
    if (limit <= 0) return {};
    return fmt::format("{} of {}", percent(static_cast<double>(size) / static_cast<double>(limit)),
                       bytes(limit));
}

std::vector<std::string> vmem_total(const result::VmemUse& vmem) {
    double padding = 0;
    for (const result::VmemRow& row : vmem.rows) padding += padding_bytes(row);
    const auto size = static_cast<double>(vmem.bytes);
    return {"total",
            "",
            "",
            "",
            bytes(vmem.bytes),
            percent(ratio(padding, size)),
            share_text(vmem.bytes, vmem.limit)};
}

}  // namespace

Lines unit_section(const result::Result& result) {
    Rows rows;
    for (const result::UnitUse& unit : busiest_units(slowest(result).units))
        rows.push_back(busy_row(fmt::format("{:<8}{}", unit.name, unit.description),
                                unit.busy_fraction, unit.busy_cycles));
    const std::string title =
        result.cores.size() < 2 ? "unit"
                                : fmt::format("unit of core {}, the slowest", slowest_core(result));
    return table_or_nothing(busy_columns(title, "busy"), rows);
}

Lines wait_section(const result::Result& result) {
    Rows rows;
    for (const result::Wait& wait : longest_waits(slowest(result).waits))
        rows.push_back(busy_row(wait.cause, wait.fraction, wait.cycles));
    return table_or_nothing(busy_columns("the core waited for", "share"), rows);
}

Lines traffic_section(const result::Result& result) {
    Rows rows;
    for (const result::Traffic& traffic : largest_traffic(total_traffic(result)))
        rows.push_back(traffic_row(traffic));
    const std::string title = result.cores.size() < 2
                                  ? "HBM traffic of"
                                  : fmt::format("HBM of {} cores", result.cores.size());
    return table_or_nothing({{title, Align::left, 16, 20},
                             {"array", Align::right, 10},
                             {"read", Align::right, 10},
                             {"times", Align::right, 8},
                             {"written", Align::right, 10},
                             {"times", Align::right, 8},
                             {"copies", Align::right, 10}},
                            rows);
}

Lines vmem_section(const result::VmemUse& vmem, std::size_t lines) {
    const std::size_t header_and_totals = vmem.smem_bytes > 0 ? 3 : 2;
    Rows rows;
    for (const result::VmemRow& row : largest_vmem(vmem.rows, lines - header_and_totals))
        rows.push_back(vmem_row(row));
    if (rows.empty() && vmem.bytes == 0 && vmem.smem_bytes == 0) return {};
    rows.push_back(vmem_total(vmem));
    if (vmem.smem_bytes > 0)
        rows.push_back({"SMEM", "", "", "", bytes(vmem.smem_bytes), "",
                        share_text(vmem.smem_bytes, vmem.smem_limit)});
    return table({{"VMEM", Align::left, 16, 18},
                  {"role", Align::left, 7, 8},
                  {"type", Align::left, 20, 22},
                  {"copies", Align::right},
                  {"size", Align::right, 9},
                  {"padding", Align::right},
                  {"", Align::left}},
                 rows);
}

Lines print_section(const result::Result& result) {
    if (result.prints.empty()) return {};
    Lines lines = {"the kernel prints"};
    for (const std::string& line : result.prints) lines.push_back("  " + line);
    const std::int64_t more = result.print_count - static_cast<std::int64_t>(result.prints.size());
    if (more > 0) lines.push_back(fmt::format("  and {} lines more", more));
    return lines;
}

}  // namespace slab::report
