#include "compiler/skeleton/memory.hpp"

#include <algorithm>
#include <numeric>

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
        // combs that interlock, such as keys and values in turn
        if ((begin[d] - other.begin[d]) % std::gcd(step[d], other.step[d]) != 0) return false;
        const Int common = std::max(begin[d], other.begin[d]);
        const Int limit = std::min(end[d], other.end[d]);
        if (first_from(common, d) >= limit || other.first_from(common, d) >= limit) return false;
    }
    return true;
}

Int Box::first_from(Int place, std::size_t d) const {
    return place <= begin[d] ? begin[d]
                             : begin[d] + (place - begin[d] + step[d] - 1) / step[d] * step[d];
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

const std::vector<Int>& WrittenParts::shape_of(const Box& box) const {
    return box.operand != none ? program_.operands[box.operand].shape
                               : program_.buffers[box.buffer].shape;
}

Int WrittenParts::parts_of(const std::vector<Int>& shape) const {
    Int parts = (shape.back() + program_.lanes - 1) / program_.lanes;
    for (std::size_t d = 0; d + 1 < shape.size(); ++d) parts *= shape[d];
    return parts;
}

/// Windows are filled by their streams; what code writes into them is its own affair. An operand
/// that lies in a buffer is written whole at the end.
bool WrittenParts::is_followed(const Box& box) const {
    constexpr Int most_work = 1'000'000;
    if (box.operand != none) {
        const schedule::Operand& operand = program_.operands[box.operand];
        if (operand.direction != schedule::Direction::out || operand.resident != none ||
            work_ > most_work)
            return false;
    } else if (box.buffer == none ||
               program_.buffers[box.buffer].role == schedule::BufferRole::window) {
        return false;
    }
    const Int most_parts = std::min(Int{1} << 22, (Int{1} << 26) / program_.members());
    return parts_of(shape_of(box)) <= most_parts;
}

/// Calls `visit` with the first and the number of each run of parts that follow one another.
template <typename Visit>
void WrittenParts::each_run(const Box& box, Visit&& visit) const {
    if (box.empty() || *std::min_element(box.begin.begin(), box.begin.end()) < 0) return;
    const std::vector<Int>& shape = shape_of(box);
    const std::size_t last = box.rank - 1;
    const Int columns = (shape[last] + program_.lanes - 1) / program_.lanes;
    Int begin = box.begin[last] / program_.lanes, stride = columns;
    Int end = (box.end[last] - 1) / program_.lanes + 1;
    std::size_t outer = last;  // dimensions before the run
    while (outer > 0 && begin == 0 && end == stride && box.step[outer - 1] == 1) {
        --outer;
        begin = box.begin[outer] * stride;
        end = box.end[outer] * stride;
        stride *= shape[outer];
    }
    std::array<Int, schedule::max_rank> at = box.begin;
    while (true) {
        Int first = 0;
        for (std::size_t d = 0; d < outer; ++d) first = first * shape[d] + at[d];
        if (!visit(first * stride + begin, end - begin)) return;
        std::size_t d = outer;
        while (d > 0) {
            at[d - 1] += box.step[d - 1];
            if (at[d - 1] < box.end[d - 1]) break;
            at[d - 1] = box.begin[d - 1];
            --d;
        }
        if (d == 0) return;
    }
}

void WrittenParts::write(const Box& box) {
    if (!is_followed(box)) return;
    std::vector<bool>& written = written_[{box.operand, box.buffer, box.copy}];
    if (written.empty()) written.resize(static_cast<std::size_t>(parts_of(shape_of(box))));
    each_run(box, [&](Int first, Int count) {
        const auto begin = written.begin() + static_cast<std::ptrdiff_t>(first);
        std::fill(begin, begin + static_cast<std::ptrdiff_t>(count), true);
        work_ += box.operand != none;
        return true;
    });
}

std::optional<std::vector<Int>> WrittenParts::missing(const Box& box) const {
    if (!is_followed(box)) return std::nullopt;
    const auto found = written_.find({box.operand, box.buffer, box.copy});
    const std::vector<Int>& shape = shape_of(box);
    std::optional<std::vector<Int>> where;
    each_run(box, [&](Int first, Int count) {
        Int part = first;
        if (found != written_.end()) {
            const auto begin = found->second.begin() + static_cast<std::ptrdiff_t>(first);
            const auto end = begin + static_cast<std::ptrdiff_t>(count);
            part += std::find(begin, end, false) - begin;
        }
        if (part == first + count) return true;
        Int row = part / ((shape.back() + program_.lanes - 1) / program_.lanes);
        where.emplace(shape.size() - 1);
        for (std::size_t d = where->size(); d-- > 0; row /= shape[d]) (*where)[d] = row % shape[d];
        return false;
    });
    return where;
}

double WrittenParts::share_missing(schedule::OperandId operand) const {
    Box box;
    box.operand = operand;
    if (!is_followed(box)) return 0;
    const auto found = written_.find({box.operand, box.buffer, box.copy});
    if (found == written_.end()) return 1;
    const std::vector<bool>& written = found->second;
    return static_cast<double>(std::count(written.begin(), written.end(), false)) /
           static_cast<double>(written.size());
}

}  // namespace slab::skeleton
