#include "sim/timing/jobs.hpp"

#include <algorithm>

#include "compiler/schedule/layout.hpp"
#include "sim/timing/pieces.hpp"

namespace slab::sim::timing {

using schedule::none;
using schedule::Op;
using schedule::OpClass;
using schedule::ValueId;

namespace {

constexpr std::int64_t batch_rows = 8;

class Builder {
public:
    Builder(const Dataflow& flow, const Stages& stages, const RegionTraffic& traffic,
            const arch::ChipSpec& chip)
        : flow_(flow), stages_(stages), traffic_(traffic), chip_(chip) {
        jobs_.resize(stages.stages.size());
    }

    std::vector<Job> run() {
        for (int stage = 0; stage < static_cast<int>(jobs_.size()); ++stage) {
            jobs_[stage].demand = demand(traffic_.stages[stage], chip_);
            if (stages_.stages[stage].dot)
                add_dot(stage);
            else
                add_pass(stage);
            add_follows(stage);
        }
        order();
        return std::move(jobs_);
    }

private:
    void add_need(int stage, const Need& need) {
        for (Need& known : jobs_[stage].needs) {
            if (known.job != need.job || known.relation != need.relation ||
                known.weights != need.weights)
                continue;
            known.latency = std::max(known.latency, need.latency);
            return;
        }
        jobs_[stage].needs.push_back(need);
    }

    void add_follows(int stage) {
        for (const Follows& follows : stages_.stages[stage].follows) {
            // A dot reads its operands until its last round.
            const bool dot = stages_.stages[follows.stage].dot;
            if (follows.stage != stage)
                add_need(stage,
                         {follows.stage, dot ? Relation::whole : follows.relation, 0, false});
        }
    }

    // ---- dots

    void add_dot(int stage) {
        const Op& op = flow_.region.ops[stages_.stages[stage].ops.back()];
        const DotTime& dot = traffic_.stages[stage].dot;
        const Shape& result = flow_.shape(op.result);
        DotOrder order;
        order.row_groups = row_groups(result, chip_.vpu);
        for (std::size_t d = 0; d + 2 < result.size(); ++d) order.batch *= result[d];
        order.rounds = dot.rounds;
        order.row_blocks = dot.row_blocks;
        order.column_sets = dot.n_groups;
        order.transposed = op.transposed;
        Job& job = jobs_[stage];
        job.pieces = dot_pieces(order);
        job.last_round = last_round(job.pieces, order);
        job.weight_load = dot.first_load;
        job.operands = chip_.vmem.load_latency_cycles;
        job.drain = dot.latency;
        add_operand(stage, op, 0);
        add_operand(stage, op, 1);
    }

    void add_operand(int stage, const Op& op, int index) {
        const ValueId value = op.args[index];
        const int home = stages_.home(value, flow_);
        if (home == none || home == stage) return;
        Relation how = relation(op, value, flow_);
        if (index == 1) {
            const Shape& rhs = flow_.shape(value);
            const Shape& result = flow_.shape(op.result);
            const bool batched = rhs.size() > 2 && rhs[0] == result[0] && result[0] >= batch_rows;
            // approximation: tiles-in-order. Weights are loaded while the rows of the tile before
            // stream, so their rows can come as they are made.
            const bool by_rows = flow_.defining(value).cls == OpClass::map;
            how = batched ? Relation::rows : by_rows ? Relation::tiles : Relation::whole;
        }
        double latency = traffic_.path_cycles[value];
        if (!traffic_.resident[value]) latency += chip_.vmem.load_latency_cycles;
        add_need(stage, {home, how, latency, index == 1});
    }

    // ---- passes

    void add_pass(int stage) {
        Job& job = jobs_[stage];
        const Stage& pass = stages_.stages[stage];
        job.pieces = pass_pieces(row_groups(pass.domain, chip_.vpu));
        if (pass.pops != none)
            add_need(stage, {stages_.stage_of[pass.pops], Relation::rows,
                             chip_.mxu.result_latency_cycles, false});
        for (int op : pass.ops) {
            for (ValueId value : flow_.region.ops[op].args) {
                const int home = stages_.home(value, flow_);
                if (!flow_.is_free(value) && home != stage)
                    add_need(stage, {home, relation(flow_.region.ops[op], value, flow_),
                                     traffic_.path_cycles[value], false});
            }
            if (const ValueId result = flow_.region.ops[op].result; result != none)
                job.drain = std::max(job.drain, traffic_.path_cycles[result]);
            else
                job.drain = std::max(job.drain, stored_path(stage, op));
        }
    }

