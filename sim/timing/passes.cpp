#include "sim/timing/passes.hpp"

#include <algorithm>
#include <utility>

namespace slab::sim::timing {

using schedule::none;
using schedule::Op;
using schedule::OpClass;
using schedule::ValueId;

namespace {

/// The stages before a stage, as a set of bits.
class Ancestors {
public:
    explicit Ancestors(std::size_t stages) : words_((stages + 63) / 64) {}
    void add(int stage) { words_[stage / 64] |= std::uint64_t{1} << (stage % 64); }
    void add(const Ancestors& others) {
        for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= others.words_[w];
    }
    bool has(int stage) const { return words_[stage / 64] >> (stage % 64) & 1; }
    bool includes(const Ancestors& others) const {
        for (std::size_t w = 0; w < words_.size(); ++w)
            if (others.words_[w] & ~words_[w]) return false;
        return true;
    }

private:
    std::vector<std::uint64_t> words_;
};

/// What an operation would like: the passes it could join, the dot it could pop, and the stages it
/// must come after.
struct Wish {
    std::vector<int> inline_stages;
    std::vector<int> after;
    std::vector<Follows> follows;
    int pop = none;
};

struct Growing {
    explicit Growing(Ancestors none_yet) : ancestors(std::move(none_yet)) {}
    Stage stage;
    Ancestors ancestors;
    int first_op = 0;
    int latest_input = none;  ///< the program's last op among the stages it waits for
    bool tapped = false;      ///< another stage uses what it has made, or memory does
    bool reduces = false;
    int merged_into = none;
};

class Fusion {
public:
    Fusion(const Dataflow& flow, const arch::VpuSpec& vpu) : flow_(flow), vpu_(vpu) {
        const std::size_t ops = flow.region->ops.size();
        result_.stage_of.assign(ops, none);
        result_.popped_by.assign(ops, none);
        late_.assign(flow.region->values.size(), false);
        load_users_.resize(ops);
    }

    Stages run() {
        const auto& ops = flow_.region->ops;
        for (int op = 0; op < static_cast<int>(ops.size()); ++op) {
            if (ops[op].cls == OpClass::load || ops[op].cls == OpClass::source) continue;
            if (ops[op].cls == OpClass::dot)
                add_dot(op);
            else
                place(op);
        }
        sink();
        return finish();
    }

private:
    const Op& op_at(int op) const { return flow_.region->ops[op]; }
    ValueId canonical(ValueId value) const { return flow_.canonical[value]; }
    std::int64_t last(const Shape& shape) const { return shape.empty() ? 1 : shape.back(); }
    bool narrow(const Shape& shape) const { return last(shape) <= vpu_.lanes; }

    int new_stage(int op, const Shape& shape) {
        Growing& fresh = growing_.emplace_back(Ancestors(flow_.region->ops.size()));
        fresh.stage.domain = shape;
        fresh.first_op = op;
        return static_cast<int>(growing_.size()) - 1;
    }

    // ---- inputs

    void need(Wish& wish, int stage) const {
        if (std::find(wish.after.begin(), wish.after.end(), stage) == wish.after.end())
            wish.after.push_back(stage);
    }

    /// The row of `domain` must be complete before `value`, a result of a lane reduction, is used
    /// in it; a row of one register is.
    bool fits(const Shape& shape, ValueId value, int stage) const {
        const Shape& pass = growing_[stage].stage.domain;
        if (growing_[stage].stage.dot || !same_rows(shape, pass)) return false;
        if (last(shape) != last(pass) && !narrow(shape)) return false;
        return !late_[value] || narrow(shape);
    }

    void wish_value(Wish& wish, int op, ValueId value) const {
        const int dot = flow_.definition[value];
        const Op& user = op_at(op);
        const Shape& shape = domain(user, flow_);
        const bool by_rows = relation(user, value, flow_) == Relation::rows;
        const int stage = result_.home(value, flow_);
        if (flow_.defining(value).cls == OpClass::dot && result_.popped_by[dot] == none) {
            if (by_rows && shape == flow_.shape(value) && user.cls != OpClass::dot)
                wish.pop = std::max(wish.pop, dot);
            need(wish, stage);
        } else if (by_rows && fits(shape, value, stage)) {
            if (std::find(wish.inline_stages.begin(), wish.inline_stages.end(), stage) ==
                wish.inline_stages.end())
                wish.inline_stages.push_back(stage);
        } else {
            need(wish, stage);
        }
    }

