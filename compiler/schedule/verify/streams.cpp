#include "compiler/schedule/print.hpp"
#include "compiler/schedule/text/words.hpp"
#include "compiler/schedule/verify/checks.hpp"

namespace slab::schedule {

namespace {

class Collector {
public:
    Collector(const Program& program, Changes& changes) : program_(program), changes_(changes) {}

    void streams(const Pipeline& grid) {
        for (StreamId id : grid.streams) {
            if (!in_range(id, program_.streams)) continue;
            const Stream& stream = item(program_.streams, id);
            slot(stream.slot);
            slot(stream.fetch_slot);
            buffer(stream.buffer);
            block(stream.fetch);
            block(stream.flush);
        }
    }
    void block(const Block& block) {
        for (const Stmt& stmt : block) {
            std::visit([this](const auto& node) { changed_by(node); }, stmt.node);
            for_each_block(stmt, [this](const Block& body) { this->block(body); });
        }
    }

private:
    void changed_by(const Pipeline& node) {
        for (const Axis& axis : node.axes) slot(axis.slot);
        streams(node);
    }
    void changed_by(const Loop& node) { slot(node.slot); }
    void changed_by(const SetSlot& node) { slot(node.slot); }
    void changed_by(const SetElement& node) { buffer(node.buffer); }
    void changed_by(const StartCopy& node) {
        if (in_range(node.copy, program_.copies))
            buffer(item(program_.copies, node.copy).target.buffer);
    }
    void changed_by(const UseRing& node) {
        if (!in_range(node.ring, program_.rings) || node.kind == UseRing::Kind::drain) return;
        const Ring& ring = item(program_.rings, node.ring);
        slot(node.kind == UseRing::Kind::take ? ring.take : ring.fill);
    }
    void changed_by(const Branch&) {}
    void changed_by(const RunRegion&) {}
    void changed_by(const Scope&) {}
    void changed_by(const While&) {}
    void changed_by(const Await&) {}
    void changed_by(const SendSignal&) {}
    void changed_by(const MeetPeers&) {}
    void changed_by(const MakeSure&) {}
    void changed_by(const PrintValues&) {}

    void slot(SlotId id) {
        if (in_range(id, changes_.slots)) changes_.slots[static_cast<std::size_t>(id)] = true;
    }
    void buffer(BufferId id) {
        if (in_range(id, changes_.buffers)) changes_.buffers[static_cast<std::size_t>(id)] = true;
    }

    const Program& program_;
    Changes& changes_;
};

class StreamCheck {
public:
    StreamCheck(Findings& findings, const Stream& stream, const Pipeline& grid,
                const Changes& changes)
        : findings_(findings),
          program_(findings.program),
          stream_(stream),
          grid_(grid),
          changes_(changes) {}

    void run() {
        if (!require(in_range(stream_.buffer, program_.buffers), "has buffer {}", stream_.buffer))
            return;
        const Buffer& buffer = item(program_.buffers, stream_.buffer);
        require(stream_.depth >= 1 && stream_.depth <= buffer.copies,
                "has depth {}, `{}` has {} copies", stream_.depth, buffer.name, buffer.copies);
        require(stream_.moves_with.size() == grid_.axes.size(),
                "says of {} axes whether they move it, there are {}", stream_.moves_with.size(),
                grid_.axes.size());
        if (stream_.is_custom())
            own_transfers();
        else
            window(buffer);
    }

private:
    template <typename... Args>
    bool require(bool holds, fmt::format_string<Args...> format, Args&&... args) {
        return findings_.require(
            holds, "stream `{}` {}", stream_.name,
            holds ? std::string() : fmt::format(format, std::forward<Args>(args)...));
    }

    void own_transfers() {
        require(stream_.dims.empty(), "has {} indices and transfers of its own",
                stream_.dims.size());
        require(stream_.fetch.empty() || stream_.direction != Direction::out,
                "only writes and has a `fetch`");
        require(stream_.flush.empty() || stream_.direction != Direction::in,
                "only reads and has a `flush`");
        if (!stream_.fetch.empty() || stream_.fetch_slot != none) variable(stream_.fetch_slot);
        if (!stream_.flush.empty() || stream_.slot != none) variable(stream_.slot);
    }

