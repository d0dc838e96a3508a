#include "sim/timing/traffic.hpp"

#include <algorithm>

#include "compiler/schedule/layout.hpp"
#include "sim/timing/crossings.hpp"

namespace slab::sim::timing {

using schedule::none;
using schedule::Op;
using schedule::OpClass;
using schedule::Program;
using schedule::ValueId;

namespace {

class Accountant {
public:
    Accountant(const Dataflow& flow, const Stages& stages, const Program& program,
               const arch::ChipSpec& chip)
        : flow_(flow), stages_(stages), program_(program), chip_(chip) {
        out_.stages.resize(stages.stages.size());
        out_.path_cycles.assign(flow.region.values.size(), 0);
    }

    RegionTraffic run() {
        const std::vector<Crossing> crossings = find_crossings(flow_, stages_);
        out_.resident = resident_values(crossings, flow_, chip_.vpu);
        for (std::size_t stage = 0; stage < stages_.stages.size(); ++stage)
            if (stages_.stages[stage].dot) charge_dot(static_cast<int>(stage));
        for (std::size_t stage = 0; stage < stages_.stages.size(); ++stage)
            if (!stages_.stages[stage].dot) charge_pass(static_cast<int>(stage));
        for (const Crossing& crossing : crossings) charge(crossing);
        for (const HeldRows& held : held_rows(crossings, flow_, stages_, out_, chip_)) spare(held);
        return std::move(out_);
    }

private:
    const Op& op_at(int op) const { return flow_.region.ops[op]; }
    Traffic& traffic(int stage) { return out_.stages[stage]; }
    double registers_of(ValueId value) const {
        return static_cast<double>(registers(flow_.region.values[value], chip_.vpu));
    }

    double accesses(const schedule::BlockType& block, schedule::BufferId buffer) const {
        const std::int64_t rows = program_.buffers[buffer].tile_rows;
        return static_cast<double>(schedule::access_count(block.type, block.shape, rows,
                                                          program_.lanes, program_.sublanes));
    }

    /// Accesses that bring a value of another stage, or one in memory, into registers.
    double accesses_of(ValueId value) const {
        const Op& made = flow_.defining(value);
        const schedule::BlockType& block = flow_.region.values[value];
        if (made.cls == OpClass::load) return accesses(block, made.ref->buffer);
        if (out_.resident[value]) return 0;
        const int store = storing_op(value, flow_, stages_);
        if (store != none) return accesses(block, op_at(store).ref->buffer);
        return registers_of(value);
    }

    // ---- values between stages

    void charge(const Crossing& crossing) {
        if (out_.resident[crossing.value]) return;
        if (crossing.store == none) traffic(crossing.home).stores += registers_of(crossing.value);
        for (int user : crossing.users)
            if (!stages_.stages[user].dot)
                traffic(user).loads +=
                    accesses_of(crossing.value) * part_used(crossing.value, user);
    }

    /// The part of a value that a pass loads: slices need their own elements alone.
    double part_used(ValueId value, int user) const {
        double part = 0;
        for (const int op : flow_.users[value])
            if (stages_.stage_of[op] == user)
                part +=
                    is_slice(op_at(op)) ? registers_of(op_at(op).result) / registers_of(value) : 1;
        return std::min(part, 1.0);
    }

    void spare(const HeldRows& held) {
        const ValueId value = held.crossing->value;
        traffic(held.user).loads -= held.share * accesses_of(value) * part_used(value, held.user);
        if (held.only_user && held.crossing->store == none)
            traffic(held.crossing->home).stores -= held.share * registers_of(value);
    }

    // ---- dots

    void charge_dot(int stage) {
        const Op& op = op_at(stages_.stages[stage].ops.back());
        Traffic& own = traffic(stage);
        own.dot = dot_time(dot_shape(op, flow_.region.values), chip_.mxu);
        // approximation: shared-lhs. A row register is loaded once for all units that want it.
        const double streams = static_cast<double>(own.dot.n_groups) * op.passes;
        own.loads += accesses_of(op.args[0]) * streams;
        own.loads += accesses_of(op.args[1]) * static_cast<double>(own.dot.row_blocks);
        const bool popped = stages_.popped_by[stages_.stages[stage].ops.back()] != none;
        out_.path_cycles[op.result] = popped ? 0 : own.dot.latency;
        charge_results(stage, op);
    }

