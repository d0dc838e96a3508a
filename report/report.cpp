#include "report/report.hpp"

#include <array>

namespace slab::report {
namespace {

struct Entry {
    ReportInfo info;
    std::string (*function)(const result::Result&, const Style&);
};

constexpr std::array entries = {
#define SLAB_REPORT(name, description, function) Entry{{#name, description}, function},
#include "report/reports.def"
#undef SLAB_REPORT
};

const Entry& entry(Report kind) {
    return entries[static_cast<std::size_t>(kind)];
}

}  // namespace

std::string render(const result::Result& result, Report kind, const Style& style) {
    return entry(kind).function(result, style);
}

ReportInfo report_info(Report kind) {
    return entry(kind).info;
}

std::optional<Report> report_from_name(std::string_view name) {
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (entries[i].info.name == name) return static_cast<Report>(i);
    return std::nullopt;
}

}  // namespace slab::report
