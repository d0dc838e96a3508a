#include <algorithm>
#include <map>
#include <set>

#include "compiler/passes/passes.hpp"
#include "compiler/scalars.hpp"

namespace slab::compiler {
namespace {

using schedule::BufferId;
using schedule::Direction;
using schedule::none;
using schedule::Op;
using schedule::OpClass;
using schedule::Stream;
using schedule::StreamId;
using Int = std::int64_t;

/// Where the elements past the end of an array begin in a dimension of a value: two values are cut
/// at the same place when start and limit agree.
struct Cut {
    StreamId stream = none;
    std::size_t dim = 0;
    schedule::ExprId start = none;
    Int limit = 0;
    Int size = 0;

    bool same_place(const Cut& other) const {
        return start == other.start && limit == other.limit && size == other.size;
    }
};
using Cuts = std::vector<std::optional<Cut>>;  ///< per dimension

class Overhang {
public:
    Overhang(Unit& unit, Diagnostics& diags) : unit_(unit), diags_(diags) {}

    void run() {
        find(unit_.program.body);
        if (windows_.empty()) return;
        // twice, so that what an accumulator holds from the step before is seen
        for (int round = 0; round < 2; ++round) walk(unit_.program.body);
    }

private:
    /// Windows that can reach past the end of their operand.
    void find(const schedule::Block& block) {
        for (const schedule::Stmt& stmt : block) {
            if (const auto* pipeline = std::get_if<schedule::Pipeline>(&stmt.node))
                for (const StreamId id : pipeline->streams) find(*pipeline, id);
            schedule::for_each_block(stmt, [&](const auto& body) { find(body); });
        }
    }

    void find(const schedule::Pipeline& pipeline, StreamId id) {
        const Stream& stream = unit_.program.streams[id];
        if (stream.is_custom()) return;
        const schedule::Operand& operand = unit_.program.operands[stream.operand];
        Cuts cuts;
        bool any = false;
        for (std::size_t d = 0; d < stream.dims.size(); ++d) {
            const schedule::RefDim& dim = stream.dims[d];
            if (dim.dropped) continue;
            const Range start = range_of(unit_, dim.start);
            const bool past =
                start.known && start.hi + (dim.size - 1) * dim.step >= operand.shape[d];
            cuts.push_back(past ? std::optional(Cut{id, d, dim.start, operand.shape[d], dim.size})
                                : std::nullopt);
            any = any || past;
        }
        pipeline_of_[id] = &pipeline;
        if (!any) return;
        windows_[stream.buffer] = cuts;
        if (stream.direction != Direction::out && !stream.pad) buffers_[stream.buffer] = cuts;
    }

    void walk(const schedule::Block& block) {
        for (const schedule::Stmt& stmt : block) {
            if (const auto* run = std::get_if<schedule::RunRegion>(&stmt.node))
                walk(unit_.program.regions[run->region]);
            schedule::for_each_block(stmt, [&](const auto& body) { walk(body); });
        }
    }

    void walk(const schedule::Region& region) {
        std::vector<Cuts> values(region.values.size());
        for (const Op& op : region.ops) {
            if (op.cls == OpClass::store) {
                store(op, values[op.args[0]]);
                continue;
            }
            Cuts& result = values[op.result];
            result.resize(region.values[op.result].shape.size());
            switch (op.cls) {
                case OpClass::load:
                    load(op, result);
                    break;
                case OpClass::map:
                    join(op, values, region, result);
                    break;
                case OpClass::reduce_lanes:
                    reduce(op, values[op.args[0]], 1, result, true);
                    break;
                case OpClass::reduce_sublanes:
                    reduce(op, values[op.args[0]], 2, result, true);
                    break;
                case OpClass::reduce_outer: {
                    const Cuts& from = values[op.args[0]];
                    const auto axis = static_cast<std::size_t>(op.integers[0]);
                    reduce(op, from, from.size() - axis, result, false);
                    break;
                }
                case OpClass::dot:
                    contract(op, values, result);
                    break;
                case OpClass::move:
                    move(op, values, result);
                    break;
                default:
                    break;
            }
        }
    }

    void load(const Op& op, Cuts& result) {
        const auto held = buffers_.find(op.ref->buffer);
        if (held == buffers_.end()) return;
        std::size_t at = 0;
        for (std::size_t d = 0; d < op.ref->dims.size(); ++d) {
            if (op.ref->dims[d].dropped) continue;
            const auto& cut = held->second[d];
            if (cut && op.ref->dims[d].size == unit_.program.buffers[op.ref->buffer].shape[d])
                result[at] = cut;
            ++at;
        }
    }

    void join(const Op& op, const std::vector<Cuts>& values, const schedule::Region& region,
              Cuts& result) {
        // a mask chooses what counts: whether it is the right one, a run with values will tell
        if (op.name == "select" &&
            std::none_of(values[op.args[0]].begin(), values[op.args[0]].end(),
                         [](const auto& cut) { return cut.has_value(); }))
            return;
        for (const schedule::ValueId arg : op.args) {
            const Cuts& from = values[arg];
            for (std::size_t i = 0; i < from.size() && i < result.size(); ++i)
                if (from[from.size() - 1 - i] && region.values[arg].shape[from.size() - 1 - i] > 1)
                    result[result.size() - 1 - i] = from[from.size() - 1 - i];
        }
    }

