#include "sim/timing/passes.hpp"

#include <algorithm>
#include <utility>

#include "sim/timing/ancestors.hpp"

namespace slab::sim::timing {

using schedule::none;
using schedule::Op;
using schedule::OpClass;
using schedule::ValueId;

namespace {

void add_once(std::vector<int>& stages, int stage) {
    if (std::find(stages.begin(), stages.end(), stage) == stages.end()) stages.push_back(stage);
}

/// What an operation would like: the passes it could join, the dot it could pop, and the stages it
/// must come after for the sake of a value or of memory.
struct Wish {
    std::vector<int> passes;
    std::vector<int> after;
    std::vector<Follows> follows;
    int pop = none;
};

/// The pass an operation joins, the passes that become one with it, and what it waits for.
struct Choice {
    int stage = none;
    std::vector<int> merged;
    std::vector<int> after;
};

struct Growing {
    explicit Growing(std::size_t stages) : ancestors(stages) {}
    Stage stage;
    Ancestors ancestors;
    int first_op = 0;
    int latest_input = none;  ///< the program's last first op among the stages it waits for
    bool tapped = false;      ///< another stage uses what it has made, or memory does
    bool reduces = false;
    int merged_into = none;

    /// Nothing waits for it and it holds nothing back: it may wait for whatever comes.
    bool is_patient() const { return !tapped && !reduces && stage.pops == none; }
};

/// Moves operations into the only stage that uses them when their inputs are at hand there: the
/// result need not be kept then. May leave stages without operations.
class Sinking {
public:
    Sinking(Stages& stages, const Dataflow& flow, const arch::VpuSpec& vpu)
        : stages_(stages), flow_(flow), vpu_(vpu) {}

    void run() {
        for (int op = static_cast<int>(flow_.region.ops.size()) - 1; op >= 0; --op) {
            const int from = stages_.stage_of[op];
            if (from == none || op_at(op).cls != OpClass::map) continue;
            const int to = only_user(op_at(op).result, from);
            if (to != none && can_sink(op, to)) move(op, from, to);
        }
    }

private:
    const Op& op_at(int op) const { return flow_.region.ops[op]; }

    /// The only stage that uses a value, if it is another one than `home`.
    int only_user(ValueId value, int home) const {
        int only = none;
        for (int user : flow_.users[value]) {
            const int stage = stages_.stage_of[user];
            if (stage == home || (only != none && stage != only)) return none;
            only = stage;
        }
        return only;
    }

    bool fits(const Op& op, const Stage& stage) const {
        const Shape& shape = domain(op, flow_);
        if (stage.dot || !same_rows(shape, stage.domain)) return false;
        if (shape != stage.domain && !is_narrow(shape, vpu_)) return false;
        return std::none_of(
            flow_.users[op.result].begin(), flow_.users[op.result].end(),
            [&](int user) { return relation(op_at(user), op.result, flow_) == Relation::whole; });
    }

    /// It passes between stages, or through memory, whatever becomes of `op`.
    bool crosses_without(ValueId value, int op) const {
        const int home = stages_.home(value, flow_);
        return std::any_of(flow_.users[value].begin(), flow_.users[value].end(), [&](int user) {
            return user != op &&
                   (stages_.stage_of[user] != home || op_at(user).cls == OpClass::store);
        });
    }

    /// Nobody but `stage` itself overwrites what the load reads.
    bool can_load_in(int load, int stage) const {
        return std::all_of(flow_.orders.begin(), flow_.orders.end(), [&](const Order& order) {
            return order.before != load || stages_.stage_of[order.after] == stage;
        });
    }

