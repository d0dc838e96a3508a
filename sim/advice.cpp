#include "sim/advice.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "support/size_text.hpp"

namespace slab::sim {

namespace {

using schedule::OpClass;

// What is worth a word. Below these shares of the time a change gains little; in a short kernel the
// launch is what counts.
constexpr std::int64_t some_steps = 16;
constexpr std::int64_t many_copies = 64;
constexpr double share_of_copies = 0.25;
constexpr double share_of_waits = 0.1;
constexpr double share_of_xlu = 0.3;
constexpr double share_of_region = 0.5;
constexpr double share_of_spills = 0.2;
constexpr double gain_of_depth = 1.15;

std::string us_text(double us) {
    return fmt::format("{:.3g} us", us);
}

std::string percent(double share) {
    return fmt::format("{:.0f} %", 100 * share);
}

/// The grids of a program, and the regions inside loops and grids, in program order.
struct Shape {
    std::vector<const schedule::Pipeline*> grids;
    std::vector<schedule::RegionId> repeated;

    void add(const schedule::Block& block, bool inside) {
        for (const schedule::Stmt& stmt : block) {
            if (const auto* grid = std::get_if<schedule::Pipeline>(&stmt.node))
                grids.push_back(grid);
            const auto* run = std::get_if<schedule::RunRegion>(&stmt.node);
            if (run && inside) repeated.push_back(run->region);
            const bool loops = std::holds_alternative<schedule::Pipeline>(stmt.node) ||
                               std::holds_alternative<schedule::Loop>(stmt.node) ||
                               std::holds_alternative<schedule::While>(stmt.node);
            schedule::for_each_block(stmt,
                                     [&](const schedule::Block& b) { add(b, inside || loops); });
        }
    }
};

class Adviser {
public:
    Adviser(const schedule::Program& program, const std::vector<timing::RegionTime>& regions,
            const arch::ChipSpec& chip, const result::Result& result, Diagnostics& diags)
        : program_(program),
          regions_(regions),
          chip_(chip),
          result_(result),
          core_(
              *std::max_element(result.cores.begin(), result.cores.end(),
                                [](const auto& a, const auto& b) { return a.cycles < b.cycles; })),
          diags_(diags) {
        shape_.add(program.body, false);
        work_us_ = us(core_.cycles - core_.launch_cycles - busy("scalar") - busy("dma") - waited());
        hbm_us_ = static_cast<double>(core_.hbm_bytes) / hbm_bytes_per_us();
    }

    void run() {
        const bool short_steps = advise_steps();
        advise_cross_lane();
        advise_copies();
        advise_spills();
        for (std::size_t i = 0; i < program_.operands.size(); ++i)
            advise_again(static_cast<schedule::OperandId>(i));
        if (short_steps) return;
        for (const schedule::Stream& stream : program_.streams) advise_depth(stream);
    }

private:
    bool advise_steps();
    void advise_cross_lane();
    void advise_copies();
    void advise_spills();
    void advise_again(schedule::OperandId operand);
    void advise_depth(const schedule::Stream& stream);

    double us(double cycles) const { return cycles / (result_.clock_ghz * 1e3); }
    double hbm_bytes_per_us() const {
        return chip_.hbm.bandwidth_gb_per_s * chip_.hbm.stream_efficiency * 1e3;
    }
    double busy(std::string_view unit) const {
        const result::UnitUse* use = result::find_unit(core_, unit);
        return use ? use->busy_cycles : 0;
    }
    double term(std::string_view name) const {
        const result::RooflineTerm* term = result::find_term(result_.roofline, name);
        return term ? term->time_us : 0;
    }
    /// Cycles the core stood still for copies and other cores.
    double waited() const;
    double fetch_share(const std::string& name) const {
        const result::Wait* wait = result::find_wait(core_, "fetch of " + name);
        return wait ? wait->fraction : 0;
    }
    std::int64_t live_steps() const { return core_.steps - core_.dead_steps; }
    const schedule::Operand& operand(schedule::OperandId id) const {
        return program_.operands[static_cast<std::size_t>(id)];
    }
    /// Where an operand is moved: the first stream or copy of it.
    Span moved_at(schedule::OperandId operand) const;

