#include "sim/result/program_result.hpp"

#include <algorithm>
#include <map>

namespace slab::result {

namespace {

double launch_cycles(const Result& result) {
    double most = 0;
    for (const CoreResult& core : result.cores) most = std::max(most, core.launch_cycles);
    return most;
}

void add(LaunchRow& row, const Result& result) {
    ++row.count;
    row.time_us += result.time_us;
    if (result.clock_ghz > 0) row.launch_us += launch_cycles(result) / (result.clock_ghz * 1e3);
    row.roofline_us += result.roofline.time_us;
    row.flops += result.flops;
    row.hbm_bytes += result.hbm_bytes;
    row.steps += result.steps;
}

}  // namespace

void add_launches(ProgramResult& program, const std::vector<TimedLaunch>& launches) {
    std::map<std::pair<std::size_t, const Result*>, std::size_t> rows;
    for (const TimedLaunch& launch : launches) {
        const Result& result = *launch.result;
        const auto [row, is_new] =
            rows.try_emplace({launch.statement, launch.result}, program.rows.size());
        if (is_new) {
            LaunchRow made;
            made.kernel = result.kernel;
            made.sizes = launch.sizes;
            made.arguments = launch.arguments;
            made.bound = result.roofline.bound;
            program.rows.push_back(std::move(made));
        }
        add(program.rows[row->second], result);
        program.prints.insert(program.prints.end(), result.prints.begin(), result.prints.end());
        if (result.fault.empty()) continue;
        program.fault = result.kernel + ": " + result.fault;
        break;
    }
    for (const LaunchRow& row : program.rows) {
        program.time_us += row.time_us;
        program.launch_us += row.launch_us;
        program.roofline_us += row.roofline_us;
        program.launches += row.count;
        program.steps += row.steps;
        program.flops += row.flops;
        program.hbm_bytes += row.hbm_bytes;
    }
    if (program.time_us <= 0) return;
    for (LaunchRow& row : program.rows) row.fraction = row.time_us / program.time_us;
    program.tflops = static_cast<double>(program.flops) / program.time_us * 1e-6;
    program.hbm_gb_per_s = static_cast<double>(program.hbm_bytes) / program.time_us * 1e-3;
}

}  // namespace slab::result