    /// What an access to memory must come after. Rows of the pass `self` follow each other anyway.
    void wish_memory(Wish& wish, int access, int self) const {
        auto order = std::lower_bound(flow_.orders.begin(), flow_.orders.end(), access,
                                      [](const Order& o, int after) { return o.after < after; });
        for (; order != flow_.orders.end() && order->after == access; ++order) {
            const bool load = op_at(order->before).cls == OpClass::load;
            const std::vector<int> stages =
                load ? load_users_[order->before] : std::vector{result_.stage_of[order->before]};
            for (int stage : stages) {
                if (stage == self && order->by_rows) continue;
                need(wish, stage);
                wish.follows.push_back({stage, order->by_rows ? Relation::rows : Relation::whole});
            }
        }
    }

    Wish wishes(int op) const {
        Wish wish;
        for (ValueId arg : op_at(op).args) {
            const ValueId value = canonical(arg);
            if (flow_.defining(value).cls == OpClass::source) continue;
            if (flow_.is_free(value))
                wish_memory(wish, flow_.definition[value], none);
            else
                wish_value(wish, op, value);
        }
        // Passes that are held by something first, then the youngest.
        std::sort(wish.inline_stages.begin(), wish.inline_stages.end(), [&](int a, int b) {
            return std::pair(free_to_wait(a), b) < std::pair(free_to_wait(b), a);
        });
        return wish;
    }

    // ---- joining

    Ancestors closure(const std::vector<int>& stages) const {
        Ancestors all(flow_.region->ops.size());
        for (int stage : stages) {
            all.add(stage);
            all.add(growing_[stage].ancestors);
        }
        return all;
    }

    /// Nothing waits for it and it holds nothing back: it may wait for whatever comes.
    bool free_to_wait(int stage) const {
        const Growing& pass = growing_[stage];
        return !pass.tapped && !pass.reduces && pass.stage.pops == none;
    }

    bool may_join(int stage, const std::vector<int>& after) const {
        const Growing& pass = growing_[stage];
        const Ancestors all = closure(after);
        if (all.has(stage)) return false;
        if (pass.ancestors.includes(all)) return true;
        if (pass.tapped) return false;
        if (free_to_wait(stage)) return true;
        return std::all_of(after.begin(), after.end(), [&](int input) {
            return pass.ancestors.has(input) || growing_[input].first_op < pass.latest_input;
        });
    }

    void add_input(int stage, int input) {
        growing_[stage].ancestors.add(input);
        growing_[stage].ancestors.add(growing_[input].ancestors);
        growing_[stage].latest_input =
            std::max(growing_[stage].latest_input, growing_[input].first_op);
        growing_[input].tapped = true;
    }

    void merge(int from, int into) {
        Growing& gone = growing_[from];
        for (int op : gone.stage.ops) {
            result_.stage_of[op] = into;
            growing_[into].stage.ops.push_back(op);
        }
        if (last(gone.stage.domain) > last(growing_[into].stage.domain))
            growing_[into].stage.domain = gone.stage.domain;
        growing_[into].ancestors.add(gone.ancestors);
        growing_[into].latest_input = std::max(growing_[into].latest_input, gone.latest_input);
        for (auto& users : load_users_) std::replace(users.begin(), users.end(), from, into);
        for (const Follows& follows : gone.stage.follows)
            growing_[into].stage.follows.push_back(follows);
        gone.merged_into = into;
    }

    /// Splits the other inline passes into those that can merge with the chosen one and those the
    /// operation must then wait for.
    int choose(const Wish& wish, std::vector<int>& merged, std::vector<int>& after) const {
        for (int chosen : wish.inline_stages) {
            merged.clear();
            after = wish.after;
            std::vector<int> needed = wish.after;
            for (int other : wish.inline_stages) {
                if (other == chosen) continue;
                if (free_to_wait(other) && !growing_[chosen].ancestors.has(other))
                    merged.push_back(other);
                else
                    after.push_back(other);
            }
            needed = after;
            for (int other : merged)
                for (int stage = 0; stage < static_cast<int>(growing_.size()); ++stage)
                    if (growing_[other].ancestors.has(stage)) needed.push_back(stage);
            if (may_join(chosen, needed)) return chosen;
        }
        merged.clear();
        after = wish.after;
        after.insert(after.end(), wish.inline_stages.begin(), wish.inline_stages.end());
        return none;
    }

