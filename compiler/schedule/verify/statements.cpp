#include <algorithm>

#include "compiler/schedule/scalar.hpp"
#include "compiler/schedule/text/words.hpp"
#include "compiler/schedule/verify/checks.hpp"

namespace slab::schedule {

namespace {

/// Where in the program a statement stands.
struct Context {
    StreamId stream = none;  ///< in `fetch` or `flush` of this stream
    bool in_flush = false;
    std::vector<RingId> rings;  ///< in `fill` or `put` of these rings
};

class StatementCheck {
public:
    explicit StatementCheck(Findings& findings)
        : findings_(findings),
          program_(findings.program),
          grids_of_stream_(program_.streams.size()),
          counting_(program_.slots.size()),
          copies_(program_.copies.size()),
          waits_(program_.waits.size()),
          signals_(program_.signals.size()),
          barriers_(program_.barriers.size()),
          checks_(program_.checks.size()),
          prints_(program_.prints.size()) {}

    void run() {
        block(program_.body);
        for (std::size_t i = 0; i < program_.streams.size(); ++i)
            findings_.require(grids_of_stream_[i] == 1,
                              "stream `{}` belongs to {} grids, not to one",
                              program_.streams[i].name, grids_of_stream_[i]);
        all_used("copy", copies_);
        all_used("wait", waits_);
        all_used("signal", signals_);
        all_used("barrier", barriers_);
        all_used("check", checks_);
        all_used("print", prints_);
    }

private:
    void block(const Block& block) {
        for (const Stmt& stmt : block)
            std::visit([this](const auto& node) { statement(node); }, stmt.node);
    }
    void statement(const RunRegion& node) {
        not_in_transfers("a region");
        findings_.require(in_range(node.region, program_.regions), "region {} does not exist",
                          node.region);
    }
    void statement(const Scope& node) { block(node.body); }
    void statement(const While& node) {
        findings_.require_type(node.condition, ScalarType::pred, "the condition of a `while`");
        findings_.require_type(node.at_most, ScalarType::i32, "the bound of a `while`");
        block(node.body);
    }
    void statement(const SetElement& node) {
        verify_element(findings_, node.buffer, node.copy, node.index, "an assignment");
        if (!in_range(node.buffer, program_.buffers)) return;
        const Buffer& buffer = item(program_.buffers, node.buffer);
        findings_.require_type(node.value, scalar_type(buffer.type),
                               "the value of an element of " + buffer.name);
    }
    void statement(const UseRing& node) {
        if (!findings_.require(in_range(node.ring, program_.rings), "ring {} does not exist",
                               node.ring))
            return;
        not_in_transfers("a ring");
        const Ring& ring = item(program_.rings, node.ring);
        const std::string use = fmt::format("`{}` of ring `{}`", name_of(node.kind), ring.name);
        const bool fills = node.kind == UseRing::Kind::fill || node.kind == UseRing::Kind::put;
        if (node.kind == UseRing::Kind::drain) {
            findings_.require(node.body.empty(), "{} has a body", use);
            return;
        }
        findings_.require((fills ? ring.fill : ring.take) != none,
                          "{} has no variable for its slot", use);
        if (fills) place_.rings.push_back(node.ring);
        block(node.body);
        if (fills) place_.rings.pop_back();
    }

    void statement(const StartCopy& node) {
        if (!use("copy", node.copy, copies_)) return;
        const Copy& copy = item(program_.copies, node.copy);
        findings_.require(copy.ring == none || std::find(place_.rings.begin(), place_.rings.end(),
                                                         copy.ring) != place_.rings.end(),
                          "copy {} belongs to a ring that is not being filled there", node.copy);
        if (!findings_.require(copy.stream == none || copy.stream == place_.stream,
                               "copy {} belongs to a stream whose transfers it is not among",
                               node.copy) ||
            copy.stream == none)
            return;
        const Stream& stream = item(program_.streams, copy.stream);
        const MemoryRef& end = place_.in_flush ? copy.source : copy.target;
        findings_.require(end.buffer == stream.buffer, "copy {} moves nothing {} stream `{}`",
                          node.copy, place_.in_flush ? "out of" : "into", stream.name);
    }
    void statement(const Await& node) { use("wait", node.wait, waits_); }
    void statement(const SendSignal& node) { use("signal", node.signal, signals_); }
    void statement(const MeetPeers& node) { use("barrier", node.barrier, barriers_); }
    void statement(const MakeSure& node) { use("check", node.check, checks_); }
    void statement(const PrintValues& node) { use("print", node.print, prints_); }

