#include "sim/timing/crossings.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "support/check.hpp"

namespace slab::sim::timing {

using schedule::none;
using schedule::Op;
using schedule::OpClass;
using schedule::ValueId;

namespace {

struct Life {
    ValueId value = none;
    int first = 0;
    int last = 0;
};

void touch(std::vector<Life>& lives, ValueId value, int op) {
    const auto known = std::find_if(lives.begin(), lives.end(),
                                    [&](const Life& life) { return life.value == value; });
    if (known != lives.end())
        known->last = op;
    else
        lives.push_back({value, op, op});
}

Crossing crossing(ValueId value, const Dataflow& flow, const Stages& stages) {
    Crossing found{value, stages.home(value, flow), {}, none, none};
    for (int user : flow.users[value]) {
        const int stage = stages.stage_of[user];
        // Whoever needs a constant computes it, except dots.
        if (stage == found.home || (flow.is_free(value) && !stages.stages[stage].dot)) continue;
        found.last_use = user;
        if (std::find(found.users.begin(), found.users.end(), stage) == found.users.end())
            found.users.push_back(stage);
    }
    found.store = storing_op(value, flow, stages);
    return found;
}

/// Per stage: how many times on the way to it all rows had to be there.
std::vector<int> barriers(const Dataflow& flow, const Stages& stages) {
    std::vector<int> count(stages.stages.size(), 0);
    const auto raise = [&](int stage, int input, Relation how) {
        const int least = count[input] + (how == Relation::whole ? 1 : 0);
        if (stage == input || count[stage] >= least) return false;
        SLAB_CHECK(least <= static_cast<int>(count.size()), "stages of a region wait in a circle");
        count[stage] = least;
        return true;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (int stage = 0; stage < static_cast<int>(count.size()); ++stage) {
            for (const Follows& follows : stages.stages[stage].follows)
                changed |= raise(stage, follows.stage, follows.relation);
            for (int op : stages.stages[stage].ops)
                for (ValueId value : flow.region.ops[op].args) {
                    if (flow.is_free(value)) continue;
                    changed |= raise(stage, stages.home(value, flow),
                                     relation(flow.region.ops[op], value, flow));
                }
        }
    }
    return count;
}

/// Nothing keeps `user` from following `home` row by row: it waits for no other dot, and not for
/// all rows of anything.
bool follows_closely(int user, int home, const Stages& stages, const std::vector<int>& barriers) {
    const Stage& from = stages.stages[home];
    const Stage& to = stages.stages[user];
    return barriers[user] == barriers[home] && !from.dot && !to.dot &&
           from.dots_before == to.dots_before && same_rows(from.domain, to.domain);
}

/// Cycles from one row group to the next when both passes run at the rate of their busiest unit.
double row_interval(const Traffic& home, const Traffic& user, double rows,
                    const arch::ChipSpec& chip) {
    const Demand first = demand(home, chip);
    const Demand second = demand(user, chip);
    double longest = 0;
    for (std::size_t unit = 0; unit < unit_count; ++unit)
        longest = std::max(longest, first.cycles[unit] + second.cycles[unit]);
    return longest / rows;
}

}  // namespace

int registers_needed(const Stage& pass, const Dataflow& flow) {
    std::vector<Life> lives;
    int accumulators = 0;
    for (int index : pass.ops) {
        const Op& op = flow.region.ops[index];
        for (ValueId arg : op.args) touch(lives, arg, index);
        if (op.result != none) touch(lives, op.result, index);
        accumulators += is_reduction(op) ? 1 : 0;
    }
    std::ptrdiff_t most = 0;
    for (int op : pass.ops)
        most = std::max(most, std::count_if(lives.begin(), lives.end(), [&](const Life& life) {
                            return life.first <= op && op < life.last;
                        }));
    return static_cast<int>(most) + accumulators;
}

int storing_op(ValueId value, const Dataflow& flow, const Stages& stages) {
    const int home = stages.home(value, flow);
    for (int user : flow.users[value])
        if (flow.region.ops[user].cls == OpClass::store && stages.stage_of[user] == home)
            return user;
    return none;
}

std::vector<Crossing> find_crossings(const Dataflow& flow, const Stages& stages) {
    std::vector<Crossing> crossings;
    for (const Op& op : flow.region.ops) {
        if (op.result == none || stages.home(op.result, flow) == none) continue;
        Crossing found = crossing(op.result, flow, stages);
        if (!found.users.empty()) crossings.push_back(std::move(found));
    }
    return crossings;
}

std::vector<bool> resident_values(const std::vector<Crossing>& crossings, const Dataflow& flow,
                                  const arch::VpuSpec& vpu) {
    std::vector<bool> resident(flow.region.values.size(), false);
    // approximation: resident-values. Whole values are given a part of the register file.
    double free = vpu.registers * vpu.resident_share;
    std::vector<std::pair<int, double>> held;  // last use, registers
    for (const Crossing& crossing : crossings) {
        const int made = flow.definition[crossing.value];
        for (const auto& [last_use, count] : held)
            if (last_use < made) free += count;
        std::erase_if(held, [&](const auto& value) { return value.first < made; });
        const double count =
            static_cast<double>(registers(flow.region.values[crossing.value], vpu));
        if (count > free) continue;
        resident[crossing.value] = true;
        free -= count;
        held.emplace_back(crossing.last_use, count);
    }
    return resident;
}

std::vector<HeldRows> held_rows(const std::vector<Crossing>& crossings, const Dataflow& flow,
                                const Stages& stages, const RegionTraffic& traffic,
                                const arch::ChipSpec& chip) {
    const std::vector<int> waits = barriers(flow, stages);
    std::map<std::pair<int, int>, std::vector<const Crossing*>> pairs;
    for (const Crossing& crossing : crossings)
        for (int user : crossing.users)
            if (!traffic.resident[crossing.value] &&
                follows_closely(user, crossing.home, stages, waits))
                pairs[{crossing.home, user}].push_back(&crossing);

    const auto size = [&](const Crossing* crossing) {
        return static_cast<double>(registers(flow.region.values[crossing->value], chip.vpu));
    };
    std::vector<HeldRows> held;
    for (auto& [pair, values] : pairs) {
        const auto& [home, user] = pair;
        const double rows = static_cast<double>(row_groups(stages.stages[home].domain, chip.vpu));
        double wait = 0;
        for (const Crossing* crossing : values)
            wait = std::max(wait, traffic.path_cycles[crossing->value]);
        const double in_flight =
            1 + wait / row_interval(traffic.stages[home], traffic.stages[user], rows, chip);
        // approximation: held-rows. Rows wait in a part of the register file, the rest feeds the
        // units.
        double free = chip.vpu.registers * chip.vpu.held_share;
        std::stable_sort(values.begin(), values.end(),
                         [&](const Crossing* a, const Crossing* b) { return size(a) < size(b); });
        for (const Crossing* crossing : values) {
            const double wanted = size(crossing) / rows * in_flight;
            const double share = std::min(1.0, free / wanted);
            free -= share * wanted;
            held.push_back({crossing, user, share, crossing->users.size() == 1});
        }
    }
    return held;
}

}  // namespace slab::sim::timing
