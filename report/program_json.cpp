#include <string>

#include <nlohmann/json.hpp>

#include "report/json_number.hpp"
#include "report/program_report.hpp"
#include "report/sensitivity.hpp"

// Every field stands in docs/json.md, in the order of this file; a test compares the two.
namespace slab::report {
namespace {

using Json = nlohmann::ordered_json;

Json launches(const result::ProgramResult& program) {
    Json all = Json::array();
    for (const result::LaunchRow& row : program.rows)
        all.push_back(Json{{"kernel", row.kernel},
                           {"sizes", row.sizes},
                           {"arguments", row.arguments},
                           {"count", row.count},
                           {"time_us", json_number(row.time_us)},
                           {"fraction", json_number(row.fraction)},
                           {"launch_us", json_number(row.launch_us)},
                           {"roofline_us", json_number(row.roofline_us)},
                           {"bound", row.bound},
                           {"flops", row.flops},
                           {"hbm_bytes", row.hbm_bytes},
                           {"steps", row.steps}});
    return all;
}

Json messages(const Style& style) {
    Json all = Json::parse(style.messages, nullptr, false);
    return all.is_array() ? all : Json::array();
}

}  // namespace

std::string render_program_json(const result::ProgramResult& program, const Style& style) {
    Json all = {{"schema", "slab.program/1"},
                {"program", program.program},
                {"sizes", style.sizes},
                {"chip", program.chip},
                {"clock", program.clock},
                {"clock_ghz", json_number(program.clock_ghz)},
                {"fault", program.fault},
                {"time_us", json_number(program.time_us)},
                {"launch_us", json_number(program.launch_us)},
                {"roofline_us", json_number(program.roofline_us)},
                {"launch_count", program.launches},
                {"steps", program.steps},
                {"flops", program.flops},
                {"hbm_bytes", program.hbm_bytes},
                {"tflops", json_number(program.tflops)},
                {"hbm_gb_per_s", json_number(program.hbm_gb_per_s)},
                {"operand_bytes", program.operand_bytes},
                {"peak_hbm_bytes", program.peak_hbm_bytes},
                {"hbm_limit_bytes", program.hbm_limit_bytes},
                {"peak_kernel", program.peak_kernel},
                {"launches", launches(program)},
                {"prints", program.prints},
                {"messages", messages(style)}};
    if (style.sensitivity) all["sensitivity"] = sensitivity_json(*style.sensitivity);
    if (!program.hbm_model.empty()) all["hbm_model"] = program.hbm_model;
    constexpr int spaces = 2;
    return all.dump(spaces, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace slab::report
