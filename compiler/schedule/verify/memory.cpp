#include <algorithm>

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
    findings.require(program.vmem_bytes <= program.vmem_limit_bytes,
                     "{} bytes of VMEM are charged, the limit is {}", program.vmem_bytes,
                     program.vmem_limit_bytes);
    check_overlaps(findings, Space::vmem);
}

}  // namespace slab::schedule
