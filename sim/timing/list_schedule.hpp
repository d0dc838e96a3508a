#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "arch_configs/chip_spec.hpp"
#include "sim/timing/dataflow.hpp"

namespace slab::sim::timing {

/// What a region competes for: the units of a bundle, each a timeline of its own.
enum class Unit { mxu, vpu, eup, xlu, load, store, pop };
inline constexpr std::size_t unit_count = 7;

/// Cycles per unit.
struct Demand {
    std::array<double, unit_count> cycles{};
    double& operator[](Unit unit) { return cycles[static_cast<std::size_t>(unit)]; }
    double operator[](Unit unit) const { return cycles[static_cast<std::size_t>(unit)]; }
};

/// A part of a job, in order: its share of the job's demand, how much of the inputs it needs, and
/// how much of the result is final after it, counted in rows or in any order of register tiles. A
/// dot needs of its right operand the rows of the weight tiles that it has come to.
struct Piece {
    double share = 1;
    double needs = 1;
    double rows_done = 1;
    double part_done = 1;
    double weights = 1;
};

struct Need {
    int job = 0;
    Relation relation = Relation::rows;
    double latency = 0;    ///< from the producer's last instruction to its result
    bool weights = false;  ///< the value must be loaded into the arrays first
};

struct Job {
    Demand demand;
    std::vector<Piece> pieces;
    std::vector<Need> needs;
    double weight_load = 0;      ///< cycles of the first weight load; 0 for passes
    double operands = 0;         ///< when operands from memory are there at the earliest
    std::size_t last_round = 0;  ///< the first piece after the last weight load
    double drain = 0;            ///< from its last instruction to its last result
    int position = 0;            ///< in the program
    bool any_order = false;      ///< its tiles follow the order in which a dot finishes columns
};

/// Length of a schedule of `jobs`, whose needs name jobs of smaller or equal position. Always the
/// piece that has had all it needs for longest goes next, the earlier in the program among equals,
/// and takes the first free cycles of its units. A job does not start before all jobs more than
/// `lookahead_ops` positions before it have begun their last piece.
double list_schedule(const std::vector<Job>& jobs, const arch::VpuSpec& vpu);

}  // namespace slab::sim::timing
