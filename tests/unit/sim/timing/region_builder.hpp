#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "arch_configs/chip_spec.hpp"
#include "compiler/schedule/layout.hpp"
#include "compiler/schedule/program.hpp"

namespace slab::sim::timing::test {

using schedule::BlockType;
using schedule::BufferId;
using schedule::Op;
using schedule::OpClass;
using schedule::ValueId;
using Shape = std::vector<std::int64_t>;

/// The parts of TPU v6e that timing reads.
inline arch::ChipSpec v6e() {
    arch::ChipSpec chip;
    chip.name = "v6e";
    chip.clock = {1.75, 1.75};
    chip.mxu.count = 2;
    chip.mxu.dim = 256;
    chip.mxu.rows_per_cycle = {{DType::bf16, 2}, {DType::f8e5m2, 2}, {DType::i8, 4}};
    chip.mxu.weight_load_cycles = 64;
    chip.mxu.weight_load_transposed_cycles = 128;
    chip.mxu.result_latency_cycles = 160;
    chip.vpu.lanes = 128;
    chip.vpu.sublanes = 8;
    chip.vpu.registers = 64;
    chip.vpu.native_16bit = true;
    chip.vpu.valu_slots = 4;
    chip.vpu.valu_latency_cycles = 2;
    chip.vpu.load_slots = 2;
    chip.vpu.store_slots = 1;
    chip.vpu.result_pop_slots = 2;
    chip.vpu.slot_efficiency = 0.89;
    chip.vpu.resident_share = 0.25;
    chip.vpu.held_share = 0.4;
    chip.vpu.eup_per_cycle = 0.75;
    chip.vpu.eup_latency_cycles = 16;
    chip.vpu.lookahead_ops = 64;
    chip.xlu.count = 2;
    chip.xlu.cycles_per_op = 4;
    chip.xlu.latency_cycles = 60;
    chip.mxu.row_block = 1024;
    chip.vmem.load_latency_cycles = 8;
    chip.tiling = {8, 8, 32, 64};
    return chip;
}

inline arch::ChipSpec ironwood() {
    arch::ChipSpec chip = v6e();
    chip.name = "ironwood";
    chip.clock = {2.2, 1.85};
    chip.mxu.accumulate_in_place = true;
    chip.mxu.accumulator_rows = 1024;
    chip.vpu.store_slots = 2;
    chip.tiling = {8, 16, 32, 64};
    return chip;
}

/// Writes a region op by op, with the work the compiler would count. Shapes come from arguments.
class RegionBuilder {
public:
    explicit RegionBuilder(const arch::ChipSpec& chip) : chip_(chip) {
        program_.lanes = chip.vpu.lanes;
        program_.sublanes = chip.vpu.sublanes;
    }

    const schedule::Program& program() const { return program_; }
    const schedule::Region& region() const { return region_; }
    const Shape& shape(ValueId value) const { return region_.values[value].shape; }

    BufferId buffer(DType type, const Shape& shape) {
        schedule::Buffer buffer;
        buffer.type = type;
        buffer.shape = shape;
        buffer.tile_rows = tile_rows(type);
        program_.buffers.push_back(buffer);
        return static_cast<BufferId>(program_.buffers.size()) - 1;
    }

    /// The whole buffer, or `rows` of its second-last dimension from `first`.
    ValueId load(BufferId buffer, std::int64_t first = 0, std::int64_t rows = -1) {
        const schedule::MemoryRef ref = reference(buffer, first, rows);
        Op op = make("load", OpClass::load, {});
        op.ref = ref;
        return finish(op, program_.buffers[buffer].type, extents(ref));
    }
    void store(BufferId buffer, ValueId value, std::int64_t first = 0, std::int64_t rows = -1) {
        Op op = make("store", OpClass::store, {value});
        op.ref = reference(buffer, first, rows);
        region_.ops.push_back(op);
    }

    ValueId source(DType type, const Shape& shape, double valu = 0) {
        Op op = make("iota", OpClass::source, {});
        op.work.valu = valu * registers(type, shape);
        return finish(op, type, shape);
    }

    /// `valu` and `eup` per register of the result.
    ValueId map(const std::string& name, const std::vector<ValueId>& args, double valu,
                double eup = 0, double xlu = 0) {
        Op op = make(name, OpClass::map, args);
        Shape widest = shape(args.front());
        for (ValueId arg : args)
            for (std::size_t d = 0; d < widest.size(); ++d)
                widest[d] = std::max(widest[d], shape(arg)[d]);
        const DType type = region_.values[args.front()].type;
        const double count = registers(type, widest);
        op.work = {valu * count, eup * count, xlu * count};
        return finish(op, type, widest);
    }
    ValueId exp(ValueId value) { return map("exp", {value}, 1, 1); }
    ValueId exp2(ValueId value) { return map("exp2", {value}, 0, 1); }

