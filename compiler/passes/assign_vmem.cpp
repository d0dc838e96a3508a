#include <algorithm>
#include <cmath>
#include <map>

#include "compiler/compile.hpp"
#include "compiler/passes/passes.hpp"
#include "compiler/schedule/layout.hpp"
#include "support/size_text.hpp"

namespace slab::compiler {
namespace {

using schedule::Buffer;
using schedule::BufferRole;
using Int = std::int64_t;

double mib(Int bytes) {
    return static_cast<double>(bytes) / (1 << 20);
}

bool charged(const LiveValue& live) {
    return live.uses >= 2 || live.crosses_regions;
}

/// Every charged live value is a buffer of its own, for the table and for its place.
void make_live_buffers(Unit& unit) {
    for (LiveValue& live : unit.live) {
        if (!charged(live) || live.buffer != schedule::none) continue;
        Buffer buffer;
        buffer.name = live.name;
        buffer.role = BufferRole::live;
        buffer.type = live.type.type;
        buffer.shape = live.type.shape;
        buffer.tile_rows = unit.chip.vpu.sublanes * 32 / bits(live.type.type);
        buffer.bytes =
            schedule::vmem_bytes(buffer.type, buffer.shape, buffer.tile_rows, unit.chip.vpu.lanes);
        buffer.place.span = live.span;
        live.buffer = static_cast<schedule::BufferId>(unit.program.buffers.size());
        unit.program.buffers.push_back(std::move(buffer));
    }
}

/// First fit, in order of definition: two values share bytes when one is dead before the other
/// begins.
Int place_live(Unit& unit, Int base) {
    std::vector<LiveValue*> order;
    for (LiveValue& live : unit.live)
        if (charged(live)) order.push_back(&live);
    std::stable_sort(order.begin(), order.end(),
                     [](const auto* a, const auto* b) { return a->first < b->first; });
    std::vector<const LiveValue*> placed;
    Int end = base;
    for (const LiveValue* live : order) {
        Buffer& buffer = unit.program.buffers[live->buffer];
        std::erase_if(placed, [&](const LiveValue* other) { return other->last < live->first; });
        std::vector<std::pair<Int, Int>> taken;
        for (const LiveValue* other : placed) {
            const Buffer& there = unit.program.buffers[other->buffer];
            taken.emplace_back(there.offset, there.offset + there.bytes);
        }
        std::sort(taken.begin(), taken.end());
        Int at = base;
        for (const auto& [begin, past] : taken) {
            if (at + buffer.bytes <= begin) break;
            at = std::max(at, past);
        }
        buffer.offset = at;
        end = std::max(end, at + buffer.bytes);
        placed.push_back(live);
    }
    return end;
}

/// Statement at which most live bytes are held.
int peak_statement(const Unit& unit) {
    std::map<int, Int> change;  // of the bytes held, by statement
    for (const LiveValue& live : unit.live) {
        if (!charged(live)) continue;
        change[live.first] += unit.program.buffers[live.buffer].bytes;
        change[live.last + 1] -= unit.program.buffers[live.buffer].bytes;
    }
    int best = 0;
    Int bytes = 0, most = 0;
    for (const auto& [statement, difference] : change) {
        bytes += difference;
        if (bytes > most) {
            most = bytes;
            best = statement;
        }
    }
    return best;
}

std::vector<std::string> budget(const Unit& unit) {
    const int peak = peak_statement(unit);
    std::string live, streams, scratch;
    const auto add = [](std::string& line, const Buffer& buffer, bool shape) {
        line += line.empty() ? "" : "   ";
        line += buffer.name;
        if (shape) line += fmt::format(" {}[{}]", name(buffer.type), fmt::join(buffer.shape, ","));
        line += fmt::format(" {:.1f}", mib(buffer.bytes * buffer.copies));
    };
    for (const LiveValue& value : unit.live)
        if (charged(value) && value.first <= peak && value.last >= peak)
            add(live, unit.program.buffers[value.buffer], true);
    for (const Buffer& buffer : unit.program.buffers) {
        if (buffer.role == BufferRole::window) {
            add(streams, buffer, false);
            if (buffer.copies != 2) streams += fmt::format(" (x{})", buffer.copies);
        }
        if (buffer.role == BufferRole::scratch) add(scratch, buffer, false);
    }
    std::vector<std::string> lines;
    std::string head = "budget in MiB:  ";
    const auto line = [&](const char* title, const std::string& text, const char* note) {
        if (text.empty()) return;
        lines.push_back(fmt::format("{}{:<12}{}{}", head, title, text, note));
        head.assign(head.size(), ' ');
    };
    line("live values", live, "");
    line("streams", streams, "   (two buffers each unless said)");
    line("scratch", scratch, "");
    return lines;
}

struct Smaller {
    std::string name;
    Int value = 0;
    Int needed = 0;
};

/// What divides a block size and is a multiple of the smallest tile, the largest first: arrays that
/// the block divides are divided by it too.
std::vector<Int> parts_of(Int size) {
    constexpr Int tile = 8, most_tried = 1 << 16;
    std::vector<Int> parts;
    for (Int by = 2; by <= size / tile && by <= most_tried; ++by)
        if (size % by == 0 && size / by % tile == 0) parts.push_back(size / by);
    return parts;
}

/// The largest block that fits when one parameter is divided; then when several are halved, again
/// and again.
std::vector<Smaller> smaller_blocks(const Unit& unit, Int limit) {
    std::vector<Smaller> single;
    Settings settings = unit.settings;
    const auto with = [&](const std::string& parameter, Int value) {
        Settings changed = settings;
        changed.set.emplace_back(parameter, std::to_string(value));
        return changed;
    };
    // each trial compiles the kernel; a large one is not worth many
    constexpr Int most_work = 20'000;
    Int work = unit.work;
    const auto needed_with = [&](const Settings& changed) {
        return work < most_work ? vmem_needed(unit, changed, work) : std::nullopt;
    };
    std::vector<std::pair<std::string, Int>> sizes;
    for (const Bound& bound : unit.bound)
        if (!bound.is_shape && !bound.is_runtime && bound.value.integer() &&
            *bound.value.integer() >= 16)
            sizes.emplace_back(bound.name, *bound.value.integer());
    for (const auto& [parameter, value] : sizes)
        for (const Int part : parts_of(value))
            if (const auto needed = needed_with(with(parameter, part));
                needed && *needed <= limit) {
                single.push_back({parameter, part, *needed});
                break;
            }
    std::stable_sort(single.begin(), single.end(),
                     [](const Smaller& a, const Smaller& b) { return a.needed > b.needed; });
    if (!single.empty()) return {single.front()};
    std::vector<Smaller> several;
    for (int round = 0; round < 24; ++round) {
        Smaller best;
        std::size_t chosen = sizes.size();
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            const Int half = sizes[i].second / 2;
            const auto needed = half >= 8 ? needed_with(with(sizes[i].first, half)) : std::nullopt;
            if (needed && (chosen == sizes.size() || *needed < best.needed)) {
                best = {sizes[i].first, half, *needed};
                chosen = i;
            }
        }
        if (chosen == sizes.size()) return {};
        sizes[chosen].second = best.value;
        settings = with(best.name, best.value);
        std::erase_if(several, [&](const Smaller& s) { return s.name == best.name; });
        several.push_back(best);
        if (best.needed <= limit) {
            for (Smaller& s : several) s.needed = best.needed;
            return several;
        }
    }
    return {};
}

Span block_sizes(const Unit& unit) {
    const auto& brackets = unit.kernel.brackets;
    if (brackets.empty()) return unit.kernel.name.span;
    return {brackets.front().span.begin, brackets.back().span.end};
}

void report(const Unit& unit, Diagnostics& diags) {
    const Int needed = unit.program.vmem_bytes, limit = unit.program.vmem_limit_bytes;
    auto& message = diags.add<Diag::E0601>(block_sizes(unit), size_text(double(needed)),
                                           size_text(double(limit)));
    if (unit.quiet) return;
    message.label("block sizes set here").table(budget(unit));
    const auto smaller = smaller_blocks(unit, limit);
    std::string blocks;
    for (const Smaller& s : smaller)
        blocks += fmt::format("{}{} = {}", blocks.empty() ? "" : ", ", s.name, s.value);
    if (!smaller.empty())
        message.fix(fmt::format("{} needs {}", blocks, size_text(double(smaller.back().needed))));
    if (needed <= unit.chip.vmem.bytes)
        message.fix(fmt::format("`limit vmem {}*MiB` (the core has {:.0f} MiB)",
                                static_cast<Int>(std::ceil(mib(needed))),
                                mib(unit.chip.vmem.bytes)));
    else if (smaller.empty())
        message.because(fmt::format("no smaller block was found that fits: the core has {:.0f} MiB",
                                    mib(unit.chip.vmem.bytes)));
}

/// SMEM is placed like VMEM; its largest array is the one to look at.
void assign_smem(Unit& unit, Diagnostics& diags) {
    Int end = 0;
    const Buffer* largest = nullptr;
    std::string table;
    for (Buffer& buffer : unit.program.buffers) {
        if (buffer.space != schedule::Space::smem) continue;
        buffer.offset = end;
        end += buffer.bytes * buffer.copies;
        table += fmt::format("{}{} {}[{}] {}", table.empty() ? "" : "   ", buffer.name,
                             name(buffer.type), fmt::join(buffer.shape, ","),
                             size_text(double(buffer.bytes * buffer.copies)));
        if (!largest || buffer.bytes * buffer.copies > largest->bytes * largest->copies)
            largest = &buffer;
    }
    if (end <= unit.chip.smem.bytes) return;
    diags
        .add<Diag::E0602>(largest->place.span, size_text(double(end)),
                          size_text(double(unit.chip.smem.bytes)))
        .label("the largest part")
        .table({"budget:  " + table})
        .because("operands in SMEM arrive whole, before the body")
        .fix(fmt::format("{0} in hbm, and `in w: smem … fetch {{ copy {0}[…] -> w }}` per step",
                         largest->name));
}

}  // namespace

void assign_vmem(Unit& unit, Diagnostics& diags) {
    make_live_buffers(unit);
    assign_smem(unit, diags);
    Int end = 0;
    for (Buffer& buffer : unit.program.buffers) {
        if (buffer.role == BufferRole::live || buffer.space != schedule::Space::vmem) continue;
        buffer.offset = end;
        end += buffer.bytes * buffer.copies;
    }
    unit.program.vmem_bytes = place_live(unit, end);
    if (unit.program.vmem_bytes > unit.program.vmem_limit_bytes) report(unit, diags);
}

}  // namespace slab::compiler