    void place(int op) {
        const Op& placed = op_at(op);
        Wish wish = wishes(op);
        std::vector<int> merged;
        std::vector<int> after;
        if (placed.cls == OpClass::store) {
            const int self = wish.inline_stages.empty() ? none : wish.inline_stages.front();
            wish_memory(wish, op, self);
        }
        int stage = choose(wish, merged, after);
        if (stage == none) stage = new_stage(op, domain(placed, flow_));
        for (int other : merged) merge(other, stage);
        for (int input : after)
            if (input != stage) add_input(stage, input);
        follow(stage, wish);
        enter(op, stage, wish.pop);
    }

    void follow(int stage, const Wish& wish) {
        for (const Follows& follows : wish.follows)
            if (follows.stage != stage) growing_[stage].stage.follows.push_back(follows);
    }

    void enter(int op, int stage, int dot) {
        Growing& pass = growing_[stage];
        const Op& entered = op_at(op);
        pass.stage.ops.push_back(op);
        result_.stage_of[op] = stage;
        if (last(domain(entered, flow_)) > last(pass.stage.domain))
            pass.stage.domain = domain(entered, flow_);
        // approximation: one-pop. A pass takes one result from the matrix units, others go through
        // memory.
        if (dot != none && pass.stage.pops == none) {
            pass.stage.pops = dot;
            result_.popped_by[dot] = stage;
        }
        if (entered.cls == OpClass::store) pass.tapped = true;
        pass.reduces |= entered.cls == OpClass::reduce_lanes ||
                        entered.cls == OpClass::reduce_sublanes ||
                        entered.cls == OpClass::reduce_outer;
        if (entered.result != none) late_[entered.result] = is_late(entered, stage);
        note_loads(op, stage);
    }

    bool is_late(const Op& op, int stage) const {
        if (op.cls == OpClass::reduce_lanes) return true;
        return std::any_of(op.args.begin(), op.args.end(), [&](ValueId arg) {
            const ValueId value = canonical(arg);
            return late_[value] && result_.home(value, flow_) == stage;
        });
    }

    void note_loads(int op, int stage) {
        for (ValueId arg : op_at(op).args) {
            const ValueId value = canonical(arg);
            if (flow_.defining(value).cls != OpClass::load) continue;
            std::vector<int>& users = load_users_[flow_.definition[value]];
            if (std::find(users.begin(), users.end(), stage) == users.end()) users.push_back(stage);
        }
    }

    void add_dot(int op) {
        const Op& dot = op_at(op);
        // A constant operand is made and stored by a pass of its own.
        for (ValueId arg : dot.args) {
            const int made = flow_.definition[canonical(arg)];
            if (op_at(made).cls == OpClass::source && result_.stage_of[made] == none)
                enter(made, new_stage(made, domain(op_at(made), flow_)), none);
        }
        Wish wish = wishes(op);
        for (ValueId arg : dot.args)
            if (int home = result_.home(canonical(arg), flow_); home != none) need(wish, home);
        for (int stage : wish.inline_stages) need(wish, stage);
        const int stage = new_stage(op, flow_.shape(dot.result));
        growing_[stage].stage.dot = true;
        for (int input : wish.after) add_input(stage, input);
        follow(stage, wish);
        growing_[stage].stage.ops.push_back(op);
        result_.stage_of[op] = stage;
        note_loads(op, stage);
    }

    // ---- sinking

    /// The only stage that uses a value, if it is another one than `home`.
    int only_user(ValueId value, int home) const {
        int only = none;
        for (int user : flow_.users[value]) {
            const int stage = result_.stage_of[user];
            if (stage == home || (only != none && stage != only)) return none;
            only = stage;
        }
        return only;
    }

    bool crosses_without(ValueId value, int op) const {
        const int home = result_.home(value, flow_);
        return std::any_of(flow_.users[value].begin(), flow_.users[value].end(), [&](int user) {
            return user != op &&
                   (result_.stage_of[user] != home || op_at(user).cls == OpClass::store);
        });
    }

    bool overwritten(int load) const {
        return std::any_of(flow_.orders.begin(), flow_.orders.end(),
                           [&](const Order& order) { return order.before == load; });
    }

