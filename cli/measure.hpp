#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "support/diagnostics.hpp"

namespace slab::cli {

/// The best of several runs of something, in host time.
struct Measurement {
    std::string name;
    double host_ms = 0;
    int runs = 0;
    std::optional<double> budget_ms;
    // of a simulation:
    double simulated_us = 0;
    std::int64_t steps = 0;
    std::int64_t events = 0;

    bool within() const { return !budget_ms || host_ms <= *budget_ms; }
};

/// What `slab check` does for each kernel of the folder, but for starting the program.
std::vector<Measurement> measure_checks(const std::vector<std::string>& slab_files,
                                        Diagnostics& diags);

/// Compiling and simulating the 8192 x 8192 x 28672 matmul on v6e, with large blocks and with
/// blocks of 128, which make 917,504 steps.
std::vector<Measurement> measure_matmul(const std::string& slab_file, Diagnostics& diags);

/// Compiling and simulating the full case of paged attention on v6e: 64 sequences of 4096 tokens,
/// 262,144 copies of a page.
std::vector<Measurement> measure_pages(const std::string& slab_file, Diagnostics& diags);

/// One product of the interpreter, which must reach 5 GFLOP/s.
Measurement measure_dot();

/// Of this process so far.
double peak_memory_mib();

}  // namespace slab::cli
