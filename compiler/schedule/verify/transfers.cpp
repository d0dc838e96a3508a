#include <algorithm>

#include "compiler/schedule/text/words.hpp"
#include "compiler/schedule/verify/checks.hpp"

namespace slab::schedule {

namespace {

/// Looks at what stands in the tables of copies and synchronisation, wherever it is used.
class TransferCheck {
public:
    explicit TransferCheck(Findings& findings) : findings_(findings), program_(findings.program) {}

    void run() {
        each("copy", program_.copies);
        each("wait", program_.waits);
        each("signal", program_.signals);
        each("barrier", program_.barriers);
        each("check", program_.checks);
        each("print", program_.prints);
    }

private:
    template <typename Entry>
    void each(const char* what, const std::vector<Entry>& table) {
        for (std::size_t i = 0; i < table.size(); ++i) {
            who_ = fmt::format("{} {}", what, i);
            check(table[i]);
        }
    }

    static bool counts_live(const MemoryRef& ref) {
        const auto& dims = ref.views.empty() ? ref.dims : ref.views.back().dims;
        return std::any_of(dims.begin(), dims.end(),
                           [](const RefDim& dim) { return dim.live != none; });
    }

    /// Ends that count elements at run time may have different bounds; the walker compares them.
    static bool can_agree(const Copy& copy, const BlockType& source, const BlockType& target) {
        if (source == target) return true;
        return source.type == target.type && source.shape.size() == target.shape.size() &&
               (counts_live(copy.source) || counts_live(copy.target));
    }

    void check(const Copy& copy) {
        const auto source = verify_ref(findings_, copy.source, who_);
        const auto target = verify_ref(findings_, copy.target, who_);
        if (source && target)
            findings_.require(can_agree(copy, *source, *target), "{} moves {} to {}", who_,
                              spelled(source->type, source->shape),
                              spelled(target->type, target->shape));
        if (in_range(copy.target.operand, program_.operands)) {
            const Operand& operand = item(program_.operands, copy.target.operand);
            findings_.require(operand.direction != Direction::in,
                              "{} writes to `{}`, which is an input", who_, operand.name);
        }
        const int ends =
            (copy.done.semaphore != none) + (copy.ring != none) + (copy.stream != none);
        findings_.require(ends <= 1, "{} completes in {} ways", who_, ends);
        if (copy.done.semaphore != none) semaphore(copy.done, SemaphoreKind::dma);
        findings_.require(copy.ring == none || in_range(copy.ring, program_.rings),
                          "{} belongs to ring {}, which does not exist", who_, copy.ring);
        findings_.require(copy.stream == none || in_range(copy.stream, program_.streams),
                          "{} belongs to stream {}, which does not exist", who_, copy.stream);
        if (!copy.is_remote()) {
            findings_.require(copy.arrive.semaphore == none,
                              "{} arrives at a semaphore and goes to no other member", who_);
            return;
        }
        device(copy.device);
        findings_.require(copy.done.semaphore != none, "{} is remote and done on no semaphore",
                          who_);
        semaphore(copy.arrive, SemaphoreKind::dma);
    }

    void check(const Wait& wait) {
        if (!in_range(wait.semaphore.semaphore, program_.semaphores))
            return semaphore(wait.semaphore, SemaphoreKind::dma);
        const SemaphoreKind kind = item(program_.semaphores, wait.semaphore.semaphore).kind;
        semaphore(wait.semaphore, kind);
        if (kind == SemaphoreKind::dma) {
            if (findings_.require(wait.region && wait.count == none,
                                  "{} is for bytes and needs a part of a memory, not a count",
                                  who_))
                verify_ref(findings_, *wait.region, who_);
        } else if (findings_.require(!wait.region, "{} is for a count, not for bytes", who_)) {
            findings_.require_type(wait.count, ScalarType::i32, "the count of " + who_);
        }
    }

    void check(const Signal& signal) {
        semaphore(signal.semaphore, SemaphoreKind::count);
        device(signal.device);
        if (signal.by != none)
            findings_.require_type(signal.by, ScalarType::i32, "the count of " + who_);
    }

    void check(const Barrier& barrier) {
        if (barrier.all == none) {
            findings_.require(!barrier.peers.empty(), "{} is with nobody", who_);
        } else {
            findings_.require(barrier.peers.empty(), "{} is with an axis and with peers", who_);
            findings_.require(in_range(barrier.all, program_.mesh),
                              "{} is along axis {} of the mesh, which does not exist", who_,
                              barrier.all);
        }
        for (const Device& peer : barrier.peers) device(peer);
    }

    void check(const Check& check) {
        findings_.require_type(check.condition, ScalarType::pred, "the condition of " + who_);
    }

    void check(const Print& print) {
        for (ExprId value : print.values)
            findings_.require(in_range(value, program_.exprs),
                              "{} has expression {}, which does not exist", who_, value);
    }

    void device(const Device& device) {
        findings_.require(device.size() == program_.mesh.size(),
                          "{} names a member by {} coordinates, the mesh has {} axes", who_,
                          device.size(), program_.mesh.size());
        for (ExprId coordinate : device)
            findings_.require_type(coordinate, ScalarType::i32, "a coordinate of " + who_);
    }

    void semaphore(const SemaphoreRef& ref, SemaphoreKind kind) {
        if (!findings_.require(in_range(ref.semaphore, program_.semaphores),
                               "{} uses semaphore {}, which does not exist", who_, ref.semaphore))
            return;
        const Semaphore& semaphore = item(program_.semaphores, ref.semaphore);
        findings_.require(semaphore.kind == kind,
                          "{} uses the {} semaphore `{}`, it needs a {} one", who_,
                          name_of(semaphore.kind), semaphore.name, name_of(kind));
        if (!findings_.require(ref.index.size() == semaphore.shape.size(),
                               "{} gives {} indices to semaphore `{}` of rank {}", who_,
                               ref.index.size(), semaphore.name, semaphore.shape.size()))
            return;
        for (std::size_t d = 0; d < ref.index.size(); ++d) {
            if (!findings_.require_type(ref.index[d], ScalarType::i32,
                                        "an index of " + semaphore.name))
                continue;
            const ScalarExpr& index = item(program_.exprs, ref.index[d]);
            findings_.require(index.op != ScalarOp::constant ||
                                  (index.integer >= 0 && index.integer < semaphore.shape[d]),
                              "{} takes element {} of the {} of semaphore `{}`", who_,
                              index.integer, semaphore.shape[d], semaphore.name);
        }
    }

    Findings& findings_;
    const Program& program_;
    std::string who_;
};

}  // namespace

void verify_transfers(Findings& findings) {
    TransferCheck(findings).run();
}

}  // namespace slab::schedule