    /// At most one more value would have to cross, not larger than the one that need not any more.
    bool can_sink(int op, int stage) const {
        const Op& sunk = op_at(op);
        if (!fits(sunk, stages_.stages[stage])) return false;
        int new_crossings = 0;
        for (ValueId value : sunk.args) {
            const OpClass made_by = flow_.defining(value).cls;
            if (made_by == OpClass::source) continue;
            if (made_by == OpClass::dot) return false;
            if (made_by == OpClass::load) {
                if (!can_load_in(flow_.definition[value], stage)) return false;
            } else if (!crosses_without(value, op)) {
                const auto& values = flow_.region.values;
                if (registers(values[value], vpu_) > registers(values[sunk.result], vpu_))
                    return false;
                ++new_crossings;
            }
        }
        return new_crossings <= 1;
    }

    void move(int op, int from, int to) {
        std::erase(stages_.stages[from].ops, op);
        std::vector<int>& ops = stages_.stages[to].ops;
        ops.insert(std::lower_bound(ops.begin(), ops.end(), op), op);
        stages_.stage_of[op] = to;
    }

    Stages& stages_;
    const Dataflow& flow_;
    const arch::VpuSpec& vpu_;
};

class Fusion {
public:
    Fusion(const Dataflow& flow, const arch::VpuSpec& vpu) : flow_(flow), vpu_(vpu) {
        const std::size_t ops = flow.region.ops.size();
        result_.stage_of.assign(ops, none);
        result_.popped_by.assign(ops, none);
        late_.assign(flow.region.values.size(), false);
        load_users_.resize(ops);
    }

    Stages run() {
        for (int op = 0; op < static_cast<int>(flow_.region.ops.size()); ++op) {
            if (op_at(op).cls == OpClass::load || op_at(op).cls == OpClass::source) continue;
            if (op_at(op).cls == OpClass::dot)
                add_dot(op);
            else
                place(op);
        }
        hand_over();
        Sinking(result_, flow_, vpu_).run();
        drop_empty_stages();
        return std::move(result_);
    }

private:
    const Op& op_at(int op) const { return flow_.region.ops[op]; }

    int new_stage(int op, const Shape& shape) {
        Growing& fresh = growing_.emplace_back(flow_.region.ops.size());
        fresh.stage.domain = shape;
        fresh.first_op = op;
        return static_cast<int>(growing_.size()) - 1;
    }

    // ---- wishes

    /// Whether an operation over `shape` can use `value` within its pass. A result of a lane
    /// reduction is late: the row must be complete before it is used over it, unless the row is a
    /// single register.
    bool fits(const Shape& shape, ValueId value, int stage) const {
        const Stage& pass = growing_[stage].stage;
        const bool narrow = is_narrow(shape, vpu_);
        if (pass.dot || !same_rows(shape, pass.domain)) return false;
        return narrow || (shape == pass.domain && !late_[value]);
    }

    void wish_value(Wish& wish, const Op& user, ValueId value) const {
        const int made = flow_.definition[value];
        const int stage = result_.home(value, flow_);
        const Shape& shape = domain(user, flow_);
        const bool by_rows = relation(user, value, flow_) == Relation::rows;
        if (op_at(made).cls == OpClass::dot && result_.popped_by[made] == none) {
            const bool first = &op_at(flow_.users[value].front()) == &user;
            if (first && by_rows && shape == flow_.shape(value))
                wish.pop = std::max(wish.pop, made);
            add_once(wish.after, stage);
        } else {
            add_once(by_rows && fits(shape, value, stage) ? wish.passes : wish.after, stage);
        }
    }

    /// approximation: early-reads. Passes that use an earlier load only after the store do not hold
    /// the store back.
    void wish_memory(Wish& wish, int access) const {
        auto order = std::lower_bound(flow_.orders.begin(), flow_.orders.end(), access,
                                      [](const Order& o, int after) { return o.after < after; });
        for (; order != flow_.orders.end() && order->after == access; ++order) {
            const Relation how = order->by_rows ? Relation::rows : Relation::whole;
            if (op_at(order->before).cls == OpClass::load)
                for (int stage : load_users_[order->before]) wish.follows.push_back({stage, how});
            else
                wish.follows.push_back({result_.stage_of[order->before], how});
        }
    }

