#include <algorithm>
#include <limits>

#include "compiler/schedule/layout.hpp"
#include "compiler/schedule/text/words.hpp"
#include "compiler/schedule/verify/checks.hpp"
#include "compiler/schedule/walker.hpp"

namespace slab::schedule {

namespace {

void check_operand(Findings& findings, const Operand& operand) {
    findings.require(!operand.shape.empty() && operand.shape.size() <= max_rank,
                     "operand `{}` has rank {}, it must be 1 to {}", operand.name,
                     operand.shape.size(), max_rank);
    findings.require(all_positive(operand.shape),
                     "operand `{}` is {}: every extent must be 1 or more", operand.name,
                     extents(operand.shape));
    findings.require(operand.tile_rows >= 1, "operand `{}` lies in tiles of {} rows", operand.name,
                     operand.tile_rows);
    if (operand.resident == none) return;
    if (!findings.require(in_range(operand.resident, findings.program.buffers),
                          "operand `{}` is held by buffer {}, which does not exist", operand.name,
                          operand.resident))
        return;
    const Buffer& buffer = item(findings.program.buffers, operand.resident);
    findings.require(buffer.type == operand.type && buffer.shape == operand.shape,
                     "operand `{}` of {} is held by buffer `{}` of {}", operand.name,
                     spelled(operand.type, operand.shape), buffer.name,
                     spelled(buffer.type, buffer.shape));
}

void check_mesh(Findings& findings) {
    const Program& program = findings.program;
    std::int64_t members = 1;
    for (const MeshAxis& axis : program.mesh) {
        findings.require(axis.extent >= 1, "mesh axis `{}` has extent {}", axis.name, axis.extent);
        findings.require(!__builtin_mul_overflow(members, axis.extent, &members) &&
                             members <= std::numeric_limits<std::int32_t>::max(),
                         "the mesh has more members than can be numbered");
        if (findings.require(in_range(axis.slot, program.slots),
                             "mesh axis `{}` has slot {}, which does not exist", axis.name,
                             axis.slot))
            findings.require(item(program.slots, axis.slot).type == ScalarType::i32,
                             "the slot of mesh axis `{}` is no i32", axis.name);
    }
}

void check_semaphore(Findings& findings, const Semaphore& semaphore) {
    findings.require(all_positive(semaphore.shape),
                     "semaphore `{}` is {}: every extent must be 1 or more", semaphore.name,
                     extents(semaphore.shape));
}

void check_ring(Findings& findings, const Ring& ring) {
    const Program& program = findings.program;
    if (findings.require(in_range(ring.buffer, program.buffers),
                         "ring `{}` has buffer {}, which does not exist", ring.name, ring.buffer))
        findings.require(item(program.buffers, ring.buffer).role == BufferRole::ring,
                         "ring `{}` is made of buffer `{}`, which is no ring", ring.name,
                         item(program.buffers, ring.buffer).name);
    for (SlotId slot : {ring.fill, ring.take}) {
        if (slot == none) continue;
        findings.require(
            in_range(slot, program.slots) && item(program.slots, slot).type == ScalarType::i32,
            "ring `{}` has slot {}, which is no i32 variable", ring.name, slot);
    }
}

void check_buffer(Findings& findings, const Buffer& buffer) {
    const Program& program = findings.program;
    const bool sane =
        findings.require(!buffer.shape.empty() && all_positive(buffer.shape) &&
                             buffer.copies >= 1 && buffer.tile_rows >= 1 && buffer.offset >= 0,
                         "buffer `{}` is {} in {} copies at {}, in tiles of {} rows", buffer.name,
                         extents(buffer.shape), buffer.copies, buffer.offset, buffer.tile_rows);
    if (!sane) return;
    findings.require(buffer.space != Space::hbm, "buffer `{}` lies in HBM", buffer.name);
    if (buffer.space != Space::vmem) return;
    const std::int64_t needed =
        vmem_bytes(buffer.type, buffer.shape, buffer.tile_rows, program.lanes);
    findings.require(buffer.bytes >= needed, "buffer `{}` has {} bytes, {} need {}", buffer.name,
                     buffer.bytes, spelled(buffer.type, buffer.shape), needed);
    const std::int64_t end = buffer.offset + buffer.copies * buffer.bytes;
    findings.require(end <= program.vmem_limit_bytes,
                     "buffer `{}` ends at byte {}, the limit is {}", buffer.name, end,
                     program.vmem_limit_bytes);
}

/// Buffers of one space, in the order of their places.
std::vector<const Buffer*> by_offset(const Program& program, Space space) {
    std::vector<const Buffer*> buffers;
    for (const Buffer& buffer : program.buffers)
        if (buffer.space == space) buffers.push_back(&buffer);
    std::stable_sort(buffers.begin(), buffers.end(),
                     [](const Buffer* a, const Buffer* b) { return a->offset < b->offset; });
    return buffers;
}

/// Live values may share bytes with one another; whether they do at the same time is a question
/// to the regions.
void check_overlaps(Findings& findings, Space space) {
    const Buffer* reaching = nullptr;  // the farthest so far among all, and among those not live
    const Buffer* reaching_fixed = nullptr;
    const auto end = [](const Buffer* buffer) {
        return buffer ? buffer->offset + buffer->copies * buffer->bytes : 0;
    };
    for (const Buffer* buffer : by_offset(findings.program, space)) {
        const bool is_live = buffer->role == BufferRole::live;
        const Buffer* before = is_live ? reaching_fixed : reaching;
        findings.require(buffer->offset >= end(before), "buffers `{}` and `{}` overlap",
                         before ? before->name : "", buffer->name);
        if (end(buffer) > end(reaching)) reaching = buffer;
        if (!is_live && end(buffer) > end(reaching_fixed)) reaching_fixed = buffer;
    }
}

}  // namespace

void verify_memory(Findings& findings) {
    const Program& program = findings.program;
    if (!findings.require(program.lanes >= 1 && program.sublanes >= 1,
                          "registers of {} x {} elements", program.sublanes, program.lanes))
        return;
    for (const Operand& operand : program.operands) check_operand(findings, operand);
    for (const Buffer& buffer : program.buffers) check_buffer(findings, buffer);
    check_mesh(findings);
    for (const Semaphore& semaphore : program.semaphores) check_semaphore(findings, semaphore);
    for (const Ring& ring : program.rings) check_ring(findings, ring);
    findings.require(program.vmem_bytes <= program.vmem_limit_bytes,
                     "{} bytes of VMEM are charged, the limit is {}", program.vmem_bytes,
                     program.vmem_limit_bytes);
    check_overlaps(findings, Space::vmem);
}

}  // namespace slab::schedule
