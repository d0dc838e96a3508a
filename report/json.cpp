#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "report/cores.hpp"
#include "report/json_number.hpp"
#include "report/numbers.hpp"
#include "report/report.hpp"
#include "report/sensitivity.hpp"

// Every field stands in docs/json.md, in the order of this file; a test compares the two.
namespace slab::report {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
    return json_number(value);
}

/// `a / b`, null where there is nothing to divide by.
Json quotient(std::int64_t a, std::int64_t b) {
    return b == 0 ? Json(nullptr) : number(static_cast<double>(a) / static_cast<double>(b));
}

Json terms(const result::Roofline& roofline) {
    Json all = Json::object();
    for (const result::RooflineTerm& term : roofline.terms)
        all[term.name] = {{"time_us", number(term.time_us)}, {"description", term.description}};
    return all;
}

Json roofline(const result::Result& result) {
    const result::Roofline& roofline = result.roofline;
    const bool reads_hbm = result.hbm_bytes > 0;
    return {
        {"bound", roofline.bound},
        {"time_us", number(roofline.time_us)},
        {"fraction", number(roofline.fraction)},
        {"intensity_flop_per_byte",
         reads_hbm ? number(roofline.intensity_flop_per_byte) : Json(nullptr)},
        {"ridge_flop_per_byte", number(roofline.ridge_flop_per_byte)},
        {"peak_tflops", number(roofline.peak_tflops)},
        {"peak_gb_per_s", number(roofline.peak_gb_per_s)},
        {"terms", terms(roofline)},
    };
}

Json units(const result::CoreResult& core) {
    Json all = Json::object();
    for (const result::UnitUse& unit : core.units)
        all[unit.name] = {{"busy_fraction", number(unit.busy_fraction)},
                          {"busy_cycles", number(unit.busy_cycles)},
                          {"description", unit.description}};
    return all;
}

Json waits(const result::CoreResult& core) {
    Json all = Json::object();
    for (const result::Wait& wait : core.waits)
        all[wait.cause] = {{"fraction", number(wait.fraction)}, {"cycles", number(wait.cycles)}};
    return all;
}

Json traffic(const std::vector<result::Traffic>& operands) {
    Json all = Json::object();
    for (const result::Traffic& one : operands)
        all[one.operand] = {{"read_bytes", one.read_bytes},
                            {"written_bytes", one.written_bytes},
                            {"array_bytes", one.array_bytes},
                            {"times_read", quotient(one.read_bytes, one.array_bytes)},
                            {"times_written", quotient(one.written_bytes, one.array_bytes)},
                            {"copies", one.copies},
                            {"small_copies", one.small_copies},
                            {"empty_copies", one.empty_copies}};
    return all;
}

Json vmem(const result::VmemUse& vmem) {
    Json rows = Json::array();
    for (const result::VmemRow& row : vmem.rows)
        rows.push_back(Json{{"name", row.name},
                            {"role", row.role},
                            {"type", row.type},
                            {"copies", row.copies},
                            {"bytes", row.bytes},
                            {"padding_fraction", number(row.padding_fraction)}});
    return {{"bytes", vmem.bytes}, {"limit", vmem.limit}, {"rows", rows}};
}

Json cores(const result::Result& result) {
    Json all = Json::array();
    for (const result::CoreResult& core : result.cores)
        all.push_back(Json{{"cycles", number(core.cycles)},
                           {"launch_cycles", number(core.launch_cycles)},
                           {"steps", core.steps},
                           {"dead_steps", core.dead_steps},
                           {"flops", core.flops},
                           {"hbm_bytes", core.hbm_bytes},
                           {"units", units(core)},
                           {"waits", waits(core)},
                           {"traffic", traffic(core.traffic)}});
    return all;
}

/// What the caller says about the run; none if it is no array.
Json messages(const Style& style) {
    Json all = Json::parse(style.messages, nullptr, false);
    return all.is_array() ? all : Json::array();
}

Json document(const result::Result& result, const Style& style) {
    const result::CoreResult core = slowest(result);
    Json all = {
        {"schema", "slab.result/1"},
        {"kernel", result.kernel},
        {"sizes", style.sizes},
        {"chip", result.chip},
        {"clock", result.clock},
        {"clock_ghz", number(result.clock_ghz)},
        {"fault", result.fault},
        {"time_us", number(result.time_us)},
        {"cycles", number(result.cycles)},
        {"launch_cycles", number(core.launch_cycles)},
        {"steps", result.steps},
        {"dead_steps", dead_steps(result)},
        {"flops", result.flops},
        {"hbm_bytes", result.hbm_bytes},
        {"tflops", number(result.tflops)},
        {"hbm_gb_per_s", number(result.hbm_gb_per_s)},
        {"roofline", roofline(result)},
        {"units", units(core)},
        {"waits", waits(core)},
        {"traffic", traffic(total_traffic(result))},
        {"vmem", vmem(result.vmem)},
        {"smem", {{"bytes", result.vmem.smem_bytes}, {"limit", result.vmem.smem_limit}}},
        {"prints", result.prints},
        {"print_count", result.print_count},
        {"messages", messages(style)},
        {"events", result.events},
    };
    if (style.sensitivity) all["sensitivity"] = sensitivity_json(*style.sensitivity);
    if (!result.hbm_model.empty()) all["hbm_model"] = result.hbm_model;
    if (result.cores.size() > 1) all["cores"] = cores(result);
    return all;
}

}  // namespace

std::string render_json(const result::Result& result, const Style& style) {
    constexpr int spaces = 2;
    // replace: a file name that is not UTF-8 must not stop a report
    return document(result, style).dump(spaces, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace slab::report
