#include "dsl/call_graph.hpp"

#include <algorithm>
#include <set>

namespace slab::dsl {

const std::vector<CallGraph::Call>& CallGraph::calls_of(const ast::Fn* fn) const {
    static const std::vector<Call> nothing;
    const auto found = calls_.find(fn);
    return found == calls_.end() ? nothing : found->second;
}

void CallGraph::report_cycles(Diagnostics& diags) const {
    std::vector<const ast::Fn*> roots = {nullptr};
    for (const auto& [fn, calls] : calls_)
        if (fn) roots.push_back(fn);
    std::sort(roots.begin() + 1, roots.end(),
              [](const ast::Fn* a, const ast::Fn* b) { return a->span.begin < b->span.begin; });
    struct Frame {
        const ast::Fn* fn;
        std::size_t next;
    };
    std::set<const ast::Fn*> done;
    std::set<const ast::Fn*> being_expanded;
    for (const ast::Fn* root : roots) {
        std::vector<Frame> open;
        const auto enter = [&](const ast::Fn* fn) {
            if (!done.insert(fn).second) return;
            being_expanded.insert(fn);
            open.push_back({fn, 0});
        };
        enter(root);
        while (!open.empty()) {
            const std::vector<Call>& calls = calls_of(open.back().fn);
            if (open.back().next == calls.size()) {
                being_expanded.erase(open.back().fn);
                open.pop_back();
                continue;
            }
            const Call& call = calls[open.back().next++];
            if (being_expanded.count(call.callee))
                diags.add<Diag::E0901_recursion>(call.span, call.callee->name.text)
                    .because("functions are inlined, so a call cannot reach itself")
                    .fix("a `for` loop");
            else
                enter(call.callee);
        }
    }
}

}  // namespace slab::dsl
