#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "compiler/schedule/program.hpp"

namespace slab::schedule {

/// The expressions of a program, each different one once.
class ExprTable {
public:
    ExprId add(ScalarExpr expr);
    const ScalarExpr& operator[](ExprId id) const { return exprs_[static_cast<std::size_t>(id)]; }
    std::vector<ScalarExpr> take() { return std::move(exprs_); }

private:
    using Key = std::tuple<ScalarOp, ScalarType, std::int64_t, std::int64_t, SlotId, BufferId,
                           ExprId, std::vector<ExprId>>;
    std::vector<ScalarExpr> exprs_;
    std::map<Key, ExprId> known_;
};

}  // namespace slab::schedule
