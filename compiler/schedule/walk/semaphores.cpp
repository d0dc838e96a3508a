#include "compiler/schedule/walk/semaphores.hpp"

#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "compiler/schedule/walk/plan.hpp"

namespace slab::schedule {

namespace {

std::string element_name(const Semaphore& semaphore, std::int64_t element) {
    std::vector<std::int64_t> index(semaphore.shape.size());
    for (std::size_t d = index.size(); d-- > 0;) {
        index[d] = element % semaphore.shape[d];
        element /= semaphore.shape[d];
    }
    if (index.empty()) return semaphore.name;
    return fmt::format("{}[{}]", semaphore.name, fmt::join(index, ", "));
}

bool lies_in(std::int32_t semaphore, std::int32_t first, std::int64_t count) {
    return first != none && semaphore >= first && semaphore < first + count;
}

}  // namespace

void number_semaphores(Plan& plan) {
    std::int32_t next = 0;
    const auto take = [&next](std::int64_t count) {
        const std::int32_t first = next;
        next += static_cast<std::int32_t>(count);
        return first;
    };
    for (StreamPlan& stream : plan.streams) {
        if (stream.fetches) stream.fetch_semaphore = take(stream.depth);
        if (stream.writes) stream.write_semaphore = take(stream.write_depth);
    }
    for (RingPlan& ring : plan.rings) ring.semaphore = take(ring.depth);
    for (const Semaphore& semaphore : plan.program.semaphores)
        plan.written_semaphores.push_back(take(element_count(semaphore.shape)));
    plan.semaphores.barrier = take(plan.program.names_peers() ? plan.program.members() : 0);
    for (std::size_t axis = 0; axis < plan.program.mesh.size(); ++axis) {
        std::vector<std::int32_t> distances = plan.program.barrier_distances(axis);
        const std::int32_t first = take(static_cast<std::int64_t>(distances.size()));
        plan.semaphores.axes.push_back({first, std::move(distances)});
    }
    plan.semaphores.synchronous = take(1);
    plan.semaphores.count = next;
}

std::string semaphore_name(std::int32_t semaphore, const Plan& plan) {
    const Program& program = plan.program;
    for (std::size_t id = 0; id < plan.streams.size(); ++id) {
        const StreamPlan& stream = plan.streams[id];
        if (lies_in(semaphore, stream.fetch_semaphore, stream.depth))
            return fmt::format("fetch of {}", program.streams[id].name);
        if (lies_in(semaphore, stream.write_semaphore, stream.write_depth))
            return fmt::format("write-back of {}", program.streams[id].name);
    }
    for (std::size_t id = 0; id < plan.rings.size(); ++id) {
        const RingPlan& ring = plan.rings[id];
        if (lies_in(semaphore, ring.semaphore, ring.depth))
            return fmt::format("slot {} of {}", semaphore - ring.semaphore, program.rings[id].name);
    }
    for (std::size_t id = 0; id < program.semaphores.size(); ++id) {
        const std::int32_t first = plan.written_semaphores[id];
        if (lies_in(semaphore, first, element_count(program.semaphores[id].shape)))
            return element_name(program.semaphores[id], semaphore - first);
    }
    if (semaphore == plan.semaphores.synchronous) return "synchronous copies";
    for (std::size_t axis = program.mesh.size(); axis-- > 0;) {
        const SemaphoreNumbers::Axis& barrier = plan.semaphores.axes[axis];
        if (lies_in(semaphore, barrier.first, std::ssize(barrier.distances)))
            return fmt::format(
                "barrier from {} before in {}",
                barrier.distances[static_cast<std::size_t>(semaphore - barrier.first)],
                program.mesh[axis].name);
    }
    if (semaphore >= plan.semaphores.barrier)
        return fmt::format("barrier from member {}", semaphore - plan.semaphores.barrier);
    return fmt::format("semaphore {}", semaphore);
}

}  // namespace slab::schedule