    /// Partial results over k: where arrays cannot accumulate, each is popped, added to what is in
    /// VMEM and stored again; the last stays in registers for the pass that consumes it.
    /// approximation: pass-partials. The bf16 passes of an f32 dot count as k tiles here.
    void charge_results(int stage, const Op& op) {
        Traffic& own = traffic(stage);
        const int popping = stages_.popped_by[stages_.stages[stage].ops.back()];
        Traffic& last = popping == none ? own : traffic(popping);
        const double out = registers_of(op.result);
        const double together = static_cast<double>(own.dot.k_together);
        last.pops += together * out;
        last.valu += (together - 1) * out;
        if (chip_.mxu.accumulate_in_place || own.dot.k_tiles <= own.dot.k_together) return;
        const double all = static_cast<double>(own.dot.k_tiles);
        const std::int64_t rounds = (own.dot.k_tiles + own.dot.k_together - 1) / own.dot.k_together;
        const auto visits = static_cast<double>(rounds);
        own.pops += (all - together) * out;
        own.valu += (all - together - 1) * out;
        own.stores += (visits - 1) * out;
        own.loads += (visits - 2) * out;
        last.loads += out;
        last.valu += out;
    }

    // ---- passes

    void charge_pass(int index) {
        const Stage& stage = stages_.stages[index];
        Traffic& own = traffic(index);
        std::vector<int> seen;
        for (int op : stage.ops) {
            add_work(own, op_at(op));
            double path = 0;
            for (ValueId arg : op_at(op).args) path = std::max(path, arrive(index, arg, seen));
            finish_op(own, op, path);
        }
        spill(own, index);
    }

    static void add_work(Traffic& own, const Op& op) {
        own.valu += op.work.valu;
        own.eup += op.work.eup;
        own.xlu += op.work.xlu;
    }

    double latency_of(const Op& op) const {
        return (op.work.valu > 0 ? chip_.vpu.valu_latency_cycles : 0) +
               (op.work.eup > 0 ? chip_.vpu.eup_latency_cycles : 0) +
               (op.work.xlu > 0 ? chip_.xlu.latency_cycles : 0);
    }

    /// When an argument is in registers, counted from the start of a register tile; charges the
    /// first use of loads and constants.
    double arrive(int index, ValueId value, std::vector<int>& seen) {
        const int made = flow_.definition[value];
        if (!flow_.is_free(value)) {
            if (stages_.home(value, flow_) != index)
                return out_.resident[value] ? 0 : chip_.vmem.load_latency_cycles;
            return op_at(made).cls == OpClass::dot ? 0 : out_.path_cycles[value];
        }
        if (stages_.stage_of[made] == index) return out_.path_cycles[value];
        const bool load = op_at(made).cls == OpClass::load;
        if (std::find(seen.begin(), seen.end(), made) == seen.end()) {
            seen.push_back(made);
            // approximation: broadcast-once. A block smaller than the domain is loaded once.
            if (load)
                traffic(index).loads += accesses_of(value);
            else
                add_work(traffic(index), op_at(made));
        }
        return load ? chip_.vmem.load_latency_cycles : latency_of(op_at(made));
    }

    void finish_op(Traffic& own, int index, double path) {
        const Op& op = op_at(index);
        if (op.cls == OpClass::store)
            own.stores += accesses(flow_.region.values[op.args[0]], op.ref->buffer);
        if (op.result != none) out_.path_cycles[op.result] = path + latency_of(op);
    }

    // approximation: spill-per-tile. Every value beyond the file is spilled for every tile.
    void spill(Traffic& own, int index) {
        const Stage& stage = stages_.stages[index];
        const int excess = registers_needed(stage, flow_) - chip_.vpu.registers;
        if (excess <= 0) return;
        const double tiles = static_cast<double>(
            schedule::tile_count(stage.domain, chip_.vpu.sublanes, chip_.vpu.lanes));
        own.spilled_registers = excess * tiles;
        own.loads += own.spilled_registers;
        own.stores += own.spilled_registers;
    }

    const Dataflow& flow_;
    const Stages& stages_;
    const Program& program_;
    const arch::ChipSpec& chip_;
    RegionTraffic out_;
};

}  // namespace

Demand demand(const Traffic& traffic, const arch::ChipSpec& chip) {
    const arch::VpuSpec& vpu = chip.vpu;
    Demand result;
    result[Unit::mxu] = traffic.dot.cycles;
    result[Unit::vpu] = traffic.valu / vpu.valu_slots;
    result[Unit::eup] = traffic.eup / vpu.eup_per_cycle;
    result[Unit::xlu] = traffic.xlu * chip.xlu.cycles_per_op / chip.xlu.count;
    result[Unit::load] = traffic.loads / vpu.load_slots / vpu.slot_efficiency;
    result[Unit::store] = traffic.stores / vpu.store_slots / vpu.slot_efficiency;
    result[Unit::pop] = traffic.pops / vpu.result_pop_slots;
    return result;
}

RegionTraffic region_traffic(const Dataflow& flow, const Stages& stages, const Program& program,
                             const arch::ChipSpec& chip) {
    return Accountant(flow, stages, program, chip).run();
}

}  // namespace slab::sim::timing
