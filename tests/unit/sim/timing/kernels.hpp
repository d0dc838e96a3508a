#pragma once

#include "region_builder.hpp"

/// Bodies of measured kernels, one region each.
namespace slab::sim::timing::test {

/// acc += dot(x, y); z = bf16(acc): one step of jax.experimental.pallas.ops.tpu.matmul.
inline RegionBuilder matmul_step(const arch::ChipSpec& chip, std::int64_t m, std::int64_t n,
                                 std::int64_t k) {
    RegionBuilder b(chip);
    const BufferId x = b.buffer(DType::bf16, {m, k});
    const BufferId y = b.buffer(DType::bf16, {k, n});
    const BufferId z = b.buffer(DType::bf16, {m, n});
    const BufferId acc = b.buffer(DType::f32, {m, n});
    const ValueId product = b.dot(b.load(x), b.load(y));
    b.store(acc, b.map("add", {b.load(acc), product}, 1));
    b.store(z, b.cast(DType::bf16, b.load(acc)));
    return b;
}

struct Attention {
    std::int64_t rows = 2048;
    std::int64_t keys = 2048;
    std::int64_t sub_block = 1024;
    std::int64_t head = 128;

    /// (8, 128) f32 registers of scores.
    double score_registers() const { return static_cast<double>(rows * keys) / 1024; }
};

/// jax.experimental.pallas.ops.tpu.flash_attention: base e, a mask on every tile, statistics over
/// 128 equal lanes, and an output that is normalised in every sub-block.
inline RegionBuilder jax_attention(const arch::ChipSpec& chip, const Attention& a) {
    RegionBuilder b(chip);
    const BufferId q = b.buffer(DType::bf16, {a.rows, a.head});
    const BufferId k = b.buffer(DType::bf16, {a.keys, a.head});
    const BufferId v = b.buffer(DType::bf16, {a.keys, a.head});
    const BufferId m = b.buffer(DType::f32, {a.rows, 128});
    const BufferId l = b.buffer(DType::f32, {a.rows, 128});
    const BufferId acc = b.buffer(DType::f32, {a.rows, a.head});
    for (std::int64_t key = 0; key < a.keys; key += a.sub_block) {
        ValueId s = b.dot(b.load(q), b.load(k, key, a.sub_block), true);
        s = b.map("mul", {s}, 1);
        ValueId column = b.source(DType::i32, {a.rows, a.sub_block}, 1);
        column = b.map("add", {column}, 1);
        const ValueId masked = b.map("select", {b.map("le", {column}, 1)}, 1);
        s = b.map("add", {s, masked}, 1);
        const ValueId m_old = b.load(m);
        const ValueId m_new = b.map("max", {m_old, b.reduce_lanes(s)}, 1);
        const ValueId p = b.exp(b.map("sub", {s, m_new}, 1));
        const ValueId alpha = b.exp(b.map("sub", {m_old, m_new}, 1));
        const ValueId l_kept = b.map("mul", {alpha, b.load(l)}, 1);
        const ValueId l_new = b.map("add", {l_kept, b.reduce_lanes(p)}, 1);
        const ValueId inverse = b.map("reciprocal", {l_new}, 2, 1);
        b.store(m, m_new);
        b.store(l, l_new);
        const ValueId kept = b.map("mul", {b.load(acc), b.map("mul", {l_kept, inverse}, 1)}, 1);
        const ValueId o = b.dot(b.cast(DType::bf16, p), b.load(v, key, a.sub_block));
        b.store(acc, b.map("add", {kept, b.map("mul", {o, inverse}, 1)}, 1));
    }
    return b;
}

/// Splash attention as tokamax runs it: base 2, full blocks, normalised at the end of the row.
inline RegionBuilder splash_attention(const arch::ChipSpec& chip, const Attention& a) {
    RegionBuilder b(chip);
    const BufferId q = b.buffer(DType::bf16, {a.rows, a.head});
    const BufferId k = b.buffer(DType::bf16, {a.keys, a.head});
    const BufferId v = b.buffer(DType::bf16, {a.keys, a.head});
    const BufferId m = b.buffer(DType::f32, {a.rows, 128});
    const BufferId l = b.buffer(DType::f32, {a.rows, 128});
    const BufferId acc = b.buffer(DType::f32, {a.rows, a.head});
    for (std::int64_t key = 0; key < a.keys; key += a.sub_block) {
        const ValueId s = b.dot(b.load(q), b.load(k, key, a.sub_block), true);
        const ValueId m_old = b.load(m);
        const ValueId m_new = b.map("max", {m_old, b.reduce_lanes(s)}, 1);
        const ValueId p = b.exp2(b.map("sub", {s, m_new}, 1));
        const ValueId alpha = b.exp2(b.map("sub", {m_old, m_new}, 1));
        b.store(l, b.map("add", {b.map("mul", {alpha, b.load(l)}, 1), b.reduce_lanes(p)}, 1));
        b.store(m, m_new);
        const ValueId o = b.dot(b.cast(DType::bf16, p), b.load(v, key, a.sub_block));
        b.store(acc, b.map("add", {b.map("mul", {alpha, b.load(acc)}, 1), o}, 1));
    }
    return b;
}

/// z = x + y of bf16 arrays that stay in VMEM.
inline RegionBuilder bf16_add(const arch::ChipSpec& chip, std::int64_t elements) {
    RegionBuilder b(chip);
    const Shape shape{elements / 128, 128};
    const BufferId x = b.buffer(DType::bf16, shape);
    const BufferId y = b.buffer(DType::bf16, shape);
    const BufferId z = b.buffer(DType::bf16, shape);
    b.store(z, b.map("add", {b.load(x), b.load(y)}, 1));
    return b;
}

/// z = exp(x) of bf16 arrays: the EUP works on 32-bit registers.
inline RegionBuilder bf16_exp(const arch::ChipSpec& chip, std::int64_t elements) {
    RegionBuilder b(chip);
    const Shape shape{elements / 128, 128};
    const BufferId x = b.buffer(DType::bf16, shape);
    const BufferId z = b.buffer(DType::bf16, shape);
    b.store(z, b.cast(DType::bf16, b.exp(b.cast(DType::f32, b.load(x)))));
    return b;
}

}  // namespace slab::sim::timing::test
