#include "sim/timing/dataflow.hpp"

#include <algorithm>

#include "compiler/schedule/dead_code.hpp"
#include "compiler/schedule/layout.hpp"
#include "compiler/schedule/overlap.hpp"
#include "sim/timing/cuts.hpp"
#include "support/check.hpp"

namespace slab::sim::timing {

using schedule::Op;
using schedule::OpClass;
using schedule::Overlap;
using schedule::Program;
using schedule::Region;
using schedule::ValueId;

namespace {

// Blocks whose outermost dimension has at least this many entries are followed entry by entry.
constexpr std::int64_t outer_rows = 8;

/// Adds the orders that the access `op` to memory takes part in, against those before it.
class MemoryOrder {
public:
    MemoryOrder(Dataflow& flow, const Program& program) : flow_(flow), program_(program) {}

    void load(int op) {
        for (int store : stores_)
            if (compare(store, op) != Overlap::apart) flow_.orders.push_back({store, op, false});
        loads_.push_back(op);
    }

    void store(int op) {
        for (int load : loads_) add(load, op);
        for (int store : stores_) add(store, op);
        std::erase_if(loads_, [&](int load) { return compare(load, op) == Overlap::same; });
        std::erase_if(stores_, [&](int store) { return compare(store, op) == Overlap::same; });
        stores_.push_back(op);
    }

private:
    Overlap compare(int a, int b) const {
        return overlap(*flow_.region.ops[a].ref, *flow_.region.ops[b].ref, program_);
    }

    void add(int before, int after) {
        const Overlap shared = compare(before, after);
        if (shared != Overlap::apart)
            flow_.orders.push_back({before, after, shared == Overlap::same});
    }

    Dataflow& flow_;
    const Program& program_;
    std::vector<int> loads_;
    std::vector<int> stores_;
};

bool is_transpose(const Op& op) {
    return op.cls == OpClass::move && op.name.find("transpose") != std::string::npos;
}

}  // namespace

bool Dataflow::is_free(ValueId value) const {
    const OpClass cls = defining(value).cls;
    return cls == OpClass::load || cls == OpClass::source;
}

Dataflow dataflow(const Region& region, const Program& program, const arch::MxuSpec& mxu) {
    Dataflow flow;
    flow.region = region;
    schedule::forward_stores(flow.region, program);
    cut_values(flow.region, program, mxu);
    flow.definition.assign(flow.region.values.size(), schedule::none);
    flow.users.resize(flow.region.values.size());

    MemoryOrder memory(flow, program);
    for (int index = 0; index < static_cast<int>(flow.region.ops.size()); ++index) {
        const Op& op = flow.region.ops[index];
        if (op.result != schedule::none) flow.definition[op.result] = index;
        for (ValueId arg : op.args) {
            SLAB_CHECK(flow.definition[arg] != schedule::none, "a value is used before it is made");
            std::vector<int>& users = flow.users[arg];
            if (users.empty() || users.back() != index) users.push_back(index);
        }
        if (op.cls == OpClass::load) memory.load(index);
        if (op.cls == OpClass::store) memory.store(index);
    }
    return flow;
}

bool is_reduction(const Op& op) {
    return op.cls == OpClass::reduce_lanes || op.cls == OpClass::reduce_sublanes ||
           op.cls == OpClass::reduce_outer;
}

bool is_slice(const Op& op) {
    return op.cls == OpClass::move && op.name == "slice";
}

const Shape& domain(const Op& op, const Dataflow& flow) {
    const bool of_argument = op.cls == OpClass::store || is_reduction(op);
    return flow.shape(of_argument ? op.args.front() : op.result);
}

bool same_rows(const Shape& a, const Shape& b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end() - (a.empty() ? 0 : 1), b.begin());
}

bool is_narrow(const Shape& shape, const arch::VpuSpec& vpu) {
    return shape.empty() || shape.back() <= vpu.lanes;
}

// approximation: outer-rows. Shapes that only share a large first dimension are followed along it.
Relation relation(const Op& op, ValueId arg, const Dataflow& flow) {
    const OpClass producer = flow.defining(arg).cls;
    if (is_transpose(op) || producer == OpClass::reduce_outer) return Relation::whole;
    const Shape& from = flow.shape(arg);
    const Shape& to = domain(op, flow);
    if (producer != OpClass::reduce_sublanes && same_rows(from, to)) return Relation::rows;
    const bool outer = from.size() > 2 && to.size() > 2 && from[0] == to[0] && to[0] >= outer_rows;
    return outer ? Relation::rows : Relation::whole;
}

std::int64_t registers(const schedule::BlockType& type, const arch::VpuSpec& vpu) {
    return schedule::tile_count(type.shape, vpu.sublanes * 32 / bits(type.type), vpu.lanes);
}

std::int64_t row_groups(const Shape& shape, const arch::VpuSpec& vpu) {
    Shape column = shape;
    if (!column.empty()) column.back() = 1;
    return schedule::tile_count(column, vpu.sublanes, vpu.lanes);
}

}  // namespace slab::sim::timing
