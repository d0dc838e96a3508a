#include "compiler/schedule/walk/smem.hpp"

namespace slab::schedule {

std::int64_t element_count(const std::vector<std::int64_t>& shape) {
    std::int64_t count = 1;
    for (std::int64_t extent : shape) count *= extent;
    return count;
}

Smem::Smem(const Program& program) : banks_(program.buffers.size()) {
    for (std::size_t id = 0; id < program.buffers.size(); ++id) {
        const Buffer& buffer = program.buffers[id];
        if (buffer.space != Space::smem) continue;
        Bank& bank = banks_[id];
        bank.elements = element_count(buffer.shape);
        const auto all = static_cast<std::size_t>(bank.elements * buffer.copies);
        bank.words.resize(all);
        bank.written.resize(all);
    }
}

}  // namespace slab::schedule
