#pragma once

#include <map>
#include <vector>

#include "dsl/ast.hpp"
#include "support/diagnostics.hpp"

namespace slab::dsl {

/// Which functions of a file call which; kernels and references are one caller, null.
class CallGraph {
public:
    void add(const ast::Fn* caller, const ast::Fn& callee, Span span) {
        calls_[caller].push_back({&callee, span});
    }
    /// E0901 for each way back into a function, at the call that closes the circle: depth first
    /// from the kernels on, as the compiler inlines.
    void report_cycles(Diagnostics& diags) const;

private:
    struct Call {
        const ast::Fn* callee;
        Span span;
    };
    const std::vector<Call>& calls_of(const ast::Fn* fn) const;

    std::map<const ast::Fn*, std::vector<Call>> calls_;
};

}  // namespace slab::dsl
