#include "compiler/skeleton/memory.hpp"

#include <algorithm>

namespace slab::skeleton {

using schedule::none;
using Int = std::int64_t;

bool Box::empty() const {
    for (std::size_t d = 0; d < rank; ++d)
        if (begin[d] >= end[d]) return true;
    return false;
}

bool Box::overlaps(const Box& other) const {
    if (!same_memory(other) || empty() || other.empty()) return false;
    for (std::size_t d = 0; d < rank; ++d) {
        if (begin[d] >= other.end[d] || other.begin[d] >= end[d]) return false;
        // two combs of one pitch, such as keys and values in turn
        if (step[d] == other.step[d] && step[d] > 1 && (begin[d] - other.begin[d]) % step[d] != 0)
            return false;
    }
    return true;
}

Box box_of(const schedule::Event& window, const schedule::Stream& stream) {
    Box box;
    box.operand = stream.operand;
    box.rank = stream.dims.size();
    for (std::size_t d = 0; d < box.rank; ++d) {
        const Int step = stream.dims[d].step, start = window.start[d];
        box.step[d] = step;
        box.begin[d] = start < 0 ? start + (step - 1 - start) / step * step : start;
        box.end[d] =
            window.extent[d] == 0 ? box.begin[d] : box.begin[d] + (window.extent[d] - 1) * step + 1;
    }
    return box;
}

Box box_of(const schedule::MemoryRef& ref, const schedule::Program& program,
           const schedule::Walker& walker) {
    Box box;
    box.operand = ref.operand;
    box.buffer = ref.buffer;
    if (ref.copy != none) box.copy = walker.integer_of(ref.copy);
    const std::vector<Int>& shape = ref.operand != none ? program.operands[ref.operand].shape
                                                        : program.buffers[ref.buffer].shape;
    box.rank = ref.dims.size();
    for (std::size_t d = 0; d < box.rank; ++d) {
        const schedule::RefDim& dim = ref.dims[d];
        const Int count = dim.live == none ? dim.size : walker.integer_of(dim.live);
        box.begin[d] = walker.integer_of(dim.start);
        box.step[d] = dim.step;
        box.end[d] = count <= 0 ? box.begin[d] : box.begin[d] + (count - 1) * dim.step + 1;
        box.end[d] = std::min(box.end[d], shape[d]);
    }
    return box;
}

/// Windows are filled by their streams; what code writes into them is its own affair.
bool WrittenRows::is_tracked(const Box& box) const {
    if (box.buffer == none) return false;
    const schedule::Buffer& buffer = program_.buffers[box.buffer];
    Int rows = 1;
    for (std::size_t d = 0; d + 1 < buffer.shape.size(); ++d) rows *= buffer.shape[d];
    constexpr Int most_rows = 1 << 20;
    return buffer.role != schedule::BufferRole::window && rows <= most_rows;
}

template <typename Visit>
void WrittenRows::each_row(const Box& box, Visit&& visit) const {
    if (box.empty()) return;
    const std::vector<Int>& shape = program_.buffers[box.buffer].shape;
    const std::size_t outer = box.rank - 1;  // the last dimension is the row
    std::array<Int, schedule::max_rank> at = box.begin;
    while (true) {
        std::size_t row = 0;
        for (std::size_t d = 0; d < outer; ++d)
            row = row * static_cast<std::size_t>(shape[d]) + static_cast<std::size_t>(at[d]);
        if (!visit(row, at)) return;
        std::size_t d = outer;
        while (d > 0) {
            --d;
            at[d] += box.step[d];
            if (at[d] < box.end[d]) break;
            at[d] = box.begin[d];
            if (d == 0) return;
        }
        if (outer == 0) return;
    }
}

std::vector<bool>& WrittenRows::rows(const Box& box) {
    std::vector<bool>& rows = written_[{box.buffer, box.copy}];
    if (rows.empty()) {
        std::size_t count = 1;
        const std::vector<Int>& shape = program_.buffers[box.buffer].shape;
        for (std::size_t d = 0; d + 1 < shape.size(); ++d)
            count *= static_cast<std::size_t>(shape[d]);
        rows.resize(count);
    }
    return rows;
}

void WrittenRows::write(const Box& box) {
    if (!is_tracked(box)) return;
    std::vector<bool>& written = rows(box);
    each_row(box, [&](std::size_t row, const auto&) {
        if (row < written.size()) written[row] = true;
        return true;
    });
}

std::optional<std::vector<Int>> WrittenRows::missing(const Box& box) const {
    if (!is_tracked(box)) return std::nullopt;
    const auto found = written_.find({box.buffer, box.copy});
    std::optional<std::vector<Int>> first;
    each_row(box, [&](std::size_t row, const auto& at) {
        const bool is_written =
            found != written_.end() && row < found->second.size() && found->second[row];
        if (is_written) return true;
        first =
            std::vector<Int>(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(box.rank) - 1);
        return false;
    });
    return first;
}

}  // namespace slab::skeleton