    /// Half an operation per 32-bit register when it narrows, one when it widens.
    ValueId cast(DType to, ValueId value) {
        Op op = make("cast", OpClass::map, {value});
        const DType from = region_.values[value].type;
        const double wide = registers(DType::f32, shape(value));
        op.work.valu = bits(to) < bits(from) ? wide / 2 : wide;
        const Shape result = shape(value);
        return finish(op, to, result);
    }

    /// Along the lanes: the registers of a row are combined, then one XLU operation per 8 rows.
    ValueId reduce_lanes(ValueId value) {
        Op op = make("rowmax", OpClass::reduce_lanes, {value});
        Shape result = shape(value);
        op.work.valu = registers(DType::f32, result);
        result.back() = 1;
        op.work.xlu = registers(DType::f32, result);
        return finish(op, region_.values[value].type, result);
    }
    ValueId reduce_sublanes(ValueId value) {
        Op op = make("colsum", OpClass::reduce_sublanes, {value});
        Shape result = shape(value);
        op.work.valu = registers(DType::f32, result);
        result[result.size() - 2] = 1;
        return finish(op, region_.values[value].type, result);
    }

    ValueId transpose(ValueId value) {
        Op op = make("transpose", OpClass::move, {value});
        Shape result = shape(value);
        std::swap(result[result.size() - 1], result[result.size() - 2]);
        op.work.xlu = registers(region_.values[value].type, result);
        return finish(op, region_.values[value].type, result);
    }

    /// Of whole registers, so that nothing has to move; or with so many rotations.
    ValueId slice(ValueId value, const Shape& start, const Shape& size, double xlu = 0) {
        Op op = make("slice", OpClass::move, {value});
        op.work.xlu = xlu;
        for (std::size_t d = 0; d < start.size(); ++d)
            op.integers.insert(op.integers.end(), {start[d], size[d], 1, 0});
        return finish(op, region_.values[value].type, size);
    }

    ValueId dot(ValueId lhs, ValueId rhs, bool transposed = false, int passes = 1) {
        Op op = make("dot", OpClass::dot, {lhs, rhs});
        op.transposed = transposed;
        op.passes = passes;
        Shape result = shape(lhs);
        result.back() = shape(rhs)[shape(rhs).size() - (transposed ? 2 : 1)];
        return finish(op, DType::f32, result);
    }

    double registers(DType type, const Shape& shape) const {
        return static_cast<double>(
            schedule::tile_count(shape, chip_.vpu.sublanes * 32 / bits(type), chip_.vpu.lanes));
    }

private:
    std::int64_t tile_rows(DType type) const {
        switch (bits(type)) {
            case 16:
                return chip_.tiling.rows_16bit;
            case 8:
                return chip_.tiling.rows_8bit;
            default:
                return chip_.tiling.rows_32bit;
        }
    }

    schedule::ExprId constant(std::int64_t value) {
        schedule::ScalarExpr expr;
        expr.integer = value;
        program_.exprs.push_back(expr);
        return static_cast<schedule::ExprId>(program_.exprs.size()) - 1;
    }

    schedule::MemoryRef reference(BufferId buffer, std::int64_t first, std::int64_t rows) {
        schedule::MemoryRef ref;
        ref.buffer = buffer;
        const Shape extents = program_.buffers[buffer].shape;
        for (std::size_t d = 0; d < extents.size(); ++d) {
            const bool cut = rows > 0 && d + 2 == extents.size();
            ref.dims.push_back(
                {constant(cut ? first : 0), schedule::none, cut ? rows : extents[d]});
        }
        return ref;
    }

    static Shape extents(const schedule::MemoryRef& ref) {
        Shape shape;
        for (const schedule::RefDim& dim : ref.dims) shape.push_back(dim.size);
        return shape;
    }

    static Op make(const std::string& name, OpClass cls, const std::vector<ValueId>& args) {
        Op op;
        op.name = name;
        op.cls = cls;
        op.args = args;
        return op;
    }

    ValueId finish(Op op, DType type, const Shape& shape) {
        op.result = static_cast<ValueId>(region_.values.size());
        region_.values.push_back({type, shape});
        region_.ops.push_back(std::move(op));
        return region_.ops.back().result;
    }

    arch::ChipSpec chip_;
    schedule::Program program_;
    schedule::Region region_;
};

}  // namespace slab::sim::timing::test
