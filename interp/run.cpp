#include "interp/run.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "compiler/skeleton/skeleton.hpp"
#include "interp/core.hpp"
#include "support/check.hpp"

namespace slab::interp {

namespace {

/// The members' values, beside the skeleton that says whose turn it is.
class Machine final : public skeleton::Values {
public:
    Machine(const schedule::Program& program, std::vector<Arrays> inputs, const Options& options) {
        for (Arrays& arrays : inputs)
            cores_.push_back(std::make_unique<Core>(program, std::move(arrays), traces_));
        if (options.watch)
            at(options.watch->member).watch(options.watch->operand, options.watch->element);
    }

    void follow(std::int32_t member, schedule::Walker& walker) override {
        at(member).follow(walker);
        walker.computed_by(at(member));
    }

    bool happen(const schedule::Event& event) override {
        try {
            at(event.member)
                .happen(event, at(event.peer == schedule::none ? event.member : event.peer));
            return true;
        } catch (const Failure& failure) {
            failure_ = failure.message;
            return false;
        }
    }

    Core& at(std::int32_t member) { return *cores_[static_cast<std::size_t>(member)]; }
    std::size_t members() const { return cores_.size(); }
    /// The first failure, one while the walker asked for words among them.
    const Diagnostic* failure() const {
        if (failure_) return &*failure_;
        for (const auto& core : cores_)
            if (core->failure()) return &*core->failure();
        return nullptr;
    }

private:
    Traces traces_;
    std::vector<std::unique_ptr<Core>> cores_;
    std::optional<Diagnostic> failure_;
};

/// Outputs promise that every element is written.
void check_coverage(const schedule::Program& program, Machine& machine, Diagnostics& diags) {
    for (std::size_t id = 0; id < program.operands.size(); ++id) {
        const schedule::Operand& operand = program.operands[id];
        for (std::size_t member = 0; member < machine.members(); ++member) {
            const Store& store = machine.at(static_cast<std::int32_t>(member))
                                     .operand(static_cast<schedule::OperandId>(id));
            const auto missing = std::count_if(store.traces.begin(), store.traces.end(),
                                               [](Trace trace) { return trace != 0; });
            if (missing == 0) continue;
            const double share =
                100.0 * static_cast<double>(missing) / static_cast<double>(store.traces.size());
            const auto first = std::find_if(store.traces.begin(), store.traces.end(),
                                            [](Trace trace) { return trace != 0; }) -
                               store.traces.begin();
            diags
                .add<Diag::E0302>(operand.place.span,
                                  share == 100 ? "all" : fmt::format("{:.3g} %", share),
                                  operand.name)
                .label(fmt::format(
                    "element {} is the first that is missing{}", index_text(first, operand.shape),
                    machine.members() == 1 ? "" : fmt::format(", on chip {}", member)))
                .because("`out` promises that every element is written")
                .fix("`inout`, if the others keep what they hold");
            break;
        }
    }
}

}  // namespace

std::optional<Outcome> run(const schedule::Program& program, const schedule::Data& data,
                           std::vector<Arrays> inputs, const Options& options, Diagnostics& diags) {
    SLAB_CHECK(static_cast<std::int64_t>(inputs.size()) == program.members(),
               "arrays of {} members for a mesh of {}", inputs.size(), program.members());
    const schedule::Program order = shuffled(program, options.seed);
    Machine machine(order, std::move(inputs), options);
    Diagnostics found;
    const bool ended = skeleton::run(order, data,
                                     {.most_events = std::numeric_limits<std::int64_t>::max(),
                                      .most_steps = options.max_steps,
                                      .seed = options.seed,
                                      .sync_copies = options.sync_copies,
                                      .values = &machine},
                                     found);
    if (const Diagnostic* failure = machine.failure()) {
        // what the walk came to for want of a value is not worth telling
        diags.add(*failure);
        return std::nullopt;
    }
    if (ended && !found.has_errors()) check_coverage(order, machine, found);
    diags.append(found);
    if (!ended || found.has_errors()) return std::nullopt;
    Outcome outcome;
    for (std::size_t member = 0; member < machine.members(); ++member) {
        const Core& core = machine.at(static_cast<std::int32_t>(member));
        Arrays arrays;
        for (std::size_t id = 0; id < order.operands.size(); ++id)
            arrays.push_back(core.operand(static_cast<schedule::OperandId>(id)).elements);
        outcome.members.push_back(std::move(arrays));
        outcome.computed.push_back(core.computed());
        if (core.watched()) outcome.writer = core.watched();
    }
    return outcome;
}

}  // namespace slab::interp
