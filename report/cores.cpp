#include "report/cores.hpp"

#include <algorithm>

namespace slab::report {
namespace {

void add(std::vector<result::Traffic>& sum, const result::Traffic& part) {
    auto known = std::ranges::find(sum, part.operand, &result::Traffic::operand);
    if (known == sum.end()) {
        sum.push_back(part);
        return;
    }
    known->array_bytes += part.array_bytes;  // each core of a mesh has its own
    known->read_bytes += part.read_bytes;
    known->written_bytes += part.written_bytes;
    known->copies += part.copies;
    known->small_copies += part.small_copies;
    known->empty_copies += part.empty_copies;
}

}  // namespace

std::size_t slowest_core(const result::Result& result) {
    auto longest = std::ranges::max_element(result.cores, {}, &result::CoreResult::cycles);
    return static_cast<std::size_t>(longest - result.cores.begin());
}

result::CoreResult slowest(const result::Result& result) {
    return result.cores.empty() ? result::CoreResult{} : result.cores[slowest_core(result)];
}

std::int64_t dead_steps(const result::Result& result) {
    std::int64_t sum = 0;
    for (const result::CoreResult& core : result.cores) sum += core.dead_steps;
    return sum;
}

std::vector<result::Traffic> total_traffic(const result::Result& result) {
    std::vector<result::Traffic> sum;
    for (const result::CoreResult& core : result.cores)
        for (const result::Traffic& part : core.traffic) add(sum, part);
    return sum;
}

}  // namespace slab::report
