#include "cli/table.hpp"

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

}  // namespace slab::cli