    const schedule::Program& program_;
    const std::vector<timing::RegionTime>& regions_;
    const arch::ChipSpec& chip_;
    const result::Result& result_;
    const result::CoreResult& core_;
    Diagnostics& diags_;
    Shape shape_;
    double work_us_ = 0;  ///< in regions
    double hbm_us_ = 0;   ///< that HBM needs for the bytes alone
};

double Adviser::waited() const {
    double sum = 0;
    for (const result::Wait& wait : core_.waits) {
        const bool inside = wait.cause == "chain" || wait.cause == "vmem ports" ||
                            wait.cause == "power" || wait.cause == "launch";
        sum += inside ? 0 : wait.cycles;
    }
    return sum;
}

Span Adviser::moved_at(schedule::OperandId operand) const {
    for (const schedule::Stream& stream : program_.streams)
        if (stream.operand == operand) return stream.place.span;
    for (const schedule::Copy& copy : program_.copies)
        if (copy.source.operand == operand || copy.target.operand == operand)
            return copy.place.span;
    return this->operand(operand).place.span;
}

bool Adviser::advise_steps() {
    const double overhead_us = term("latency") + term("dma");
    if (live_steps() < some_steps || shape_.grids.empty()) return false;
    if (overhead_us < work_us_ || overhead_us < hbm_us_) return false;
    const auto steps = static_cast<double>(live_steps());
    diags_
        .add<Diag::W02_short_step>(shape_.grids.front()->place.span, us_text(work_us_ / steps),
                                   us_text(overhead_us / steps))
        .because(fmt::format("control, the issue of copies and a share of their latency of {} come "
                             "with each of {} steps, whatever its size",
                             us_text(chip_.dma.latency_us), live_steps()))
        .fix("larger blocks: fewer steps, each with more work");
    return true;
}

std::string cross_lane_text(const schedule::Op& op) {
    if (op.cls == OpClass::reduce_lanes) return fmt::format("the lane reduction `{}`", op.name);
    if (op.name == "transpose") return "a transpose";
    if (op.cls == OpClass::map) return fmt::format("the lane broadcast in `{}`", op.name);
    return fmt::format("`{}`", op.name);
}

void Adviser::advise_cross_lane() {
    const result::UnitUse* xlu = result::find_unit(core_, "xlu");
    if (!xlu || xlu->busy_fraction < share_of_xlu) return;
    for (schedule::RegionId id : shape_.repeated) {
        const timing::RegionTime& time = regions_[static_cast<std::size_t>(id)];
        if (time.busy.xlu < share_of_region * time.cycles) continue;
        const auto& ops = program_.regions[static_cast<std::size_t>(id)].ops;
        const auto most =
            std::max_element(ops.begin(), ops.end(),
                             [](const auto& a, const auto& b) { return a.work.xlu < b.work.xlu; });
        if (most == ops.end() || most->work.xlu <= 0) continue;
        diags_
            .add<Diag::W03_cross_lane>(most->place.span, cross_lane_text(*most),
                                       percent(std::min(1.0, time.busy.xlu / time.cycles)))
            .because(fmt::format("a register takes {} cycles in one of {} cross-lane units, a "
                                 "vector ALU one",
                                 chip_.xlu.cycles_per_op, chip_.xlu.count))
            .fix(
                "combine registers element by element in the loop, and reduce across lanes once "
                "behind it");
    }
}

void Adviser::advise_copies() {
    for (std::size_t i = 0; i < program_.operands.size(); ++i) {
        result::Traffic sum;
        for (const result::CoreResult& core : result_.cores) {
            sum.copies += core.traffic[i].copies;
            sum.small_copies += core.traffic[i].small_copies;
            sum.empty_copies += core.traffic[i].empty_copies;
        }
        const std::string& name = program_.operands[i].name;
        const Span place = moved_at(static_cast<schedule::OperandId>(i));
        const double small = static_cast<double>(sum.small_copies);
        if (sum.small_copies >= many_copies &&
            small >= share_of_copies * static_cast<double>(sum.copies))
            diags_.add<Diag::W04_small>(place, sum.small_copies, sum.copies, name)
                .because(fmt::format(
                    "a copy costs its issue, and HBM {} for each run, however short it is",
                    result_.hbm_model.empty()
                        ? fmt::format("{:.0f} bytes", chip_.dma.run_overhead_bytes)
                        : "whole bursts and a row"))
                .fix("move several of them with one copy, or a larger block");
        if (sum.empty_copies >= many_copies)
            diags_.add<Diag::W04_empty>(place, sum.empty_copies, sum.copies, name)
                .because("a copy of nothing still costs its issue and its latency")
                .fix("start copies under a condition, or bound the loop by what is there");
    }
}

void Adviser::advise_spills() {
    const double store_rate = chip_.vpu.store_slots * chip_.vpu.slot_efficiency;
    for (std::size_t i = 0; i < regions_.size(); ++i) {
        const timing::RegionTime& time = regions_[i];
        if (time.spilled_registers <= 0 || store_rate <= 0) continue;
        if (time.spilled_registers / store_rate < share_of_spills * time.cycles) continue;
        const double register_bytes = 4.0 * chip_.vpu.lanes * chip_.vpu.sublanes;
        diags_
            .add<Diag::W06_spills>(program_.regions[i].place.span, chip_.vpu.registers,
                                   size_text(time.spilled_registers * register_bytes))
            .because("what finds no register is stored to VMEM and loaded again")
            .fix("smaller blocks, or less unrolling: fewer values live at once");
    }
}

void Adviser::advise_again(schedule::OperandId id) {
    const result::Traffic& traffic = core_.traffic[static_cast<std::size_t>(id)];
    const std::int64_t again = traffic.read_bytes - traffic.array_bytes;
    if (traffic.array_bytes == 0 || again < traffic.array_bytes) return;
    if (traffic.array_bytes > program_.vmem_limit_bytes - program_.vmem_bytes) return;
    double share = 0;
    for (const schedule::Stream& stream : program_.streams)
        if (stream.operand == id) share = std::max(share, fetch_share(stream.name));
    if (const auto* wait = result::find_wait(core_, "copy of " + traffic.operand))
        share = std::max(share, wait->fraction);
    if (share < share_of_waits) return;
    diags_
        .add<Diag::W07_again>(moved_at(id), traffic.operand,
                              fmt::format("{:.1f}", static_cast<double>(traffic.read_bytes) /
                                                        static_cast<double>(traffic.array_bytes)),
                              size_text(static_cast<double>(again)))
        .because(fmt::format(
            "all of it, {}, has room in VMEM: {} of {} are free, and the core "
            "waits for its fetches for {} of the time",
            size_text(static_cast<double>(traffic.array_bytes)),
            size_text(static_cast<double>(program_.vmem_limit_bytes - program_.vmem_bytes)),
            size_text(static_cast<double>(program_.vmem_limit_bytes)), percent(share)))
        .fix("a window that is the whole array is fetched once; take the part of it in the body");
}

void Adviser::advise_depth(const schedule::Stream& stream) {
    if (stream.depth != 2 || stream.ahead || stream.is_custom()) return;
    if (fetch_share(stream.name) < share_of_waits || live_steps() < some_steps) return;
    const result::Traffic& traffic = core_.traffic[static_cast<std::size_t>(stream.operand)];
    if (traffic.copies < live_steps() / 2) return;
    const auto steps = static_cast<double>(live_steps());
    // As a grid overlaps them: two fetches are under way, HBM moves what all streams need.
    const double transfer_us = static_cast<double>(traffic.read_bytes) /
                               static_cast<double>(traffic.copies) / hbm_bytes_per_us();
    const double fetch_us = chip_.dma.latency_us + transfer_us;
    const double step_us = work_us_ / steps + us(busy("scalar") + busy("dma")) / steps;
    const double all_us = hbm_us_ / steps;
    const double hidden_us = std::max(step_us, all_us);
    if (fetch_us <= step_us) return;
    if ((chip_.dma.latency_us + all_us + step_us) / 2 < gain_of_depth * hidden_us) return;
    diags_
        .add<Diag::W08_exposed>(stream.place.span, stream.name, us_text(fetch_us),
                                us_text(work_us_ / steps))
        .because(fmt::format("the next fetch starts one step ahead; the core waits for it for {} "
                             "of the time",
                             percent(fetch_share(stream.name))))
        .fix("`depth 3` behind the window: two steps ahead")
        .fix("a larger block, for more work in each step");
}

}  // namespace

void advise(const schedule::Program& program, const std::vector<timing::RegionTime>& regions,
            const arch::ChipSpec& chip, const result::Result& result, Diagnostics& diags) {
    if (!result.fault.empty() || result.cores.empty() || result.clock_ghz <= 0) return;
    Adviser(program, regions, chip, result, diags).run();
}

}  // namespace slab::sim
