#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/schedule/program.hpp"
#include "support/dtype.hpp"

namespace slab::interp {

using Int = std::int64_t;
using Shape = std::vector<Int>;

/// Says why an element is undefined (traces.hpp); 0 where it is not.
using Trace = std::uint16_t;

/// Elements of one type, in one of two arrays: floats, narrow ones too, as the f32 that is equal;
/// integers and conditions as an i32, u32 as the i32 of the same bits.
struct Elements {
    DType type = DType::f32;
    std::vector<float> reals;
    std::vector<std::int32_t> integers;

    Elements() = default;
    /// Of zeros.
    Elements(DType its_type, Int count);

    bool are_reals() const { return is_float(type); }
    Int count() const { return static_cast<Int>(are_reals() ? reals.size() : integers.size()); }
    /// As a number: u32 without sign.
    double number(Int at) const;
    void set(Int at, double number);
    /// As the bits of the type.
    std::uint32_t code(Int at) const;
    void set_code(Int at, std::uint32_t code);

    /// `count` of them from `first`.
    Elements part(Int first, Int count) const;
    /// Overwrites those from `first` on.
    void put(Int first, const Elements& others);

    bool operator==(const Elements&) const = default;
};

/// A value of a region: a dense block, row-major, with what is undefined in it.
struct Block {
    Shape shape;
    Elements elements;
    std::vector<Trace> traces;  ///< one per element, or empty: all are defined

    Block() = default;
    Block(DType type, Shape its_shape);
    explicit Block(const schedule::BlockType& type) : Block(type.type, type.shape) {}

    DType type() const { return elements.type; }
    Int count() const { return elements.count(); }
    bool has_undefined() const { return !traces.empty(); }
    Trace trace(Int at) const { return traces.empty() ? 0 : traces[static_cast<std::size_t>(at)]; }
    void set_trace(Int at, Trace trace);
};

Int count_of(const Shape& shape);

/// `[3, 0]`: the index of an element, row-major.
std::string index_text(Int number, const Shape& shape);

/// Calls `visit` with the vector that the elements lie in, and the same of `other`s, which have the
/// same type.
template <typename Visit, typename... Others>
void visit_elements(Visit&& visit, Elements& first, Others&... others) {
    if (first.are_reals())
        visit(first.reals, others.reals...);
    else
        visit(first.integers, others.integers...);
}

}  // namespace slab::interp