    /// An entry of a table is one statement's: it stands in the text where that does.
    bool use(const char* what, std::int32_t id, std::vector<bool>& used) {
        if (!findings_.require(in_range(id, used), "{} {} does not exist", what, id)) return false;
        auto is_used = used[static_cast<std::size_t>(id)];
        const bool is_first = findings_.require(!is_used, "{} {} is used twice", what, id);
        is_used = true;
        return is_first;
    }
    void all_used(const char* what, const std::vector<bool>& used) {
        for (std::size_t i = 0; i < used.size(); ++i)
            findings_.require(used[i], "{} {} is used nowhere", what, i);
    }
    void not_in_transfers(const char* what) {
        if (place_.stream != none)
            findings_.add("the transfers of stream `{}` have {} among them",
                          item(program_.streams, place_.stream).name, what);
    }
    void statement(const Branch& node) {
        findings_.require_type(node.condition, ScalarType::pred, "the condition of a branch");
        block(node.then);
        block(node.otherwise);
    }
    void statement(const SetSlot& node) {
        if (!findings_.require(in_range(node.slot, program_.slots), "slot {} does not exist",
                               node.slot))
            return;
        const Slot& slot = item(program_.slots, node.slot);
        findings_.require(!counting_[static_cast<std::size_t>(node.slot)],
                          "`{}` is set inside the loop it counts", slot.name);
        findings_.require_type(node.value, slot.type, "the value of " + slot.name);
    }
    void statement(const Loop& node) {
        if (!begin_counting(node.slot)) return;
        const std::string& name = item(program_.slots, node.slot).name;
        findings_.require_type(node.lo, ScalarType::i32, "the start of loop " + name);
        findings_.require_type(node.hi, ScalarType::i32, "the end of loop " + name);
        if (node.step != none)
            findings_.require_type(node.step, ScalarType::i32, "the step of loop " + name);
        block(node.body);
        counting_[static_cast<std::size_t>(node.slot)] = false;
    }
    bool begin_counting(SlotId slot) {
        if (!findings_.require(in_range(slot, program_.slots), "slot {} does not exist", slot))
            return false;
        const std::string& name = item(program_.slots, slot).name;
        auto is_counting = counting_[static_cast<std::size_t>(slot)];
        const bool ok =
            findings_.require(item(program_.slots, slot).type == ScalarType::i32,
                              "`{}` counts a loop and is no i32", name) &&
            findings_.require(!is_counting, "`{}` counts a loop and one inside it", name);
        if (ok) is_counting = true;
        return ok;
    }

    void statement(const Pipeline& node) {
        not_in_transfers("a grid");
        const Changes changes = changes_of(program_, node);
        std::vector<SlotId> begun;
        for (const Axis& axis : node.axes) {
            bound(axis.lo, node, changes);
            bound(axis.hi, node, changes);
            if (!begin_counting(axis.slot)) break;
            begun.push_back(axis.slot);
        }
        const std::size_t most = 64;
        findings_.require(node.axes.size() <= most && node.streams.size() <= most,
                          "grid `{}` has {} axes and {} streams, the most are {}", node.name,
                          node.axes.size(), node.streams.size(), most);
        if (node.where != none &&
            findings_.require_type(node.where, ScalarType::pred, "`where` of grid " + node.name))
            verify_untouched(findings_, node.where, node, changes);
        for (StreamId id : node.streams) {
            if (!findings_.require(in_range(id, program_.streams), "stream {} does not exist", id))
                continue;
            ++grids_of_stream_[static_cast<std::size_t>(id)];
            const Stream& stream = item(program_.streams, id);
            verify_stream(findings_, stream, node, changes);
            transfers(id, stream.fetch, false);
            transfers(id, stream.flush, true);
        }
        block(node.body);
        for (SlotId slot : begun) counting_[static_cast<std::size_t>(slot)] = false;
    }
    void transfers(StreamId id, const Block& body, bool in_flush) {
        if (place_.stream != none) return;  // a grid among transfers was refused
        Context inside;
        inside.stream = id;
        inside.in_flush = in_flush;
        std::swap(place_, inside);
        block(body);
        std::swap(place_, inside);
    }
    void bound(ExprId expr, const Pipeline& grid, const Changes& changes) {
        if (findings_.require_type(expr, ScalarType::i32, "a bound of grid " + grid.name))
            verify_untouched(findings_, expr, grid, changes);
    }

    Findings& findings_;
    const Program& program_;
    std::vector<int> grids_of_stream_;
    std::vector<bool> counting_;
    Context place_;
    std::vector<bool> copies_;
    std::vector<bool> waits_;
    std::vector<bool> signals_;
    std::vector<bool> barriers_;
    std::vector<bool> checks_;
    std::vector<bool> prints_;
};

}  // namespace

void verify_statements(Findings& findings) {
    StatementCheck(findings).run();
}

}  // namespace slab::schedule
