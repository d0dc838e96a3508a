#include "cli/tables.hpp"

#include <fmt/format.h>

namespace slab::cli {

using report::Align;

std::string table(const std::vector<report::Column>& columns, const Rows& rows, bool markdown) {
    std::string text;
    if (!markdown) {
        for (const std::string& line : report::table(columns, rows)) text += line + "\n";
        return text;
    }
    std::string rule;
    for (const report::Column& column : columns) {
        text += "| " + column.header + " ";
        rule += column.align == Align::right ? "|---:" : "|---";
    }
    text += "|\n" + rule + "|\n";
    for (const auto& row : rows) {
        for (const std::string& cell : row) text += "| " + cell + " ";
        text += "|\n";
    }
    return text;
}

std::string title(const std::string& text, bool markdown) {
    return markdown ? fmt::format("\n## {}\n\n", text) : fmt::format("\n{}\n", text);
}

std::string percent(double fraction) {
    return fmt::format("{:+.1f} %", 100 * fraction);
}
std::string share(double fraction) {
    return fmt::format("{:.1f} %", 100 * fraction);
}

}  // namespace slab::cli
