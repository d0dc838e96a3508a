#include "report/table.hpp"

#include <algorithm>
#include <utility>

namespace slab::report {
namespace {

constexpr std::string_view gap = "  ";
const std::string indent = "  ";

bool starts_code_point(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

std::string trimmed(std::string text) {
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

std::string padded(const std::string& cell, Align align, std::size_t columns) {
    const std::size_t used = width(cell);
    const std::string blanks(columns > used ? columns - used : 0, ' ');
    return align == Align::left ? cell + blanks : blanks + cell;
}

std::string cell_text(const std::vector<std::string>& cells, std::size_t at, const Column& column) {
    return at < cells.size() ? cut(cells[at], column.max_width) : std::string();
}

std::string line(const std::vector<std::string>& cells, const std::vector<Column>& columns,
                 const std::vector<std::size_t>& widths) {
    std::string text;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (i > 0) text += gap;
        text += padded(cell_text(cells, i, columns[i]), columns[i].align, widths[i]);
    }
    return trimmed(std::move(text));
}

std::vector<std::string> headers(const std::vector<Column>& columns) {
    std::vector<std::string> cells;
    for (const Column& column : columns) cells.push_back(column.header);
    return cells;
}

std::vector<std::size_t> column_widths(const std::vector<Column>& columns,
                                       const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        std::size_t widest = columns[i].min_width;
        for (const auto& row : rows)
            widest = std::max(widest, width(cell_text(row, i, columns[i])));
        widths.push_back(widest);
    }
    return widths;
}

}  // namespace

std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, starts_code_point));
}

std::string cut(std::string_view text, std::size_t columns) {
    if (width(text) <= columns) return std::string(text);
    std::size_t at = 0;
    for (std::size_t seen = 0; at < text.size(); ++at)
        if (starts_code_point(text[at]) && ++seen == columns) break;
    return std::string(text.substr(0, at)) + "…";
}

std::vector<std::string> table(const std::vector<Column>& columns,
                               const std::vector<std::vector<std::string>>& rows) {
    std::vector<std::vector<std::string>> all = rows;
    const bool titled =
        std::ranges::any_of(columns, [](const Column& column) { return !column.header.empty(); });
    if (titled) all.insert(all.begin(), headers(columns));
    const std::vector<std::size_t> widths = column_widths(columns, all);
    std::vector<std::string> lines;
    for (const auto& cells : all) lines.push_back(line(cells, columns, widths));
    return lines;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
    std::vector<std::string> lines;
    std::string current;
    while (!text.empty()) {
        const std::string_view item = text.substr(0, text.find(", "));
        text.remove_prefix(std::min(item.size() + 2, text.size()));
        const std::string piece = std::string(item) + (text.empty() ? "" : ", ");
        if (!current.empty() && width(trimmed(current + piece)) > columns) {
            lines.push_back(current);
            current.clear();
        }
        current += current.empty() ? indent + piece : piece;
    }
    lines.push_back(current);
    for (std::string& line : lines) line = cut(trimmed(line), columns);
    return lines;
}

}  // namespace slab::report
