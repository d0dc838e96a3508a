#include "compiler/schedule/verify.hpp"

#include "compiler/schedule/verify/checks.hpp"

namespace slab::schedule {

std::vector<std::string> verify(const Program& program) {
    Findings findings(program);
    for (auto* check :
         {verify_expressions, verify_memory, verify_regions, verify_transfers, verify_statements}) {
        check(findings);
        if (!findings.empty()) break;
    }
    return findings.take();
}

}  // namespace slab::schedule
