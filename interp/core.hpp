#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/schedule/walker.hpp"
#include "interp/functions.hpp"
#include "interp/places.hpp"
#include "interp/run.hpp"
#include "interp/traces.hpp"
#include "support/diagnostics.hpp"

namespace slab::interp {

/// Elements of a memory, all copies of it, and what is undefined in it.
struct Store {
    Elements elements;
    std::vector<Trace> traces;  ///< one per element
};

/// Thrown with the message of what the kernel did wrong.
struct Failure {
    Diagnostic message;
};

/// One member's memories, and what the events of its walk do to their values.
class Core final : public schedule::ScalarSource {
public:
    /// `inputs` by operand; outputs have no elements and start undefined.
    Core(const schedule::Program& program, std::vector<Elements> inputs, Traces& traces);

    void follow(const schedule::Walker& walker) { walker_ = &walker; }

    /// Does what the event says. `peer` is the member a remote copy goes to.
    void happen(const schedule::Event& event, Core& peer);

    std::vector<Int> read(schedule::CopyId copy) override;

    const Store& operand(schedule::OperandId id) const {
        return operands_[static_cast<std::size_t>(id)];
    }

    /// Notes from here on who writes an element of an operand.
    void watch(schedule::OperandId operand, Int element) { watched_ = {operand, element}; }
    const std::optional<Writer>& watched() const { return written_; }

    /// What was asked for so far.
    const std::vector<std::vector<Int>>& computed() const { return computed_; }
    /// What went wrong while the walker asked.
    const std::optional<Diagnostic>& failure() const { return failure_; }

private:
    struct RegionPlan {
        std::vector<Function> functions;                   ///< by operation
        std::vector<std::vector<schedule::ValueId>> dead;  ///< values each operation uses last
    };
    /// The window of a stream that was seen last, and of outputs which elements were written since
    /// the grid began.
    struct Seen {
        std::int64_t run = 0;
        std::int64_t window = -1;
        std::vector<bool> written;
    };
    static RegionPlan plan_of(const schedule::Region& region);
    void find_puts(const schedule::Block& block);

    void step(const schedule::Event& event);
    void ring(const schedule::Event& event);
    void fetch(const schedule::Event& event);
    void write_back(const schedule::Event& event);
    void check_first_visit(schedule::StreamId id, Int element);
    void forget(schedule::BufferId id, Int copy);
    Trace undefined_buffer(schedule::BufferId id);

    Store& store_of(const schedule::MemoryRef& ref);
    const std::string& name_of(const schedule::MemoryRef& ref) const;
    Int copy_at_hand(const schedule::MemoryRef& ref) const;
    Failure failure_at(const schedule::Stop& stop) const;
    Places places(const schedule::MemoryRef& ref, Span span) const;
    Block read(const schedule::MemoryRef& ref, Span span);
    static void write(const Places& to, Store& store, const Block& value);
    Trace past_live(const schedule::MemoryRef& ref, Span span);

    void require_room(const schedule::BlockType& type, Span span) const;
    void region(const schedule::Region& region, const RegionPlan& plan);
    Block load(const schedule::Op& op);
    void store(const schedule::Op& op, const Block& value);
    void compute(const schedule::Op& op, Function function, const std::vector<Block>& values,
                 Block& result);

    void transfer(const schedule::Event& event, Core& peer);
    Block source_of(const schedule::Copy& copy);
    static std::vector<Int> live_elements(const Places& places);
    Block moved(const schedule::Copy& copy, const Places& to);

    [[noreturn]] void undefined(Trace trace, const std::string& what, const std::string& where,
                                Span span);
    void note_write(schedule::OperandId operand, Int element, Span span, const Core& writer);
    std::string step_text() const;

    const schedule::Program& program_;
    Traces& traces_;
    const schedule::Walker* walker_ = nullptr;
    std::vector<Store> operands_;
    std::vector<Store> buffers_;                    ///< empty for those in SMEM
    std::vector<schedule::StreamId> stream_of_;     ///< by buffer, for windows
    std::vector<RegionPlan> regions_;               ///< by region
    std::vector<const schedule::Pipeline*> grids_;  ///< as events number them
    std::vector<Seen> seen_;                        ///< by stream: the window seen last
    std::vector<bool> is_dead_;                     ///< by stream: nothing of this step is in it
    std::vector<bool> is_put_;                      ///< by ring: filled by code, for copies out
    std::vector<bool> is_fresh_;                    ///< by ring: a slot has no copy yet
    const schedule::Pipeline* grid_ = nullptr;      ///< of the last step
    std::optional<std::pair<schedule::OperandId, Int>> watched_;
    std::vector<std::vector<Int>> computed_;
    std::optional<Diagnostic> failure_;  ///< while the walker asked for words
    std::optional<Writer> written_;
};

}  // namespace slab::interp
