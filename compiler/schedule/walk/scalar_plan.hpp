#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/schedule/scalar.hpp"

namespace slab::schedule {

/// What went wrong at run time, by the user's doing.
struct Fault {
    enum class Kind : std::uint8_t { nothing, division, live_length, loop_step };
    Kind kind = Kind::nothing;
    std::int32_t id =
        none;  ///< division: the expression; live_length: the stream; loop_step: the slot
    std::int64_t value = 0;  ///< live_length: what it was

    explicit operator bool() const { return kind != Kind::nothing; }
};

/// A fault in a sentence.
std::string describe(const Fault& fault, const Program& program);

/// The expressions of a program, prepared for being evaluated millions of times: what is a constant
/// plus multiples of i32 slots is one short loop, the rest a small tree over such forms.
class ScalarPlan {
public:
    explicit ScalarPlan(const Program& program);

    /// The value of an expression with the slots at `slots`. A division by zero gives 0 and a
    /// fault.
    Word evaluate(ExprId id, const Word* slots, Fault& fault) const {
        const Node& node = nodes_[static_cast<std::size_t>(id)];
        if (node.form == Form::affine) return affine(node, slots);
        return general(id, slots, fault);
    }

private:
    enum class Form : std::uint8_t { affine, real, slot, operation };
    struct Term {
        SlotId slot = none;
        std::int64_t factor = 0;
    };
    struct Node {
        Form form = Form::affine;
        ScalarOp op = ScalarOp::constant;
        ScalarType type = ScalarType::i32;
        ScalarType arg_type = ScalarType::i32;
        std::int64_t constant = 0;  ///< affine, real
        std::int32_t first_term = 0;
        std::int32_t term_count = 0;
        std::int32_t slot = none;
        std::int32_t args[3] = {none, none, none};
    };

    /// The sum is taken modulo 2^64, whose low half is what wrapping at every step would give.
    Word affine(const Node& node, const Word* slots) const {
        auto sum = static_cast<std::uint64_t>(node.constant);
        const Term* term = terms_.data() + node.first_term;
        for (const Term* end = term + node.term_count; term != end; ++term)
            sum += static_cast<std::uint64_t>(term->factor) *
                   static_cast<std::uint64_t>(slots[term->slot]);
        return wrap_i32(static_cast<Word>(sum));
    }
    Word general(ExprId id, const Word* slots, Fault& fault) const;

    void prepare(const Program& program, ExprId id);
    bool prepare_affine(const Program& program, const ScalarExpr& expr, Node& node);
    void add_terms(const Node& from, std::int64_t factor, std::vector<Term>& terms) const;

    std::vector<Node> nodes_;
    std::vector<Term> terms_;
    std::vector<bool> prepared_;
};

}  // namespace slab::schedule
