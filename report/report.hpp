#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sim/result/result.hpp"
#include "sim/result/sensitivity.hpp"

/// Turns a Result into what is read: a screen for people, JSON for programs. The same Result gives
/// the same bytes, on a terminal and in a pipe.
namespace slab::report {

enum class Report {
#define SLAB_REPORT(name, description, function) name,
#include "report/reports.def"
#undef SLAB_REPORT
};

struct ReportInfo {
    std::string_view name;
    std::string_view description;
};

/// What the caller knows and a Result does not.
struct Style {
    std::string sizes = {};     ///< `M=8192, K=8192, bm=1024`, as it should be read; may be empty
    bool colour = false;        ///< ANSI codes around the text, for a terminal; JSON has none
    std::string messages = {};  ///< a JSON array of messages, for the JSON report; may be empty
    std::optional<result::Sensitivity> sensitivity = std::nullopt;  ///< of the time
};

/// The text of a report, with a line break at its end.
std::string render(const result::Result& result, Report kind = Report::screen,
                   const Style& style = {});

ReportInfo report_info(Report kind);
std::optional<Report> report_from_name(std::string_view name);

#define SLAB_REPORT(name, description, function) \
    std::string function(const result::Result& result, const Style& style);
#include "report/reports.def"
#undef SLAB_REPORT

}  // namespace slab::report
