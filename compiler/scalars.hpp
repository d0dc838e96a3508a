#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "compiler/constant.hpp"
#include "compiler/schedule/expressions.hpp"
#include "compiler/unit.hpp"

namespace slab::compiler {

/// Builds scalar expressions of the program: equal ones get one id, constants are folded as the
/// scalar unit would compute them, and neutral operands vanish.
class Scalars {
public:
    explicit Scalars(schedule::Program& program) : program_(program) {}

    /// An i32; wider values wrap, as they do at run time.
    schedule::ExprId constant(std::int64_t value);
    schedule::ExprId real(double value);
    schedule::ExprId truth(bool value);
    schedule::ExprId slot(schedule::SlotId slot);
    /// A read of an SMEM buffer.
    schedule::ExprId element(schedule::ScalarExpr expr);
    schedule::ExprId make(schedule::ScalarOp op, schedule::ScalarType type,
                          std::vector<schedule::ExprId> args);

    const schedule::ScalarExpr& at(schedule::ExprId id) const { return program_.exprs[id]; }
    /// The value of an i32 or a condition, if it is a constant.
    std::optional<std::int64_t> known(schedule::ExprId id) const;
    /// Operations on the longest way from the expression to a slot or constant.
    int depth(schedule::ExprId id) const { return depths_[id]; }

private:
    schedule::ExprId intern(schedule::ScalarExpr expr);
    schedule::ExprId add(schedule::ScalarOp op, schedule::ScalarType type,
                         std::vector<schedule::ExprId> args);
    std::optional<schedule::ExprId> folded(schedule::ScalarOp op, schedule::ScalarType type,
                                           const std::vector<schedule::ExprId>& args);

    schedule::Program& program_;
    std::map<std::string, schedule::ExprId> interned_;
    std::vector<int> depths_;  ///< by expression
};

/// constant + sum of coefficient x slot
struct Affine {
    std::int64_t constant = 0;
    std::map<schedule::SlotId, std::int64_t> terms;
};
/// The affine form of an integer expression, if it has one.
std::optional<Affine> affine(const schedule::Program& program, schedule::ExprId id);

/// Smallest and largest value, from the ranges of the slots; `known` is false when they do not
/// bound it.
Range range_of(const Unit& unit, schedule::ExprId id);

/// A number the value is certainly a multiple of (0 for the constant 0).
std::int64_t multiple_of(const Unit& unit, schedule::ExprId id);

}  // namespace slab::compiler
