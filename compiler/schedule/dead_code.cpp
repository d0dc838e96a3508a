#include "compiler/schedule/dead_code.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "compiler/schedule/overlap.hpp"

namespace slab::schedule {

namespace {

using Accesses = std::vector<const Op*>;

void erase(Region& region, const std::vector<bool>& gone) {
    std::size_t index = 0;
    std::erase_if(region.ops, [&](const Op&) { return gone[index++]; });
}

/// The newest of `stores` that shares elements with `load`, if it wrote exactly those.
const Op* source_of(const Op& load, const Accesses& stores, const Program& program) {
    for (auto store = stores.rbegin(); store != stores.rend(); ++store) {
        const Overlap shared = overlap(*(*store)->ref, *load.ref, program);
        if (shared != Overlap::apart) return shared == Overlap::same ? *store : nullptr;
    }
    return nullptr;
}

/// Gives the users of a load the value of the store it reads; those loads go.
void forward(Region& region, const Program& program) {
    std::vector<ValueId> value(region.values.size());
    std::iota(value.begin(), value.end(), 0);
    Accesses stores;
    const auto forwards = [&](Op& op) {
        for (ValueId& arg : op.args) arg = value[arg];
        if (op.cls == OpClass::load) {
            const Op* source = source_of(op, stores, program);
            if (source) value[op.result] = source->args.front();
            return source != nullptr;
        }
        if (op.cls == OpClass::store) {
            std::erase_if(stores, [&](const Op* store) {
                return overlap(*store->ref, *op.ref, program) == Overlap::same;
            });
            stores.push_back(&op);
        }
        return false;
    };
    std::vector<bool> gone;
    for (Op& op : region.ops) gone.push_back(forwards(op));
    erase(region, gone);
}

void drop_overwritten(Region& region, const Program& program) {
    std::vector<bool> gone(region.ops.size(), false);
    Accesses later;  // stores that nothing reads before they overwrite
    for (std::size_t index = region.ops.size(); index-- > 0;) {
        const Op& op = region.ops[index];
        if (op.cls == OpClass::load)
            std::erase_if(later, [&](const Op* store) {
                return overlap(*store->ref, *op.ref, program) != Overlap::apart;
            });
        if (op.cls != OpClass::store) continue;
        gone[index] = std::any_of(later.begin(), later.end(), [&](const Op* store) {
            return overlap(*store->ref, *op.ref, program) == Overlap::same;
        });
        if (!gone[index]) later.push_back(&op);
    }
    erase(region, gone);
}

}  // namespace

void drop_unused(Region& region) {
    std::vector<bool> used(region.values.size(), false);
    for (auto op = region.ops.rbegin(); op != region.ops.rend(); ++op)
        if (op->cls == OpClass::store || used[op->result])
            for (const ValueId arg : op->args) used[arg] = true;
    std::erase_if(region.ops,
                  [&](const Op& op) { return op.cls != OpClass::store && !used[op.result]; });
}

void forward_stores(Region& region, const Program& program) {
    forward(region, program);
    drop_overwritten(region, program);
    drop_unused(region);
}

}  // namespace slab::schedule
