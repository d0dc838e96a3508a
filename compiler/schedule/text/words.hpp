#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/schedule/program.hpp"

namespace slab::schedule {

/// A name as it stands in the text: as it is, or in quotes if it is no plain word.
std::string spelled(std::string_view name);
/// The shortest decimal that reads back as the same double, with a point or an exponent; `inf`,
/// `-inf`, `nan`.
std::string spelled(double value);
/// In quotes in any case.
std::string quoted(std::string_view text);
/// `f32[512, 128]`
std::string spelled(DType type, const std::vector<std::int64_t>& shape);

/// Words of the text that stand where a name could, which must not be taken for them.
bool is_reserved(std::string_view name);
bool starts_word(char c);
bool continues_word(char c);

/// How the members of one table are called in the text: by their names, with `#index` behind where
/// a name occurs twice or could be taken for something else.
class Names {
public:
    Names() = default;
    explicit Names(const std::vector<std::string>& names);

    /// An index out of range, in an unsound program, is `?index`.
    std::string operator[](std::int32_t index) const;
    std::optional<std::int32_t> find(std::string_view spelling) const;
    std::size_t size() const { return spellings_.size(); }

private:
    std::vector<std::string> spellings_;
};

/// The names of everything in a program that its text refers to.
struct ProgramNames {
    explicit ProgramNames(const Program& program);

    Names operands;
    Names buffers;
    Names slots;
    Names streams;
    Names mesh;
    Names semaphores;
    Names rings;
};

/// Names of the enumerators, in order.
template <typename Enum>
struct EnumNames;
template <>
struct EnumNames<Space> {
    static constexpr std::string_view names[] = {"hbm", "vmem", "smem"};
};
template <>
struct EnumNames<Direction> {
    static constexpr std::string_view names[] = {"in", "out", "inout"};
};
template <>
struct EnumNames<BufferRole> {
    static constexpr std::string_view names[] = {"window", "scratch", "ring", "live"};
};
template <>
struct EnumNames<ScalarType> {
    static constexpr std::string_view names[] = {"i32", "f32", "pred"};
};
template <>
struct EnumNames<SemaphoreKind> {
    static constexpr std::string_view names[] = {"dma", "count"};
};
template <>
struct EnumNames<UseRing::Kind> {
    static constexpr std::string_view names[] = {"fill", "take", "put", "drain"};
};
template <>
struct EnumNames<OpClass> {
    static constexpr std::string_view names[] = {"load",         "store",        "source",
                                                 "map",          "reduce_lanes", "reduce_sublanes",
                                                 "reduce_outer", "dot",          "move"};
};

template <typename Enum>
std::string_view name_of(Enum value) {
    return EnumNames<Enum>::names[static_cast<std::size_t>(value)];
}
template <typename Enum>
std::optional<Enum> from_name(std::string_view name) {
    std::size_t index = 0;
    for (std::string_view candidate : EnumNames<Enum>::names) {
        if (candidate == name) return static_cast<Enum>(index);
        ++index;
    }
    return std::nullopt;
}

}  // namespace slab::schedule