    void reduce(const Op& op, const Cuts& from, std::size_t from_end, Cuts& result, bool keeps) {
        const std::size_t axis = from.size() - from_end;
        if (from[axis]) report(*from[axis], op);
        std::size_t at = 0;
        for (std::size_t d = 0; d < from.size(); ++d) {
            if (d == axis && !keeps) continue;
            if (d != axis) result[at] = from[d];
            ++at;
        }
    }

    void contract(const Op& op, const std::vector<Cuts>& values, Cuts& result) {
        const Cuts& x = values[op.args[0]];
        const Cuts& y = values[op.args[1]];
        const std::size_t rank = x.size();
        const std::size_t k = op.transposed ? rank - 1 : rank - 2,
                          n = op.transposed ? rank - 2 : rank - 1;
        if (x[rank - 1]) report(*x[rank - 1], op);
        if (y[k]) report(*y[k], op);
        for (std::size_t d = 0; d + 2 < rank; ++d) result[d] = x[d] ? x[d] : y[d];
        result[rank - 2] = x[rank - 2];
        result[rank - 1] = y[n];
    }

    void move(const Op& op, const std::vector<Cuts>& values, Cuts& result) {
        const Cuts& from = values[op.args[0]];
        if (op.name == "transpose")
            for (std::size_t d = 0; d < result.size(); ++d) result[d] = from[op.integers[d]];
        else if (from.size() == result.size() && op.args.size() == 1)
            result = from;
    }

    void store(const Op& op, const Cuts& value) {
        const BufferId buffer = op.ref->buffer;
        const schedule::Buffer& target = unit_.program.buffers[buffer];
        std::size_t at = 0;
        Cuts& held = buffers_[buffer];
        held.resize(target.shape.size());
        const auto window = windows_.find(buffer);
        for (std::size_t d = 0; d < op.ref->dims.size(); ++d) {
            if (op.ref->dims[d].dropped) continue;
            const auto& cut = at < value.size() ? value[at] : std::optional<Cut>();
            ++at;
            if (!cut) continue;
            if (target.role != schedule::BufferRole::window)
                held[d] = cut;
            else if (window == windows_.end() || !window->second[d] ||
                     !window->second[d]->same_place(*cut))
                report(*cut, op);
        }
    }

    void report(const Cut& cut, const Op& op) {
        if (!reported_.insert(cut.stream).second) return;
        const Stream& stream = unit_.program.streams[cut.stream];
        const schedule::Operand& operand = unit_.program.operands[stream.operand];
        const Range start = range_of(unit_, cut.start);
        const std::size_t from_end = stream.dims.size() - cut.dim;
        const char* what = from_end == 1 ? "columns" : from_end == 2 ? "rows" : "elements";
        const Int past = start.hi + cut.size - cut.limit;
        auto& message = diags_.add<Diag::E0402>(stream.place.span, stream.name, operand.name);
        message.label(fmt::format("{} has {} {}: the last block has {} {} past the end",
                                  operand.name, cut.limit, what, past, what));
        std::vector<bool> slots(unit_.program.slots.size(), false);
        collect_slots(unit_.program, cut.start, slots);
        for (const schedule::Axis& axis : pipeline_of_[cut.stream]->axes) {
            const Range& range = unit_.ranges[axis.slot];
            if (!slots[axis.slot] || !range.exact) continue;
            message.note(axis.place.span,
                         fmt::format("{} steps cover {} {}", range.hi - range.lo + 1,
                                     start.hi + cut.size, what));
        }
        const std::string by =
            op.cls == OpClass::store
                ? fmt::format("into `{}`", unit_.program.buffers[op.ref->buffer].name)
                : fmt::format("through `{}` into its result", op.name);
        message.because(fmt::format("they flow {}", by));
        const std::string neutral =
            op.name == "rowmax" || op.name == "colmax" || op.name == "fold_max" ||
                    op.name == "argmax"
                ? "-inf"
            : op.name == "rowmin" || op.name == "colmin" || op.name == "fold_min" ? "inf"
            : op.name == "fold_mul"                                               ? "1"
                                                                                  : "0";
        message.replace({stream.place.span.end, stream.place.span.end}, " pad " + neutral);
    }

    Unit& unit_;
    Diagnostics& diags_;
    std::map<BufferId, Cuts> windows_;  ///< overhanging windows, padded and output ones included
    std::map<BufferId, Cuts> buffers_;  ///< buffers that hold undefined elements
    std::map<StreamId, const schedule::Pipeline*> pipeline_of_;
    std::set<StreamId> reported_;
};

}  // namespace

void check_overhang(Unit& unit, Diagnostics& diags) {
    Overhang(unit, diags).run();
}

}  // namespace slab::compiler
