#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "compiler/schedule/scalar.hpp"
#include "compiler/schedule/walk/fault.hpp"
#include "compiler/schedule/walk/smem.hpp"

namespace slab::schedule {

/// What scalar expressions read besides the slots, and the first thing that went wrong in one.
struct ScalarContext {
    Smem smem;
    Fault fault;
};

/// One prepared expression: constant plus multiples of a few slots, or an operation on others.
struct PreparedExpr {
    enum class Form : std::uint8_t {
        affine,
        is_zero,   ///< an affine form equals 0
        not_zero,  ///< it does not
        real,
        slot,
        comparison,
        element,
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
    std::int32_t slot = none;  ///< or the number of the element
    ExprId id = none;          ///< in the program
    std::array<ExprId, 3> args{none, none, none};

    /// What a step of 1 in a slot adds, if the expression is affine.
    std::optional<std::int64_t> slope(SlotId in) const;
};

/// An element of an SMEM buffer; an index per dimension.
struct ElementPlan {
    BufferId buffer = none;
    ExprId copy = none;
    std::int64_t copies = 1;
    std::vector<ExprId> index;
    std::vector<std::int64_t> shape;
};

/// The expressions of a program, prepared for being evaluated millions of times: what is a constant
/// plus multiples of a few i32 slots is one short loop, the rest a small tree over such forms.
class ScalarPlan {
public:
    explicit ScalarPlan(const Program& program);

    /// The value of an expression with the slots at `slots`. A division by zero, like an
    /// element that is not there, gives 0 and a fault.
    Word evaluate(const PreparedExpr& expr, const Word* slots, ScalarContext& context) const {
        if (expr.form == PreparedExpr::Form::affine) return affine(expr, slots);
        return general(expr, slots, context);
    }
    Word evaluate(ExprId id, const Word* slots, ScalarContext& context) const {
        return evaluate((*this)[id], slots, context);
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
    Word general(const PreparedExpr& expr, const Word* slots, ScalarContext& context) const;
    Word compare(const PreparedExpr& expr, const Word* slots, ScalarContext& context) const;

    Word element(const PreparedExpr& expr, const Word* slots, ScalarContext& context) const;

    void prepare(const Program& program, ExprId id);
    void prepare_element(const Program& program, const ScalarExpr& source, PreparedExpr& expr);
    bool prepare_affine(const Program& program, const ScalarExpr& source, PreparedExpr& expr) const;
    bool prepare_equality(const ScalarExpr& source, PreparedExpr& expr) const;
    void prepare_other(const Program& program, const ScalarExpr& source, PreparedExpr& expr) const;
    bool is_affine(ExprId id) const;
    /// Adds `factor` times one form to another; false if that has too many terms.
    static bool add(const PreparedExpr& from, std::int64_t factor, PreparedExpr& to);

    std::vector<PreparedExpr> exprs_;
    std::vector<bool> prepared_;
    std::vector<ElementPlan> elements_;
};

}  // namespace slab::schedule