    void variable(SlotId slot) {
        require(
            in_range(slot, program_.slots) && item(program_.slots, slot).type == ScalarType::i32,
            "has slot {} for the number of its copy, which is no i32 variable", slot);
    }

    void window(const Buffer& buffer) {
        if (!require(in_range(stream_.operand, program_.operands), "has operand {}",
                     stream_.operand))
            return;
        require(stream_.fetch.empty() && stream_.flush.empty() && stream_.fetch_slot == none &&
                    stream_.slot == none,
                "has an operand and transfers of its own");
        const Operand& operand = item(program_.operands, stream_.operand);
        require(stream_.direction == Direction::in || operand.direction != Direction::in,
                "writes to `{}`, which is an input", operand.name);
        if (!require(stream_.dims.size() == operand.shape.size(),
                     "gives {} indices to `{}` of rank {}", stream_.dims.size(), operand.name,
                     operand.shape.size()))
            return;
        for (const RefDim& dim : stream_.dims) window_dim(dim);
        const BlockType window{operand.type, kept_extents(stream_.dims)};
        require((window == BlockType{buffer.type, buffer.shape}), "moves {} through `{}` of {}",
                spelled(window.type, window.shape), buffer.name,
                spelled(buffer.type, buffer.shape));
    }

    void window_dim(const RefDim& dim) {
        require(dim.size >= 1 && (!dim.dropped || (dim.size == 1 && dim.live == none)),
                "has a window of {} elements in a dimension", dim.size);
        require(dim.step >= 1, "takes elements {} apart", dim.step);
        for (ExprId expr : {dim.start, dim.live}) {
            if (expr == none && expr == dim.live) continue;
            if (!findings_.require_type(expr, ScalarType::i32, "an index of " + stream_.name))
                continue;
            verify_untouched(findings_, expr, grid_, changes_);
            for (SlotId slot : reads_of(program_, expr).slots)
                if (is_denied(slot))
                    findings_.add("stream `{}` moves with an axis that it denies: `{}`",
                                  stream_.name, print(expr, program_));
        }
    }

    bool is_denied(SlotId slot) const {
        for (std::size_t i = 0; i < grid_.axes.size() && i < stream_.moves_with.size(); ++i)
            if (grid_.axes[i].slot == slot && !stream_.moves_with[i]) return true;
        return false;
    }

    Findings& findings_;
    const Program& program_;
    const Stream& stream_;
    const Pipeline& grid_;
    const Changes& changes_;
};

}  // namespace

Changes changes_of(const Program& program, const Pipeline& grid) {
    Changes changes{std::vector<bool>(program.slots.size()),
                    std::vector<bool>(program.buffers.size())};
    Collector collector(program, changes);
    collector.streams(grid);
    collector.block(grid.body);
    return changes;
}

void verify_untouched(Findings& findings, ExprId expr, const Pipeline& grid,
                      const Changes& changes) {
    const Program& program = findings.program;
    const auto refuse = [&](const std::string& name) {
        findings.add("`{}` of grid `{}` depends on `{}`, which its body sets", print(expr, program),
                     grid.name, name);
    };
    const Reads reads = reads_of(program, expr);
    for (SlotId slot : reads.slots)
        if (changes.slots[static_cast<std::size_t>(slot)]) refuse(item(program.slots, slot).name);
    for (BufferId buffer : reads.buffers)
        if (changes.buffers[static_cast<std::size_t>(buffer)])
            refuse(item(program.buffers, buffer).name);
}

void verify_stream(Findings& findings, const Stream& stream, const Pipeline& grid,
                   const Changes& changes) {
    StreamCheck(findings, stream, grid, changes).run();
}

}  // namespace slab::schedule
