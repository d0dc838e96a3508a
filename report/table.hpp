#pragma once

#include <string>
#include <string_view>
#include <vector>

/// Text in columns.
namespace slab::report {

enum class Align { left, right };

struct Column {
    std::string header;
    Align align = Align::left;
    std::size_t min_width = 0;
    std::size_t max_width = 100;  ///< longer cells are cut and end in `…`
};

/// Columns on the screen, which are code points here.
std::size_t width(std::string_view text);

/// The text, cut to so many columns.
std::string cut(std::string_view text, std::size_t columns);

/// The header line (unless all headers are empty) and a line for each row, without blanks at their
/// ends. A row may have fewer cells than there are columns.
std::vector<std::string> table(const std::vector<Column>& columns,
                               const std::vector<std::vector<std::string>>& rows);

/// A list `a, b, c` in indented lines of at most so many columns, broken after commas.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

}  // namespace slab::report