    double stored_path(int stage, int op) const {
        const ValueId value = flow_.region.ops[op].args.front();
        if (!flow_.is_free(value) && stages_.home(value, flow_) == stage &&
            flow_.defining(value).cls != OpClass::dot)
            return traffic_.path_cycles[value];
        return chip_.vmem.load_latency_cycles;
    }

    // ---- order

    bool reduces_lanes(int stage) const {
        return std::any_of(
            stages_.stages[stage].ops.begin(), stages_.stages[stage].ops.end(),
            [&](int op) { return flow_.region.ops[op].cls == OpClass::reduce_lanes; });
    }

    /// approximation: column-order. A pass without a whole row in it takes register tiles in the
    /// order in which the dots before it finish them.
    bool any_order(int stage) const {
        if (stages_.stages[stage].dot) return traffic_.stages[stage].dot.n_groups > 1;
        bool follows = false;
        for (const Need& need : jobs_[stage].needs) {
            if (need.relation == Relation::whole) continue;
            if (!jobs_[need.job].any_order) return false;
            follows = true;
        }
        return follows && !reduces_lanes(stage);
    }

    std::int64_t tiles(int stage) const {
        return schedule::tile_count(stages_.stages[stage].domain, chip_.vpu.sublanes,
                                    chip_.vpu.lanes);
    }

    /// Positions in the program, none before that of a stage it needs.
    void order() {
        std::vector<int> waiting(jobs_.size(), 0);
        std::vector<std::vector<int>> users(jobs_.size());
        for (std::size_t stage = 0; stage < jobs_.size(); ++stage) {
            waiting[stage] = static_cast<int>(jobs_[stage].needs.size());
            jobs_[stage].position = stages_.stages[stage].ops.front();
            for (const Need& need : jobs_[stage].needs)
                users[need.job].push_back(static_cast<int>(stage));
        }
        std::vector<int> ready;
        for (std::size_t stage = 0; stage < jobs_.size(); ++stage)
            if (waiting[stage] == 0) ready.push_back(static_cast<int>(stage));
        for (std::size_t next = 0; next < ready.size(); ++next) {
            const int stage = ready[next];
            jobs_[stage].any_order = any_order(stage);
            if (jobs_[stage].any_order && !stages_.stages[stage].dot)
                jobs_[stage].pieces = pass_pieces(tiles(stage));
            for (int user : users[stage]) {
                jobs_[user].position = std::max(jobs_[user].position, jobs_[stage].position);
                if (--waiting[user] == 0) ready.push_back(user);
            }
        }
        // Dots keep the order of their rows for whoever needs rows; only passes change theirs.
        for (std::size_t stage = 0; stage < jobs_.size(); ++stage)
            if (stages_.stages[stage].dot) jobs_[stage].any_order = false;
    }

    const Dataflow& flow_;
    const Stages& stages_;
    const RegionTraffic& traffic_;
    const arch::ChipSpec& chip_;
    std::vector<Job> jobs_;
};

}  // namespace

std::vector<Job> make_jobs(const Dataflow& flow, const Stages& stages, const RegionTraffic& traffic,
                           const arch::ChipSpec& chip) {
    return Builder(flow, stages, traffic, chip).run();
}

UnitCycles busy_cycles(const RegionTraffic& traffic, const arch::ChipSpec& chip) {
    UnitCycles busy;
    for (const Traffic& stage : traffic.stages) {
        busy.mxu += stage.dot.cycles;
        busy.vpu += stage.valu / chip.vpu.valu_slots;
        busy.eup += stage.eup / chip.vpu.eup_per_cycle;
        busy.xlu += stage.xlu * chip.xlu.cycles_per_op / chip.xlu.count;
        busy.load += stage.loads / chip.vpu.load_slots;
        busy.store += stage.stores / chip.vpu.store_slots;
    }
    return busy;
}

}  // namespace slab::sim::timing
