#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sim/simulate.hpp"

namespace slab::test {

namespace timing = sim::timing;

/// A chip of round numbers: one byte and one cycle per ns. Cycles and ns are the same.
inline arch::ChipSpec round_chip() {
    arch::ChipSpec chip;
    chip.name = "round";
    chip.cores_per_chip = 1;
    chip.clock = {1, 1};
    chip.mxu.count = 1;
    chip.mxu.dim = 8;
    chip.mxu.rows_per_cycle = {{DType::bf16, 1}};
    chip.mxu.native_pairs = {{DType::bf16, DType::bf16}};
    chip.vmem.dma_bytes_per_cycle = 4;
    chip.scalar = {0.010, 0.020, 0.005};
    chip.dma.latency_us = 0.100;
    chip.dma.write_latency_fraction = 0.5;
    chip.dma.pipeline_issue_us = 0.010;
    chip.hbm.bandwidth_gb_per_s = 1;
    chip.hbm.stream_efficiency = 1;
    chip.launch.kernel_us = 1;
    return chip;
}

/// Builds a program by hand: one grid over `steps`, streams of i8 blocks of a row each, and regions
/// of invented duration.
class Kernel {
public:
    explicit Kernel(std::int64_t steps) : steps_(steps) {
        program_.kernel = std::string("by_hand");
        program_.slots.push_back({std::string("i"), schedule::ScalarType::i32, 0, 0});
        axis_ = expr(schedule::ScalarOp::slot);
        program_.exprs.back().slot = 0;
        grid_.name = std::string("grid");
        grid_.axes.push_back({0, constant(0), constant(steps), false, {}});
    }

    /// A block of `bytes` per step, or the same one in all steps.
    Kernel& in(std::string name, std::int64_t bytes, std::int64_t depth = 2, bool moves = true) {
        return stream(std::move(name), schedule::Direction::in, bytes, depth, moves);
    }
    Kernel& out(std::string name, std::int64_t bytes, std::int64_t depth = 2, bool moves = true) {
        return stream(std::move(name), schedule::Direction::out, bytes, depth, moves);
    }
    /// A region in the body.
    Kernel& region(timing::RegionTime time, schedule::Region region = {}) {
        const auto id = static_cast<schedule::RegionId>(program_.regions.size());
        program_.regions.push_back(std::move(region));
        regions_.push_back(time);
        grid_.body.push_back({schedule::RunRegion{id}});
        return *this;
    }
    Kernel& region(double cycles) { return region({cycles, {}, 0}); }
    /// Any other statement of the body.
    Kernel& body(schedule::Stmt statement) {
        grid_.body.push_back(std::move(statement));
        return *this;
    }
    /// Only steps from `first` on are alive.
    Kernel& live_from(std::int64_t first) {
        grid_.where = binary(schedule::ScalarOp::ge, axis_, constant(first));
        program_.exprs.back().type = schedule::ScalarType::pred;
        return *this;
    }

    schedule::ExprId axis() const { return axis_; }
    schedule::ExprId constant(std::int64_t value) {
        const schedule::ExprId id = expr(schedule::ScalarOp::constant);
        program_.exprs.back().integer = value;
        return id;
    }
    schedule::ExprId binary(schedule::ScalarOp op, schedule::ExprId a, schedule::ExprId b) {
        const schedule::ExprId id = expr(op);
        program_.exprs.back().args = {a, b};
        return id;
    }

    schedule::Program program() const {
        schedule::Program program = program_;
        program.body.push_back({grid_});
        return program;
    }
    result::Result run(const arch::ChipSpec& chip = round_chip(),
                       const sim::Options& options = {}) const {
        return sim::simulate(program(), {}, chip, options, regions_);
    }

private:
    schedule::ExprId expr(schedule::ScalarOp op) {
        program_.exprs.emplace_back();
        program_.exprs.back().op = op;
        return static_cast<schedule::ExprId>(program_.exprs.size() - 1);
    }

    Kernel& stream(std::string name, schedule::Direction direction, std::int64_t bytes,
                   std::int64_t depth, bool moves) {
        schedule::Operand operand;
        operand.name = name;
        operand.direction = direction;
        operand.type = DType::i8;
        operand.shape = {moves ? steps_ : 1, bytes};
        schedule::Buffer buffer;
        buffer.name = name;
        buffer.role = schedule::BufferRole::window;
        buffer.type = DType::i8;
        buffer.shape = {1, bytes};
        buffer.copies = depth;
        buffer.bytes = bytes;
        schedule::Stream stream;
        stream.name = name;
        stream.direction = direction;
        stream.operand = static_cast<schedule::OperandId>(program_.operands.size());
        stream.buffer = static_cast<schedule::BufferId>(program_.buffers.size());
        stream.dims = {{moves ? axis_ : constant(0), schedule::none, 1, 1, false},
                       {constant(0), schedule::none, bytes, 1, false}};
        stream.depth = depth;
        stream.moves_with = {moves};
        grid_.streams.push_back(static_cast<schedule::StreamId>(program_.streams.size()));
        program_.operands.push_back(std::move(operand));
        program_.buffers.push_back(std::move(buffer));
        program_.streams.push_back(std::move(stream));
        return *this;
    }

    std::int64_t steps_;
    schedule::Program program_;
    schedule::Pipeline grid_;
    schedule::ExprId axis_ = schedule::none;
    std::vector<timing::RegionTime> regions_;
};

/// Cycles a wait of core 0 took; 0 if there was none.
inline double waited(const result::Result& result, std::string_view cause) {
    const result::Wait* wait = result::find_wait(result.cores.at(0), cause);
    return wait ? wait->cycles : 0;
}

inline double busy(const result::Result& result, std::string_view unit) {
    return result::find_unit(result.cores.at(0), unit)->busy_cycles;
}

inline double term_us(const result::Result& result, std::string_view name) {
    return result::find_term(result.roofline, name)->time_us;
}

}  // namespace slab::test