    Wish wishes(int op) const {
        Wish wish;
        for (ValueId value : op_at(op).args) {
            const int made = flow_.definition[value];
            if (op_at(made).cls == OpClass::load)
                wish_memory(wish, made);
            else if (op_at(made).cls != OpClass::source)
                wish_value(wish, op_at(op), value);
        }
        if (op_at(op).cls == OpClass::store) wish_memory(wish, op);
        // Passes that are held by something first, then the youngest.
        std::sort(wish.passes.begin(), wish.passes.end(), [&](int a, int b) {
            return std::pair(growing_[a].is_patient(), b) < std::pair(growing_[b].is_patient(), a);
        });
        return wish;
    }

    // ---- joining

    bool may_join(const Choice& choice) const {
        const Growing& pass = growing_[choice.stage];
        Ancestors all(flow_.region.ops.size());
        for (int stage : choice.after) {
            all.add(stage);
            all.add(growing_[stage].ancestors);
        }
        for (int stage : choice.merged) all.add(growing_[stage].ancestors);
        if (all.has(choice.stage)) return false;
        if (pass.ancestors.includes(all) || pass.is_patient()) return true;
        return !pass.tapped && only_earlier(pass, all);
    }

    /// What is new in `all` began before something the pass waits for anyway.
    bool only_earlier(const Growing& pass, const Ancestors& all) const {
        for (int stage = 0; stage < static_cast<int>(growing_.size()); ++stage)
            if (all.has(stage) && !pass.ancestors.has(stage) &&
                growing_[stage].first_op >= pass.latest_input)
                return false;
        return true;
    }

    Choice joining(const Wish& wish, int pass) const {
        Choice choice{pass, {}, wish.after};
        for (const Follows& follows : wish.follows)
            if (follows.stage != pass || follows.relation == Relation::whole)
                add_once(choice.after, follows.stage);
        for (int other : wish.passes) {
            if (other == pass) continue;
            const bool awaited =
                std::find(choice.after.begin(), choice.after.end(), other) != choice.after.end();
            const bool mergeable = pass != none && !awaited && growing_[other].is_patient() &&
                                   !growing_[pass].ancestors.has(other);
            add_once(mergeable ? choice.merged : choice.after, other);
        }
        return choice;
    }

    void place(int op) {
        const Wish wish = wishes(op);
        Choice choice = joining(wish, none);
        for (int pass : wish.passes)
            if (Choice possible = joining(wish, pass); may_join(possible)) {
                choice = std::move(possible);
                break;
            }
        if (choice.stage == none) choice.stage = new_stage(op, domain(op_at(op), flow_));
        for (int other : choice.merged) merge(other, choice.stage);
        wait_for(choice.stage, choice.after, wish.follows);
        enter(op, choice.stage, wish.pop);
    }

    void wait_for(int stage, const std::vector<int>& after, const std::vector<Follows>& memory) {
        Growing& waiting = growing_[stage];
        for (int input : after) {
            waiting.ancestors.add(input);
            waiting.ancestors.add(growing_[input].ancestors);
            waiting.latest_input = std::max(waiting.latest_input, growing_[input].first_op);
            growing_[input].tapped = true;
        }
        for (const Follows& follows : memory)
            if (follows.stage != stage) waiting.stage.follows.push_back(follows);
    }

    void merge(int from, int into) {
        Growing& gone = growing_[from];
        Growing& pass = growing_[into];
        for (int op : gone.stage.ops) result_.stage_of[op] = into;
        pass.stage.ops.insert(pass.stage.ops.end(), gone.stage.ops.begin(), gone.stage.ops.end());
        pass.stage.follows.insert(pass.stage.follows.end(), gone.stage.follows.begin(),
                                  gone.stage.follows.end());
        widen(pass.stage, gone.stage.domain);
        pass.ancestors.add(gone.ancestors);
        pass.latest_input = std::max(pass.latest_input, gone.latest_input);
        for (auto& users : load_users_) std::replace(users.begin(), users.end(), from, into);
        gone.merged_into = into;
    }

