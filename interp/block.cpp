#include "interp/block.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "support/rounding.hpp"

namespace slab::interp {

Int count_of(const Shape& shape) {
    Int count = 1;
    for (const Int extent : shape) count *= extent;
    return count;
}

std::string index_text(Int number, const Shape& shape) {
    std::vector<Int> index(shape.size());
    for (std::size_t d = shape.size(); d-- > 0; number /= std::max<Int>(shape[d], 1))
        index[d] = number % std::max<Int>(shape[d], 1);
    return fmt::format("[{}]", fmt::join(index, ", "));
}

Elements::Elements(DType its_type, Int count) : type(its_type) {
    if (are_reals())
        reals.resize(static_cast<std::size_t>(count));
    else
        integers.resize(static_cast<std::size_t>(count));
}

double Elements::number(Int at) const {
    const auto i = static_cast<std::size_t>(at);
    if (are_reals()) return static_cast<double>(reals[i]);
    if (type == DType::u32) return static_cast<double>(static_cast<std::uint32_t>(integers[i]));
    return integers[i];
}

void Elements::set(Int at, double number) {
    const auto i = static_cast<std::size_t>(at);
    if (are_reals())
        reals[i] = static_cast<float>(number);
    else
        integers[i] = static_cast<std::int32_t>(static_cast<Int>(number));
}

std::uint32_t Elements::code(Int at) const {
    return encoded(type, number(at));
}

void Elements::set_code(Int at, std::uint32_t code) {
    set(at, decoded(type, code));
}

Elements Elements::part(Int first, Int count) const {
    Elements result(type, count);
    visit_elements(
        [&](auto& out, const auto& in) { std::copy_n(in.begin() + first, count, out.begin()); },
        result, *this);
    return result;
}

void Elements::put(Int first, const Elements& others) {
    visit_elements(
        [&](auto& out, const auto& in) { std::copy(in.begin(), in.end(), out.begin() + first); },
        *this, others);
}

Block::Block(DType type, Shape its_shape)
    : shape(std::move(its_shape)), elements(type, count_of(shape)) {}

void Block::set_trace(Int at, Trace trace) {
    if (traces.empty()) {
        if (trace == 0) return;
        traces.resize(static_cast<std::size_t>(count()));
    }
    traces[static_cast<std::size_t>(at)] = trace;
}

}  // namespace slab::interp
