#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace slab {

/// The element types of TPU memories and registers. `f8e4m3` is the fn format: no infinities.
enum class DType { f32, bf16, f8e4m3, f8e5m2, i32, u32, i16, u16, i8, u8, i4, u4, pred };

inline constexpr std::array<std::string_view, 13> dtype_names = {
    "f32", "bf16", "f8e4m3", "f8e5m2", "i32", "u32", "i16", "u16", "i8", "u8", "i4", "u4", "pred"};

constexpr std::string_view name(DType type) {
    return dtype_names[static_cast<std::size_t>(type)];
}

constexpr std::optional<DType> dtype_from_name(std::string_view text) {
    for (std::size_t i = 0; i < dtype_names.size(); ++i)
        if (dtype_names[i] == text) return static_cast<DType>(i);
    return std::nullopt;
}

/// Bits of one element in memory; booleans live as 32-bit values.
constexpr int bits(DType type) {
    switch (type) {
        case DType::f32:
        case DType::i32:
        case DType::u32:
        case DType::pred:
            return 32;
        case DType::bf16:
        case DType::i16:
        case DType::u16:
            return 16;
        case DType::f8e4m3:
        case DType::f8e5m2:
        case DType::i8:
        case DType::u8:
            return 8;
        case DType::i4:
        case DType::u4:
            return 4;
    }
    return 32;
}

constexpr bool is_float(DType type) {
    return type == DType::f32 || type == DType::bf16 || type == DType::f8e4m3 ||
           type == DType::f8e5m2;
}

constexpr bool is_integer(DType type) {
    return !is_float(type) && type != DType::pred;
}

}  // namespace slab
