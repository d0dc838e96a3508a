#include "sim/units/semaphore_map.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace slab::sim {

namespace {

/// `[1, 0]`, of the element with this row-major number.
std::string index_text(std::int64_t element, const std::vector<std::int64_t>& shape) {
    if (shape.empty()) return {};
    std::vector<std::int64_t> index(shape.size());
    for (std::size_t i = index.size(); i-- > 0; element /= shape[i]) index[i] = element % shape[i];
    return fmt::format("[{}]", fmt::join(index, ", "));
}

}  // namespace

SemaphoreMap::SemaphoreMap(const schedule::Program& program) : program_(program) {
    for (const schedule::Stream& stream : program.streams) add_stream(stream);
    for (const schedule::Ring& ring : program.rings)
        add(program.buffers[static_cast<std::size_t>(ring.buffer)].copies, "ring " + ring.name,
            "a slot of `" + ring.name + "`", ring.place.span);
    for (const schedule::Semaphore& semaphore : program.semaphores) {
        std::int64_t count = 1;
        for (std::int64_t extent : semaphore.shape) count *= extent;
        add(count, "semaphore " + semaphore.name, semaphore.name, semaphore.place.span,
            semaphore.shape, semaphore.kind == schedule::SemaphoreKind::count);
    }
    add(program.names_peers() ? program.members() : 0, "barrier", "", {}, {}, true);
    for (std::size_t axis = 0; axis < program.mesh.size(); ++axis)
        add(std::ssize(program.barrier_distances(axis)), "barrier", program.mesh[axis].name, {}, {},
            true);
}

void SemaphoreMap::add(std::int64_t count, std::string cause, std::string name, Span place,
                       std::vector<std::int64_t> shape, bool counts) {
    const std::int64_t first = ranges_.empty() ? 0 : ranges_.back().first + ranges_.back().count;
    ranges_.push_back(
        {first, count, std::move(cause), std::move(name), place, std::move(shape), counts});
}

void SemaphoreMap::add_stream(const schedule::Stream& stream) {
    using schedule::Direction;
    const bool writes = stream.direction != Direction::in;
    if (stream.direction != Direction::out || (stream.revisit && writes))
        add(stream.depth, "fetch of " + stream.name, "the fetch of `" + stream.name + "`",
            stream.place.span);
    if (writes)
        add(std::min<std::int64_t>(stream.depth, 2), "write of " + stream.name,
            "the write of `" + stream.name + "`", stream.place.span);
}

const SemaphoreMap::Range* SemaphoreMap::find(std::int32_t semaphore) const {
    for (const Range& range : ranges_)
        if (semaphore >= range.first && semaphore < range.first + range.count) return &range;
    return nullptr;
}

std::string SemaphoreMap::name(std::int32_t semaphore) const {
    const Range* range = find(semaphore);
    if (!range) return "a copy";
    const std::int64_t element = semaphore - range->first;
    if (range->cause == "barrier")
        return (range->name.empty() ? member_name(program_, element)
                                    : fmt::format("every member along `{}`", range->name)) +
               " to come to a barrier";
    if (range->cause.starts_with("semaphore "))
        return fmt::format("`{}{}`", range->name, index_text(element, range->shape));
    return range->name;
}

std::string SemaphoreMap::cause(std::int32_t semaphore) const {
    const Range* range = find(semaphore);
    return range ? range->cause : std::string();
}

std::string_view SemaphoreMap::unit(std::int32_t semaphore) const {
    const Range* range = find(semaphore);
    return range && range->counts ? "signals" : "bytes";
}

Span SemaphoreMap::place(std::int32_t semaphore) const {
    const Range* range = find(semaphore);
    return range ? range->place : Span{};
}

std::string member_name(const schedule::Program& program, std::int64_t member) {
    if (program.mesh.empty()) return "the core";
    std::string text;
    std::int64_t rest = member;
    for (auto axis = program.mesh.rbegin(); axis != program.mesh.rend(); ++axis) {
        text = fmt::format("{} = {}{}{}", axis->name, rest % axis->extent, text.empty() ? "" : ", ",
                           text);
        rest /= axis->extent;
    }
    return fmt::format("member {} ({})", member, text);
}

}  // namespace slab::sim