    static void widen(Stage& stage, const Shape& shape) {
        if (!shape.empty() && shape.back() > stage.domain.back()) stage.domain = shape;
    }

    void enter(int op, int stage, int dot) {
        const Op& entered = op_at(op);
        Growing& pass = growing_[stage];
        pass.stage.ops.push_back(op);
        result_.stage_of[op] = stage;
        widen(pass.stage, domain(entered, flow_));
        // approximation: one-pop. A pass takes one result from the matrix units, others go through
        // memory.
        if (dot != none && pass.stage.pops == none) {
            pass.stage.pops = dot;
            result_.popped_by[dot] = stage;
        }
        pass.tapped |= entered.cls == OpClass::store;
        pass.reduces |= is_reduction(entered);
        if (entered.result != none) late_[entered.result] = is_late(entered, stage);
        note_loads(op, stage);
    }

    bool is_late(const Op& op, int stage) const {
        if (op.cls == OpClass::reduce_lanes) return true;
        return std::any_of(op.args.begin(), op.args.end(), [&](ValueId value) {
            return late_[value] && result_.home(value, flow_) == stage;
        });
    }

    void note_loads(int op, int stage) {
        for (ValueId arg : op_at(op).args)
            if (flow_.defining(arg).cls == OpClass::load)
                add_once(load_users_[flow_.definition[arg]], stage);
    }

    void add_dot(int op) {
        const Op& dot = op_at(op);
        // A constant operand is made and stored by a pass of its own.
        for (ValueId arg : dot.args) {
            const int made = flow_.definition[arg];
            if (op_at(made).cls == OpClass::source && result_.stage_of[made] == none)
                enter(made, new_stage(made, domain(op_at(made), flow_)), none);
        }
        const Wish wish = wishes(op);
        Choice choice = joining(wish, none);
        for (ValueId arg : dot.args)
            if (int home = result_.home(arg, flow_); home != none) add_once(choice.after, home);
        const int stage = new_stage(op, flow_.shape(dot.result));
        growing_[stage].stage.dot = true;
        growing_[stage].stage.ops.push_back(op);
        result_.stage_of[op] = stage;
        wait_for(stage, choice.after, wish.follows);
        note_loads(op, stage);
    }

    // ---- the result

    int surviving(int stage) const {
        while (growing_[stage].merged_into != none) stage = growing_[stage].merged_into;
        return stage;
    }

    void hand_over() {
        const int count = static_cast<int>(growing_.size());
        for (int stage = 0; stage < count; ++stage) {
            Stage& made = growing_[stage].stage;
            if (growing_[stage].merged_into != none) made.ops.clear();
            std::sort(made.ops.begin(), made.ops.end());
            for (int dot = 0; dot < count; ++dot)
                if (growing_[dot].stage.dot && growing_[stage].ancestors.has(dot))
                    made.dots_before.push_back(dot);
            for (Follows& follows : made.follows) follows.stage = surviving(follows.stage);
        }
        for (Growing& grown : growing_) result_.stages.push_back(std::move(grown.stage));
    }

    void drop_empty_stages() {
        std::vector<int> renamed(result_.stages.size(), none);
        int kept = 0;
        for (std::size_t stage = 0; stage < renamed.size(); ++stage)
            if (!result_.stages[stage].ops.empty()) renamed[stage] = kept++;
        std::erase_if(result_.stages, [](const Stage& stage) { return stage.ops.empty(); });
        for (Stage& stage : result_.stages) {
            for (int& dot : stage.dots_before) dot = renamed[dot];
            for (Follows& follows : stage.follows) follows.stage = renamed[follows.stage];
            std::erase_if(stage.follows, [](const Follows& f) { return f.stage == none; });
        }
        for (std::vector<int>* stages : {&result_.stage_of, &result_.popped_by})
            for (int& stage : *stages)
                if (stage != none) stage = renamed[stage];
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
