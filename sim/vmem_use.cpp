#include "sim/vmem_use.hpp"

#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace slab::sim {

namespace {

std::string_view role_name(schedule::BufferRole role) {
    switch (role) {
        case schedule::BufferRole::window:
            return "window";
        case schedule::BufferRole::scratch:
            return "scratch";
        case schedule::BufferRole::ring:
            return "ring";
        case schedule::BufferRole::live:
            return "live";
    }
    return "";
}

double padding_fraction(const schedule::Buffer& buffer) {
    if (buffer.bytes == 0) return 0;
    double used_bytes = bits(buffer.type) / 8.0;
    for (std::int64_t size : buffer.shape) used_bytes *= static_cast<double>(size);
    return 1 - used_bytes / static_cast<double>(buffer.bytes);
}

}  // namespace

result::VmemUse vmem_use(const schedule::Program& program) {
    result::VmemUse use;
    use.bytes = program.vmem_bytes;
    use.limit = program.vmem_limit_bytes;
    for (const schedule::Buffer& buffer : program.buffers) {
        if (buffer.space == schedule::Space::smem) use.smem_bytes += buffer.copies * buffer.bytes;
        if (buffer.space != schedule::Space::vmem) continue;
        result::VmemRow row;
        row.name = buffer.name;
        row.role = role_name(buffer.role);
        row.type = fmt::format("{}[{}]", name(buffer.type), fmt::join(buffer.shape, ", "));
        row.copies = buffer.copies;
        row.bytes = buffer.copies * buffer.bytes;
        row.padding_fraction = padding_fraction(buffer);
        use.rows.push_back(std::move(row));
    }
    return use;
}

}  // namespace slab::sim
