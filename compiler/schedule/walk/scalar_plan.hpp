#pragma once

#include <array>
#include <cstdint>
#include <optional>
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

/// One prepared expression: constant plus multiples of a few slots, or an operation on others.
struct PreparedExpr {
    enum class Form : std::uint8_t {
        affine,
        is_zero,   ///< an affine form equals 0
        not_zero,  ///< it does not
        real,
        slot,
        comparison,
        operation
    };
    struct Term {
        SlotId slot = none;
        std::int32_t factor = 0;
    };
    static constexpr std::size_t max_terms = 4;
    Form form = Form::affine;
    ScalarOp op = ScalarOp::constant;
    ScalarType type = ScalarType::i32;
    ScalarType arg_type = ScalarType::i32;
    std::int32_t term_count = 0;
    std::int64_t constant = 0;  ///< of the affine form, or the value
    std::array<Term, max_terms> terms;
    SlotId slot = none;
    ExprId id = none;  ///< in the program
    std::array<ExprId, 3> args{none, none, none};

    /// What a step of 1 in a slot adds, if the expression is affine.
    std::optional<std::int64_t> slope(SlotId in) const;
};

/// The expressions of a program, prepared for being evaluated millions of times: what is a constant
/// plus multiples of a few i32 slots is one short loop, the rest a small tree over such forms.
class ScalarPlan {
public:
    explicit ScalarPlan(const Program& program);

    /// The value of an expression with the slots at `slots`. A division by zero gives 0 and a
    /// fault.
    Word evaluate(const PreparedExpr& expr, const Word* slots, Fault& fault) const {
        if (expr.form == PreparedExpr::Form::affine) return affine(expr, slots);
        return general(expr, slots, fault);
    }
    Word evaluate(ExprId id, const Word* slots, Fault& fault) const {
        return evaluate((*this)[id], slots, fault);
    }
    /// A prepared expression, to be kept where it is needed often.
    const PreparedExpr& operator[](ExprId id) const { return exprs_[static_cast<std::size_t>(id)]; }

private:
    /// The sum is taken modulo 2^64, whose low half is what wrapping at every step would give.
    static Word affine(const PreparedExpr& expr, const Word* slots) {
        auto sum = static_cast<std::uint64_t>(expr.constant);
        for (std::int32_t i = 0; i < expr.term_count; ++i) {
            const PreparedExpr::Term& term = expr.terms[static_cast<std::size_t>(i)];
            sum += static_cast<std::uint64_t>(term.factor * slots[term.slot]);
        }
        return wrap_i32(static_cast<Word>(sum));
    }
    Word general(const PreparedExpr& expr, const Word* slots, Fault& fault) const;
    Word compare(const PreparedExpr& expr, const Word* slots, Fault& fault) const;

    void prepare(const Program& program, ExprId id);
    bool prepare_affine(const Program& program, const ScalarExpr& source, PreparedExpr& expr) const;
    bool prepare_equality(const ScalarExpr& source, PreparedExpr& expr) const;
    void prepare_other(const Program& program, const ScalarExpr& source, PreparedExpr& expr) const;
    bool is_affine(ExprId id) const;
    /// Adds `factor` times one form to another; false if that has too many terms.
    static bool add(const PreparedExpr& from, std::int64_t factor, PreparedExpr& to);

    std::vector<PreparedExpr> exprs_;
    std::vector<bool> prepared_;
};

}  // namespace slab::schedule