    bool pops_for(const Op& op) const {
        return std::any_of(op.args.begin(), op.args.end(), [&](ValueId arg) {
            return flow_.defining(canonical(arg)).cls == OpClass::dot;
        });
    }

    bool can_sink(int op, int stage) const {
        const Op& sunk = op_at(op);
        const Growing& to = growing_[stage];
        const Shape& shape = domain(sunk, flow_);
        if (to.stage.dot || !same_rows(shape, to.stage.domain)) return false;
        if (pops_for(sunk)) return false;
        if (last(shape) != last(to.stage.domain) && !narrow(shape)) return false;
        for (int user : flow_.users[sunk.result])
            if (relation(op_at(user), sunk.result, flow_) == Relation::whole) return false;
        int new_crossings = 0;
        for (ValueId arg : sunk.args) {
            const ValueId value = canonical(arg);
            if (flow_.defining(value).cls == OpClass::source) continue;
            if (flow_.defining(value).cls == OpClass::load) {
                const int load = flow_.definition[value];
                const bool own =
                    std::all_of(flow_.orders.begin(), flow_.orders.end(), [&](const Order& order) {
                        return order.before != load || result_.stage_of[order.after] == stage;
                    });
                if (overwritten(load) && !own) return false;
            } else if (!crosses_without(value, op)) {
                if (registers(flow_.region->values[value], vpu_) >
                    registers(flow_.region->values[sunk.result], vpu_))
                    return false;
                ++new_crossings;
            }
        }
        return new_crossings <= 1;
    }

    /// Moves an operation into the only stage that uses it when its inputs are at hand there: its
    /// result need not be kept then.
    void sink() {
        for (int op = static_cast<int>(flow_.region->ops.size()) - 1; op >= 0; --op) {
            const int from = result_.stage_of[op];
            if (from == none || op_at(op).cls != OpClass::map) continue;
            const int to = only_user(op_at(op).result, from);
            if (to == none || !can_sink(op, to)) continue;
            std::erase(growing_[from].stage.ops, op);
            growing_[to].stage.ops.push_back(op);
            result_.stage_of[op] = to;
        }
    }

    // ---- the result

    std::vector<int> dots_before(const Ancestors& ancestors) const {
        std::vector<int> dots;
        for (int stage = 0; stage < static_cast<int>(growing_.size()); ++stage)
            if (ancestors.has(stage) && growing_[stage].stage.dot) dots.push_back(stage);
        return dots;
    }

    Stages finish() {
        std::vector<int> renamed(growing_.size(), none);
        for (std::size_t stage = 0; stage < growing_.size(); ++stage) {
            Growing& grown = growing_[stage];
            if (grown.merged_into != none || grown.stage.ops.empty()) continue;
            std::sort(grown.stage.ops.begin(), grown.stage.ops.end());
            grown.stage.dots_before = dots_before(grown.ancestors);
            renamed[stage] = static_cast<int>(result_.stages.size());
            result_.stages.push_back(std::move(grown.stage));
        }
        for (std::size_t stage = 0; stage < growing_.size(); ++stage)
            if (const int into = growing_[stage].merged_into; into != none)
                renamed[stage] = renamed[into];
        for (Stage& stage : result_.stages) {
            for (int& dot : stage.dots_before) dot = renamed[dot];
            for (Follows& follows : stage.follows) follows.stage = renamed[follows.stage];
            std::erase_if(stage.follows, [](const Follows& f) { return f.stage == none; });
        }
        for (int& stage : result_.stage_of)
            if (stage != none) stage = renamed[stage];
        for (int& stage : result_.popped_by)
            if (stage != none) stage = renamed[stage];
        return std::move(result_);
    }

    const Dataflow& flow_;
    const arch::VpuSpec& vpu_;
    Stages result_;
    std::vector<Growing> growing_;
    std::vector<bool> late_;                    ///< per value: known at the end of its row
    std::vector<std::vector<int>> load_users_;  ///< per load op: stages
};

}  // namespace

int Stages::home(ValueId value, const Dataflow& flow) const {
    const int made = flow.definition[value];
    return popped_by[made] != none ? popped_by[made] : stage_of[made];
}

Stages fuse(const Dataflow& flow, const arch::VpuSpec& vpu) {
    return Fusion(flow, vpu).run();
}

}  // namespace slab::sim::timing
